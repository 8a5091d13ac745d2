package fuzz

import (
	"fmt"
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// Part is a part of a message in normal form, for comparing readings. Adjacent deltas are one
// Part, so that it does not depend on the chunks.
type Part struct {
	Kind       Kind
	Start, End int
	Text       string // of text and reasoning; the source of a malformed call

	ID, Name string // of a call
	Input    string
	After    bool
	Issues   []parse.Issue

	Code   lexer.Code // of a malformed call
	At     int
	Closed bool
}

// Kind is the kind of a [Part].
type Kind string

// The kinds.
const (
	TextPart      Kind = "text"
	ReasoningPart Kind = "reasoning"
	SectionPart   Kind = "section"
	CallPart      Kind = "call"
	MalformedPart Kind = "malformed"
)

// Equal reports whether p and q are the same.
func (p Part) Equal(q Part) bool {
	issues := slices.Equal(p.Issues, q.Issues)
	p.Issues, q.Issues = nil, nil
	return issues && fmt.Sprint(p) == fmt.Sprint(q)
}

// Differ describes how two readings differ, or returns "".
func Differ(want, got []Part) string {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			return fmt.Sprintf("part %d\nwant nothing\ngot  %+v", i, got[i])
		case i >= len(got):
			return fmt.Sprintf("part %d\nwant %+v\ngot  nothing", i, want[i])
		case !want[i].Equal(got[i]):
			return fmt.Sprintf("part %d\nwant %+v\ngot  %+v", i, want[i], got[i])
		}
	}
	return ""
}

// Rest returns parts moved by n bytes, without what depends on the message before them: IDs, and
// marks of calls after a malformed one.
func Rest(parts []Part, n int) []Part {
	out := slices.Clone(parts)
	for i := range out {
		p := &out[i]
		p.Start, p.End = p.Start+n, p.End+n
		if p.Kind == MalformedPart {
			p.At += n
		}
		p.Issues = slices.Clone(p.Issues)
		for k := range p.Issues {
			p.Issues[k].Offset += n
		}
		p.ID, p.After = "", false
	}
	return out
}

// Whole returns the parts of a message that is read as a whole.
func (s Setup) Whole(in []byte) ([]Part, error) {
	segments, err := parse.Message(s.Catalog, string(in), &s.Options)
	if err != nil {
		return nil, err
	}
	var parts []Part
	for i := range segments {
		g := &segments[i]
		if g.Call != nil && g.Text != string(in[g.Start:g.End]) {
			return nil, fmt.Errorf("the source of a call is %q", g.Text)
		}
		parts = append(parts, partOf(g))
	}
	return parts, nil
}

func partOf(s *parse.Segment) Part {
	p := Part{Kind: TextPart, Start: s.Start, End: s.End, Text: s.Text}
	switch {
	case s.Call != nil:
		p.Kind, p.Text = CallPart, "" // a stream has no text of calls
		p.addCall(s.Call)
	case s.Err != nil:
		p.Kind = MalformedPart
		p.addError(s.Err)
	case s.Reasoning:
		p.Kind = ReasoningPart
	case s.Text == "":
		p.Kind = SectionPart
	}
	return p
}

func (p *Part) addCall(c *parse.Call) {
	p.ID, p.Name, p.Input = c.ID, c.Name, string(c.Input)
	p.After, p.Issues = c.AfterMalformed, c.Issues
}

func (p *Part) addError(e *parse.Error) {
	p.Code, p.At, p.Closed = e.Code, e.Offset, e.Closed
}
