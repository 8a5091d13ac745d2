package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// An example is a case as it is shown: what goes in, and what must come out.
type example struct {
	corpus.Case
	First  bool     // nothing shows it before
	Given  []string // what else is given: tools and options
	Label  string   // what goes in
	input  []byte
	marks  []mark // in the input
	Output []outcome
	call   []byte // what comes out, where that is a call
	Prompt string // what comes out, where that is lines for a model
	result int    // good, noted or bad
}

// The results of examples: an index of verdicts.
const (
	good  = iota
	noted // something has an issue
	bad   // something is malformed or refused
)

// A verdict shows a result: as a glyph, as a class in CSS, and in words.
type verdict struct{ Sign, Class, Words string }

var verdicts = []verdict{
	{"✓", "ok", "passes"}, {"!", "noted", "passes with an issue"}, {"✗", "bad", "fails"},
}

// Verdict returns how the result is shown.
func (e example) Verdict() verdict { return verdicts[e.result] }

// A mark is a place in the input.
type mark struct {
	at   int
	code string
}

// An outcome is one event of a result.
type outcome struct {
	Kind   string // text, tool-call, malformed or refused
	Span   string // its position
	Value  string // its content
	Code   string // what is wrong
	Where  string // and where
	Extras []string
}

func newExample(c corpus.Case) example {
	e := example{Case: c, input: c.Text, Label: "text"}
	e.Given = tools(c.Tools)
	if o := plainJSON(c.Options); o != "{}" {
		e.Given = append(e.Given, "options: "+o)
	}
	if d := c.Delims; d != nil {
		e.Given = append(e.Given, "tags "+d.Open+" and "+d.Close)
	}
	if r := c.Repeat; r != nil {
		e.Given = append(e.Given,
			fmt.Sprintf("bytes %d to %d of the text occur %d times", r.Start, r.End, r.Times))
	}
	switch c.Op {
	case corpus.Parse:
		for _, event := range c.Want.Events {
			e.add(event)
		}
		if len(c.Want.Events) == 0 {
			e.Output = []outcome{{Kind: "nothing"}}
		}
	case corpus.Format:
		e.Label, e.input, e.call = c.Name, c.Input, []byte(c.Want.Text)
	case corpus.Sig:
		e.Prompt = strings.Join(c.Want.Lines, "\n")
	case corpus.Manual:
		e.Prompt = strings.TrimSuffix(c.Want.Text, "\n")
	}
	if refusal := c.Want.Error; refusal != nil {
		e.result = bad
		e.Output = append(e.Output, outcome{Kind: "refused", Code: refusal.Code})
	}
	return e
}

// add adds an event to what comes out.
func (e *example) add(event corpus.Event) {
	o := outcome{Kind: event.Type, Span: fmt.Sprintf("%d–%d", event.Start, event.End)}
	switch event.Type {
	case corpus.TextEvent:
		o.Value = quote(event.Text)
	case corpus.ToolCallEvent:
		o.Value = event.Name + " " + shorten(event.Input, 160)
		if event.AfterMalformed {
			o.Extras = append(o.Extras, "afterMalformed")
		}
		for _, i := range event.Issues {
			e.result = max(e.result, noted)
			e.mark(i.At, i.Code)
			o.Extras = append(o.Extras, fmt.Sprintf("%s at %d: %s", i.Code, i.At, i.Path))
		}
	case corpus.MalformedEvent:
		e.result = bad
		e.mark(event.At, event.Code)
		o.Code, o.Where = event.Code, fmt.Sprintf("at %d", event.At)
		if !event.Closed {
			o.Extras = append(o.Extras, "not closed")
		}
	}
	e.Output = append(e.Output, o)
}

func (e *example) mark(at int, code string) {
	i := slices.IndexFunc(e.marks, func(m mark) bool { return m.at == at })
	if i < 0 {
		e.marks = append(e.marks, mark{at, code})
	} else if !strings.Contains(e.marks[i].code, code) {
		e.marks[i].code += ", " + code
	}
	slices.SortStableFunc(e.marks, func(a, b mark) int { return a.at - b.at })
}

