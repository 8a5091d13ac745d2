package stream_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// collector joins events to segments, and keeps what belongs to the caller.
type collector struct {
	segments []parse.Segment
	started  map[string]string // the deltas of each call whose input has started
	names    map[string]string
	err      error
}

func (c *collector) emit(e stream.Event) error {
	last := func() *parse.Segment { return &c.segments[len(c.segments)-1] }
	switch e.Type {
	case stream.TextStart:
		c.segments = append(c.segments, parse.Segment{Start: -1})
	case stream.ReasoningStart:
		c.segments = append(c.segments, parse.Segment{Start: e.Start, End: e.End, Reasoning: true})
	case stream.TextDelta, stream.ReasoningDelta:
		if last().Start < 0 {
			last().Start = e.Start
		}
		last().Text += string(e.Delta)
		last().End = e.End
	case stream.ReasoningEnd:
		last().End = e.End
	case stream.Section:
		c.segments = append(c.segments, parse.Segment{Start: e.Start, End: e.End})
	case stream.InputStart:
		c.started[e.ID], c.names[e.ID] = "", e.Name
	case stream.InputDelta:
		c.started[e.ID] += string(e.Delta)
	case stream.Call:
		if c.started[e.ID] != string(e.Call.Input) || c.names[e.ID] != e.Call.Name ||
			e.ID != e.Call.ID {
			c.err = fmt.Errorf("call %+v with input %q of %q", e.Call, c.started[e.ID],
				c.names[e.ID])
		}
		c.segments = append(c.segments, parse.Segment{Start: e.Start, End: e.End, Call: e.Call})
	case stream.Malformed:
		c.segments = append(c.segments, parse.Segment{Start: e.Start, End: e.End, Text: e.Text,
			Err: e.Err})
	}
	return nil
}

// message is a text of the corpus with the tools of its case.
type message struct {
	text  string
	tools *sig.Catalog // nil if the case has none
}

// corpusTexts returns the texts of the corpus cases of a format.
func corpusTexts(t *testing.T, name string) (texts []message) {
	patterns := []string{"protocols/" + name + ".json"}
	if name == "wire" {
		patterns = []string{"*.json", "more/*.json"}
	}
	for _, p := range patterns {
		files, _ := filepath.Glob("../corpus/cases/" + p)
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var file struct {
				Cases []struct {
					Text  any
					Tools json.RawMessage
				}
			}
			if err := json.Unmarshal(b, &file); err != nil {
				t.Fatal(err)
			}
			for _, c := range file.Cases {
				m := message{}
				if c.Tools != nil {
					m.tools, _ = sig.Compile([]byte(c.Tools))
				}
				if s, ok := c.Text.(string); ok && len(s) < 4000 {
					m.text = s
					texts = append(texts, m)
				}
			}
		}
	}
	if len(texts) == 0 {
		t.Fatalf("no texts in the corpus for %s", name)
	}
	return texts
}

// A message that is streamed has the segments of the same message as a whole, at any split. What
// is not a delta stays valid, even if the chunks are overwritten.
func TestDecoderIsMessage(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, f := range append(format.All(), yaml.XML) {
		for i, m := range corpusTexts(t, f.Name) {
			text := m.text
			o := &parse.Options{
				Format: f, AllowAfterMalformed: i%2 == 0, Repair: i%3 == 0,
				Reasoning: parse.Reasoning(i % 3), AllowInCode: i%5 == 0,
			}
			c := m.tools
			if f.ToolTags() && c == nil {
				continue
			}
			if c == nil {
				c = sig.AnyTool
			}
			want, err := parse.Message(c, text, o)
			if err != nil {
				t.Fatal(err)
			}
			got := collector{started: map[string]string{}, names: map[string]string{}}
			d, err := stream.NewDecoder(c, got.emit, o)
			if err != nil {
				t.Fatal(err)
			}
			chunk := make([]byte, 0, 64)
			for rest := text; rest != ""; {
				n := min(len(rest), 1+r.Intn(8))
				chunk = append(chunk[:0], rest[:n]...)
				rest = rest[n:]
				if _, err := d.Write(chunk); err != nil {
					t.Fatal(err)
				}
				for i := range chunk {
					chunk[i] = '#'
				}
			}
			if err := d.Close(); err != nil || got.err != nil {
				t.Fatal(err, got.err)
			}
			for i := range got.segments {
				s := &got.segments[i]
				if s.Call != nil {
					s.Text = text[s.Start:s.End]
				}
			}
			at := 0
			for _, s := range want {
				if s.Start != at {
					t.Fatalf("%s: %q: segments do not tile at %d: %+v", f, text, at, s)
				}
				at = s.End
			}
			if at != len(text) || !reflect.DeepEqual(show(got.segments), show(want)) {
				t.Fatalf("%s: %q\nstream  %s\nmessage %s", f, text, show(got.segments), show(want))
			}
		}
	}
}

