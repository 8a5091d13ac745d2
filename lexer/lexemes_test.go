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
