package fuzz

import (
	"fmt"
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// Part is a part of a message in normal form, for comparing readings: adjacent pieces are
// joined, so that it does not depend on chunk boundaries.
type Part struct {
	Kind       string // text, tool-call, malformed, or the kind of a token
	Start, End int

	// Text is the source text that was emitted: all of a text or token, the raw text of a
	// malformed span.
	Text string

	// Input is the arguments of a call, or those of a malformed span that were emitted
	// before the error.
	Input string

	ID     string // of a call in a stream, complete or not
	Name   string
	Begun  bool // the reader reported the beginning of the call before its end
	After  bool
	Mended bool
	Issues []parse.Issue

	Code   lexer.Code
	At     int
	Closed bool
	Cut    bool

	Flags lexer.Flags // of a token
}

// The kinds of parts of a message.
var (
	kindText      = parse.Prose.String()
	kindCall      = parse.Call.String()
	kindMalformed = parse.Malformed.String()
)

// Equal reports whether p and q are the same.
func (p Part) Equal(q Part) bool {
	return p.Kind == q.Kind && p.Start == q.Start && p.End == q.End && p.Text == q.Text && p.Input == q.Input &&
		p.ID == q.ID && p.Name == q.Name && p.Begun == q.Begun && p.After == q.After && p.Mended == q.Mended &&
		slices.Equal(p.Issues, q.Issues) && p.Code == q.Code && p.At == q.At && p.Closed == q.Closed &&
		p.Cut == q.Cut && p.Flags == q.Flags
}

// Shift returns p moved by n bytes, without its id, which counts the calls of a whole
// message.
func (p Part) Shift(n int) Part {
	p.Start += n
	p.End += n
	if p.Code != "" {
		p.At += n
	}
	p.Issues = slices.Clone(p.Issues)
	for i := range p.Issues {
		p.Issues[i].At += n
	}
	p.ID = ""
	return p
}

// Shift returns parts moved by n bytes.
func Shift(parts []Part, n int) []Part {
	out := make([]Part, len(parts))
	for i, p := range parts {
		out[i] = p.Shift(n)
	}
	return out
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

// join appends p to parts, or joins it to the last part if both are pieces of one.
func join(parts []Part, p Part) []Part {
	if n := len(parts); n > 0 {
		last := &parts[n-1]
		pieces := last.Kind == p.Kind && last.End == p.Start
		switch p.Kind {
		case kindText, stream.ReasoningDelta.String(), lexer.Thought.String(), lexer.Text.String(), lexer.Space.String(), lexer.Damage.String():
		case lexer.String.String():
			pieces = pieces && last.Flags&lexer.Last == 0
		default:
			pieces = false
		}
		if pieces {
			last.End = p.End
			last.Text += p.Text
			last.Flags |= p.Flags
			return parts
		}
	}
	return append(parts, p)
}
