package protocols_test

import (
	"fmt"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/grammar/protocols"
)

func ExampleProtocol_Read() {
	text := "Hi. <tool_call>\n" + `{"name": "f", "arguments": {"html": "</tool_call>"}}` + "\n</tool_call>"
	for _, s := range protocols.ByName("hermes").Read(text, grammar.Options{}) {
		fmt.Printf("%s [%d,%d) %q\n", s.Kind, s.Start, s.End, s.Name+s.Input)
	}
	// Output:
	// text [0,4) ""
	// tool-call [4,81) "f{\"html\":\"</tool_call>\"}"
}
