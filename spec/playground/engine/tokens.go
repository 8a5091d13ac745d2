package engine

import (
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// tokens returns the words of a call of the format that begins at start: its lexemes, and
// the whitespace and marks between them. Closed reports whether a malformed call ends with
// a closing tag.
func tokens(text string, start int, f *parse.Format, closed bool) (all []Token) {
	lexemes, err := lexer.Lexemes(f, lexer.Limits{}, []byte(text))
	if err != nil {
		return nil
	}
	pos := 0
	add := func(kind string, end int) {
		if end > pos {
			all = append(all, Token{kind, start + pos, start + end, text[pos:end]})
			pos = end
		}
	}
	for _, x := range lexemes {
		unclosed := x.Kind == "string" && !x.Closed
		if x.Kind == "end" || x.Kind == "begin" || unclosed {
			continue // they are marks, or damage
		}
		for x.Kind != "damaged" && pos < x.Start {
			rest := text[pos:x.Start]
			space := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
			switch {
			case space > 0:
				add("space", pos+space)
			case strings.IndexByte(".=,:[]{}", rest[0]) >= 0:
				add("mark", pos+1)
			default:
				add("damage", x.Start)
			}
		}
		switch x.Kind {
		case "open": // its span is empty
			add(x.Kind, pos+len(f.Call.Open))
		case "fault":
			all = append(all, Token{x.Kind, start + pos, start + pos, string(x.Code)})
		case "damaged":
			if closed {
				add("damage", x.End-len(f.Call.Close))
				add("close", x.End)
			}
			add("damage", x.End)
		default:
			add(x.Kind, x.End)
		}
	}
	return all
}
