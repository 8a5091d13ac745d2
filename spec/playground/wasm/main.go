//go:build js && wasm

// Command wasm is the engine of the playground in a browser: a function callwire of
// the page, from a request in JSON to its answer.
package main

import (
	"syscall/js"

	"github.com/callwire/callwire/spec/playground/engine"
)

func main() {
	js.Global().Set("callwire", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(engine.Serve([]byte(args[0].String())))
	}))
	select {} // the page calls as long as it is open
}
