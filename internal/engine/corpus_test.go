package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// TestCorpus runs the cases of the corpus that read or write: whole, byte by byte and at every cut
// in two.
func TestCorpus(t *testing.T) {
	for _, c := range slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases()) {
		var got, want string
		switch c.Op {
		case corpus.Parse:
			got, want = readCase(t, c)
		case corpus.Format:
			got, want = writeCase(t, c)
		}
		if got != want {
			t.Errorf("%s\ngot\n%swant\n%s", c.ID, got, want)
		}
	}
}

// setupOf returns the setup of a case.
func setupOf(t *testing.T, c corpus.Case) fuzz.Setup {
	t.Helper()
	o := c.Options
	s := fuzz.Setup{Catalog: sig.AnyTool, Options: parse.Options{
		Strict: o.Strict, Repair: o.Salvage, AllowAfterMalformed: !o.StopAfterMalformed,
		AllowInCode: !o.Code, AllowUnclosed: o.AcceptAtEnd, Limits: parse.Limits(o.Limits),
	}}
	if o.Reasoning {
		s.Reasoning = parse.TaggedReasoning
	}
	if name := c.Protocol + o.Protocol; name != "" {
		if s.Format = format.Lookup(name, yaml.XML); s.Format == nil {
			t.Fatalf("%s: no format %q", c.ID, name)
		}
	}
	if c.Delims != nil {
		s.Tags = parse.Tags{Open: c.Delims.Open, Close: c.Delims.Close}
	}
	if s.Format != nil && s.Format.ToolTags() {
		s.Catalog = nil
	}
	if c.Tools != nil {
		var err error
		if s.Catalog, err = sig.Compile([]byte(c.Tools)); err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
	}
	return s
}

// readCase reads the text of a case and returns what is read and what should be.
func readCase(t *testing.T, c corpus.Case) (got, want string) {
	t.Helper()
	s, text := setupOf(t, c), c.Whole()
	parts, err := s.Whole(text)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	matrix := corpus.Quick
	if len(text) > 4*corpus.LongText || testing.Short() {
		matrix = corpus.Ends
	}
	for _, cuts := range matrix.Splits(len(text)) {
		if len(text) > 1<<16 { // byte by byte takes minutes
			cuts = corpus.Every(len(text), 4096, 4096)
		}
		var chunks [][]byte
		from := 0
		for _, cut := range append(cuts, len(text)) {
			chunks = append(chunks, text[from:cut])
			from = cut
		}
		streamed, err := s.Read(chunks...)
		if diff := fuzz.Differ(trimmed(parts), trimmed(streamed)); err != nil || diff != "" {
			t.Errorf("%s cut %v: %v, %s", c.ID, cuts, err, diff)
			break
		}
		if len(text) > 1<<16 {
			break
		}
	}
	for _, after := range c.Want.After {
		steps, want := stepsOf(t, s, text[:after.Bytes]), ""
		for _, step := range after.Steps {
			want += fmt.Sprintf("%s %s%s%s\n", step.Type, step.Text, step.Name, step.Delta)
		}
		if !strings.HasPrefix(steps, strings.TrimSuffix(want, "\n")) {
			t.Errorf("%s after %d bytes:\ngot\n%swant\n%s", c.ID, after.Bytes, steps, want)
		}
	}
	return linesOf(parts, c.Want.Events), linesOf(c.Want.Events, c.Want.Events)
}

// trimmed returns parts without the sources of malformed calls, which a stream may cut.
func trimmed(parts []fuzz.Part) []fuzz.Part {
	parts = slices.Clone(parts)
	for i := range parts {
		if parts[i].Type == corpus.MalformedEvent {
			parts[i].Text = nil
		}
	}
	return parts
}

