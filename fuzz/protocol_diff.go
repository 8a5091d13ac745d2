package fuzz

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/parse"
)

// DiffProtocol is [Diff] for the protocol of s: it compares segments, codes, offsets,
// names, arguments and issues with those of its grammar.
func DiffProtocol(text string, s Setup) string {
	p := grammar.ByName(s.Protocol.String())
	want := p.Read([]byte(text), s.grammar())
	got := s.parse().Text(text, s.Catalog)
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = describeGrammar(want[i])
		}
		if i < len(got) {
			g = describeParsed(got[i])
		}
		if w != g {
			return fmt.Sprintf("text %q, segment %d\ngrammar: %s\nparser:  %s", text, i, w, g)
		}
	}
	return ""
}

func describeGrammar(s grammar.Segment) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%d,%d)", s.Kind, s.Start, s.End)
	switch s.Kind {
	case grammar.MalformedSegment:
		fmt.Fprintf(&b, " %s at %d closed=%t", s.Code, s.At, s.Closed)
	case grammar.CallSegment:
		fmt.Fprintf(&b, " after=%t %s %s", s.AfterMalformed, s.Name, s.Input)
		for _, is := range s.Issues {
			fmt.Fprintf(&b, " %s@%d", is.Code, is.At)
		}
	}
	return b.String()
}

func describeParsed(s parse.Segment) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%d,%d)", s.Kind, s.Start, s.End)
	switch s.Kind {
	case parse.Malformed:
		fmt.Fprintf(&b, " %s at %d closed=%t", s.Err.Code, s.Err.Offset, s.Closed)
	case parse.Call:
		fmt.Fprintf(&b, " after=%t %s %s", s.AfterMalformed, s.Name, s.Input)
		for _, is := range s.Issues {
			fmt.Fprintf(&b, " %s@%d", is.Code, is.At)
		}
	}
	return b.String()
}
