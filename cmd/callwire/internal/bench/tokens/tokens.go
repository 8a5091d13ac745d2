// Package tokens counts what tool calls, and the prompts that explain the tools, cost a model.
//
//	suite, err := bench.Published()
//	report, err := tokens.Measure(suite, tokens.Options{})
//
// A call is counted alone, as the text that a model writes. Vocabularies are part of the program;
// nothing is downloaded. How a provider renders native calls for its model is not public, nor
// whether the model writes every byte of the envelope. So savings against native JSON come in two
// parts: envelope and arguments. Only the second is a property of the notation.
package tokens

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/internal/next/public/protocol"
	"github.com/callwire/callwire/internal/next/yaml"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// Form is a notation for calls: Native, Bare, or the name of a format.
type Form string

// Forms that are not formats of package protocol, and the wire format.
const (
	Wire   Form = "wire"
	Native Form = "native" // {"type":"tool_use","id":"toolu_01ABCDEFG","name":"t","input":{}}
	Bare   Form = "bare"   // {"name":"t","arguments":{}}
)

// Forms are all of them, the wire format first.
var Forms = forms()

func forms() []Form {
	all := []Form{Wire, Native, Bare}
	for _, f := range formats() {
		if name := Form(f.Name); name != Wire {
			all = append(all, name)
		}
	}
	return all
}

func formats() []*parse.Format { return append(protocol.All(), yaml.XML) }

// Options configure Measure.
type Options struct {
	Tags parse.Tags // one more pair of tags to compare with
}

// Report is what was counted. Its JSON is stable: members keep their names, and new ones may join
// them.
type Report struct {
	Tools  int     `json:"tools"`
	Calls  []Call  `json:"calls"`
	Prices Prices  `json:"prices"`
	Counts []Count `json:"counts"` // one for each vocabulary
}

// Call is one call in each form.
type Call struct {
	Name string          `json:"name"`
	Text map[Form]string `json:"text"`
}

// Count is what one vocabulary counts. All values are tokens.
type Count struct {
	Vocabulary string         `json:"vocabulary"`
	Calls      []map[Form]int `json:"calls"` // as in Report.Calls
	Total      map[Form]int   `json:"total"`
	Envelope   map[Form]int   `json:"envelope"` // of Total: the calls without arguments
	Savings    []Saving       `json:"savings"`
	Announced  []Listing      `json:"announced"` // the tools in several forms, the manual first
	Large      []Listing      `json:"large"`     // the same for 500 tools
	Tags       []Tags         `json:"tags"`
	BreakEven  []BreakEven    `json:"breakEven"`
}

// Saving is how many tokens the wire format saves against another form.
type Saving struct {
	Against   Form `json:"against"`
	Tokens    int  `json:"tokens"`
	Envelope  int  `json:"envelope"`
	Arguments int  `json:"arguments"`
}

// Listing is what the tools cost in one form, before any call.
type Listing struct {
	Form   string `json:"form"`
	Tokens int    `json:"tokens"`
}

// Tags are the wire format with other tags.
type Tags struct {
	Open   string `json:"open"`
	Close  string `json:"close"`
	Calls  int    `json:"calls"`
	Manual int    `json:"manual"`
}

// alternatives are the shortest tags that are legal and readable, and some that models know.
var alternatives = []parse.Tags{
	{Open: "<c>", Close: "</c>"}, {Open: "<<", Close: ">>"}, {Open: "((", Close: "))"},
	{Open: "<tool_call>", Close: "</tool_call>"},
}

// Measure counts the tokens of the suite. The error names the call that cannot be written, counted
// from 1.
func Measure(s bench.Suite, o Options) (Report, error) {
	tags := alternatives
	if o.Tags != (parse.Tags{}) && o.Tags != protocol.Wire.Call {
		tags = slices.DeleteFunc(slices.Clone(tags), func(t parse.Tags) bool { return t == o.Tags })
		tags = append([]parse.Tags{o.Tags}, tags...)
	}
	r := Report{Tools: s.Catalog.Len(), Prices: commonPrices}
	for i, c := range s.Calls {
		call := Call{c.Name, map[Form]string{}}
		for _, f := range Forms {
			text, err := f.write(s.Catalog, c, parse.Tags{})
			if err != nil {
				return Report{}, fmt.Errorf("call %d, %s: %w", i+1, c.Name, err)
			}
			call.Text[f] = text
		}
		r.Calls = append(r.Calls, call)
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
		c.Vocabulary = v
		r.Counts = append(r.Counts, c)
	}
	return r, nil
}

