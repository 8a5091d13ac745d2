package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
)

// The lexemes are the same at every split.
func TestRecorder(t *testing.T) {
	list := load(t, cases+"*.json")
	list = append(list, load(t, cases+"protocols/hermes.json")...)
	list = append(list, load(t, cases+"protocols/qwen3-coder.json")...)
	n := 0
	for _, c := range list {
		o, _, skip := c.options()
		if c.Op != "parse" || skip != "" || len(c.Text) > 2000 {
			continue
		}
		record := func(step int) []lexer.Lexeme {
			f := o.Format
			if o.Tags != (format.Tags{}) {
				f = &format.Format{Call: o.Tags}
			}
			syntax, err := lexer.Compile(lexer.Config{Format: f, Limits: o.Limits, AllowUnclosed: o.AllowUnclosed})
			if err != nil {
				t.Fatal(err)
			}
			return lexer.Lexemes(syntax, slices.Collect(slices.Chunk([]byte(c.Text), step))...)
		}
		whole, bytewise := record(1<<20), record(1)
		n += len(whole)
		if !slices.Equal(whole, bytewise) {
			t.Errorf("%s\n%s\n%s", c.ID, fmt.Sprint(whole), fmt.Sprint(bytewise))
		}
	}
	t.Log(n, "lexemes")
}
