package fuzz

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// inNotation are tags that occur in a manual's explanation of signatures.
var inNotation = []protocol.Tags{
	{Open: "(?", Close: "?)"}, {Open: "):", Close: "(:"}, {Open: "@x", Close: "@/"},
	{Open: "?:", Close: ":?"}, {Open: "*:", Close: ":*"},
}

// newManual returns a manual with tags, which it may refuse.
func newManual(catalog *sig.Catalog, tags protocol.Tags) (*manual.Manual, error) {
	var o manual.Options
	o.Tags.Open, o.Tags.Close = tags.Open, tags.Close
	return manual.New(catalog, &o)
}

// TestManualExamples: a manual has an example for each syntax in which it announces a tool with
// examples; each reads back strictly with the catalog of the manual, and nothing else in it looks
// like a call.
func TestManualExamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		s := Setup{Catalog: mustCompile(Tools(c))}
		s.Tags, s.Strict = cmp.Or(oneOf(c, Tags(c), oneOf(c, inNotation...)), protocol.Wire.Call), true
		var o manual.Options
		o.Tags.Open, o.Tags.Close = s.Tags.Open, s.Tags.Close
		o.Form = oneOf(c, sig.Auto, sig.JSON)
		m, err := manual.New(s.Catalog, &o)
		if err != nil {
			return
		}
		text := m.String()
		examples := examplesOf(rt, m, o.Form, s.Tags.Open)
		parts, err := s.Whole([]byte(text))
		if err != nil {
			rt.Fatal(err)
		}
		var shown []bool
		for _, p := range parts {
			if p.Type == textPart {
				continue
			}
			e, ok := examples[p.Name]
			isGood := ok && p.Type == callPart && len(p.Issues) == 0
			if !isGood || slices.Contains(shown, e.inJSON) {
				rt.Fatalf("%+v is not an example, or an extra one, in\n%s", p, text)
			}
			shown = append(shown, e.inJSON)
		}
		for _, e := range examples {
			if len(e.call) <= longestExample && !slices.Contains(shown, e.inJSON) {
				rt.Fatalf("no call such as %s in\n%s", e.call, text)
			}
		}
	})
}

// longestExample is how many bytes an example in the header has at most.
const longestExample = 200

// An example is a call of a tool, and whether the tool is announced in JSON.
type example struct {
	call   string
	inJSON bool
}

// examplesOf returns the examples of the tools by name. It leaves out those in JSON of a tool that
// is not announced in JSON. The header may show a shorter call of such a tool.
func examplesOf(t *rapid.T, m *manual.Manual, form sig.Form, open string) map[string]example {
	examples := map[string]example{}
	for _, tool := range m.Catalog().Tools() {
		p, err := tool.Plan(form)
		if err != nil {
			t.Fatal(err)
		}
		names, _ := json.Marshal(map[string]string{"names": tool.Name})
		call := ""
		for line := range strings.Lines(m.Load(names)) {
			if call == "" && strings.HasPrefix(line, open) {
				call = strings.TrimSuffix(line, "\n")
			}
		}
		if call != "" && (p.JSON || !strings.HasPrefix(call, open+tool.Name+" {")) {
			examples[tool.Name] = example{call, p.JSON}
		}
	}
	return examples
}

// manualOf returns the manual for a format, or nil if there is none.
func manualOf(catalog *sig.Catalog, f *protocol.Format) *manual.Manual {
	m, err := manual.New(catalog, &manual.Options{Format: f})
	if err != nil {
		return nil
	}
	return m
}

type feedbackOn struct {
	source string
	wrong  bool // it is malformed or has issues
	answer string
}

// feedback returns the feedback on each call of a text.
func feedback(m *manual.Manual, s Setup, text string) (list []feedbackOn) {
	o := s.Options
	o.AllowAfterMalformed, o.AllowInCode = true, true
	segments, err := parse.Message(s.Catalog, text, &o)
	if err != nil {
		return nil
	}
	for _, seg := range segments {
		if seg.Call != nil || seg.Err != nil {
			wrong := seg.Err != nil || len(seg.Call.Issues) > 0
			list = append(list, feedbackOn{seg.Text, wrong, m.Feedback(seg)})
		}
	}
	return list
}

// reply is a text of a model and the manual that answers it.
type reply struct {
	Setup
	text   string
	manual *manual.Manual
}

