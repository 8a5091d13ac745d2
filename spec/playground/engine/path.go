package engine

import (
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/spec/railroad"
)

// tokens returns the words of a call that begins at start.
func tokens(text string, start int, delims lexer.Delims) (all []Token) {
	l, err := lexer.New(lexer.Config{Delims: delims})
	if err != nil {
		return nil
	}
	depth := 0 // of brackets
	l.Feed([]byte(text))
	take := func() {
		for list := l.Tokens(); len(list) > 0; list = l.Tokens() {
			for _, t := range list {
				word := text[t.Start:t.End]
				if t.Kind == lexer.Fault {
					code, _ := l.Fault()
					all = append(all, Token{Kind: t.Kind.String(), Start: start + t.Start, End: start + t.End, Text: string(code)})
					continue
				}
				add := func(kind lexer.Kind, from, to int) {
					all = append(all, Token{kind.String(), start + t.Start + from, start + t.Start + to, word[from:to], terminal(kind, word[from:to], depth)})
				}
				switch t.Kind {
				case lexer.ArrayOpen, lexer.ObjectOpen:
					depth++
				case lexer.ArrayClose, lexer.ObjectClose:
					depth--
				case lexer.Open: // and the whitespace after it
					if tag := len(strings.TrimRight(word, " \t\r\n")); tag < len(word) {
						add(lexer.Open, 0, tag)
						add(lexer.Space, tag, len(word))
						continue
					}
				}
				add(t.Kind, 0, len(word))
			}
		}
	}
	take()
	l.Close()
	take()
	return all
}

// terminal returns the name that the grammar has for a word at that depth of brackets,
// "" where it has none: it does not see whitespace between brackets, nor what is empty
// or damaged.
func terminal(kind lexer.Kind, word string, depth int) string {
	if word == "" {
		return ""
	}
	switch kind {
	case lexer.Open:
		return "open"
	case lexer.Close:
		return "close"
	case lexer.Name:
		return "name"
	case lexer.String:
		return "string"
	case lexer.Space:
		if depth == 0 {
			return "space"
		}
	case lexer.Key:
		if depth > 0 {
			return "memberkey"
		}
		return "key"
	case lexer.Bare:
		if depth > 0 {
			return "item"
		}
		return "word"
	case lexer.Dot, lexer.Equals, lexer.Comma, lexer.Colon, lexer.ArrayOpen, lexer.ArrayClose, lexer.ObjectOpen, lexer.ObjectClose:
		return word
	}
	return ""
}

// path leads the tokens through the grammar, up to what is wrong.
func path(g railroad.Grammar, tokens []Token) []railroad.Visit {
	var words []string
	var index []int // of the words among the tokens
	for i, t := range tokens {
		if t.Kind == lexer.Fault.String() {
			words, index = append(words, ""), append(index, i)
			break
		}
		if t.terminal != "" {
			words, index = append(words, t.terminal), append(index, i)
		}
	}
	visits, _ := g.Walk("Call", words)
	index = append(index, len(tokens))
	for _, v := range visits {
		for i := range v.Steps {
			v.Steps[i].Word = index[v.Steps[i].Word]
		}
	}
	return visits
}
