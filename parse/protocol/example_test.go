package protocol_test

import (
	"fmt"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// A copy with other tags is a format of its own.
func Example() {
	own := *protocol.Hermes
	own.Name = "own"
	own.Call = protocol.Tags{Open: "<invoke>", Close: "</invoke>"}
	text, err := parse.FormatCall(sig.AnyTool, "greet", []byte(`{"who":"</invoke>"}`),
		&parse.FormatOptions{Format: &own})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text)
	segments, err := parse.Message(sig.AnyTool, text, &parse.Options{Format: &own})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s\n", segments[0].Call.Name, segments[0].Call.Input)
	// Output:
	// <invoke>
	// {"name": "greet", "arguments": {"who": "<\/invoke>"}}
	// </invoke>
	// greet {"who":"</invoke>"}
}

// One reader for several formats.
func ExampleAny() {
	text := `<call>now zone=UTC</call> <tool_call>{"name": "now"}</tool_call>`
	o := &parse.Options{Format: protocol.Any(protocol.Hermes, protocol.Qwen3Coder, protocol.Wire)}
	segments, err := parse.Message(sig.AnyTool, text, o)
	for _, s := range segments {
		if s.Call != nil {
			fmt.Println(s.Call.Name, string(s.Call.Input))
		}
	}
	fmt.Println(err)
	// Output:
	// now {"zone":"UTC"}
	// now {}
	// <nil>
}
