package stream_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// told returns events in one line each: type, id, name, delta, span, outcome.
func told(events []stream.Event) []string {
	var lines []string
	for _, e := range events {
		line := fmt.Sprintf("%s %s", e.Type, e.ID)
		if e.Name != "" {
			line += " " + e.Name
		}
		if e.Delta != nil {
			line += fmt.Sprintf(" %q", e.Delta)
		}
		line += fmt.Sprintf(" %d-%d", e.Start, e.End)
		if o := e.Segment; o != nil {
			if o.Input != nil {
				line += " " + string(o.Input)
			}
			if o.Err != nil {
				line += fmt.Sprintf(" %s@%d %q closed=%t cut=%t", o.Err.Code, o.Err.Offset, o.Text, o.Closed, o.Cut)
			}
			if o.AfterMalformed {
				line += " after"
			}
			if o.Mended {
				line += " mended"
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// toldOf returns the lines of a whole message in the given chunks.
func toldOf(opts stream.Options, chunks ...string) []string {
	d := stream.NewDecoder(nil, opts)
	var lines []string
	for _, c := range chunks {
		lines = append(lines, told(d.FeedString(c))...)
	}
	return append(lines, told(d.Close())...)
}

// TestEventsOfMessages: exactly these events, with these places, in this order.
func TestEventsOfMessages(t *testing.T) {
	shown := stream.Options{MalformedAsText: true}
	mend := stream.Options{Options: parse.Options{Mend: func(parse.Segment) (string, bool) { return "<call>u b=2</call>", true }}}
	ids := stream.Options{NewID: func(n int) string { return fmt.Sprintf("id%d", n) }}
	for _, c := range []struct {
		name   string
		opts   stream.Options
		chunks []string
		want   []string
	}{
		{"nothing", stream.Options{}, []string{"", ""}, nil},
		{"text", stream.Options{}, []string{"ab", "", "c"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "ab" 0-2`, `text-delta text-1 "c" 2-3`, `text-end text-1 0-0`}},
		{"a call in text", stream.Options{}, []string{"x<call>t a=1</call>y"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "x" 0-1`, `text-end text-1 0-0`,
			`tool-input-start call-1 t 1-0`, `tool-input-delta call-1 "{\"a\":1}" 0-0`, `tool-input-end call-1 0-0`, `tool-call call-1 t 1-19 {"a":1}`,
			`text-start text-2 0-0`, `text-delta text-2 "y" 19-20`, `text-end text-2 0-0`}},
		{"a long string", stream.Options{}, []string{`<call>t a="on`, `e two`, ` three"`, ` b=1</call>`}, []string{
			`tool-input-start call-1 t 0-0`, `tool-input-delta call-1 "{\"a\":\"on" 0-0`, `tool-input-delta call-1 "e two" 0-0`,
			`tool-input-delta call-1 " three\"" 0-0`, `tool-input-delta call-1 ",\"b\":1}" 0-0`, `tool-input-end call-1 0-0`,
			`tool-call call-1 t 0-36 {"a":"one two three","b":1}`}},
		{"a rune in pieces", stream.Options{}, []string{"a\xf0", "\x9f\x98", "\x80b"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "a" 0-1`, `text-delta text-1 "😀" 1-5`, `text-delta text-1 "b" 5-6`, `text-end text-1 0-0`}},
		{"a rune that never ends", stream.Options{}, []string{"\xe2", "\x82"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "\xe2\x82" 0-2`, `text-end text-1 0-0`}},
		{"half a rune before a call", stream.Options{}, []string{"\xe2", "<call>t</call>"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "\xe2" 0-1`, `text-end text-1 0-0`,
			`tool-input-start call-1 t 1-0`, `tool-input-delta call-1 "{}" 0-0`, `tool-input-end call-1 0-0`, `tool-call call-1 t 1-15 {}`}},
		{"malformed before it begins", stream.Options{}, []string{"<call>t(</call><call>u</call>"}, []string{
			`malformed  0-15 bad-name@7 "<call>t(</call>" closed=true cut=false`,
			`tool-input-start call-1 u 15-0`, `tool-input-delta call-1 "{}" 0-0`, `tool-input-end call-1 0-0`, `tool-call call-1 u 15-29 {} after`}},
		{"malformed after it began", stream.Options{}, []string{`<call>t a="x" b</call>z`}, []string{
			`tool-input-start call-1 t 0-0`, `tool-input-delta call-1 "{\"a\":\"x\"" 0-0`,
			`malformed call-1 t 0-22 expected-equals@15 "<call>t a=\"x\" b</call>" closed=true cut=false`,
			`text-start text-1 0-0`, `text-delta text-1 "z" 22-23`, `text-end text-1 0-0`}},
		{"never closed", stream.Options{}, []string{`<call>t a`}, []string{
			`tool-input-start call-1 t 0-0`, `malformed call-1 t 0-9 unterminated-call@9 "<call>t a" closed=false cut=false`}},
		{"malformed is shown as text", shown, []string{"x<call>t(</call>y"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "x" 0-1`, `text-end text-1 0-0`,
			`malformed  1-16 bad-name@8 "<call>t(</call>" closed=true cut=false`,
			`text-start text-2 0-0`, `text-delta text-2 "<call>t(</call>" 1-16`, `text-delta text-2 "y" 16-17`, `text-end text-2 0-0`}},
		{"mended before it begins", mend, []string{"<call>t(</call>y"}, []string{
			`tool-input-start call-1 u 0-0`, `tool-input-delta call-1 "{\"b\":2}" 0-0`, `tool-input-end call-1 0-0`,
			`tool-call call-1 u 0-15 {"b":2} bad-name@7 "<call>t(</call>" closed=true cut=false mended`,
			`text-start text-1 0-0`, `text-delta text-1 "y" 15-16`, `text-end text-1 0-0`}},
		{"mended after it began", mend, []string{`<call>t a="x" b</call>`}, []string{
			`tool-input-start call-1 t 0-0`, `tool-input-delta call-1 "{\"a\":\"x\"" 0-0`,
			`malformed call-1 t 0-22 expected-equals@15 "<call>t a=\"x\" b</call>" closed=true cut=false`,
			`tool-input-start call-2 u 0-0`, `tool-input-delta call-2 "{\"b\":2}" 0-0`, `tool-input-end call-2 0-0`,
			`tool-call call-2 u 0-22 {"b":2} expected-equals@15 "<call>t a=\"x\" b</call>" closed=true cut=false mended`}},
		{"ids of one's own", ids, []string{"<call>t</call><call>u</call>"}, []string{
			`tool-input-start id1 t 0-0`, `tool-input-delta id1 "{}" 0-0`, `tool-input-end id1 0-0`, `tool-call id1 t 0-14 {}`,
			`tool-input-start id2 u 14-0`, `tool-input-delta id2 "{}" 0-0`, `tool-input-end id2 0-0`, `tool-call id2 u 14-28 {}`}},
		{"without leading text", stream.Options{StripText: stream.StripLeading}, []string{"a\xe2", "b<call>t</call>", "c"}, []string{
			`tool-input-start call-1 t 3-0`, `tool-input-delta call-1 "{}" 0-0`, `tool-input-end call-1 0-0`, `tool-call call-1 t 3-17 {}`,
			`text-start text-1 0-0`, `text-delta text-1 "c" 17-18`, `text-end text-1 0-0`}},
		{"without any text", stream.Options{StripText: stream.StripAll}, []string{"a<call>t</call>b", "c"}, []string{
			`tool-input-start call-1 t 1-0`, `tool-input-delta call-1 "{}" 0-0`, `tool-input-end call-1 0-0`, `tool-call call-1 t 1-15 {}`}},
		{"leading text alone", stream.Options{StripText: stream.StripLeading}, []string{"a", "b"}, nil},
		{"tags that are not legal", stream.Options{Options: parse.Options{Delims: lexer.Delims{Open: "a", Close: "b"}}}, []string{"x<call>t</call>\xe2", "\x82\xac"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "x<call>t</call>" 0-15`, `text-delta text-1 "€" 15-18`, `text-end text-1 0-0`}},
		{"accepted at the end", stream.Options{Options: parse.Options{AcceptAtEnd: true}}, []string{"<call>t a=1"}, []string{
			`tool-input-start call-1 t 0-0`, `tool-input-delta call-1 "{\"a\":" 0-0`, `tool-input-delta call-1 "1}" 0-0`, `tool-input-end call-1 0-0`, `tool-call call-1 t 0-11 {"a":1}`}},
		{"stopped after a malformed one", stream.Options{Options: parse.Options{StopAfterMalformed: true}}, []string{"<call>(</call><call>t(</call><call>u</call>"}, []string{
			`text-start text-1 0-0`, `text-delta text-1 "<call>(</call>" 0-14`, `text-end text-1 0-0`,
			`malformed  14-29 bad-name@21 "<call>t(</call>" closed=true cut=false`,
			`malformed  u 29-43 after-malformed@29 "<call>u</call>" closed=true cut=false after`}},
		{"more than fits", stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: 20}}}, []string{"<call>t a=1234567890</call>"}, []string{
			`tool-input-start call-1 t 0-0`, `tool-input-delta call-1 "{\"a\":" 0-0`, `malformed call-1 t 0-27 call-too-long@20 "<call>t a=1234567890" closed=true cut=true`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, toldOf(c.opts, c.chunks...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Ids go on counting where the prepared ones end.
func TestManyIDs(t *testing.T) {
	const n = 130
	calls, texts := 0, 0
	d := stream.NewDecoder(nil, stream.Options{})
	for _, e := range append(d.FeedString(strings.Repeat("x<call>t</call>", n)), d.Close()...) {
		switch e.Type {
		case stream.TextStart:
			texts++
			if want := fmt.Sprintf("text-%d", texts); e.ID != want {
				t.Fatalf("%q, want %q", e.ID, want)
			}
		case stream.ToolInputStart:
			calls++
			if want := fmt.Sprintf("call-%d", calls); e.ID != want {
				t.Fatalf("%q, want %q", e.ID, want)
			}
		}
	}
	if calls != n || texts != n {
		t.Errorf("%d calls, %d texts", calls, texts)
	}
}

// A decoder that was aborted accepts no half call; one that was reset is new.
func TestAbortAndReset(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{AcceptAtEnd: true}})
	d.Reset() // before its first use
	d.FeedString("x<call>t a=1")
	got := told(d.Abort())
	if want := []string{`malformed call-1 t 1-12 unterminated-call@12 "<call>t a=1" closed=false cut=false`}; cmp.Diff(want, got) != "" {
		t.Errorf("%q", got)
	}
	if n := len(d.FeedString("x")) + len(d.Close()) + len(d.Abort()); n != 0 {
		t.Errorf("%d events after the end", n)
	}
	d.Reset()
	got = append(told(d.FeedString("x<call>t a=1")), told(d.Close())...)
	want := []string{`text-start text-1 0-0`, `text-delta text-1 "x" 0-1`, `text-end text-1 0-0`,
		`tool-input-start call-1 t 1-0`, `tool-input-delta call-1 "{\"a\":" 0-0`, `tool-input-delta call-1 "1}" 0-0`, `tool-input-end call-1 0-0`, `tool-call call-1 t 1-12 {"a":1}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var bad = stream.NewDecoder(nil, stream.Options{Options: parse.Options{Delims: lexer.Delims{Open: "a", Close: "b"}}})
	if bad.Err() == nil || d.Err() != nil {
		t.Errorf("errors %v and %v", bad.Err(), d.Err())
	}
	bad.FeedString("x")
	if got := told(bad.Abort()); cmp.Diff([]string{"text-end text-1 0-0"}, got) != "" {
		t.Errorf("%q", got)
	}
}

// The writer stops with the error of the receiver, says it again, and is closed
// once.
func TestWriterErrors(t *testing.T) {
	full := errors.New("full")
	for stop := range 4 {
		n := 0
		w := stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(stream.Event) error {
			if n == stop {
				return full
			}
			n++
			return nil
		})
		written, err := w.Write([]byte("ab"))
		if want := stop >= 2; want != (err == nil) || want != (written == 2) {
			t.Errorf("stop at %d: %d bytes, %v", stop, written, err)
		}
		err = w.Close()
		if want := stop < 3; want != errors.Is(err, full) || !want && err != nil {
			t.Errorf("stop at %d: close says %v", stop, err)
		}
		again, late := w.Close(), error(nil)
		_, late = io.WriteString(w, "x")
		if stop < 3 && (again != full || late != full) || stop == 3 && (again != nil || late != stream.ErrClosed) {
			t.Errorf("stop at %d: then %v and %v", stop, again, late)
		}
	}
}

// stuck returns neither bytes nor an error for a while.
type stuck struct {
	silent int
	text   string
	end    error
}

func (r *stuck) Read(b []byte) (int, error) {
	if r.silent > 0 {
		r.silent--
		return 0, nil
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	if r.text == "" {
		return n, r.end
	}
	return n, nil
}

// TestEventsOfReaders: silence up to 99 times is borne, what came with an error is
// read first, and the error comes last.
func TestEventsOfReaders(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		r    *stuck
		last string
		err  error
	}{
		{&stuck{99, "x", io.EOF}, "text-end", nil},
		{&stuck{100, "x", io.EOF}, "none", io.ErrNoProgress},
		{&stuck{0, "x", broken}, "text-end", broken},
		{&stuck{0, "<call>t a=1", broken}, "malformed", broken},
		{&stuck{0, "<call>t a=1", io.EOF}, "tool-call", nil},
		{&stuck{0, strings.Repeat("long ", 3000), io.EOF}, "text-end", nil},
	} {
		last, size := "none", 0
		var got error
		for e, err := range stream.Events(c.r, nil, stream.Options{Options: parse.Options{AcceptAtEnd: true}}) {
			if got != nil {
				t.Errorf("%v behind %v", e, got)
			}
			if err != nil {
				got = err
				continue
			}
			last, size = e.Type.String(), size+len(e.Delta)
		}
		if last != c.last || got != c.err {
			t.Errorf("%+v: last %s, error %v, want %s, %v", c.r, last, got, c.last, c.err)
		}
		if size > 10000 && size != 15000 {
			t.Errorf("%d bytes of text", size)
		}
	}
}

// A copy of an event owes nothing to the decoder.
func TestCloneKeepsEvents(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{})
	chunk := []byte(`ab<call>t a="x" b=1</call><call>u(</call>`)
	var kept []stream.Event
	var before []string
	for _, e := range d.Feed(chunk) {
		kept = append(kept, e.Clone())
	}
	before = told(kept)
	clear(chunk)
	d.Reset()
	d.FeedString(`cd<call>v c="y" d=2</call><call>w)</call>`)
	if diff := cmp.Diff(before, told(kept)); diff != "" {
		t.Error(diff)
	}
}

// TestNoDeltaCutsARune: however text comes to be in pieces, none ends in a rune.
func TestNoDeltaCutsARune(t *testing.T) {
	long := strings.Repeat("x", 503)
	for _, c := range []struct {
		rule   string
		opts   stream.Options
		chunks []string
	}{
		{"a chunk that is taken in steps", stream.Options{}, []string{"<call>t a=", "1</call>" + long + "é and more"}},
		{"the same twice", stream.Options{}, []string{"<call>t a=", "1</call>" + long + "é" + long + "é<call>u</call>" + long + "é", "é"}},
		{"chunks that cut it", stream.Options{}, []string{"a\xe2", "\x82", "", "\xac\xf0\x9f", "\x98\x80b\xc3", "\xa9"}},
		{"a malformed span cut at the limit", stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: 16}}, MalformedAsText: true}, []string{"<call>t (ok 123é hidden</call>é"}},
	} {
		d := stream.NewDecoder(nil, c.opts)
		var events []stream.Event
		for _, chunk := range c.chunks {
			for _, e := range d.FeedString(chunk) {
				events = append(events, e.Clone())
			}
		}
		for _, e := range append(events, d.Close()...) {
			if !utf8.Valid(e.Delta) {
				t.Errorf("%s: %s %.20q[%d:%d]", c.rule, e.Type, e.Delta, e.Start, e.End)
			}
		}
	}
}

// TestConsumersMayWrite: what a consumer does to the events it got changes no later
// ones, and no input.
func TestConsumersMayWrite(t *testing.T) {
	message := strings.Repeat("some prose, ", 4) + `<call>t a="a long string in pieces" b=word c=1</call> and more <call>u(</call> prose <call>v a.x="v" b=www c=1</call>`
	told := func(size int, spoil func([]stream.Event)) string {
		d := stream.NewDecoder(nil, stream.Options{})
		var b strings.Builder
		tell := func(events []stream.Event) {
			for _, e := range events {
				fmt.Fprintf(&b, "%s %s %q %s %d %d", e.Type, e.ID, e.Delta, e.Name, e.Start, e.End)
				if e.Segment != nil {
					fmt.Fprintf(&b, " %s %q", e.Input, e.Text)
				}
				b.WriteByte('\n')
			}
		}
		for i := 0; i < len(message); i += size {
			events := d.FeedString(message[i:min(len(message), i+size)])
			for i := range events {
				tell(events[i : i+1])
				spoil(events[i : i+1])
			}
		}
		tell(d.Close())
		return b.String()
	}
	for name, spoil := range map[string]func([]stream.Event){
		"cleared": func(events []stream.Event) { clear(events) },
		"made something else": func(events []stream.Event) {
			for i := range events {
				events[i] = stream.Event{Type: stream.ToolCall, ID: "mine", Name: "x", Segment: &parse.Segment{}}
			}
		},
		"longer": func(events []stream.Event) {
			for _, e := range events {
				_ = append(e.Delta, "!!!!!!!!"...)
				if e.Segment != nil {
					_, _ = append(e.Input, "!!!!!!!!"...), append(e.Text, "!!!!!!!!"...)
				}
			}
		},
	} {
		for _, size := range []int{1, 5, 40, 90, 1000} {
			want := told(size, func([]stream.Event) {})
			if got := told(size, spoil); got != want {
				t.Errorf("events %s, in chunks of %d:\n%s\nwant\n%s", name, size, got, want)
			}
		}
	}
}

// TestResetInACall: what was left half read is forgotten, the paths of issues above
// all.
func TestResetInACall(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"properties":{"o":{"type":"object","properties":{"d":{}},"required":["d"]},"k":{"type":"string"}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"<call>t k=xx\n k", "some prose first, then a call that breaks off: <call>t k=xx\n k", "<call>t o.x=1 k", `<call>t k="long`, "<call>t k=x z"} {
		d := stream.NewDecoder(catalog, stream.Options{})
		d.FeedString(before)
		d.Reset()
		events := d.FeedString(`<call>t {"o":{}}</call>`)
		last := events[len(events)-1]
		if last.Type != stream.ToolCall || len(last.Issues) != 1 || last.Issues[0].Path != "o.d" {
			t.Errorf("behind %q: %s %v", before, last.Type, last.Segment)
		}
	}
}

// With WholeCalls all events of a call come with its last byte.
func TestWholeCalls(t *testing.T) {
	const text = `a <call>t a=1 b="two"</call><call>t b=`
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{WholeCalls: true}})
	var got []string
	for i := range len(text) {
		for _, e := range d.FeedString(text[i : i+1]) {
			if e.Type >= stream.ToolInputStart {
				got = append(got, fmt.Sprintf("%d %s", i, show(e)))
			}
		}
	}
	for _, e := range d.Close() {
		got = append(got, "end "+show(e))
	}
	want := []string{
		"27 tool-input-start#call-1 t[2]",
		`27 tool-input-delta#call-1({"a":1,"b":"two"})`,
		"27 tool-input-end#call-1",
		`27 tool-call#call-1 t({"a":1,"b":"two"})[2:28]`,
		"end malformed t unterminated-call@38(<call>t b=)[28:38] open",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
