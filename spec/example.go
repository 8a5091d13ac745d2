package spec

import (
	"encoding/json"
	"fmt"
	"strconv"
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
	marks  marks  // in the input
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

// Marks are the codes at offsets of the input.
type marks map[int]string

func (m marks) add(at int, code string) {
	if !strings.Contains(m[at], code) {
		m[at] = strings.TrimPrefix(m[at]+", "+code, ", ")
	}
}

// in returns the offsets of the marks in a span.
func (m marks) in(start, end int) (all []int) {
	for at := start; at < end; at++ {
		if m[at] != "" {
			all = append(all, at)
		}
	}
	return all
}

func newExample(c corpus.Case) example {
	e := example{Case: c, input: c.Text, Label: "text", marks: marks{}}
	e.Given = tools(c.Tools)
	if o := compact(c.Options); o != "{}" {
		e.Given = append(e.Given, "options: "+o)
	}
	if d := c.Delims; d != nil {
		e.Given = append(e.Given, "tags "+d.Open+" and "+d.Close)
	}
	if r := c.Repeat; r != nil {
		e.Given = append(e.Given,
			fmt.Sprintf("bytes %d to %d of the text occur %d times", r.Start, r.End, r.Times))
	}
	for _, event := range c.Want.Events {
		for _, i := range event.Issues {
			e.result = max(e.result, noted)
			e.marks.add(i.At, i.Code)
		}
		if event.Code != "" {
			e.result = bad
			e.marks.add(event.At, event.Code)
		}
	}
	if c.Want.Error != nil {
		e.result = bad
	}
	switch c.Op {
	case corpus.Format:
		e.Label, e.input, e.call = c.Name, c.Input, []byte(c.Want.Text)
	case corpus.Sig:
		e.Prompt = strings.Join(c.Want.Lines, "\n")
	case corpus.Manual:
		e.Prompt = strings.TrimSuffix(c.Want.Text, "\n")
	}
	return e
}

// content returns what an event contains: a text, or a call.
func content(e corpus.Event) string {
	switch e.Type {
	case corpus.TextEvent:
		return shorten(strconv.Quote(string(e.Text)), 300)
	case corpus.ToolCallEvent:
		return e.Name + " " + shorten(e.Input, 160)
	}
	return ""
}

// InputLines returns what goes in, after the name of the tool if it is for one.
func (e example) InputLines() []string {
	if e.Prompt != "" {
		return nil
	}
	lines := caretLines(e.input, e.marks)
	if e.Label != "text" {
		lines[0] = e.Label + " " + lines[0]
	}
	return lines
}

// OutputLines returns the call or the prompt that comes out.
func (e example) OutputLines() (lines []string) {
	switch {
	case e.Prompt != "":
		lines = strings.Split(e.Prompt, "\n")
	case e.call != nil && e.result != bad:
		lines = caretLines(e.call, nil)
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
		fail("tools of a case: %v", err)
	}
	if len(all) == 0 {
		return []string{"no tools"}
	}
	for _, t := range all {
		line := "tool " + t.Name + ": " + shorten(compact(t.InputSchema), 400)
		if t.Description != "" {
			line += " — " + strconv.Quote(t.Description)
		}
		lines = append(lines, line)
	}
	return lines
}

func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	half := most / 2
	return strings.ToValidUTF8(s[:half], "") + " … " + strings.ToValidUTF8(s[len(s)-half/2:], "")
}