func show(segments []parse.Segment) string {
	var b strings.Builder
	for _, s := range segments {
		fmt.Fprintf(&b, "\n%d-%d %v", s.Start, s.End, s.Reasoning)
		if s.Call == nil {
			fmt.Fprintf(&b, " %q", s.Text)
		} else { // whose text a Decoder does not keep
			fmt.Fprintf(&b, " %s %s %s %v %v", s.Call.ID, s.Call.Name, s.Call.Input,
				s.Call.AfterMalformed, s.Call.Issues)
		}
		if s.Err != nil {
			fmt.Fprintf(&b, " %v closed=%v", s.Err, s.Err.Closed)
		}
	}
	return b.String()
}

// TestTokens: the byte before a tag counts even if it came in an earlier chunk, as one of a few
// plain bytes.
func TestTokens(t *testing.T) {
	o := &stream.Options{AllowInCode: true, Repair: true, Reasoning: parse.TaggedReasoning}
	for text, want := range map[string]int{
		"So:|\n|see |```tool_code\nnow()\n```": 0, // not at the beginning of a line
		"So: |see|\n|```tool_code\nnow()\n```": 1,
		"So |use |`|<think>` here</think>":     0, // only mentioned
		"So `|use |<think> here</think>":       1,
	} {
		n := 0
		d, err := stream.NewDecoder(sig.AnyTool, func(e stream.Event) error {
			if e.Type == stream.Malformed || e.Type == stream.ReasoningStart {
				n++
			}
			return nil
		}, o)
		if err != nil {
			t.Fatal(err)
		}
		for chunk := range strings.SplitSeq(text, "|") {
			d.Write([]byte(chunk))
		}
		d.Close()
		if n != want {
			t.Errorf("%q: %d, want %d", text, n, want)
		}
	}
}

