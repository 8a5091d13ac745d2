package tokens

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Page shows the report: in full for one vocabulary, in totals for the others.
func (r Report) Page(vocabulary string) *bench.Page {
	var p bench.Page
	at := slices.IndexFunc(r.Counts, func(c Count) bool { return c.Vocabulary == vocabulary })
	c := r.Counts[at]
	p.Text("Tokens of %s, for %s of %s:", c.Vocabulary,
		terminal.Count(len(r.Calls), "call"), terminal.Count(r.Tools, "tool"))
	p.Table(r.totals(c))
	p.Text("%s", legend)
	p.Details("Tokens of each call", r.calls(c))
	p.Table(table("the tools, before any call", c.Announced))
	p.Table(table(fmt.Sprintf("%d tools, before any call", manyTools), c.Large))
	p.Text("The %d tools are the same over and over, with numbers. Tools that a model loads on "+
		"demand cost their signatures in addition.", manyTools)
	tags := bench.Table{Head: []string{"with other tags", "all calls", "saved", "manual"}}
	for _, t := range c.Tags {
		saved := c.Total[Wire] - t.Calls
		tags.Row(t.Open+" "+t.Close, fmt.Sprint(t.Calls), fmt.Sprint(saved), fmt.Sprint(t.Manual))
	}
	p.Table(tags)
	p.Text("Short tags occur in prose and code by accident, and each opener there begins a call.")
	return &p
}

const legend = `native is {"type":"tool_use","id":"toolu_01ABCDEFG","name":…,"input":…} and bare ` +
	`{"name":…,"arguments":…}, both without whitespace; the others are the formats of callwire, ` +
	`as it writes them. Models that were trained on a format may have its tags as single tokens; ` +
	`here they are text. The envelope is the call without its arguments. Whether a model writes ` +
	`all of the native envelope, or the service adds a part, is up to the provider; the ` +
	`arguments are a property of the notation.`

// totals has a row for each form.
func (r Report) totals(c Count) bench.Table {
	t := bench.Table{Head: []string{"form", "total", "envelope", "arguments", "a call", "of wire"}}
	for _, other := range r.Counts {
		if other.Vocabulary != c.Vocabulary {
			t.Head = append(t.Head, other.Vocabulary)
		}
	}
	for _, f := range Forms {
		total := c.Total[f]
		row := []string{
			string(f), fmt.Sprint(total),
			fmt.Sprint(c.Envelope[f]), fmt.Sprint(total - c.Envelope[f]),
			fmt.Sprintf("%.1f", float64(total)/float64(len(r.Calls))),
			fmt.Sprintf("%.2f", float64(total)/float64(c.Total[Wire])),
		}
		for _, other := range r.Counts {
			if other.Vocabulary != c.Vocabulary {
				row = append(row, fmt.Sprint(other.Total[f]))
			}
		}
		t.Row(row...)
	}
	return t
}

// calls has a row for each call.
func (r Report) calls(c Count) bench.Table {
	t := bench.Table{Head: []string{"call", "wire", "native", "bare", "hermes", "qwen3-coder"}}
	for i, call := range r.Calls {
		row := []string{short(call.Text[Wire], 39)}
		for _, f := range t.Head[1:] {
			row = append(row, fmt.Sprint(c.Calls[i][Form(f)]))
		}
		t.Row(row...)
	}
	return t
}

func table(title string, all []Listing) bench.Table {
	t := bench.Table{Head: []string{title, "tokens"}}
	for _, l := range all {
		t.Row(l.Form, fmt.Sprint(l.Tokens))
	}
	return t
}

// short returns a call in one line of at most n runes, without its tags.
func short(text string, n int) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<call>"), "</call>")
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}
