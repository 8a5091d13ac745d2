package lexer_test

import (
	"fmt"

	"github.com/callwire/callwire/lexer"
)

// A message that arrives in chunks. The call crosses them, and its value comes
// whole.
func Example() {
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	tokens := func() {
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			for _, k := range toks {
				fmt.Printf("%-6v %q\n", k.Kind, l.Slice(k.Start, k.End))
			}
		}
	}
	for _, chunk := range []string{"Let me look. <ca", "ll>search query=cats lim", "it=5</call> Done."} {
		l.Feed([]byte(chunk))
		tokens()
	}
	l.Close()
	tokens()
	// Output:
	// Text   "Let me look. "
	// Open   "<call>"
	// Name   "search"
	// Space  " "
	// Key    "query"
	// Equals "="
	// Bare   "cats"
	// Space  " "
	// Key    "limit"
	// Equals "="
	// Bare   "5"
	// Close  "</call>"
	// Text   " Done."
}

// A call that is malformed says why and where; the text after it is read on.
func ExampleLexer_Fault() {
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	l.Feed([]byte("<call>search(query)</call> and so on"))
	for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
		for _, k := range toks {
			switch k.Kind {
			case lexer.Fault:
				code, at := l.Fault()
				fmt.Printf("%s at byte %d\n", code, at)
			case lexer.Damage, lexer.Text:
				fmt.Printf("%v %q\n", k.Kind, l.Slice(k.Start, k.End))
			}
		}
	}
	// Output:
	// bad-name at byte 12
	// Damage "search(query)"
	// Text " and so on"
}

// Tags of one's own, which an attacker cannot know.
func ExampleDelims_Validate() {
	fmt.Println(lexer.Delims{Open: "<k7f3>", Close: "</k7f3>"}.Validate())
	fmt.Println(lexer.Delims{Open: "<k7f3>", Close: "<k7f3>!"}.Validate())
	// Output:
	// <nil>
	// tag "<k7f3>": want neither tag inside the other, which is "<k7f3>!"
}

func ExampleError() {
	err := &lexer.Error{Code: lexer.ExpectedEquals, Offset: 15, Tool: "search", Found: " = cats"}
	fmt.Println(err.Code, err.Offset)
	// Output: expected-equals 15
}
