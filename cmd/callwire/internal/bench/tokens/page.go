package tokens

import (
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Page shows the report: in full for one vocabulary, in totals for the others.
func (r Report) Page(vocabulary string) *bench.Page {
	var p bench.Page
	for _, c := range r.Counts {
		if c.Vocabulary != vocabulary {
			continue
		}
		p.Text("Tokens of %s, for %s of %s:", c.Vocabulary,
			terminal.Count(len(r.Calls), "call"), terminal.Count(r.Tools, "tool"))
		p.Table(r.totals(c))
		p.Text("%s", formsLegend)
		p.Details("Tokens of each call", r.calls(c))
		p.Table(listings("the tools, before any call", c.Announced))
		p.Table(listings(fmt.Sprintf("%d tools, before any call", manyTools), c.Large))
		p.Text("The %d tools are the same over and over, with numbers. Tools that a model loads on demand "+
			"cost their signatures in addition.", manyTools)
		p.Table(c.conversations())
		p.Text("With prices of %v for input, %v for output, %v to write the prompt cache and %v to read it; "+
			"one call in each request, and one more request for the answer.",
			r.Prices.Input, r.Prices.Output, r.Prices.CacheWrite, r.Prices.CacheRead)
		p.Table(c.otherTags())
		p.Text("Short tags occur in prose and code by accident, and each opener there begins a call.")
	}
	return &p
}

const formsLegend = `native is {"type":"tool_use","id":"toolu_01ABCDEFG","name":…,"input":…} and bare ` +
	`{"name":…,"arguments":…}, both without whitespace; the others are the formats of callwire, as it ` +
	`writes them. Models that were trained on a format may have its tags as single tokens; here ` +
	`they are text. The envelope is the call without its arguments. Whether a model writes all of the ` +
	`native envelope, or the service adds a part, is up to the provider; the arguments are a property ` +
	`of the notation.`

// totals has a row for each form.
func (r Report) totals(c Count) bench.Table {
	head := []string{"form", "total", "envelope", "arguments", "a call", "of wire"}
	var others []Count
	for _, other := range r.Counts {
		if other.Vocabulary != c.Vocabulary {
			others = append(others, other)
			head = append(head, other.Vocabulary)
		}
	}
	t := bench.Table{Head: head}
	for _, f := range Forms {
		total := c.Total[f]
		row := []string{string(f), fmt.Sprint(total), fmt.Sprint(c.Envelope[f]), fmt.Sprint(total - c.Envelope[f]),
			fmt.Sprintf("%.1f", float64(total)/float64(len(r.Calls))),
			fmt.Sprintf("%.2f", float64(total)/float64(c.Total[Wire]))}
		for _, other := range others {
			row = append(row, fmt.Sprint(other.Total[f]))
		}
		t.Row(row...)
	}
	return t
}

// calls has a row for each call.
func (r Report) calls(c Count) bench.Table {
	shown := []Form{Wire, Native, Bare, "hermes", "qwen3-coder"}
	t := bench.Table{Head: []string{"call"}}
	for _, f := range shown {
		t.Head = append(t.Head, string(f))
	}
	for i, call := range r.Calls {
		row := []string{short(call.Text[Wire], 39)}
		for _, f := range shown {
			row = append(row, fmt.Sprint(c.Calls[i][f]))
		}
		t.Row(row...)
	}
	return t
}

func listings(title string, all []Listing) bench.Table {
	t := bench.Table{Head: []string{title, "tokens"}}
	for _, l := range all {
		t.Row(l.Form, fmt.Sprint(l.Tokens))
	}
	return t
}

// conversations shows after how many calls the manual has paid for itself.
func (c Count) conversations() bench.Table {
	t := bench.Table{Head: []string{"the manual and wire calls cost no more than", "without caching", "with caching"}}
	for _, b := range c.BreakEven {
		with := fmt.Sprintf("definitions of %d tokens", b.Definitions)
		if b.Definitions == 0 {
			with = "free definitions"
		}
		t.Row(fmt.Sprintf("%s JSON with %s", b.Against, with), b.Plain.String(), b.Cached.String())
	}
	return t
}

func (c Count) otherTags() bench.Table {
	t := bench.Table{Head: []string{"with other tags", "all calls", "saved", "manual"}}
	for _, x := range c.Tags {
		t.Row(x.Open+" "+x.Close, fmt.Sprint(x.Calls), fmt.Sprint(c.Total[Wire]-x.Calls), fmt.Sprint(x.Manual))
	}
	return t
}
