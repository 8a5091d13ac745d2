package protocol_test

import (
	"fmt"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

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
