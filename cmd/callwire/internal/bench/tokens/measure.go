package tokens

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Options say what to count.
type Options struct {
	Tags   lexer.Delims // one more pair of tags to compare with; zero for none
	Prices Prices       // zero means DefaultPrices
}

// Measure counts the tokens of the suite. The error is that of a call that
// cannot be written, or that does not read back as it was; it names the call,
// counted from 1.
func Measure(s bench.Suite, o Options) (Report, error) {
	if o.Prices == (Prices{}) {
		o.Prices = DefaultPrices
	}
	tags := slices.Clone(alternatives)
	if o.Tags != (lexer.Delims{}) && o.Tags != lexer.DefaultDelims {
		tags = append([]lexer.Delims{o.Tags}, slices.DeleteFunc(tags, func(d lexer.Delims) bool { return d == o.Tags })...)
	}
	r := Report{Tools: s.Catalog.Len(), Prices: o.Prices}
	for i, c := range s.Calls {
		written, err := writeAll(s.Catalog, c)
		if err != nil {
			return Report{}, fmt.Errorf("call %d, %s: %w", i+1, c.Name, err)
		}
		r.Calls = append(r.Calls, written)
	}
	for _, v := range Vocabularies {
		count, err := Counter(v)
		if err != nil {
			return Report{}, err
		}
		c, err := measure(s, r.Calls, tags, count)
		if err != nil {
			return Report{}, err
		}
		c.Vocabulary, c.BreakEven = v, c.breakEven(o.Prices)
		r.Counts = append(r.Counts, c)
	}
	return r, nil
}

// writeAll writes a call in every form.
func writeAll(catalog *sig.Catalog, c bench.Call) (Call, error) {
	text, err := writeWire(catalog, lexer.DefaultDelims, c)
	if err != nil {
		return Call{}, err
	}
	w := Call{Name: c.Name, Text: map[Form]string{Wire: text}}
	for _, f := range others {
		if w.Text[f], err = f.write(c); err != nil {
			return Call{}, fmt.Errorf("as %s: %w", f, err)
		}
	}
	return w, nil
}

// writeWire writes a call in the wire format, reads it back and compares.
func writeWire(catalog *sig.Catalog, d lexer.Delims, c bench.Call) (string, error) {
	text, err := (parse.FormatOptions{Delims: d}).Format(catalog, c.Name, c.Input)
	if err != nil {
		return "", err
	}
	return text, readBack(catalog, d, text, c)
}

// readBack says how text differs from exactly the call c.
func readBack(catalog *sig.Catalog, d lexer.Delims, text string, c bench.Call) error {
	segments := (parse.Options{Delims: d}).Text(text, catalog)
	if len(segments) != 1 || segments[0].Kind != parse.Call {
		return fmt.Errorf("%s does not read back as one call", text)
	}
	if got := segments[0]; got.Name != c.Name || !sameJSON(got.Input, c.Input) {
		return fmt.Errorf("%s reads back as %s %s", text, got.Name, got.Input)
	}
	return nil
}

// measure counts by one vocabulary.
func measure(s bench.Suite, calls []Call, tags []lexer.Delims, count func(string) int) (Count, error) {
	c := Count{Total: map[Form]int{}, Envelope: map[Form]int{}}
	for i, call := range calls {
		row := map[Form]int{}
		for _, f := range Forms {
			row[f] = count(call.Text[f])
			c.Total[f] += row[f]
			envelope, err := writeEnvelope(f, s.Calls[i])
			if err != nil {
				return Count{}, err
			}
			c.Envelope[f] += count(envelope)
		}
		c.Unspaced += count(unspaced(call.Text[Bare]))
		c.Calls = append(c.Calls, row)
	}
	for _, f := range others {
		saved := Saving{Against: f, Tokens: c.Total[f] - c.Total[Wire], Envelope: c.Envelope[f] - c.Envelope[Wire]}
		saved.Arguments = saved.Tokens - saved.Envelope
		c.Savings = append(c.Savings, saved)
	}
	var err error
	if c.Prompt, err = measurePrompt(s.Catalog, count); err != nil {
		return Count{}, err
	}
	if c.Announced, err = definitions(s.Catalog, count); err != nil {
		return Count{}, err
	}
	if c.Large, err = large(s.Catalog, count); err != nil {
		return Count{}, err
	}
	for _, d := range tags {
		t, err := measureTags(s, d, count)
		if err != nil {
			return Count{}, err
		}
		c.Tags = append(c.Tags, t)
	}
	return c, nil
}

// writeEnvelope writes the call without its arguments.
func writeEnvelope(f Form, c bench.Call) (string, error) {
	if f == Wire {
		return parse.Format(nil, c.Name, []byte("{}"))
	}
	return f.envelope(c)
}

// measurePrompt counts what explains the tools.
func measurePrompt(catalog *sig.Catalog, count func(string) int) (Prompt, error) {
	m, err := manual.New(catalog, nil)
	if err != nil {
		return Prompt{}, err
	}
	p := Prompt{
		Manual:     count(m.String()),
		Signatures: count(strings.Join(m.Parts().Signatures, "\n")),
	}
	type definition struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema,omitempty"`
	}
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}
	type tool struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	var definitions []definition
	var functions []tool
	for _, t := range catalog.Tools() {
		definitions = append(definitions, definition{t.Name, t.Description, t.Schema})
		functions = append(functions, tool{"function", function{t.Name, t.Description, t.Schema}})
	}
	for _, x := range []struct {
		tokens *int
		value  any
	}{{&p.Definitions, definitions}, {&p.Functions, functions}} {
		text, err := writeJSON(x.value)
		if err != nil {
			return Prompt{}, err
		}
		*x.tokens = count(text)
	}
	return p, nil
}

// measureTags counts calls and manual with other tags.
func measureTags(s bench.Suite, d lexer.Delims, count func(string) int) (Tags, error) {
	text, err := prompt(s.Catalog, manual.Options{Tags: format.Tags(d)})
	if err != nil {
		return Tags{}, err
	}
	t := Tags{Open: d.Open, Close: d.Close, Manual: count(text)}
	for i, c := range s.Calls {
		text, err := writeWire(s.Catalog, d, c)
		if err != nil {
			return Tags{}, fmt.Errorf("call %d, %s: %w", i+1, c.Name, err)
		}
		t.Calls += count(text)
	}
	return t, nil
}

// breakEven holds the wire format against JSON calls, with their definitions and
// as if these were free.
func (c Count) breakEven(p Prices) []BreakEven {
	average := func(f Form) float64 { return float64(c.Total[f]) / float64(len(c.Calls)) }
	ours := Conversation{float64(c.Prompt.Manual), average(Wire)}
	var all []BreakEven
	for _, definitions := range []int{c.Prompt.Definitions, 0} {
		for _, f := range []Form{Native, Bare} {
			theirs := Conversation{float64(definitions), average(f)}
			all = append(all, BreakEven{
				Against: f, Definitions: definitions,
				Plain: p.Cheaper(ours, theirs, false), Cached: p.Cheaper(ours, theirs, true),
			})
		}
	}
	return all
}
