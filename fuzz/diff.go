package fuzz

import (
	"fmt"
	"strings"
	"sync"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// grammars caches the grammar of each pair of tags; building one is slow.
var grammars sync.Map // of *grammar.Grammar by lexer.Delims

// oracle returns the grammar for the tags of s.
func (s Setup) oracle() *grammar.Grammar {
	d := s.Delims.OrDefault()
	if g, ok := grammars.Load(d); ok {
		return g.(*grammar.Grammar)
	}
	g, err := grammar.New(grammar.Delims{Open: d.Open, Close: d.Close})
	if err != nil {
		panic(err)
	}
	grammars.Store(d, g)
	return g
}

// Diff reads text with the grammar and with the parser and returns how they disagree,
// or "". The grammar does not know types, so s must not be strict and its catalog must
// not have schemas.
func Diff(text string, s Setup) string {
	want := s.byGrammar(text)
	got := s.byParser(text)
	for i := 0; i < len(want) || i < len(got); i++ {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			return fmt.Sprintf("text %q, segment %d\ngrammar: %s\nparser:  %s", text, i, w, g)
		}
	}
	return ""
}

// byGrammar describes the segments that the grammar reads.
func (s Setup) byGrammar(text string) []string {
	var out []string
	for _, g := range s.oracle().Read([]byte(text), s.grammar()) {
		var b strings.Builder
		fmt.Fprintf(&b, "%s [%d,%d)", g.Kind, g.Start, g.End)
		switch g.Kind {
		case grammar.MalformedSegment:
			fmt.Fprintf(&b, " %s at %d closed=%t", g.Code, g.At, g.Closed)
		case grammar.CallSegment:
			fmt.Fprintf(&b, " after=%t %s", g.AfterMalformed, g.Call.JSON())
			for _, is := range g.Call.Issues() {
				fmt.Fprintf(&b, " %s@%d", is.Code, is.At)
			}
			for _, l := range g.Call.Leaves() {
				fmt.Fprintf(&b, "\n  %s [%d,%d) %q", l.Kind, l.Start, l.End, l.Text)
			}
		}
		out = append(out, b.String())
	}
	return out
}

// byParser describes the segments that the parser reads, with the tokens of the lexer.
func (s Setup) byParser(text string) []string {
	leaves := s.leaves(text)
	var out []string
	for _, p := range s.parse().Text(text, s.Catalog) {
		var b strings.Builder
		fmt.Fprintf(&b, "%s [%d,%d)", p.Kind, p.Start, p.End)
		switch p.Kind {
		case parse.Malformed:
			fmt.Fprintf(&b, " %s at %d closed=%t", p.Err.Code, p.Err.Offset, p.Closed)
		case parse.Call:
			fmt.Fprintf(&b, " after=%t %s", p.AfterMalformed, p.Input)
			for _, is := range p.Issues {
				fmt.Fprintf(&b, " %s@%d", is.Code, is.At)
			}
			b.WriteString(leaves[p.Start])
		}
		out = append(out, b.String())
	}
	return out
}

// leaves returns a description of the tokens of each call, by its offset.
func (s Setup) leaves(text string) map[int]string {
	l, err := lexer.New(s.lexer())
	if err != nil {
		panic(err)
	}
	all := map[int]string{}
	start := 0
	var b strings.Builder
	l.Feed([]byte(text))
	read := func() {
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			for _, t := range toks {
				name := ""
				word := text[t.Start:t.End]
				switch t.Kind {
				case lexer.Open:
					start = t.Start
					b.Reset()
				case lexer.Close:
					all[start] = b.String()
				case lexer.Name:
					name = "name"
				case lexer.Key:
					name = "key"
				case lexer.Bare:
					name = "bare"
				case lexer.ArrayOpen, lexer.ArrayClose, lexer.ObjectOpen, lexer.ObjectClose:
					name = word
				case lexer.String:
					if t.Flags&(lexer.First|lexer.Last) == lexer.First|lexer.Last {
						name = "string"
						word = string(lexeme.AppendUnescaped(nil, []byte(word[1:len(word)-1])))
					}
				}
				if name != "" {
					fmt.Fprintf(&b, "\n  %s [%d,%d) %q", name, t.Start, t.End, word)
				}
			}
		}
	}
	read()
	l.Close()
	read()
	return all
}
