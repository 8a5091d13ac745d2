package parse_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// panicky panics at each record.
type panicky struct{ slog.Handler }

func (panicky) Enabled(context.Context, slog.Level) bool  { return true }
func (panicky) Handle(context.Context, slog.Record) error { panic("a mistake") }

// Where a function of the options panics, the malformed span that it was told of is the
// next part all the same, and everything after it is read.
func TestPanicLosesNothing(t *testing.T) {
	const text = "a <call>t(</call> b <call>u</call> c <tool_call>{x}</tool_call> d"
	for name, o := range map[string]parse.Options{
		"OnMalformed": {OnMalformed: func(parse.Segment) { panic("a mistake") }},
		"Mend":        {Mend: func(parse.Segment) (string, bool) { panic("a mistake") }},
		"Logger":      {Logger: slog.New(panicky{})},
		"salvage":     {Salvage: true, OnMalformed: func(parse.Segment) { panic("a mistake") }},
		"hermes":      {Protocol: protocol.Hermes, OnMalformed: func(parse.Segment) { panic("a mistake") }},
	} {
		calm := o
		calm.OnMalformed, calm.Mend, calm.Logger = nil, nil, nil
		for _, n := range []int{1, 7, len(text)} {
			want, _ := partsOf(t, calm, text, n)
			if got, panics := partsOf(t, o, text, n); got != want || panics == 0 {
				t.Errorf("%s in chunks of %d: %d panics\n got %s\nwant %s", name, n, panics, got, want)
			}
		}
	}
}

// partsOf reads text in chunks of n bytes, and counts the panics.
func partsOf(t *testing.T, o parse.Options, text string, n int) (all string, panics int) {
	r, err := parse.NewReader(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	next := func() (part parse.Part) {
		defer func() {
			if recover() != nil {
				panics++
				part = r.Next()
			}
		}()
		return r.Next()
	}
	drain := func() {
		for part := next(); part != parse.NoPart; part = next() {
			switch part {
			case parse.TextPart:
				all += string(r.Delta())
			case parse.CallPart, parse.MalformedPart:
				all += fmt.Sprintf("[%s %s %d:%d]", r.Segment().Kind, r.Segment().Name, r.Segment().Start, r.Segment().End)
			}
		}
	}
	for from := 0; from < len(text); from += n {
		r.Feed([]byte(text[from:min(len(text), from+n)]))
		drain()
	}
	r.Close()
	drain()
	return all, panics
}
