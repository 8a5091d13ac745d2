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
	r := Report{Tools: s.Catalog.Len()}
	var empty []map[Form]string // the calls without arguments
	for i, c := range s.Calls {
		call, without := map[Form]string{}, map[Form]string{}
		for _, f := range Forms {
			var err error
			call[f], err = f.write(s.Catalog, c, parse.Tags{})
			if err == nil {
				c := bench.Call{Name: c.Name, Input: json.RawMessage("{}")}
				without[f], err = f.write(s.Catalog, c, parse.Tags{})
			}
			if err != nil {
				return Report{}, fmt.Errorf("call %d, %s: %w", i+1, c.Name, err)
			}
		}
		r.Calls, empty = append(r.Calls, Call{c.Name, call}), append(empty, without)
	}
	for _, v := range Vocabularies {
		count, err := Counter(v)
		if err != nil {
			return Report{}, err
		}
		c := Count{Vocabulary: v, Total: map[Form]int{}, Envelope: map[Form]int{}}
		for i, call := range r.Calls {
			row := map[Form]int{}
			for _, f := range Forms {
				row[f] = count(call.Text[f])
				c.Total[f] += row[f]
				c.Envelope[f] += count(empty[i][f])
			}
			c.Calls = append(c.Calls, row)
		}
		if err := c.prompts(s, o, count); err != nil {
			return Report{}, err
		}
		r.Counts = append(r.Counts, c)
	}
	return r, nil
}

// write writes a call in the form.
func (f Form) write(catalog *sig.Catalog, c bench.Call, tags parse.Tags) (string, error) {
	name, err := bench.JSON(c.Name)
	if err != nil {
		return "", err
	}
	switch f {
	case Native:
		return fmt.Sprintf(`{"type":"tool_use","id":"toolu_01ABCDEFG","name":%s,"input":%s}`,
			name, c.Input), nil
	case Bare:
		return fmt.Sprintf(`{"name":%s,"arguments":%s}`, name, c.Input), nil
	}
	o := &parse.FormatOptions{Format: protocol.Lookup(string(f), yaml.XML), Tags: tags}
	call := parse.Call{ID: "call-1", Name: c.Name, Input: c.Input}
	text, err := parse.AppendCalls(nil, catalog, []parse.Call{call}, o)
	return string(text), err
}

// manyTools is the size of a large catalog: the tools over and over, with numbers.
const manyTools = 500

// prompts counts the tools before any call, and calls and the manual with other tags.
func (c *Count) prompts(s bench.Suite, o Options, count func(string) int) error {
	var many []sig.Tool
	for i := 0; len(many) < manyTools && s.Catalog.Len() > 0; i++ {
		t := *s.Catalog.Tools()[i%s.Catalog.Len()]
		t.Name = fmt.Sprintf("%s%d", t.Name, i/s.Catalog.Len()+1)
		many = append(many, t)
	}
	large, err := sig.Compile(many)
	if err != nil {
		return err
	}
	prompt := func(catalog *sig.Catalog, o manual.Options) int {
		m, newErr := manual.New(catalog, &o)
		if newErr != nil {
			err = newErr
			return 0
		}
		return count(m.String())
	}
	announced := func(catalog *sig.Catalog) []Listing {
		return []Listing{
			{`JSON, {"name","description","input_schema"}`, count(definitions(catalog))},
			{"manual of the wire format", prompt(catalog, manual.Options{})},
		}
	}
	names := manual.Lazy{Tool: func(*sig.Tool) bool { return true }}
	hidden := names
	hidden.HideNames = true
	c.Announced = announced(s.Catalog)
	c.Large = append(announced(large),
		Listing{"  on demand: names and descriptions", prompt(large, manual.Options{Lazy: names})},
		Listing{"  on demand: found by a search", prompt(large, manual.Options{Lazy: hidden})})
	tags := alternatives
	if o.Tags != (parse.Tags{}) {
		tags = append([]parse.Tags{o.Tags}, tags...)
	}
	for _, t := range tags {
		other := Tags{t.Open, t.Close, 0, prompt(s.Catalog, manual.Options{Tags: t})}
		for _, call := range s.Calls {
			text, err := Wire.write(s.Catalog, call, t)
			if err != nil {
				return err
			}
			other.Calls += count(text)
		}
		c.Tags = append(c.Tags, other)
	}
	return err
}

// definitions returns tools as they are declared natively.
func definitions(catalog *sig.Catalog) string {
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
	if err != nil {
		panic(err) // schemas were read from JSON
	}
	return string(text)
}
