package protocol_test

import (
	"fmt"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// XML that a model has written on its own is JSON under a schema, or without one.
func ExampleReadXML() {
	const text = `<title>Q&amp;A</title><tags>a</tags><tags>b</tags><pages>9007199254740993</pages><draft>true</draft><code><![CDATA[if a < b]]></code>`
	input, _, err := protocol.ReadXML(nil, "", text)
	fmt.Println(string(input), err)

	catalog, err := sig.Compile(`[{"name": "save", "inputSchema": {"type": "object", "properties": {"pages": {"type": "string"}, "tags": {"type": "array"}}}}]`)
	if err != nil {
		panic(err)
	}
	input, _, err = protocol.ReadXML(catalog, "save", `<pages>007</pages><tags>a</tags>`)
	fmt.Println(string(input), err)
	_, _, err = protocol.ReadXML(catalog, "save", `<tags>7</tag>`)
	fmt.Println(err)
	// Output:
	// {"title":"Q&A","tags":["a","b"],"pages":9007199254740993,"draft":true,"code":"if a < b"} <nil>
	// {"pages":"007","tags":["a"]} <nil>
	// expected-close at byte 7 in a call of "save": expected the end tag of the element, found "</tag>"; close each element, the innermost first, and write &lt; for < in text
}

// Another format gives the same events; only the options say which it is.
func Example() {
	catalog, err := sig.Compile(`[{"name": "getWeather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}]`)
	if err != nil {
		panic(err)
	}
	dec := stream.NewDecoder(catalog, stream.Options{Options: parse.Options{Protocol: protocol.Qwen3Coder}})
	show := func(events []stream.Event) {
		for _, e := range events {
			switch e.Type {
			case stream.TextDelta, stream.ToolInputDelta:
				fmt.Printf("%s %q\n", e.Type, e.Delta)
			case stream.ToolCall:
				fmt.Printf("%s %s %s\n", e.Type, e.Name, e.Input)
			}
		}
	}
	for _, chunk := range []string{
		"Let me see.\n<tool_call>\n<func", "tion=getWeather>\n<parameter=city>\nNew Y",
		"ork\n</parameter>\n<parameter=days>\n3\n</para", "meter>\n</function>\n</tool_call>",
	} {
		show(dec.FeedString(chunk))
	}
	show(dec.Close())
	// Output:
	// text-delta "Let me see.\n"
	// tool-input-delta "{\"city\":\"New Y"
	// tool-input-delta "ork\",\"days\":"
	// tool-input-delta "3}"
	// tool-call getWeather {"city":"New York","days":3}
}
