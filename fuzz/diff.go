package fuzz

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Setup is how a text is read. The zero value is the format as specified,
// without a catalogue.
type Setup struct {
	Delims lexer.Delims
	Limits lexer.Limits
	Accept bool     // a complete call at the end of input
	Stop   bool     // after a malformed span
	Tools  []string // names of the tools that are known; nil for all
}

// options returns the parser's options for s.
func (s Setup) options() parse.Options {
	return parse.Options{Delims: s.Delims, Limits: s.Limits, AcceptAtEnd: s.Accept, StopAfterMalformed: s.Stop}
}

// catalog returns a catalogue of tools about whose arguments nothing is said.
func (s Setup) catalog() *sig.Catalog {
	if s.Tools == nil {
		return nil
	}
	tools := make([]sig.Tool, len(s.Tools))
	for i, name := range s.Tools {
		tools[i].Name = name
	}
	c, err := sig.Compile(tools)
	if err != nil {
		panic(err) // names alone always compile
	}
	return c
}

// grammars caches the grammar of each pair of tags; building one is slow.
var grammars = map[lexer.Delims]*grammar.Grammar{}

// oracle returns the grammar for the tags of s.
func (s Setup) oracle() *grammar.Grammar {
	d := s.Delims.OrDefault()
	g := grammars[d]
	if g == nil {
		var err error
		if g, err = grammar.New(grammar.Delims{Open: d.Open, Close: d.Close}); err != nil {
			panic(err)
		}
		grammars[d] = g
	}
	return g
}

// Diff reads text by the grammar and by the parser and returns how they
// disagree, or "".
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

// byGrammar describes the segments of text as the grammar reads them.
func (s Setup) byGrammar(text string) []string {
	opts := grammar.Options{
		Limits:             grammar.Limits{Bytes: s.Limits.Bytes, Depth: s.Limits.Depth, Arguments: s.Limits.Arguments, Name: s.Limits.Name},
		AcceptAtEnd:        s.Accept,
		StopAfterMalformed: s.Stop,
	}
	if s.Tools != nil {
		opts.Known = func(name string) bool {
			for _, t := range s.Tools {
				if t == name {
					return true
				}
			}
			return false
		}
	}
	var out []string
	for _, g := range s.oracle().Read([]byte(text), opts) {
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

// byParser describes the segments of text as the parser reads them, with the
// tokens of the lexer.
func (s Setup) byParser(text string) []string {
	leaves := s.leaves(text)
	var out []string
	for _, p := range s.options().Text(text, s.catalog()) {
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
	l, err := lexer.New(lexer.Config{Delims: s.Delims, Limits: s.Limits, AcceptAtEnd: s.Accept})
	if err != nil {
		panic(err)
	}
	all := map[int]string{}
	start := 0
	var b strings.Builder
	l.Feed([]byte(text))
	read := func() {
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			for _, t := range lexer.Singles(toks) {
				name := ""
				lexeme := text[t.Start:t.End]
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
					name = lexeme
				case lexer.String:
					if t.Flags&(lexer.First|lexer.Last) == lexer.First|lexer.Last {
						name = "string"
						lexeme = string(lexer.AppendUnescaped(nil, []byte(lexeme[1:len(lexeme)-1])))
					}
				}
				if name != "" {
					fmt.Fprintf(&b, "\n  %s [%d,%d) %q", name, t.Start, t.End, lexeme)
				}
			}
		}
	}
	read()
	l.Close()
	read()
	return all
}
