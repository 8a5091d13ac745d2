//go:build js && wasm

// Command wasm is the engine of the playground in a browser: the function callwire of
// the page, which answers a request in JSON.
package main

import (
	"syscall/js"

	"github.com/callwire/callwire/spec/playground/engine"
)

func main() {
	js.Global().Set("callwire", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(engine.Serve([]byte(args[0].String())))
	}))
	select {} // the page may call until it is closed
}
