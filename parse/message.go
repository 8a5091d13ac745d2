package parse

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Segment is a part of a message. It is text unless Reasoning, Call or Err is set. A tag around
// several calls is a Segment without text.
type Segment struct {
	Start, End int // offsets in the message, in bytes

	// Text is message[Start:End], the source of text, of a call and of a malformed call. Of
	// reasoning it is the text without the tags around it: where reasoning has already begun, under
	// StartedReasoning, an opening tag is text in it. A tag around several calls has none.
	Text      string
	Reasoning bool   // Text is reasoning
	Call      *Call  // a call
	Err       *Error // a malformed call
}

// Message returns the segments of a whole message. Nil options mean the defaults. The error
// reports options that cannot be used, for a format or tags as a *protocol.Error; it does not
// depend on the text.
func Message(catalog *sig.Catalog, text string, o *Options) ([]Segment, error) {
	p, err := engine.NewParser(catalog, (*engine.Options)(o), engine.WholeCalls)
	if err != nil {
		return nil, err
	}
	r := reader{text: text}
	r.read(p.Feed([]byte(text)))
	r.read(p.Close())
	p.Release()
	return r.segments, nil
}

// reader collects segments.
type reader struct {
	text     string
	segments []Segment
	goesOn   bool // more text may join the last segment
}

func (r *reader) read(events []engine.Event) {
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case engine.Text:
			r.addText(e)
		case engine.ReasoningStart:
			r.add(Segment{Start: e.Start, End: e.End, Reasoning: true})
			r.segments[len(r.segments)-1].Text = r.text[e.End:e.End]
		case engine.Reasoning:
			s := &r.segments[len(r.segments)-1]
			s.Text, s.End = r.text[e.End-len(s.Text)-len(e.Bytes):e.End], e.End
		case engine.ReasoningEnd:
			r.segments[len(r.segments)-1].End = e.End
		case engine.Section:
			r.add(Segment{Start: e.Start, End: e.End})
		case engine.Call:
			source := r.text[e.Start:e.End]
			r.add(Segment{Start: e.Start, End: e.End, Text: source, Call: newCall(e)})
		case engine.Malformed:
			s := Segment{Start: e.Start, End: e.End, Text: r.text[e.Start:e.End], Err: e.Fault()}
			r.add(s)
		}
	}
}

func (r *reader) add(s Segment) {
	r.segments = append(r.segments, s)
	r.goesOn = false
}

// addText adds a piece of text.
func (r *reader) addText(e *engine.Event) {
	if !r.goesOn {
		r.add(Segment{Start: e.Start})
		r.goesOn = true
	}
	s := &r.segments[len(r.segments)-1]
	s.Text, s.End = r.text[s.Start:e.End], e.End
}

// newCall returns the call that e completes.
func newCall(e *engine.Event) *Call {
	c := &Call{
		ID: e.ID, Name: e.Name, Input: bytes.Clone(e.Bytes), AfterMalformed: e.AfterMalformed,
	}
	if e.Problem != nil {
		c.Issues = issuesOf(e.Problem.Issues)
	}
	return c
}

// issuesOf returns a copy of issues.
func issuesOf(issues []engine.Issue) []Issue {
	var list []Issue
	for _, i := range issues {
		list = append(list, Issue{Code: i.Code, Path: i.Path, Offset: i.At, Type: i.Type})
	}
	return list
}

// Call is a complete call.
type Call struct {
	ID    string          // that of the format if it has one, otherwise call-1, call-2, …
	Name  string          // of the tool
	Input json.RawMessage // the arguments: one JSON object without whitespace

	Issues []Issue // what does not fit the schema, in the order of their offsets

	// AfterMalformed reports that a malformed call came earlier in the message, or a quote that
	// does not end. Only Options.AllowAfterMalformed lets such a call through.
	AfterMalformed bool
}

// Issue is something in a call that does not fit the schema of its tool, or that was repaired.
type Issue struct {
	Code   lexer.Code
	Path   string    // of the value or property: a, a.b, rows[0].k; if repaired, the repair
	Offset int       // in the message, in bytes
	Type   *sig.Type // that the value should have, if the code is about types
}

// Error returns the code, the offset, and the path or the repair.
func (i Issue) Error() string {
	switch {
	case i.Path == "":
		return fmt.Sprintf("%s at byte %d", i.Code, i.Offset)
	case i.Code == lexer.Repaired:
		return fmt.Sprintf("%s (%s) at byte %d", i.Code, i.Path, i.Offset)
	}
	return fmt.Sprintf("%s at byte %d, argument %s", i.Code, i.Offset, i.Path)
}

// Error is a malformed call, or a call that cannot be written. Its code is stable; its text is for
// people and models.
type Error = lexer.Error
