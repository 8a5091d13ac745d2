package tokens

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
)

// Page puts the report into words: in full by the given vocabulary, in totals by
// the others. A vocabulary that was not counted by gives an empty page.
func (r Report) Page(vocabulary string) *page.Page {
	var p page.Page
	for _, c := range r.Counts {
		if c.Vocabulary == vocabulary {
			r.inFull(&p, c)
		}
	}
	return &p
}

// Brief puts the report into a few words, for a README.
func (r Report) Brief(vocabulary string) *page.Page {
	var p page.Page
	for _, c := range r.Counts {
		if c.Vocabulary != vocabulary {
			continue
		}
		p.Text("Tokens of %s, for %s of %s:", c.Vocabulary, count(len(r.Calls), "call"), count(r.Tools, "tool"))
		p.Table(r.totalsTable(c))
		p.Details("Tokens of each call", r.callsTable(c))
		c.forms(&p)
		p.Text("%s", c.envelopeAlone())
		c.cheaper(&p)
		p.Text("The manual of the wire format takes %d tokens, JSON definitions of the same tools %d or more.", c.Prompt.Manual, min(c.Prompt.Definitions, c.Prompt.Functions))
		for _, b := range c.BreakEven {
			if b.Definitions == 0 && b.Against == Native {
				p.Text("Even if native definitions cost nothing, the manual pays for itself %s without caching of prompts, and %s with it.", b.Plain, b.Cached)
			}
		}
	}
	return &p
}

func (r Report) inFull(p *page.Page, c Count) {
	p.Heading("Tokens of " + c.Vocabulary)
	p.Text("%s of %s. Every call in the wire format was read back and is the same, digit by digit.", count(len(r.Calls), "call"), count(r.Tools, "tool"))
	p.Details("Tokens of each call", r.callsTable(c))
	p.Table(r.totalsTable(c))
	c.forms(p)
	r.savings(p, c)
	r.prompt(p, c)
	r.breakEven(p, c)
	r.tags(p, c)
}

// forms says what the columns are.
func (c Count) forms(p *page.Page) {
	p.Text("The forms: native is %s and bare %s, both without whitespace; hermes is <tool_call> around the bare object in a line of its own, with the spaces that those models write (without them %d); xml is %s; python is %s and has to be the whole message, since nothing sets it off from text.",
		`{"type":"tool_use","id":"toolu_01ABCDEFG","name":…,"input":…}`, `{"name":…,"arguments":…}`, c.Unspaced,
		"<getTime><timezone>…</timezone></getTime>", `[getTime(timezone="…")]`)
}

// textWidth is how much of a call stands in the table: with the numbers, 80 columns.
const textWidth = 39

// callsTable has a row for each call.
func (r Report) callsTable(c Count) page.Table {
	t := page.Table{Head: append([]string{"call"}, formNames()...)}
	for i, call := range r.Calls {
		t.Row(append([]string{shorten(call.Text[Wire], textWidth)}, cells(c.Calls[i])...)...)
	}
	return t
}

// totalsTable has the totals by c, and by the other vocabularies.
func (r Report) totalsTable(c Count) page.Table {
	t := page.Table{Head: append([]string{"all calls"}, formNames()...)}
	t.Row(append([]string{"total"}, cells(c.Total)...)...)
	t.Row(append([]string{"  of it the envelope"}, cells(c.Envelope)...)...)
	arguments, average, ratio := map[Form]int{}, []string{"average"}, []string{"against wire"}
	for _, f := range Forms {
		arguments[f] = c.Total[f] - c.Envelope[f]
		average = append(average, fmt.Sprintf("%.1f", float64(c.Total[f])/float64(len(r.Calls))))
		ratio = append(ratio, fmt.Sprintf("%.2f", float64(c.Total[f])/float64(c.Total[Wire])))
	}
	t.Row(append([]string{"  of it the arguments"}, cells(arguments)...)...)
	t.Row(average...)
	t.Row(ratio...)
	for _, other := range r.Counts {
		if other.Vocabulary != c.Vocabulary {
			t.Row(append([]string{"total of " + other.Vocabulary}, cells(other.Total)...)...)
		}
	}
	return t
}

// savings says what part of the saving is only the envelope.
func (r Report) savings(p *page.Page, c Count) {
	p.Heading("What part of the saving is only the envelope")
	t := page.Table{Head: []string{"wire saves", "tokens", "of the form", "only the envelope", "arguments", "of theirs"}}
	for _, s := range c.Savings {
		theirs := c.Total[s.Against] - c.Envelope[s.Against]
		t.Row("against "+string(s.Against), fmt.Sprint(s.Tokens), percent(s.Tokens, c.Total[s.Against]),
			fmt.Sprint(s.Envelope), fmt.Sprint(s.Arguments), percent(s.Arguments, theirs))
	}
	p.Table(t)
	p.Text("%s Whether a model writes that whole envelope itself, or the service adds some of it, is for the provider to know: where the service does, the saving is nearer to that against bare, or to that of the arguments.", c.envelopeAlone())
	c.cheaper(p)
}

// cheaper names the forms that take fewer tokens.
func (c Count) cheaper(p *page.Page) {
	var cheaper []string
	for _, s := range c.Savings {
		if s.Tokens < 0 {
			cheaper = append(cheaper, fmt.Sprintf("%s by %d", s.Against, -s.Tokens))
		}
	}
	if len(cheaper) > 0 {
		p.Text("Fewer tokens than the wire format takes: %s.", strings.Join(cheaper, ", "))
	}
}

