package grammar_test

import (
	"fmt"

	"github.com/callwire/callwire/grammar"
)

func ExampleGrammar_Read() {
	g, err := grammar.New(grammar.DefaultDelims)
	if err != nil {
		panic(err)
	}
	text := `Let me check. <call>getWeather location="New York" units=metric</call> And <call>list(all)</call>`
	for _, s := range g.Read([]byte(text), grammar.Options{}) {
		switch s.Kind {
		case grammar.TextSegment:
			fmt.Printf("text       %q\n", text[s.Start:s.End])
		case grammar.CallSegment:
			fmt.Printf("call       %s %s\n", s.Call.Name.Token.Value, s.Input)
		case grammar.MalformedSegment:
			fmt.Printf("malformed  %s before %q\n", s.Code, text[s.At:s.End])
		}
	}
	// Output:
	// text       "Let me check. "
	// call       getWeather {"location":"New York","units":"metric"}
	// text       " And "
	// malformed  bad-name before "(all)</call>"
}
