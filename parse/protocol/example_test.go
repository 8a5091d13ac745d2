package protocol_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

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

// lines is a codec for arguments that are lines of "key: text".
type lines struct{}

// Decode reads the lines between the tags of a call.
func (lines) Decode(text []byte, v protocol.Values) (code string, at int) {
	v.Begin(true, 0)
	for line := range bytes.Lines(text) {
		key, value, found := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
		switch {
		case found && len(key) > 0:
			v.Key(key, at)
			v.String(value, at)
		case len(key) > 0:
			return "expected-colon", at
		}
		at += len(line)
	}
	v.End(at)
	return "", 0
}

// Encode writes arguments that are all strings.
func (lines) Encode(dst []byte, tool string, args []byte, _ protocol.Style) []byte {
	var texts map[string]string
	if err := json.Unmarshal(args, &texts); err != nil {
		return append(dst, "not-strings\n"...) // which doesn't read back, so the call is refused
	}
	keys := make([]string, 0, len(texts))
	for key := range texts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		dst = fmt.Appendf(dst, "%s: %s\n", key, texts[key])
	}
	return dst
}

// A format whose body no kind of this package reads.
func ExampleCodec() {
	own := &protocol.Format{
		Name: "lines", Body: protocol.Block, Codec: lines{}, Layout: protocol.Layout{Lead: "\n"},
	}
	tools, err := sig.Compile([]byte(`[{"name": "greet", "input_schema": {"type": "object",
		"properties": {"who": {"type": "string"}}}}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := parse.FormatCall(tools, "greet", []byte(`{"who": "Ada"}`),
		&parse.FormatOptions{Format: own})
	fmt.Println(text, err)
	segments, err := parse.Message(tools, text, &parse.Options{Format: own})
	fmt.Println(string(segments[0].Call.Input), err)
	_, err = parse.FormatCall(tools, "greet", []byte(`{"who": 1}`),
		&parse.FormatOptions{Format: own})
	var fault *parse.Error
	fmt.Println(errors.As(err, &fault), fault.Code)
	// Output:
	// <greet>
	// who: Ada
	// </greet> <nil>
	// {"who":"Ada"} <nil>
	// true unwritable-value
}