// envelopeAlone says what part of the saving against native JSON the envelope is.
func (c Count) envelopeAlone() string {
	native := c.Savings[0]
	return fmt.Sprintf("%s against native JSON, %s the envelope alone: type, id, name and input, and what is around them, against two tags. The arguments themselves take %d tokens as JSON and %d in the wire format.",
		gain(native.Tokens), is(native.Envelope), c.Total[Native]-c.Envelope[Native], c.Total[Wire]-c.Envelope[Wire])
}

// count returns "1 call" or "2 calls".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func gain(n int) string {
	if n < 0 {
		return fmt.Sprintf("The wire format takes %d tokens more than it would", -n)
	}
	return fmt.Sprintf("Of the %d tokens saved", n)
}

func is(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// prompt holds the manual against JSON definitions.
func (r Report) prompt(p *page.Page, c Count) {
	p.Heading("The tools, before any call")
	t := page.Table{Head: []string{"in the prompt", "tokens"}}
	t.Row("manual of the wire format", fmt.Sprint(c.Prompt.Manual))
	t.Row("  of it a line for each tool", fmt.Sprint(c.Prompt.Signatures))
	t.Row(`JSON definitions, {"name","description","input_schema"}`, fmt.Sprint(c.Prompt.Definitions))
	t.Row(`JSON definitions, {"type":"function","function":{…}}`, fmt.Sprint(c.Prompt.Functions))
	p.Table(t)
	p.Text("The definitions are counted as JSON without whitespace. Providers turn them into prompts of their own, which may be shorter or longer.")
	ways := page.Table{Head: []string{"the same tools", "tokens", "of JSON", "left out"}}
	for _, d := range c.Announced {
		ways.Row(d.Form, fmt.Sprint(d.Tokens), percent(d.Tokens, tokensOf(c.Announced, "JSON")), d.LeftOut)
	}
	p.Table(ways)
	p.Text("The manual of the wire format is counted whole, the others without a word on how to call.")
	many := page.Table{Head: []string{fmt.Sprintf("%d tools", manyTools), "tokens", "of JSON"}}
	for _, l := range c.Large {
		many.Row(l.Form, fmt.Sprint(l.Tokens), percent(l.Tokens, c.Large[0].Tokens))
	}
	p.Table(many)
	p.Text("They are the tools above over and over, with numbers after their names. What a model loads or finds comes on top, for those tools alone.")
}

// tokensOf returns what the form takes.
func tokensOf(all []Definition, form string) int {
	for _, d := range all {
		if d.Form == form {
			return d.Tokens
		}
	}
	return 0
}

// breakEven says after how many calls the manual has paid for itself.
func (r Report) breakEven(p *page.Page, c Count) {
	p.Heading("When the manual pays for itself")
	t := page.Table{Head: []string{"manual and wire calls cost no more than", "without caching", "with caching"}}
	for _, b := range c.BreakEven {
		with := fmt.Sprintf("with definitions of %d tokens", b.Definitions)
		if b.Definitions == 0 {
			with = "whose definitions are free"
		}
		t.Row(fmt.Sprintf("%s JSON %s", b.Against, with), b.Plain.String(), b.Cached.String())
	}
	p.Table(t)
	p.Text("Prices: input %v, output %v, writing to the cache %v, reading from it %v for the same number of tokens; yours are --price-input, --price-output, --price-cache-write, --price-cache-read. One call a request, and one request more for the answer; every request reads the prompt and the calls so far. Text and results cost the same either way.",
		r.Prices.Input, r.Prices.Output, r.Prices.CacheWrite, r.Prices.CacheRead)
}

// tags says what other tags would save.
func (r Report) tags(p *page.Page, c Count) {
	p.Heading("What other tags would save")
	t := page.Table{Head: []string{"tags", "all calls", "saved", "a call", "manual"}}
	for _, x := range c.Tags {
		saved := c.Total[Wire] - x.Calls
		t.Row(x.Open+" "+x.Close, fmt.Sprint(x.Calls), fmt.Sprint(saved), fmt.Sprintf("%.1f", float64(saved)/float64(len(r.Calls))), fmt.Sprint(x.Manual))
	}
	p.Table(t)
	p.Text("--open and --close try yours. Short tags occur in prose and code by accident, and an opener there begins a call: the default is longer than need be for that reason.")
}

// String returns the span in words.
func (s Span) String() string {
	switch {
	case s.From == 0:
		return "never"
	case s.Until == 0 && s.From == 1:
		return "always"
	case s.Until == 0:
		return fmt.Sprintf("from %d calls on", s.From)
	case s.From == 1 && s.Until == 1:
		return "with 1 call only"
	case s.From == 1:
		return fmt.Sprintf("up to %d calls", s.Until)
	}
	return fmt.Sprintf("%d to %d calls", s.From, s.Until)
}

func formNames() []string {
	names := make([]string, len(Forms))
	for i, f := range Forms {
		names[i] = string(f)
	}
	return names
}

// cells returns figures in the order of the forms.
func cells(figures map[Form]int) []string {
	row := make([]string, len(Forms))
	for i, f := range Forms {
		row[i] = fmt.Sprint(figures[f])
	}
	return row
}

// percent returns the part of the whole, or nothing where there is no whole.
func percent(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// shorten returns text in one line of at most n runes, without its tags.
func shorten(text string, n int) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<call>"), "</call>")
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}
