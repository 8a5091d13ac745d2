package grammar_test

import (
	"fmt"
	"log"

	"github.com/callwire/callwire/grammar"
)

func ExampleGrammar_Read() {
	g, err := grammar.New(grammar.DefaultDelims)
	if err != nil {
		log.Fatal(err)
	}
	text := `Let me check. <call>getWeather location="New York" units=metric</call> And <call>list(all)</call>`
	for _, s := range g.Read([]byte(text), grammar.Options{}) {
		switch s.Kind {
		case grammar.TextSegment:
			fmt.Printf("text       %q\n", text[s.Start:s.End])
		case grammar.CallSegment:
			fmt.Printf("call       %s %s\n", s.Call.Name.Token.Value, s.Call.JSON())
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

func ExampleCall_Leaves() {
	g, err := grammar.New(grammar.DefaultDelims)
	if err != nil {
		log.Fatal(err)
	}
	segments := g.Read([]byte(`<call>move to.x=3 tags=[red, "a\tb"]</call>`), grammar.Options{})
	for _, leaf := range segments[0].Call.Leaves() {
		fmt.Printf("%2d-%-2d %-6s %q\n", leaf.Start, leaf.End, leaf.Kind, leaf.Text)
	}
	// Output:
	//  6-10 name   "move"
	// 11-13 key    "to"
	// 14-15 key    "x"
	// 16-17 bare   "3"
	// 18-22 key    "tags"
	// 23-24 [      "["
	// 24-27 bare   "red"
	// 29-35 string "a\tb"
	// 35-36 ]      "]"
}

func ExampleNew() {
	_, err := grammar.New(grammar.Delims{Open: "call:", Close: ":call"})
	fmt.Println(err)
	// Output:
	// grammar: tag "call:": begins with a letter, a digit, a quote or one of \ = [ ] { } . ,
}