// linesOf describes events; IDs only if those that are wanted have them.
func linesOf(events, wanted []corpus.Event) string {
	ids := slices.ContainsFunc(wanted, func(e corpus.Event) bool { return e.ID != "" })
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "\t%s %d-%d", e.Type, e.Start, e.End)
		switch e.Type {
		case corpus.TextEvent, corpus.ReasoningEvent:
			fmt.Fprintf(&b, " %q", []byte(e.Text))
		case corpus.ToolCallEvent:
			fmt.Fprintf(&b, " %s %s", e.Name, e.Input)
			if ids && !strings.HasPrefix(e.ID, "call-") {
				fmt.Fprintf(&b, " id=%s", e.ID)
			}
			for _, i := range e.Issues {
				fmt.Fprintf(&b, " !%s %s %d", i.Code, i.Path, i.At)
			}
			if e.AfterMalformed {
				b.WriteString(" after")
			}
		case corpus.MalformedEvent:
			fmt.Fprintf(&b, " %s at %d closed=%t", e.Code, e.At, e.Closed)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// stepsOf returns what a decoder emits of the beginning of a message.
func stepsOf(t *testing.T, s fuzz.Setup, begin []byte) string {
	t.Helper()
	var b strings.Builder
	d, err := stream.NewDecoder(s.Catalog, func(e stream.Event) error {
		switch e.Type {
		case stream.TextDelta, stream.InputDelta:
			fmt.Fprintf(&b, "%s %s\n", e.Type, e.Delta)
		case stream.InputStart, stream.Call:
			fmt.Fprintf(&b, "%s %s\n", e.Type, e.Name)
		case stream.InputEnd, stream.Malformed:
			fmt.Fprintf(&b, "%s \n", e.Type)
		}
		return nil
	}, &s.Options)
	if err != nil {
		t.Fatal(err)
	}
	d.Write(begin)
	return b.String()
}

// writeCase writes the call of a case and returns what is written and what should be.
func writeCase(t *testing.T, c corpus.Case) (got, want string) {
	t.Helper()
	s := setupOf(t, c)
	o := &parse.FormatOptions{Format: s.Format, Tags: s.Tags, Limits: s.Limits}
	text, err := parse.FormatCall(s.Catalog, c.Name, json.RawMessage(c.Input), o)
	got, want = "\t"+text+"\n", "\t"+c.Want.Text+"\n"
	if c.Want.Error != nil {
		want = "\t" + c.Want.Error.Code + "\n"
	}
	var e *parse.Error
	if errors.As(err, &e) {
		got = "\t" + string(e.Code) + "\n"
	}
	return got, want
}

// TestDrift: of the ways in which models drift, none changes in silence what a call says.
func TestDrift(t *testing.T) {
	outcomes := map[string]int{}
	for _, c := range corpus.Cases() {
		quotesAreText := c.ID == "drift/other-protocol-quoting"
		if c.Topic() != "drift" || c.Meant == nil || quotesAreText {
			continue
		}
		s := setupOf(t, c)
		s.Strict = false
		parts, err := s.Whole(c.Text)
		if err != nil {
			t.Fatal(err)
		}
		outcome := outcomeOf(parts, c.Meant)
		if outcome == "silent" || outcome == "wrong" {
			t.Errorf("%s: %q is %s", c.ID, c.Text, outcome)
		}
		outcomes[outcome]++
	}
	if outcomes["repaired"] < 85 {
		t.Error(outcomes)
	}
}

// outcomeOf returns what becomes of the call that was meant.
func outcomeOf(parts []fuzz.Part, meant *corpus.Meant) string {
	first := slices.IndexFunc(parts, func(p fuzz.Part) bool {
		return p.Type == corpus.ToolCallEvent || p.Type == corpus.MalformedEvent
	})
	if first < 0 {
		return "text"
	}
	p := parts[first]
	mild := func(i corpus.Issue) bool { return i.Code == "repaired" || i.Code == "coerced" }
	noted := slices.ContainsFunc(p.Issues, func(i corpus.Issue) bool { return !mild(i) })
	var input bytes.Buffer
	if err := json.Compact(&input, []byte(meant.Input)); err != nil {
		panic(err)
	}
	same := p.Name == meant.Name && p.Input == input.String()
	switch {
	case p.Type == corpus.MalformedEvent:
		return "malformed"
	case noted:
		return "noted"
	case same && len(p.Issues) == 0:
		return "read"
	case same:
		return "repaired"
	case len(p.Issues) > 0:
		return "wrong"
	}
	return "silent"
}
