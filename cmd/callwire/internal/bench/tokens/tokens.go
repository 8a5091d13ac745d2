// Package tokens counts what tool calls, and the prompts that explain the tools, cost a model.
//
//	suite, err := bench.Published()
//	report, err := tokens.Measure(suite, tokens.Options{})
//
// A call is counted alone, as the text that a model writes. How a provider renders native calls for
// its model is not public, nor whether the model writes every byte of the envelope. So the totals
// come in two parts: envelope and arguments. Only the second is a property of the notation.
package tokens

import (
	"encoding/json"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
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
	for _, f := range append(protocol.All()[1:], yaml.XML) {
		all = append(all, Form(f.Name))
	}
	return all
}

// Options configure Measure.
type Options struct {
	Tags parse.Tags // more tags to compare with
}

// Report is what was counted. Its JSON is stable: members keep their names, and new ones may join
// them.
type Report struct {
	Tools  int     `json:"tools"`
	Calls  []Call  `json:"calls"`
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
	Envelope   map[Form]int   `json:"envelope"`  // of Total: the calls without arguments
	Announced  []Listing      `json:"announced"` // the tools, before any call
	Large      []Listing      `json:"large"`     // 500 tools
	Tags       []Tags         `json:"tags"`
}

// Listing is what tools cost in one form.
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
	{Open: "<c>", Close: "</c>"},
	{Open: "((", Close: "))"},
	{Open: "<tool_call>", Close: "</tool_call>"},
}

// Measure counts the tokens of the suite. The error names the call that cannot be written, counted
// from 1.
func Measure(s bench.Suite, o Options) (Report, error) {
	tags := alternatives
	if o.Tags != (parse.Tags{}) {
		tags = append([]parse.Tags{o.Tags}, tags...)
	}
	r := Report{Tools: s.Catalog.Len()}
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
		c := Count{Vocabulary: v, Total: map[Form]int{}, Envelope: map[Form]int{}}
		if err := c.measure(s, r.Calls, tags, count); err != nil {
			return Report{}, err
		}
		r.Counts = append(r.Counts, c)
	}
	return r, nil
}

// write writes a call in the form.
func (f Form) write(catalog *sig.Catalog, c bench.Call, tags parse.Tags) (string, error) {
	var text []byte
	var err error
	switch f {
	case Native:
		text, err = bench.JSON(struct {
			Type  string          `json:"type"`
			ID    string          `json:"id"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		}{"tool_use", "toolu_01ABCDEFG", c.Name, c.Input})
	case Bare:
		text, err = bench.JSON(struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}{c.Name, c.Input})
	default:
		o := &parse.FormatOptions{Format: protocol.Lookup(string(f), yaml.XML), Tags: tags}
		call := parse.Call{ID: "call-1", Name: c.Name, Input: c.Input}
		text, err = parse.AppendCalls(nil, catalog, []parse.Call{call}, o)
	}
	return string(text), err
}

// measure counts with one vocabulary.
func (c *Count) measure(
	s bench.Suite, calls []Call, tags []parse.Tags, count func(string) int,
) error {
	for _, call := range calls {
		row := map[Form]int{}
		for _, f := range Forms {
			row[f] = count(call.Text[f])
			c.Total[f] += row[f]
			empty := bench.Call{Name: call.Name, Input: json.RawMessage("{}")}
			envelope, err := f.write(s.Catalog, empty, parse.Tags{})
			if err != nil {
				return err
			}
			c.Envelope[f] += count(envelope)
		}
		c.Calls = append(c.Calls, row)
	}
	for _, t := range tags {
		prompt, err := prompt(s.Catalog, manual.Options{Tags: t})
		if err != nil {
			return err
		}
		other := Tags{Open: t.Open, Close: t.Close, Manual: count(prompt)}
		for _, call := range s.Calls {
			text, err := Wire.write(s.Catalog, call, t)
			if err != nil {
				return err
			}
			other.Calls += count(text)
		}
		c.Tags = append(c.Tags, other)
	}
	return c.announce(s.Catalog, count)
}

// prompt returns the manual of a catalog.
func prompt(catalog *sig.Catalog, o manual.Options) (string, error) {
	m, err := manual.New(catalog, &o)
	if err != nil {
		return "", err
	}
	return m.String(), nil
}

// manyTools is the size of a large catalog: the tools over and over, with numbers.
const manyTools = 500

// announce counts the tools before any call.
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
	c.Announced, err = listings(catalog, count)
	if err != nil {
		return err
	}
	c.Large, err = listings(large, count)
	if err != nil {
		return err
	}
	lazy := manual.Lazy{Tool: func(*sig.Tool) bool { return true }}
	hidden := lazy
	hidden.HideNames = true
	for _, x := range []struct {
		form string
		lazy manual.Lazy
	}{
		{"  on demand: names and descriptions", lazy},
		{"  on demand: found by a search", hidden},
	} {
		text, err := prompt(large, manual.Options{Lazy: x.lazy})
		if err != nil {
			return err
		}
		c.Large = append(c.Large, Listing{x.form, count(text)})
	}
	return nil
}

// listings counts the tools as JSON and in the manual.
func listings(catalog *sig.Catalog, count func(string) int) ([]Listing, error) {
	type definition struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema,omitempty"`
	}
	var all []definition
	for _, t := range catalog.Tools() {
		all = append(all, definition{t.Name, t.Description, t.Schema})
	}
	definitions, err := bench.JSON(all)
	if err != nil {
		return nil, err
	}
	text, err := prompt(catalog, manual.Options{})
	if err != nil {
		return nil, err
	}
	return []Listing{
		{`JSON, {"name","description","input_schema"}`, count(string(definitions))},
		{"manual of the wire format", count(text)},
	}, nil
}
