package next

import (
	"fmt"
	"slices"
	"testing"

	"github.com/callwire/callwire/internal/next/lexer"
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
			r := new(lexer.Recorder)
			l := lexer.New(r, lexer.Compile(lexer.Config{Format: o.Format, Limits: o.Limits, AcceptAtEnd: o.AcceptAtEnd}))
			for w := []byte(c.Text); len(w) > 0; {
				k := min(step, len(w))
				l.Write(w[:k])
				w = w[k:]
			}
			l.Close(false)
			return r.Lexemes
		}
		whole, bytewise := record(1<<20), record(1)
		n += len(whole)
		if !slices.Equal(whole, bytewise) {
			t.Errorf("%s\n%s\n%s", c.ID, fmt.Sprint(whole), fmt.Sprint(bytewise))
		}
	}
	t.Log(n, "lexemes")
}
