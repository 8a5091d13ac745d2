package fuzz

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// setupOf returns the setup of a case.
func setupOf(t testing.TB, c corpus.Case) Setup {
	o := c.Options
	return Setup{
		Delims:    delimsOf(c),
		Strict:    o.Strict,
		Stop:      o.StopAfterMalformed,
		Accept:    o.AcceptAtEnd,
		Salvage:   o.Salvage,
		Reasoning: o.Reasoning,
		Code:      o.Code,
		Limits:    lexer.Limits{Bytes: o.Limits.Bytes, Depth: o.Limits.Depth, Arguments: o.Limits.Arguments, Name: o.Limits.Name},
		Catalog:   catalogOf(t, c.Tools),
	}
}

func delimsOf(c corpus.Case) lexer.Delims {
	if c.Delims == nil {
		return lexer.Delims{}
	}
	return lexer.Delims{Open: c.Delims.Open, Close: c.Delims.Close}
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

// wordingOf returns the options of a case for signatures or manuals.
func wordingOf(c corpus.Case) (o manual.Options) {
	w := c.Options.Wording
	if w == nil {
		return o
	}
	index := func(name string, names ...string) int { return max(slices.Index(names, name), 0) }
	o.Signatures = sig.SignatureOptions{
		Style:        sig.Style(index(w.Style, "compact", "classic")),
		Description:  w.Description,
		Parameters:   sig.Detail(index(w.Parameters, "full", "off")),
		HideDefaults: w.HideDefaults,
	}
	o.Plan = sig.PlanOptions{
		Syntax:   sig.Syntax(index(w.Syntax, "wire", "json")),
		Fallback: sig.Fallback(index(w.Fallback, "complex", "error", "force")),
	}
	o.Tags, o.Header = lexer.Delims{Open: w.Open, Close: w.Close}, w.Header
	if len(w.Lazy) > 0 {
		o.Lazy = manual.Lazy{Loader: w.Loader, Tool: func(t *sig.Tool) bool { return slices.Contains(w.Lazy, t.Name) }}
	}
	return o
}

// checkLine checks that the grammar reads a signature back.
func checkLine(t *testing.T, line string) {
	t.Helper()
	read, err := grammar.ReadSignature(line)
	if err != nil {
		t.Errorf("%s\n%v", line, err)
	} else if read.String() != line {
		t.Errorf("%s\nis read as\n%s", line, read)
	}
}

// checkManual checks a manual: a strict reader finds no issue in its calls, and its
// last lines are signatures.
func checkManual(t *testing.T, text string, catalog *sig.Catalog, o manual.Options) {
	t.Helper()
	for _, s := range (parse.Options{Delims: o.Tags, Strict: true}).Text(text, catalog) {
		if s.Kind == parse.Malformed || s.AfterMalformed {
			t.Errorf("%s: %v", s.Text, s.Err)
		}
	}
	_, lines, _ := strings.Cut(text, "\nTools")
	_, lines, _ = strings.Cut(lines, ":\n")
	for line := range strings.SplitSeq(lines, "\n") {
		if line != "" && !strings.HasPrefix(line, "More tools.") {
			checkLine(t, line)
		}
	}
}

// events converts segments to the form of the corpus.
func events(segs []parse.Segment) []corpus.Event {
	out := []corpus.Event{}
	for _, s := range segs {
		e := corpus.Event{Type: s.Kind.String(), Start: s.Start, End: s.End}
		switch s.Kind {
		case parse.Prose, parse.Reasoning:
			e.Text = append(corpus.Bytes{}, s.Text...)
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

// checkFormat writes the call of a case, or is refused as it says.
func checkFormat(t *testing.T, c corpus.Case, s Setup) {
	t.Helper()
	text, err := parse.FormatOptions{Protocol: s.Protocol, Limits: s.Limits, Delims: s.Delims}.Format(s.Catalog, c.Name, []byte(c.Input))
	got := corpus.Want{Text: text}
	var e *lexer.Error
	if errors.As(err, &e) {
		got = corpus.Want{Error: &corpus.Refusal{Code: string(e.Code)}}
	}
	if diff := cmp.Diff(c.Want, got); diff != "" {
		t.Errorf("%s %s (-want +got)\n%s", c.Name, c.Input, diff)
	}
}

// TestCorpus runs every case of the corpus in this process: whole, byte by byte with
// every reader, and with the grammar; without -long every third of them.
func TestCorpus(t *testing.T) {
	for i, c := range append(corpus.Cases(), corpus.MoreCases()...) {
		if !*long && i%3 != 0 {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			s := setupOf(t, c)
			switch c.Op {
			case corpus.Format:
				checkFormat(t, c, s)
			case corpus.Sig:
				plans, err := s.Catalog.Plans(wordingOf(c).Plan)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.Want.Lines, wordingOf(c).Signatures.Signatures(plans)); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				for _, line := range c.Want.Lines {
					checkLine(t, line)
				}
			case corpus.Manual:
				o := wordingOf(c)
				m, err := manual.New(s.Catalog, &o)
				if err != nil {
					t.Fatal(err)
				}
				catalog := m.Catalog()
				if diff := cmp.Diff(c.Want.Text, m.String()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				checkManual(t, c.Want.Text, catalog, o)
			case corpus.Parse:
				text := c.Whole()
				if diff := cmp.Diff(c.Want.Events, events(s.parse().Text(string(text), s.Catalog))); diff != "" {
					t.Errorf("%q (-want +got)\n%s", c.Text, diff)
				}
				cuts := Bytewise(len(text))
				if c.Repeat != nil { // single bytes of a large text take minutes
					cuts = cuts[:300]
				}
				for _, r := range Readers {
					if diff := split(r.New, s, text, cuts); diff != "" {
						t.Errorf("%s: %s", r.Name, diff)
					}
				}
				if c.Tools == nil && !s.typed() && c.Repeat == nil {
					if diff := Diff(string(c.Text), s); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
}
