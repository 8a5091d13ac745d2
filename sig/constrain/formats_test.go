package constrain

import (
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/public/parse"
)

// A grammar needs nothing but the row of a format: what it derives reads back strictly, in
// formats of the table and in one that is not.
func TestEveryFormatReadsBack(t *testing.T) {
	list := append(Formats(), &format.Format{
		Name: "custom", Body: format.Parameters, Call: format.Tags{Open: "[[call:", Close: "]]"},
		Function:  format.Marks{End: ">"},
		Parameter: format.Marks{Open: "<:", End: ">", Close: "<<:"},
	})
	for name, c := range catalogs(t) {
		for _, f := range list {
			g := newGrammar(t, c, Options{Format: f, Required: true})
			checkShape(t, g)
			r := random(3)
			for i := range 60 {
				text := g.Sample(r, 1+i*5)
				segments, err := parse.Message(c, text, &parse.Options{Format: f, Strict: true, AllowInCode: true})
				if err != nil {
					t.Fatalf("%s: %v", f, err)
				}
				calls := 0
				for _, s := range segments {
					if s.Err != nil {
						t.Fatalf("%s, %s: %q: %v", name, f, text, s.Err)
					}
					if s.Call != nil {
						calls++
					}
				}
				if calls == 0 {
					t.Fatalf("%s, %s: %q has no call", name, f, text)
				}
			}
		}
	}
}
