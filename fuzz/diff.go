package fuzz

import (
	"fmt"
	"slices"
	"strings"
	"sync"

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
	want := s.byGrammar(in)
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i].describe()
		}
		if w != g && i < len(got) && s.excused(got[i]) {
			return ""
		}
		if w != g {
			return fmt.Sprintf("%q, part %d\ngrammar %s\nparser  %s", in, i, w, g)
		}
	}
	return ""
}

// excused reports whether the grammar does not know the fault of p: in other formats than the wire
// format, the limits win over a fault at the same place, and unknown members of an envelope are
// faults.
func (s Setup) excused(p Part) bool {
	unknown := []lexer.Code{lexer.CallTooLong, lexer.NameTooLong, lexer.NotAnObject}
	return !s.wire() && slices.Contains(unknown, p.Code)
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

func (p Part) describe() string {
	var b strings.Builder
	kind := string(p.Kind)
	if p.Kind == CallPart {
		kind = string(grammar.CallSegment)
	}
	fmt.Fprintf(&b, "%s [%d,%d)", kind, p.Start, p.End)
	switch p.Kind {
	case MalformedPart:
		fmt.Fprintf(&b, " %s at %d closed=%t", p.Code, p.At, p.Closed)
	case CallPart:
		fmt.Fprintf(&b, " after=%t %s %s", p.After, p.Name, p.Input)
		for _, i := range p.Issues {
			fmt.Fprintf(&b, " %s@%d", i.Code, i.Offset)
		}
	}
	return b.String()
}

// byGrammar describes what the grammar reads as describe does.
func (s Setup) byGrammar(in []byte) (list []string) {
	oracle := s.oracle
	if !s.wire() {
		oracle = func() *grammar.Grammar { return grammar.ByName(s.Format.Name) }
	}
	for _, g := range oracle().Read(in, s.grammar()) {
		list = append(list, describe(g))
	}
	return list
}

func describe(g grammar.Segment) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%d,%d)", g.Kind, g.Start, g.End)
	switch g.Kind {
	case grammar.MalformedSegment:
		fmt.Fprintf(&b, " %s at %d closed=%t", g.Code, g.At, g.Closed)
	case grammar.CallSegment:
		fmt.Fprintf(&b, " after=%t %s %s", g.AfterMalformed, g.Name, g.Input)
		for _, i := range g.Issues {
			fmt.Fprintf(&b, " %s@%d", i.Code, i.At)
		}
	}
	return b.String()
}

// grammar returns the options of s for the grammar.
func (s Setup) grammar() grammar.Options {
	l := s.Limits
	o := grammar.Options{
		Limits:             grammar.Limits(l),
		AcceptAtEnd:        s.AllowUnclosed,
		StopAfterMalformed: !s.AllowAfterMalformed,
	}
	if s.Catalog != sig.AnyTool {
		o.Known = func(name string) bool { return s.Catalog.Lookup([]byte(name)) != nil }
	}
	return o
}

// grammars caches the grammar of each pair of tags; building one is slow.
var grammars sync.Map // of *grammar.Grammar by protocol.Tags

// oracle returns the grammar of the wire format with the tags of s.
func (s Setup) oracle() *grammar.Grammar {
	tags := s.tags()
	if g, ok := grammars.Load(tags); ok {
		return g.(*grammar.Grammar)
	}
	g, err := grammar.New(grammar.Delims{Open: tags.Open, Close: tags.Close})
	if err != nil {
		panic(err)
	}
	grammars.Store(tags, g)
	return g
}