// InputLines returns what goes in, after the name of the tool if it is for one.
func (e example) InputLines() []string {
	switch {
	case e.Prompt != "":
		return nil
	case e.Label == "text":
		return caretLines(e.input, e.marks, 0)
	}
	lines := caretLines(e.input, e.marks, columns(e.Label)+1)
	lines[0] = e.Label + " " + lines[0]
	return lines
}

// OutputLines returns the call or the prompt that comes out.
func (e example) OutputLines() (lines []string) {
	switch {
	case e.Prompt != "":
		lines = strings.Split(e.Prompt, "\n")
	case e.call != nil && e.result != bad:
		lines = caretLines(e.call, nil, 0)
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight([]string{"→ ", "  "}[min(i, 1)]+line, " ")
	}
	return lines
}

// MarkedInput returns what goes in as HTML.
func (e example) MarkedInput() string { return marked(e.input, e.marks) }

// MarkedCall returns the call that comes out as HTML.
func (e example) MarkedCall() string {
	if e.result == bad {
		return ""
	}
	return marked(e.call, nil)
}

// Words returns an outcome in words, one part after the other.
func (o outcome) Words() []string {
	words := []string{o.Span, o.Kind, o.Value, o.Code, o.Where}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return append(words, o.Extras...)
}

// tools shows a catalog: the schema of each tool.
func tools(list json.RawMessage) (lines []string) {
	if list == nil {
		return nil
	}
	var all []struct {
		Name, Description string
		InputSchema       json.RawMessage
	}
	if err := json.Unmarshal(list, &all); err != nil {
		return []string{"tools: " + string(list)}
	}
	if len(all) == 0 {
		return []string{"no tools"}
	}
	for _, t := range all {
		line := "tool " + t.Name + ": " + shorten(plainJSON(t.InputSchema), 400)
		if t.Description != "" {
			line += " — " + quote([]byte(t.Description))
		}
		lines = append(lines, line)
	}
	return lines
}

// plainJSON returns compact JSON that shows < and > as they are.
func plainJSON(v any) string {
	var text, compact bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.Encode(v)
	json.Compact(&compact, text.Bytes())
	return compact.String()
}

func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	half := most / 2
	return strings.ToValidUTF8(s[:half], "") + " … " + strings.ToValidUTF8(s[len(s)-half/2:], "")
}

// examplesOf chooses the examples of a rule among its cases: one that passes and one
// that doesn't. It prefers cases that have the rule first, short ones, those of the
// core level, and those that no other rule shows.
func examplesOf(rule string, cases []corpus.Case, shown map[string]int) (chosen []example) {
	var passing, failing []example
	for _, c := range cases {
		if e := newExample(c); e.result == good {
			passing = append(passing, e)
		} else {
			failing = append(failing, e)
		}
	}
	cost := func(e example) int {
		n := len(e.input) + 40*len(e.Given) + 15*len(e.Output) + 30*shown[e.ID]
		for _, g := range e.Given {
			n += len(g) / 4
		}
		if e.Rules[0] != rule {
			n += 60
		}
		if e.Level != corpus.Core {
			n += 10
		}
		if len(e.input) == 0 {
			n += 100
		}
		if (e.Op == corpus.Format) != strings.HasPrefix(rule, "write.") {
			n += 200 // a rule of readers is shown by reading
		}
		return n
	}
	choose := func(list []example) {
		if len(list) > 0 {
			e := slices.MinFunc(list, func(a, b example) int { return cost(a) - cost(b) })
			chosen = append(chosen, e)
		}
	}
	if !isError(rule) || len(failing) == 0 {
		choose(passing)
	}
	choose(failing)
	for _, e := range chosen {
		shown[e.ID]++
	}
	return chosen
}

// isError reports whether a rule is that of a code. One example of it is enough,
// since the rules that it restates have their own.
func isError(rule string) bool { return strings.HasPrefix(rule, "error.") }
