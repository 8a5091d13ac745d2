package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

// TestManualExamples: property 24. Every call in a manual reads back under the
// catalogue that the manual is of, strictly, and nothing else in it looks like a
// call.
func TestManualExamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		catalog := mustCompile(Tools(c))
		tags := oneOf(c, delims[0], delims[1], delims[5])
		text := manual.Render(catalog, manual.Options{Delims: tags})
		for _, s := range (parse.Options{Delims: tags, Strict: true}).Text(text, catalog) {
			if s.Kind == parse.Malformed || s.AfterMalformed {
				rt.Fatalf("%v in\n%s", s.Err, text)
			}
		}
	})
}
