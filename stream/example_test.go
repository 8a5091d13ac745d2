package stream_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

const exampleTools = `[{"name":"search","inputSchema":{"properties":{"query":{"type":"string"},"limit":{"type":"integer"}}}}]`

// Model output is read as it arrives: text is shown at once, and a call acted on
// when it is complete.
func ExampleEvents() {
	catalog, err := sig.Compile(exampleTools)
	if err != nil {
		fmt.Println(err)
		return
	}
	output := strings.NewReader(`Let me look. <call>search query="grey cats" limit=5</call>`)
	for event, err := range stream.Events(output, catalog, stream.Options{Options: parse.Options{StopAfterMalformed: true}}) {
		if err != nil {
			fmt.Println("the output broke off:", err)
			return
		}
		switch event.Type {
		case stream.TextDelta:
			fmt.Printf("text %q\n", event.Delta)
		case stream.ToolCall:
			fmt.Println("call", event.ID, event.Name, string(event.Input))
		case stream.Malformed:
			fmt.Println("malformed", event.Err.Code)
		}
	}
	// Output:
	// text "Let me look. "
	// call call-1 search {"query":"grey cats","limit":5}
}

// Chunks are fed as they come. The deltas of a call, one after the other, are its
// input.
func ExampleDecoder() {
	d := stream.NewDecoder(nil, stream.Options{})
	show := func(events []stream.Event) {
		for _, e := range events {
			fmt.Printf("%s %s %q\n", e.ID, e.Type, e.Delta)
		}
	}
	for _, chunk := range []string{"Hi <ca", `ll>say text="good `, `day"</call>`} {
		show(d.FeedString(chunk))
	}
	show(d.Close())
	// Output:
	// text-1 text-start ""
	// text-1 text-delta "Hi "
	// text-1 text-end ""
	// call-1 tool-input-start ""
	// call-1 tool-input-delta "{\"text\":\"good "
	// call-1 tool-input-delta "day\"}"
	// call-1 tool-input-end ""
	// call-1 tool-call ""
}

// Events hold until the next call of a method of the decoder; Clone keeps them.
func ExampleEvent_Clone() {
	d := stream.NewDecoder(nil, stream.Options{})
	var calls []stream.Event
	for _, chunk := range []string{"<call>first</call>", "<call>second</call>"} {
		for _, e := range d.FeedString(chunk) {
			if e.Type == stream.ToolCall {
				calls = append(calls, e.Clone())
			}
		}
	}
	fmt.Println(calls[0].Name, string(calls[0].Input), calls[1].Name)
	// Output: first {} second
}

// A Writer stands where an io.Writer is wanted.
func ExampleWriter() {
	w := stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(e stream.Event) error {
		if e.Type == stream.TextDelta {
			_, err := os.Stdout.Write(e.Delta)
			return err
		}
		return nil
	})
	fmt.Fprint(w, "text <call>t</call>and ", "more")
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output: text and more
}
