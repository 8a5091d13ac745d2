package lexer_test

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
)

// TestLexemes: the lexemes of the texts of the corpus are in it, and the same at every split.
func TestLexemes(t *testing.T) {
	for _, c := range append(corpus.Cases(), corpus.ProtocolCases()...) {
		f := format.Lookup(c.Protocol)
		if c.Op != corpus.Parse || len(c.Text) > 2000 || f != nil && f.ToolTags() {
			continue
		}
		if c.Delims != nil {
			f = &format.Format{Call: format.Tags{Open: c.Delims.Open, Close: c.Delims.Close}}
		}
		record := func(cuts []int) []lexer.Lexeme {
			var chunks [][]byte
			from := 0
			for _, cut := range append(cuts, len(c.Text)) {
				chunks = append(chunks, slices.Clone(c.Text[from:cut]))
				from = cut
			}
			list, err := lexer.Lexemes(f, lexer.Limits(c.Options.Limits), chunks...)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		whole := record(nil)
		for _, x := range whole {
			if x.Start < 0 || x.End < x.Start || len(c.Text) < x.End {
				t.Errorf("%s: %v in %d bytes", c.ID, x, len(c.Text))
			}
		}
		for _, cuts := range corpus.Ends.Splits(len(c.Text)) {
			if got := record(cuts); !slices.Equal(whole, got) {
				t.Errorf("%s cut %v:\n%v\n%v", c.ID, cuts, got, whole)
				break
			}
		}
	}
}

// TestSpans: the span of a lexeme is where it is written.
func TestSpans(t *testing.T) {
	const (
		hermes  = `x <tool_call>{"id": "c-7", "name": "t", "x": 1, "arguments": {}}</tool_call>`
		escaped = `<tool_call>{"\u0069d": "c\u002d7", "\u0078": 1, "name": "\u0074", "\u0079": 2}`
		without = `<tool_call>{"name": "t"}</tool_call>`
		kimi    = `x <|tool_call_begin|>functions.t:7` +
			`<|tool_call_argument_begin|>{}<|tool_call_end|>`
		qwen = "<tool_call><function=f><parameter=a>\n\nb\n</parameter></function></tool_call>"
	)
	for _, c := range []struct {
		format *format.Format
		text   string
		kind   string
		spans  []string
	}{
		{format.Hermes, hermes, "id", []string{"c-7"}},
		{format.Hermes, hermes, "stray", []string{`"x"`}},
		{format.Hermes, escaped, "id", []string{`c\u002d7`}},
		{format.Hermes, escaped, "name", []string{`\u0074`}},
		{format.Hermes, escaped, "stray", []string{`"\u0078"`, `"\u0079"`, `"\u0069d"`}},
		{format.Hermes, hermes, "end", []string{"}"}},
		{format.Hermes, without, "begin", []string{""}},
		{format.Hermes, without, "end", []string{""}},
		{format.KimiK2, kimi, "id", []string{"functions.t:7"}},
		{format.Qwen3Coder, qwen, "string", []string{"\nb"}},
		{format.Qwen3Coder, qwen, "end", []string{""}},
		{nil, `<call>f a="b" c=''</call>`, "string", []string{`"b"`, `''`}},
		{nil, `<call>f a="b`, "string", []string{`"b`}},
	} {
		for i := range c.text {
			chunks := [][]byte{[]byte(c.text[:i]), []byte(c.text[i:])}
			list, err := lexer.Lexemes(c.format, lexer.Limits{}, chunks...)
			if err != nil {
				t.Fatal(err)
			}
			var spans []string
			for _, x := range list {
				if x.Kind == c.kind {
					spans = append(spans, c.text[x.Start:x.End])
				}
			}
			if !slices.Equal(spans, c.spans) {
				t.Errorf("%s of %q cut at %d: %q, want %q", c.kind, c.text, i, spans, c.spans)
				break
			}
		}
	}
}