// TestSafeDefaults: the zero options and a nil catalog are safe.
func TestSafeDefaults(t *testing.T) {
	for _, c := range []struct {
		catalog *sig.Catalog
		text    string
		codes   string
	}{
		{nil, "<call>t</call>", "unknown-tool"},
		{sig.AnyTool, "<call>t</call>", "ok"},
		{sig.AnyTool, "<call>t a=</call>x <call>1</call> <call>u</call>", "ok ok"},
		{sig.AnyTool, "<call>t a=[1</call> <call>u</call>", "expected-comma after-malformed"},
		{sig.AnyTool, "x `<call>t</call>`", "in-code"},
		{sig.AnyTool, "<call>t a=1", "unterminated-call"},
	} {
		segments, err := parse.Message(c.catalog, c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, s := range segments {
			if s.Err != nil {
				codes = append(codes, string(s.Err.Code))
			} else if s.Call != nil {
				codes = append(codes, "ok")
			}
		}
		if got := strings.Join(codes, " "); got != c.codes {
			t.Errorf("%s: %s, want %s", c.text, got, c.codes)
		}
	}
}

// Options that cannot be read are an error of the constructor, and so is no callback.
func TestBadOptions(t *testing.T) {
	noop := func(stream.Event) error { return nil }
	if _, err := stream.NewDecoder(sig.AnyTool, nil, nil); err == nil {
		t.Error("NewDecoder accepts no callback")
	}
	tools, err := sig.Compile([]byte(`[{"name":"f"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []*parse.Options{
		{Tags: parse.Tags{Open: "x", Close: "y"}},
		{Tags: parse.Tags{Open: "<a>", Close: "</a>"}, Format: format.MorphXML},
		{Tags: parse.Tags{Open: "<a>", Close: "</a>"}, Format: yaml.XML},
		{Format: &format.Format{Call: format.Wire.Call, Also: []*format.Format{nil}}},
		{Reasoning: 77},
		{Format: format.MorphXML}, // the names of AnyTool are not known
	} {
		catalog := tools
		if o.Format == format.MorphXML && o.Tags.Open == "" {
			catalog = sig.AnyTool
		}
		if _, err := stream.NewDecoder(catalog, noop, o); err == nil {
			t.Errorf("NewDecoder accepts %+v", o)
		}
		if _, err := parse.Message(catalog, "x", o); err == nil {
			t.Errorf("Message accepts %+v", o)
		}
		w := &parse.FormatOptions{Format: o.Format, Tags: o.Tags}
		_, err := parse.FormatCall(catalog, "f", []byte("{}"), w)
		if err == nil && o.Reasoning == 0 {
			t.Errorf("FormatCall accepts %+v", w)
		}
		n := 0
		for _, err := range stream.Events(catalog, iotest.ErrReader(io.ErrUnexpectedEOF), o) {
			n++
			if err == nil || err == io.ErrUnexpectedEOF {
				t.Errorf("Events: %v", err)
			}
		}
		if n != 1 {
			t.Errorf("Events yields %d times", n)
		}
	}
}

// Every field of every event can be read, and printed.
func TestEventsPrint(t *testing.T) {
	text := "a <think>b</think> <call>t a=1 a=1</call> <call>u k=x</call>"
	types := ""
	o := &parse.Options{Reasoning: parse.TaggedReasoning, AllowAfterMalformed: true}
	for e, err := range stream.Events(sig.AnyTool, strings.NewReader(text), o) {
		if err != nil {
			t.Fatal(err)
		}
		types += e.Type.String() + " "
		_ = fmt.Sprint(e, e.Err, e.Call, e.Text, e.Name, e.ID)
	}
	want := "text-start text-delta text-end " +
		"reasoning-start reasoning-delta reasoning-end text-start text-delta text-end " +
		"tool-input-start tool-input-delta malformed text-start text-delta text-end " +
		"tool-input-start tool-input-delta tool-input-end tool-call "
	if types != want {
		t.Errorf("got  %s\nwant %s", types, want)
	}
	issue := parse.Issue{Code: "type-mismatch", Path: "a.b", Offset: 7}
	if got := fmt.Sprint(issue); got != "type-mismatch at byte 7, argument a.b" {
		t.Error(got)
	}
}

// An error of emit is sticky until Reset. A Decoder refuses to be used from its callback, and after
// Close.
func TestDecoderErrors(t *testing.T) {
	boom := errors.New("boom")
	var fail bool
	var inside error
	var d *stream.Decoder
	d, err := stream.NewDecoder(sig.AnyTool, func(e stream.Event) error {
		_, inside = d.Write([]byte("x"))
		if fail {
			return boom
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := d.Write([]byte("text")); n != 4 || err != nil || inside != stream.ErrInCallback {
		t.Errorf("Write: %d, %v; in the callback %v", n, err, inside)
	}
	fail = true
	if n, err := d.Write([]byte("text")); n != 0 || err != boom {
		t.Errorf("Write: %d, %v", n, err)
	}
	fail = false
	if _, err := d.Write([]byte("text")); err != boom || d.Close() != boom {
		t.Errorf("the error is not sticky: %v", err)
	}
	d.Reset()
	if _, err := d.Write([]byte("text")); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil || d.Close() != nil || d.Abort() != nil {
		t.Error("Close", err)
	}
	if _, err := d.Write(nil); err != stream.ErrClosed {
		t.Errorf("Write after Close: %v", err)
	}
}

// What is held back before a break is no call, and code and reasoning go on after it.
func TestBreak(t *testing.T) {
	const call = "<call>f a=b</call>"
	tools, err := sig.Compile([]byte(`[{"name":"f"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ before, after, want string }{
		{"a <", call, "[a <][call]"},
		{"a <cal", "l>f a=b</call>", "[a <call>f a=b</call>]"},
		{"a <call>f a", "=b</call>", "[a ][unterminated-call][=b</call>]"},
		{"a\n```\nif a <", "\n" + call + "\n```\n" + call,
			"[a\n```\nif a <\n][in-code][\n```\n][call]"},
		{"a <", "```\n" + call, "[a <```\n][in-code]"},
		{"a `b", " " + call, "[a `b ][call]"},
		{"<think>a <", call + "</think>" + call, "[a <" + call + "][call]"},
	} {
		got := &collector{started: map[string]string{}, names: map[string]string{}}
		d, _ := stream.NewDecoder(tools, got.emit,
			&stream.Options{Reasoning: parse.TaggedReasoning})
		d.Write([]byte(c.before))
		d.Break()
		d.Write([]byte(c.after))
		d.Close()
		said := ""
		for _, s := range got.segments {
			switch {
			case s.Err != nil:
				s.Text = string(s.Err.Code)
			case s.Call != nil:
				s.Text = "call"
			}
			said += "[" + s.Text + "]"
		}
		if said != c.want || d.Break() != stream.ErrClosed {
			t.Errorf("%q, %q: got %q, want %q", c.before, c.after, said, c.want)
		}
	}
}

// The zero Decoder cannot be used.
func TestZeroDecoder(t *testing.T) {
	var d stream.Decoder
	d.Reset()
	n, err := d.Write([]byte("x"))
	if n != 0 || err != stream.ErrNotNew {
		t.Errorf("Write: %d, %v", n, err)
	}
	if err := d.Close(); err != stream.ErrNotNew || d.Abort() != err || d.Break() != err {
		t.Errorf("Close: %v", err)
	}
}

// In the callback Reset has no effect. After the callback has panicked, it has.
func TestResetInCallback(t *testing.T) {
	calls := ""
	panics := false
	var d *stream.Decoder
	d, err := stream.NewDecoder(sig.AnyTool, func(e stream.Event) error {
		d.Reset()
		if panics {
			panic("boom")
		}
		if e.Type != stream.Call {
			return nil
		}
		calls += e.Name
		if len(calls) == 1 {
			if _, err := d.Write([]byte("<call>x</call>")); err != stream.ErrInCallback {
				t.Errorf("Write in the callback: %v", err)
			}
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) (err error) {
		defer func() {
			if recover() != nil {
				_, err = d.Write(nil)
			}
		}()
		_, err = d.Write([]byte(text))
		return err
	}
	if err := write("<call>t</call> <call>u</call>"); err != nil || calls != "tu" {
		t.Errorf("the calls are %q, want tu: %v", calls, err)
	}
	panics = true
	if err := write("x"); err != stream.ErrInCallback {
		t.Errorf("Write after a panic: %v", err)
	}
	panics = false
	d.Reset()
	if err := write("<call>v</call>"); err != nil || calls != "tuv" {
		t.Errorf("the calls are %q, want tuv: %v", calls, err)
	}
}

// If the reader fails, the message is aborted: an unclosed call is not accepted.
func TestEventsOfBrokenReader(t *testing.T) {
	text := "<call>t a=1"
	broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF))
	var last stream.Event
	var failed error
	for e, err := range stream.Events(sig.AnyTool, broken, &parse.Options{AllowUnclosed: true}) {
		if err != nil {
			failed = err
		} else {
			last = e
		}
	}
	if failed != io.ErrUnexpectedEOF || last.Type != stream.Malformed {
		t.Errorf("%v, %v", failed, last.Type)
	}
	for range stream.Events(sig.AnyTool, strings.NewReader("a b c"), nil) {
		break // no event after the loop has ended
	}
}

// shortCalls is the number of calls in the messages of TestAllocationsOfChunks.
const shortCalls = 20

// TestAllocationsOfChunks: in a message of calls with text between, a call allocates what belongs
// to the caller: its input, the Call, and an ID of the format. Tokens are short enough that the
// Decoder gives its memory for calls to others between them, and takes it again.
func TestAllocationsOfChunks(t *testing.T) {
	catalog, err := sig.Compile(`[{"name": "read", "inputSchema": {"properties": {
		"path": {"type": "string"}, "lines": {"type": "array", "items": {"type": "integer"}}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	formats := []*format.Format{
		format.Wire, format.Hermes, format.Qwen3Coder, format.KimiK2, format.MorphXML,
	}
	for _, f := range formats {
		o := &parse.FormatOptions{Format: f}
		call, err := parse.FormatCall(catalog, "read", []byte(`{"path":"a b\n","lines":[1,2]}`), o)
		if err != nil {
			t.Fatal(err)
		}
		piece := "First I read the file, and then:\n\n" + call + "\n\n"
		text := []byte(strings.Repeat(piece, shortCalls))
		calls, most := 0, 2.0*shortCalls
		if f.NameIsID {
			most += shortCalls + 1 // the events before the first call don't fit
		}
		d, err := stream.NewDecoder(catalog, func(e stream.Event) error {
			if e.Type == stream.Call {
				calls++
			}
			return nil
		}, &stream.Options{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 4, 16, 64, len(text)} {
			calls = 0
			n := testing.AllocsPerRun(20, func() {
				for i := 0; i < len(text); i += size {
					if _, err := d.Write(text[i:min(i+size, len(text))]); err != nil {
						t.Fatal(err)
					}
				}
				d.Close()
				d.Reset()
			})
			if n > most || calls != 21*shortCalls {
				t.Errorf("%s: %v allocations, %d calls, chunks of %d", f, n, calls, size)
			}
		}
	}
}