// newReply returns a text with misfitting or malformed calls, with tags that the manual may refuse.
func newReply(s Source) reply {
	r := reply{Setup: Setup{Catalog: mustCompile(Tools(s))}}
	r.Tags = cmp.Or(oneOf(s, Tags(s), oneOf(s, besideResults...), oneOf(s, inNotation...)), protocol.Wire.Call)
	r.Strict = chance(s, 2)
	m, err := newManual(r.Catalog, r.Tags)
	if err != nil {
		r.Tags = protocol.Wire.Call
		if m, err = newManual(r.Catalog, r.Tags); err != nil {
			panic(err)
		}
	}
	r.manual = m
	for range 1 + s.IntN(3) {
		tool := oneOf(s, r.Catalog.Tools()...)
		name := oneOf(s, tool.Name, tool.Name, tool.Name, oneOf(s, toolNames...), Key(s))
		switch s.IntN(4) {
		case 0: // exact, so that names of properties may be anything
			r.text += r.Tags.Open + name + " " + objectOf(s, tool.Args, 3, true) + r.Tags.Close
		case 1:
			input := []byte(objectOf(s, tool.Args, 3, true))
			o := &parse.FormatOptions{Tags: r.Tags}
			if call, err := parse.FormatCall(sig.AnyTool, tool.Name, input, o); err == nil {
				r.text += call
			}
		case 2:
			begin, end := oneOf(s, "(", " ", ": ", ""), oneOf(s, ")", "", "}")
			r.text += r.Tags.Open + name + begin + hostile(s, r.Tags) + end + r.Tags.Close
		case 3:
			for range s.IntN(8) {
				r.text += Retag(oneOf(s, nearMisses...), r.Tags)
			}
		}
	}
	return r
}

// check returns what is wrong, or "": feedback on a call that is malformed or has issues, and only
// on such a one, contains at most the call that it should have been.
func (r reply) check() string {
	for _, f := range feedback(r.manual, r.Setup, r.text) {
		if wrong := r.checkAnswer(f.answer, 1); wrong != "" {
			return fmt.Sprintf("of %q: %s", f.source, wrong)
		}
		if f.wrong != (f.answer != "") {
			return fmt.Sprintf("the feedback on %q is %q", f.source, f.answer)
		}
	}
	names := `{"names":[` + Quote(&Choices{}, r.text) + `]}`
	return r.checkAnswer(r.manual.Load([]byte(names)), len(r.Catalog.Tools()))
}

// checkAnswer checks that an answer contains only text and a few valid calls, that it hides
// nothing, and that it ends where it seems to end.
func (r reply) checkAnswer(answer string, most int) string {
	setup := Setup{Catalog: sig.AnyTool}
	setup.Tags, setup.AllowInCode = r.Tags, true
	parts, err := setup.Whole([]byte(answer))
	if err != nil {
		return err.Error()
	}
	bare := strings.ReplaceAll(answer, r.Tags.Open, "") // which may contain a tag of results itself
	count := func(tag string) int {
		return strings.Count(bare, tag+"error") + strings.Count(bare, tag+"result")
	}
	hidden := func(c rune) bool { return c != '\n' && unseen.Is(c) }
	switch calls := countOf(parts, callPart); {
	case calls > most:
		return fmt.Sprintf("%d calls in %s", calls, answer)
	case countOf(parts, malformedPart) > 0:
		return fmt.Sprintf("a call is malformed in %s", answer)
	case strings.ContainsFunc(answer, hidden):
		return fmt.Sprintf("something is hidden in %q", answer)
	case len(answer) > 20_000:
		return fmt.Sprintf("an answer of %d bytes", len(answer))
	case count("<tool-") > 1, count("</tool-") > 1:
		return fmt.Sprintf("results in %s", answer)
	}
	return ""
}

// TestFeedback: whatever a model writes, the feedback contains at most the one call that it should
// have written, which reads back; it repeats little and hides nothing.
func TestFeedback(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newReply(Drawn(rt))
		if wrong := r.check(); wrong != "" {
			rt.Fatalf("%s\n%s", wrong, Sample{Setup: r.Setup, In: []byte(r.text)})
		}
	})
}

// FuzzFeedback is TestFeedback for a text and a catalog that the bytes choose.
func FuzzFeedback(f *testing.F) {
	seedChoices(f)
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > small {
			return
		}
		r := newReply(&Choices{choices})
		if wrong := r.check(); wrong != "" {
			t.Fatalf("%s\n%s", wrong, Sample{Setup: r.Setup, In: []byte(r.text)})
		}
	})
}