// write writes a call in the form.
func (f Form) write(catalog *sig.Catalog, c bench.Call, tags parse.Tags) (string, error) {
	var v any
	switch f {
	case Native:
		v = struct {
			Type  string          `json:"type"`
			ID    string          `json:"id"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		}{"tool_use", "toolu_01ABCDEFG", c.Name, c.Input}
	case Bare:
		v = struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}{c.Name, c.Input}
	default:
		o := &parse.FormatOptions{Format: protocol.Lookup(string(f), yaml.XML), Tags: tags}
		call := parse.Call{ID: "call-1", Name: c.Name, Input: c.Input}
		text, err := parse.AppendCalls(nil, catalog, []parse.Call{call}, o)
		return string(text), err
	}
	text, err := bench.JSON(v)
	return string(text), err
}

// measure counts with one vocabulary.
func measure(s bench.Suite, calls []Call, tags []parse.Tags, count func(string) int) (Count, error) {
	c := Count{Total: map[Form]int{}, Envelope: map[Form]int{}}
	for i, call := range calls {
		row := map[Form]int{}
		for _, f := range Forms {
			row[f] = count(call.Text[f])
			c.Total[f] += row[f]
			empty := bench.Call{Name: s.Calls[i].Name, Input: json.RawMessage("{}")}
			envelope, err := f.write(s.Catalog, empty, parse.Tags{})
			if err != nil {
				return Count{}, err
			}
			c.Envelope[f] += count(envelope)
		}
		c.Calls = append(c.Calls, row)
	}
	for _, f := range Forms[1:] {
		saved := Saving{Against: f, Tokens: c.Total[f] - c.Total[Wire]}
		saved.Envelope = c.Envelope[f] - c.Envelope[Wire]
		saved.Arguments = saved.Tokens - saved.Envelope
		c.Savings = append(c.Savings, saved)
	}
	if err := c.announce(s.Catalog, count); err != nil {
		return Count{}, err
	}
	for _, t := range tags {
		other := Tags{Open: t.Open, Close: t.Close}
		var o manual.Options
		o.Tags.Open, o.Tags.Close = t.Open, t.Close
		prompt, err := prompt(s.Catalog, o)
		if err != nil {
			return Count{}, err
		}
		other.Manual = count(prompt)
		for i, call := range s.Calls {
			text, err := Wire.write(s.Catalog, call, t)
			if err != nil {
				return Count{}, fmt.Errorf("call %d, %s: %w", i+1, call.Name, err)
			}
			other.Calls += count(text)
		}
		c.Tags = append(c.Tags, other)
	}
	c.BreakEven = c.breakEven()
	return c, nil
}

// prompt returns the manual of a catalog.
func prompt(catalog *sig.Catalog, o manual.Options) (string, error) {
	m, err := manual.New(catalog, &o)
	if err != nil {
		return "", err
	}
	return m.String(), nil
}

// Names of listings that the page mentions.
const (
	theManual       = "manual of the wire format"
	jsonDefinitions = `JSON, {"name","description","input_schema"}`
)

// announce counts the tools before any call, and 500 of them.
func (c *Count) announce(catalog *sig.Catalog, count func(string) int) error {
	var many []sig.Tool
	for i := 0; len(many) < manyTools && catalog.Len() > 0; i++ {
		t := *catalog.Tools()[i%catalog.Len()]
		t.Name = fmt.Sprintf("%s%d", t.Name, i/catalog.Len()+1)
		many = append(many, t)
	}
	large, err := sig.Compile(many)
	if err != nil {
		return err
	}
	lazy := manual.Lazy{Tool: func(*sig.Tool) bool { return true }}
	hidden := lazy
	hidden.HideNames = true
	brief := sig.SignatureOptions{Parameters: sig.Off}
	names := sig.SignatureOptions{Description: -1}
	for _, x := range []struct {
		to      *[]Listing
		catalog *sig.Catalog
		form    string
		options manual.Options
	}{
		{&c.Announced, catalog, theManual, manual.Options{}},
		{&c.Announced, catalog, "  without descriptions of parameters", manual.Options{Signatures: brief}},
		{&c.Large, large, theManual, manual.Options{}},
		{&c.Large, large, "  on demand: names and descriptions", manual.Options{Lazy: lazy}},
		{&c.Large, large, "  on demand: names only", manual.Options{Lazy: lazy, Signatures: names}},
		{&c.Large, large, "  on demand: found by a search", manual.Options{Lazy: hidden}},
	} {
		text, err := prompt(x.catalog, x.options)
		if err != nil {
			return err
		}
		*x.to = append(*x.to, Listing{x.form, count(text)})
	}
	for _, x := range []struct {
		to      *[]Listing
		catalog *sig.Catalog
	}{{&c.Announced, catalog}, {&c.Large, large}} {
		text, err := definitions(x.catalog)
		if err != nil {
			return err
		}
		*x.to = append(*x.to, Listing{jsonDefinitions, count(text)})
	}
	return nil
}

// manyTools is the size of a large catalog: the tools over and over, with numbers.
const manyTools = 500

// definitions returns the tools as JSON.
func definitions(catalog *sig.Catalog) (string, error) {
	type definition struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema,omitempty"`
	}
	var all []definition
	for _, t := range catalog.Tools() {
		all = append(all, definition{t.Name, t.Description, t.Schema})
	}
	text, err := bench.JSON(all)
	return string(text), err
}

// tokensOf returns the tokens of a listing.
func tokensOf(all []Listing, form string) int {
	i := slices.IndexFunc(all, func(l Listing) bool { return l.Form == form })
	return all[i].Tokens
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
