package lexer_test

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
)

// TestLexemes: the lexemes of the texts of the corpus are the same at every split.
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
		for _, cuts := range corpus.Ends.Splits(len(c.Text)) {
			if got := record(cuts); !slices.Equal(whole, got) {
				t.Errorf("%s cut %v:\n%v\n%v", c.ID, cuts, got, whole)
				break
			}
		}
	}
}

// TestIDs: the span of an ID is where it is written.
func TestIDs(t *testing.T) {
	const hermes = `x <tool_call>{"id": "c-7", "name": "t", "arguments": {}}</tool_call>`
	const kimi = `x <|tool_call_begin|>functions.t:7<|tool_call_argument_begin|>{}<|tool_call_end|>`
	for _, c := range []struct {
		format   *format.Format
		text, id string
	}{
		{format.Hermes, hermes, "c-7"}, {format.KimiK2, kimi, "functions.t:7"},
	} {
		list, err := lexer.Lexemes(c.format, lexer.Limits{}, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		isID := func(x lexer.Lexeme) bool { return x.Kind == "id" }
		i := slices.IndexFunc(list, isID)
		if i < 0 || c.text[list[i].Start:list[i].End] != c.id {
			t.Errorf("%s: %v", c.format, list)
		}
	}
}
