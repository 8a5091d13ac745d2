package fuzz

import (
	"fmt"
	"slices"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// Diff reads a message with the formal grammar of its format and with the parser, and returns how
// they disagree, or "": in the spans of text, calls and malformed calls, in codes, offsets, names,
// arguments, issues and marks. The grammar knows no types and no repairs; see [Setup.Formal].
func Diff(in []byte, s Setup) string {
	got, err := s.Whole(in)
	if err != nil {
		return err.Error()
	}
	for i := range got {
		got[i] = formal(got[i])
	}
	want := s.byGrammar(in)
	for i := range max(len(want), len(got)) {
		if i < len(want) && i < len(got) && Equal(want[i], got[i]) {
			continue
		}
		if i < len(got) && s.excused(got[i]) {
			return ""
		}
		return fmt.Sprintf("%q, from part %d on: %s", in, i, Differ(want[i:], got[i:]))
	}
	return ""
}

// excused reports whether the grammar does not know the fault of p: in other formats than the wire
// format, the limits win over a fault at the same place, and unknown members of an envelope are
// faults.
func (s Setup) excused(p Part) bool {
	unknown := []lexer.Code{lexer.CallTooLong, lexer.NameTooLong, lexer.NotAnObject}
	return !s.wire() && slices.Contains(unknown, lexer.Code(p.Code))
}

// Oracles are the formats that have a formal grammar.
var Oracles = []*protocol.Format{protocol.Wire, protocol.Hermes, protocol.Qwen3Coder}

// Formal returns s with the options that the grammar knows, and a catalog without types.
func (s Setup) Formal() Setup {
	s.AllowInCode, s.Strict, s.Repair, s.Reasoning = true, false, false, parse.NoReasoning
	if s.Catalog != sig.AnyTool {
		s.Catalog = untypedCatalog
	}
	return s
}

var untypedCatalog = named("t", "tool")

// formal returns p without what the grammar does not know.
func formal(p Part) Part {
	p.Text, p.ID = nil, ""
	p.Issues = slices.Clone(p.Issues)
	for i := range p.Issues {
		p.Issues[i].Path = ""
	}
	return p
}

// byGrammar returns the parts that the grammar reads.
func (s Setup) byGrammar(in []byte) (list []Part) {
	o := grammar.Options{
		Limits:             grammar.Limits(s.Limits),
		AcceptAtEnd:        s.AllowUnclosed,
		StopAfterMalformed: !s.AllowAfterMalformed,
	}
	if s.Catalog != sig.AnyTool {
		o.Known = func(name string) bool { return s.Catalog.Lookup([]byte(name)) != nil }
	}
	for _, g := range s.oracle().Read(in, o) {
		p := Part{Type: textPart, Start: g.Start, End: g.End}
		switch g.Kind {
		case grammar.MalformedSegment:
			p.Type = malformedPart
			p.Code, p.At, p.Closed = string(g.Code), g.At, g.Closed
		case grammar.CallSegment:
			p.Type = callPart
			p.Name, p.Input, p.AfterMalformed = g.Name, g.Input, g.AfterMalformed
			for _, i := range g.Issues {
				p.Issues = append(p.Issues, corpus.Issue{Code: string(i.Code), At: i.At})
			}
		}
		list = append(list, p)
	}
	return list
}

// oracle returns the grammar of the format with the tags of s.
func (s Setup) oracle() *grammar.Grammar {
	if !s.wire() {
		return grammar.ByName(s.Format.Name)
	}
	tags := s.tags()
	g, err := grammar.New(grammar.Delims{Open: tags.Open, Close: tags.Close})
	if err != nil {
		panic(err) // a Setup has legal tags
	}
	return g
}
