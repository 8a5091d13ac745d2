// Package bridge converts values of the old core to those of the new one. It goes when the old
// core goes.
package bridge

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/public/parse"
	oldparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// Format returns the format of a protocol, nil for the wire format. A protocol without one is a
// format that cannot be read.
func Format(p oldparse.Protocol) *format.Format {
	if p == nil {
		return nil
	}
	var f *format.Format
	if known, ok := p.(interface{ Format() *format.Format }); ok {
		f = known.Format()
	}
	if f == nil {
		f = format.Lookup(p.String())
	}
	if f == nil {
		return &format.Format{Name: p.String()}
	}
	own, ok := p.(protocol.Protocol)
	if tags := format.Tags(own.Frame); ok && tags != f.Call && !f.ToolTags() {
		framed := *f
		framed.Call = tags
		return &framed
	}
	return f
}

// Segment returns a segment.
func Segment(s oldparse.Segment) parse.Segment {
	out := parse.Segment{Start: s.Start, End: s.End, Text: string(s.Text), Err: s.Err}
	switch s.Kind {
	case oldparse.Reasoning:
		out.Reasoning = true
	case oldparse.Call:
		out.Call = &parse.Call{Name: s.Name, Input: s.Input, AfterMalformed: s.AfterMalformed}
		for _, i := range s.Issues {
			issue := parse.Issue{Code: i.Code, Path: i.Path, Offset: i.At, Type: i.Type}
			out.Call.Issues = append(out.Call.Issues, issue)
		}
	case oldparse.Malformed:
		fault := *s.Err
		fault.Closed = s.Closed
		if fault.Tool == "" {
			fault.Tool = s.Name
		}
		out.Err = &fault
	}
	return out
}
