package parse_test

import (
	"fmt"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

const weather = `[{"name": "getWeather", "inputSchema": {"type": "object", "properties": {
	"location": {"type": "string"}, "days": {"type": "integer"}}, "required": ["location"]}}]`

func ExampleMessage() {
	catalog, err := sig.Compile(weather)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply := `Let me check. <call>getWeather location="New York" days=3</call> ` +
		`<call>getWeather days=</call>`
	segments, err := parse.Message(catalog, reply, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range segments {
		switch {
		case s.Call != nil:
			fmt.Println("call:", s.Call.Name, string(s.Call.Input), s.Call.Issues)
		case s.Err != nil:
			fmt.Println("malformed:", s.Err)
		default:
			fmt.Printf("text: %q\n", s.Text)
		}
	}
	// Output:
	// text: "Let me check. "
	// call: getWeather {"location":"New York","days":3} []
	// text: " "
	// call: getWeather {"days":""} [type-mismatch at byte 87, argument days missing-argument at byte 87, argument location]
}

func ExampleFormatCall() {
	input := []byte(`{"location": "New York", "days": 3}`)
	text, err := parse.FormatCall(sig.AnyTool, "getWeather", input, nil)
	fmt.Println(text, err)
	_, err = parse.FormatCall(nil, "getWeather", []byte(`{}`), nil)
	fmt.Println(err)
	// Output:
	// <call>getWeather location="New York" days=3</call> <nil>
	// unknown-tool at byte 0 in a call to "getWeather": expected the name of a known tool, found "getWeather"; use one of the tools that are listed, spelled as listed
}

func ExampleCoerce() {
	catalog, err := sig.Compile(weather)
	if err != nil {
		fmt.Println(err)
		return
	}
	native := []byte(`{"location": "Rome", "days": "3"}`)
	input, issues, err := parse.Coerce(catalog, "getWeather", native)
	fmt.Println(string(input), issues, err)
	// Output:
	// {"location":"Rome","days":3} [coerced at byte 29, argument days] <nil>
}
