package fuzz

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// answering is a text of a model and the feedback on it.
type answering struct {
	text    string
	catalog *sig.Catalog
	opts    manual.Options
	manual  *manual.Manual
	strict  bool
}

// newAnswering returns a text with misfitting or malformed calls, with tags that the
// manual may refuse.
func newAnswering(s Source) answering {
	a := answering{catalog: mustCompile(Tools(s)), opts: manual.Options{Tags: oneOf(s, Tags(s), oneOf(s, besideResults...), oneOf(s, inNotation...))}, strict: chance(s, 2)}
	var err error
	if a.manual, err = manual.New(a.catalog, &a.opts); err != nil { // the tags are refused
		a.opts.Tags = lexer.Delims{}
		a.manual = mustManual(a.catalog, a.opts)
	}
	d := a.opts.Tags.OrDefault()
	for range 1 + s.IntN(3) {
		tool := oneOf(s, a.catalog.Tools()...)
		name := oneOf(s, tool.Name, tool.Name, tool.Name, oneOf(s, toolNames...), Key(s))
		switch s.IntN(4) {
		case 0: // exact, so that names of properties may be anything
			a.text += d.Open + name + " " + MisfitObject(s, tool.Args, 3) + d.Close
		case 1:
			format := parse.FormatOptions{Delims: d}
			if call, err := format.Format(nil, tool.Name, []byte(MisfitObject(s, tool.Args, 3))); err == nil {
				a.text += call
			}
		case 2:
			a.text += d.Open + name + oneOf(s, "(", " ", ": ", "") + Hostile(s, d) + oneOf(s, ")", "", "}") + d.Close
		case 3:
			a.text += Retag(Soup(s, s.IntN(8)), d)
		}
	}
	return a
}

// check returns what is wrong, or "".
func (a answering) check() string {
	read := parse.Options{Delims: a.opts.Tags, Strict: a.strict}
	for _, s := range read.Text(a.text, a.catalog) {
		if s.Kind == parse.Prose {
			continue
		}
		answer := a.manual.Feedback(s)
		if wrong := a.checkAnswer(answer, 1); wrong != "" {
			return fmt.Sprintf("of %q: %s", s.Text, wrong)
		}
		if said := s.Kind == parse.Malformed || len(s.Issues) > 0; said != (answer != "") {
			return fmt.Sprintf("of %q is said %q", s.Text, answer)
		}
	}
	names := Quote(&Choices{}, a.text)
	return a.checkAnswer(a.manual.Load([]byte(`{"names":[`+names+`]}`)), len(a.catalog.Tools()))
}

// checkAnswer checks that an answer contains only text and a few valid calls, that it
// hides nothing, and that it ends where it seems to end.
func (a answering) checkAnswer(answer string, most int) string {
	calls := 0
	bare := strings.ReplaceAll(answer, a.opts.Tags.OrDefault().Open, "") // which may hold a tag of results itself
	for _, s := range (parse.Options{Delims: a.opts.Tags}).Text(answer, nil) {
		switch {
		case s.Kind == parse.Prose:
		case s.Kind == parse.Malformed:
			return fmt.Sprintf("%q is malformed in %s", s.Text, answer)
		case bytes.HasPrefix(s.Text, []byte(a.opts.Tags.OrDefault().Open)):
			calls++
		}
	}
	switch {
	case calls > most:
		return fmt.Sprintf("%d calls in %s", calls, answer)
	case strings.ContainsFunc(answer, func(r rune) bool { return r != '\n' && sig.Invisible(r) }):
		return fmt.Sprintf("something is hidden in %q", answer)
	case len(answer) > 20_000:
		return fmt.Sprintf("an answer of %d bytes", len(answer))
	case strings.Count(bare, "<tool-error")+strings.Count(bare, "<tool-result") > 1,
		strings.Count(bare, "</tool-error>")+strings.Count(bare, "</tool-result>") > 1:
		return fmt.Sprintf("results in %s", answer)
	}
	return ""
}

// TestFeedback: whatever a model writes, the feedback contains at most the one call that
// it should have written, which reads back; it repeats little and hides nothing.
func TestFeedback(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a := newAnswering(Drawn(rt))
		if wrong := a.check(); wrong != "" {
			rt.Fatalf("%s\ntags %q, strict %t\n%q", wrong, a.opts.Tags, a.strict, a.text)
		}
	})
}

// FuzzFeedback: the same, for a text and a catalog that the bytes choose.
func FuzzFeedback(f *testing.F) {
	for i := range 64 {
		f.Add([]byte{byte(i), 1, byte(i * 3), 2, 2, byte(i * 5), 7, 1, byte(i * 11), 2, 3, byte(i), 5, 8, 13, 2, byte(i * 7), 1, 1, 4, 0, 2, byte(i), 3, 1})
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > small {
			return
		}
		a := newAnswering(&Choices{choices})
		if wrong := a.check(); wrong != "" {
			t.Fatalf("%s\ntags %q, strict %t\n%q", wrong, a.opts.Tags, a.strict, a.text)
		}
	})
}
