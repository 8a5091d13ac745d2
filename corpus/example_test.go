package corpus_test

import (
	"fmt"

	"github.com/callwire/callwire/corpus"
)

// Every case says what it reads and what must come out of it.
func Example() {
	for _, c := range corpus.Cases() {
		if c.ID != "recovery/nested-in-bare-word" {
			continue
		}
		fmt.Println(c.Note)
		fmt.Printf("%s\n", c.Text)
		for _, e := range c.Want.Events {
			fmt.Printf("%2d-%2d %s", e.Start, e.End, e.Type)
			switch e.Type {
			case corpus.ToolCallEvent:
				fmt.Printf(" %s %s, after malformed: %t", e.Name, e.Input, e.AfterMalformed)
			case corpus.MalformedEvent:
				fmt.Printf(" %s at %d, closed: %t", e.Code, e.At, e.Closed)
			}
			fmt.Println()
		}
	}
	// Output:
	// A lost closing tag directly after a bare word stays local.
	// <call>t path=/tmp/x<call>u</call>
	//  0-19 malformed nested-call at 19, closed: false
	// 19-33 tool-call u {}, after malformed: true
}
