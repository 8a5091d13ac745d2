package fuzz

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// setupOf returns how a case wants to be read.
func setupOf(t testing.TB, c corpus.Case) Setup {
	o := c.Options
	return Setup{
		Strict:  o.Strict,
		Stop:    o.StopAfterMalformed,
		Accept:  o.AcceptAtEnd,
		Limits:  lexer.Limits{Bytes: o.Limits.Bytes, Depth: o.Limits.Depth, Arguments: o.Limits.Arguments, Name: o.Limits.Name},
		Catalog: catalogOf(t, c.Tools),
	}
}

func catalogOf(t testing.TB, tools json.RawMessage) *sig.Catalog {
	if tools == nil {
		return nil
	}
	c, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// events gives segments the form in which the corpus states them.
func events(segs []parse.Segment) []corpus.Event {
	out := []corpus.Event{}
	for _, s := range segs {
		e := corpus.Event{Type: s.Kind.String(), Start: s.Start, End: s.End}
		switch s.Kind {
		case parse.Prose:
			e.Text = s.Text
		case parse.Call:
			e.Name, e.Input, e.AfterMalformed = s.Name, string(s.Input), s.AfterMalformed
			for _, i := range s.Issues {
				e.Issues = append(e.Issues, corpus.Issue{Code: string(i.Code), Path: i.Path, At: i.At})
			}
		case parse.Malformed:
			e.Code, e.At, e.Closed = string(s.Err.Code), s.Err.Offset, s.Closed
		}
		out = append(out, e)
	}
	return out
}

// TestCorpus runs every case of the corpus in this process, whole, cut into
// single bytes by every reader, and by the grammar.
func TestCorpus(t *testing.T) {
	for _, c := range corpus.Cases() {
		t.Run(c.ID, func(t *testing.T) {
			s := setupOf(t, c)
			switch c.Op {
			case corpus.Format:
				text, err := parse.FormatOptions{Limits: s.Limits}.Format(s.Catalog, c.Name, []byte(c.Input))
				got := corpus.Want{Text: text}
				var e *lexer.Error
				if errors.As(err, &e) {
					got = corpus.Want{Error: &corpus.Refusal{Code: string(e.Code)}}
				}
				if diff := cmp.Diff(c.Want, got); diff != "" {
					t.Errorf("%s %s (-want +got)\n%s", c.Name, c.Input, diff)
				}
			case corpus.Parse:
				if diff := cmp.Diff(c.Want.Events, events(s.parse().Text(string(c.Text), s.Catalog))); diff != "" {
					t.Errorf("%q (-want +got)\n%s", c.Text, diff)
				}
				for _, r := range Readers {
					if diff := split(r.New, s, c.Text, Bytewise(len(c.Text))); diff != "" {
						t.Errorf("%s: %s", r.Name, diff)
					}
				}
				if c.Tools == nil && !s.Strict {
					if diff := Diff(string(c.Text), s); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
}
