package stream_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// Each option, with what it changes and what it leaves.
func TestOptions(t *testing.T) {
	const typed = `{"properties":{"n":{"type":"integer"}}}`
	for _, c := range []struct {
		name, schema string
		opts         stream.Options
		text, want   string
	}{
		{"other tags", "", stream.Options{Options: parse.Options{Delims: lexer.Delims{Open: "((", Close: "))"}}}, "<call>((t))", "text-start#text-1 text-delta#text-1(<call>)[0:6] text-end#text-1 tool-input-start#call-1 t[6] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 t({})[6:11]"},
		{"a limit", "", stream.Options{Options: parse.Options{Limits: lexer.Limits{Depth: 1}}}, "<call>t a=[[1]]</call>", `tool-input-start#call-1 t[0] tool-input-delta#call-1({"a":[) malformed#call-1 t too-deep@11(<call>t a=[[1]]</call>)[0:22]`},
		{"a limit on bytes cuts what is kept", "", stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: 8}}}, "<call>t(ab</call>", `malformed bad-name@7(<call>t()[0:17] cut`},

		{"not strict", typed, stream.Options{}, `<call>t n="1"</call>`, `tool-input-start#call-1 t[0] tool-input-delta#call-1({"n":1}) tool-input-end#call-1 tool-call#call-1 t({"n":1})[0:20] coerced@10`},
		{"strict", typed, stream.Options{Options: parse.Options{Strict: true}}, `<call>t n="1"</call>`, `tool-input-start#call-1 t[0] tool-input-delta#call-1({"n":1) malformed#call-1 t coerced@10(<call>t n="1"</call>)[0:20]`},

		{"calls behind damage", "", stream.Options{}, "<call>t(</call><call>u</call>", "malformed bad-name@7(<call>t(</call>)[0:15] tool-input-start#call-1 u[15] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 u({})[15:29] after"},
		{"stop after damage", "", stream.Options{Options: parse.Options{StopAfterMalformed: true}}, "<call>t(</call><call>u</call>", "malformed bad-name@7(<call>t(</call>)[0:15] malformed u after-malformed@15(<call>u</call>)[15:29]"},

		{"no close tag", "", stream.Options{}, "<call>t ", "tool-input-start#call-1 t[0] malformed#call-1 t unterminated-call@8(<call>t )[0:8] open"},
		{"no close tag is needed", "", stream.Options{Options: parse.Options{AcceptAtEnd: true}}, "<call>t", "tool-input-start#call-1 t[0] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 t({})[0:7]"},
		{"but a complete body is", "", stream.Options{Options: parse.Options{AcceptAtEnd: true}}, "<call>t a", "tool-input-start#call-1 t[0] malformed#call-1 t unterminated-call@9(<call>t a)[0:9] open"},

		{"all text left out", "", stream.Options{StripText: stream.StripAll}, "a<call>t</call>b", "tool-input-start#call-1 t[1] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 t({})[1:15]"},
		{"all text left out, but no damage", "", stream.Options{StripText: stream.StripAll}, "a<call>t(</call>b", "malformed bad-name@8(<call>t(</call>)[1:16]"},
		{"leading text left out", "", stream.Options{StripText: stream.StripLeading}, "a<call>t</call>b", "tool-input-start#call-1 t[1] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 t({})[1:15] text-start#text-1 text-delta#text-1(b)[15:16] text-end#text-1"},
		{"leading text without a call", "", stream.Options{StripText: stream.StripLeading}, "a < b", ""},
		{"leading text behind damage is still leading", "", stream.Options{StripText: stream.StripLeading}, "a<call>(b", ""},

		{"damage as text too", "", stream.Options{MalformedAsText: true}, "a<call>t(</call>b", "text-start#text-1 text-delta#text-1(a)[0:1] text-end#text-1 malformed bad-name@8(<call>t(</call>)[1:16] text-start#text-2 text-delta#text-2(<call>t(</call>b)[1:17] text-end#text-2"},

		{"damage as text, cut inside a rune", "", stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: 9}}, MalformedAsText: true}, "<call>t(é</call>b", "malformed bad-name@7(<call>t(\xc3)[0:17] cut text-start#text-1 text-delta#text-1(<call>t(b)[0:18] text-end#text-1"},
		{"damage as text, cut behind bytes that are no rune", "", stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: 10}}, MalformedAsText: true}, "<call>t(\xe2\xe2\x82</call>b", "malformed bad-name@7(<call>t(\xe2\xe2)[0:18] cut text-start#text-1 text-delta#text-1(<call>t(\xe2b)[0:19] text-end#text-1"},
		{"damage as text, to the end of the message", "", stream.Options{MalformedAsText: true}, "<call>t(\xc3", "malformed bad-name@7(<call>t(\xc3)[0:9] open text-start#text-1 text-delta#text-1(<call>t(\xc3)[0:9] text-end#text-1"},

		{"ids", "", stream.Options{NewID: func(n int) string { return fmt.Sprintf("my-%d!", n) }}, "<call>t</call>x<call>u</call>", "tool-input-start#my-1! t[0] tool-input-delta#my-1!({}) tool-input-end#my-1! tool-call#my-1! t({})[0:14] text-start#text-1 text-delta#text-1(x)[14:15] text-end#text-1 tool-input-start#my-2! u[15] tool-input-delta#my-2!({}) tool-input-end#my-2! tool-call#my-2! u({})[15:29]"},

		{"a mended call that had not begun", "", stream.Options{Options: parse.Options{Mend: func(parse.Segment) (string, bool) { return "<call>v a=1</call>", true }}}, "<call>t(</call>", `tool-input-start#call-1 v[0] tool-input-delta#call-1({"a":1}) tool-input-end#call-1 tool-call#call-1 v({"a":1})[0:15] mended`},
		{"a mended call that had", "", stream.Options{Options: parse.Options{Mend: func(parse.Segment) (string, bool) { return "<call>v a=1</call>", true }}}, "<call>t a</call>", `tool-input-start#call-1 t[0] malformed#call-1 t expected-equals@9(<call>t a</call>)[0:16] tool-input-start#call-2 v[0] tool-input-delta#call-2({"a":1}) tool-input-end#call-2 tool-call#call-2 v({"a":1})[0:16] mended`},
		{"a call that is not mended", "", stream.Options{Options: parse.Options{Mend: func(parse.Segment) (string, bool) { return "", false }}}, "<call>t(</call>", "malformed bad-name@7(<call>t(</call>)[0:15]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			catalog := catalogOf(t, c.schema)
			everySplit(c.text, func(chunks ...string) {
				got := showAll(joined(decodeChunks(stream.NewDecoder(catalog, c.opts), chunks...)))
				if got != c.want {
					t.Errorf("chunks %q\ngot  %s\nwant %s", chunks, got, c.want)
				}
			})
		})
	}
}

// The logger is told of malformed spans and of issues, and of nothing else.
func TestLogger(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	d := stream.NewDecoder(catalogOf(t, `{"properties":{}}`), stream.Options{Options: parse.Options{Logger: logger}})
	decodeChunks(d, "text <call>t</call> <call>t a=1</call>", "<call>t(</call>")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "unknown-argument") || !strings.Contains(lines[1], "bad-name") {
		t.Errorf("got %q", lines)
	}
}

// The text of damage stays where it was, although more of a rune seems to come.
func TestDamageAsTextStays(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: 10}}, MalformedAsText: true})
	const want = "malformed bad-name@7(<call>t(\xe2\xe2)[0:18] cut text-start#text-1 text-delta#text-1(<call>t(\xe2)[0:9] text-delta#text-1(b)[18:19] text-end#text-1"
	if got := showAll(decodeChunks(d, "<call>t(\xe2\xe2\x82</call>b")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
