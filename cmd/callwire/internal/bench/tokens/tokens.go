// Package tokens counts what tool calls, and the prompts that explain the tools, cost a model.
//
//	suite, err := bench.Published()
//	report, err := tokens.Measure(suite, parse.Tags{})
//
// A call is counted alone, as the text that a model writes. How a provider renders native calls for
// its model is not public, nor whether the model writes every byte of the envelope. So the totals
// come in two parts: envelope and arguments. Only the second is a property of the notation.
package tokens

import (
	_ "embed" // of the page
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Notations for calls that are not formats of package protocol, and the wire format.
const (
	Wire   = "wire"
	native = "native" // {"type":"tool_use","id":"toolu_01ABCDEFG","name":"t","input":{}}
	bare   = "bare"   // {"name":"t","arguments":{}}
)

// forms are all notations for calls, the wire format first.
var forms = slices.Concat([]string{Wire, native, bare}, protocol.Formats()[1:])

// Report is what was counted. Its JSON is stable: members keep their names, and new ones may join
// them.
type Report struct {
	Tools  int      `json:"tools"`
	Forms  []string `json:"forms"` // those that can write all calls
	Calls  []Call   `json:"calls"`
	Counts []Count  `json:"counts"` // one for each vocabulary
}

// Call is one call in each form that can write it.
type Call struct {
	Name string            `json:"name"`
	Text map[string]string `json:"text"`
}

// Count is what one vocabulary counts. All values are tokens.
type Count struct {
	Vocabulary string           `json:"vocabulary"`
	Calls      []map[string]int `json:"calls"` // as in Report.Calls
	Total      map[string]int   `json:"total"`
	Envelope   map[string]int   `json:"envelope"`  // of Total: the calls without arguments
	Announced  []Listing        `json:"announced"` // the tools, before any call
	Large      []Listing        `json:"large"`     // 500 tools
	Tags       []Tags           `json:"tags"`
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

// Vocabularies are the names of the vocabularies that Counter knows.
var Vocabularies = []string{"o200k_base", "cl100k_base"}

// offline makes tiktoken use the vocabularies that are part of the program.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

// Counter returns a function that counts the tokens of a text, in which no token is special. The
// first Counter of a vocabulary takes about half a second.
func Counter(vocabulary string) (func(text string) int, error) {
	offline()
	encoding, err := tiktoken.GetEncoding(vocabulary)
	if err != nil {
		return nil, err
	}
	return func(text string) int { return len(encoding.EncodeOrdinary(text)) }, nil
}

// Measure counts the tokens of the suite, also with other tags if they are set. The error names the
// call that the wire format cannot write, counted from 1.
func Measure(s bench.Suite, tags parse.Tags) (Report, error) {
	r := Report{Tools: len(s.Catalog.Tools()), Forms: slices.Clone(forms)}
	for i, c := range s.Calls {
		call := Call{c.Name, map[string]string{}}
		for _, form := range forms {
			text, err := write(form, s.Catalog, c)
			switch {
			case err == nil:
				call.Text[form] = text
			case form == Wire:
				return Report{}, fmt.Errorf("call %d, %s: %w", i+1, c.Name, err)
			default:
				r.Forms = slices.DeleteFunc(r.Forms, func(f string) bool { return f == form })
			}
		}
		r.Calls = append(r.Calls, call)
	}
	for _, v := range Vocabularies {
		count, err := Counter(v)
		if err != nil {
			return Report{}, err
		}
		c := Count{Vocabulary: v, Total: map[string]int{}, Envelope: map[string]int{}}
		for _, call := range r.Calls {
			row := map[string]int{}
			for _, form := range r.Forms {
				empty := bench.Call{Name: call.Name, Input: json.RawMessage("{}")}
				envelope, err := write(form, s.Catalog, empty)
				if err != nil {
					return Report{}, err
				}
				row[form] = count(call.Text[form])
				c.Total[form] += row[form]
				c.Envelope[form] += count(envelope)
			}
			c.Calls = append(c.Calls, row)
		}
		if err := c.prompts(s, tags, count); err != nil {
			return Report{}, err
		}
		r.Counts = append(r.Counts, c)
	}
	return r, nil
}

// write returns a call in a form.
func write(form string, catalog *sig.Catalog, c bench.Call) (string, error) {
	name := rawjson.Quote(c.Name)
	switch form {
	case native:
		return fmt.Sprintf(`{"type":"tool_use","id":"toolu_01ABCDEFG","name":%s,"input":%s}`,
			name, c.Input), nil
	case bare:
		return fmt.Sprintf(`{"name":%s,"arguments":%s}`, name, c.Input), nil
	}
	format, err := protocol.Format(form, parse.Tags{})
	if err != nil {
		return "", err
	}
	return parse.FormatCall(catalog, c.Name, c.Input, &parse.FormatOptions{Format: format})
}

// manyTools is the size of a large catalog: the tools over and over, with numbers.
const manyTools = 500

// alternatives are the shortest tags that are legal and readable, and some that models know.
var alternatives = []parse.Tags{
	{Open: "<c>", Close: "</c>"},
	{Open: "((", Close: "))"},
	{Open: "<tool_call>", Close: "</tool_call>"},
}

// prompts counts the tools before any call, and calls and the manual with other tags.
func (c *Count) prompts(s bench.Suite, tags parse.Tags, count func(string) int) error {
	var many []sig.Tool
	for i := 0; len(many) < manyTools && len(s.Catalog.Tools()) > 0; i++ {
		t := *s.Catalog.Tools()[i%len(s.Catalog.Tools())]
		t.Name = fmt.Sprintf("%s%d", t.Name, i/len(s.Catalog.Tools())+1)
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
		var tools [][]byte
		for _, t := range catalog.Tools() {
			tools = append(tools, rawjson.Compact(bench.Declared(manual.Anthropic, t)))
		}
		declared := string(rawjson.AppendArray(nil, tools))
		return []Listing{
			{`JSON, {"name","description","input_schema"}`, count(declared)},
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
	others := alternatives
	if tags != (parse.Tags{}) && !slices.Contains(others, tags) {
		others = append([]parse.Tags{tags}, others...)
	}
	for _, t := range others {
		other := Tags{t.Open, t.Close, 0, prompt(s.Catalog, manual.Options{Tags: t})}
		for _, call := range s.Calls {
			text, err := parse.FormatCall(s.Catalog, call.Name, call.Input,
				&parse.FormatOptions{Tags: t})
			if err != nil {
				return err
			}
			other.Calls += count(text)
		}
		c.Tags = append(c.Tags, other)
	}
	return err
}

//go:embed page.tmpl
var page string

// Page shows the report, as Markdown or as text: in full for one vocabulary, in totals for the
// others.
func (r Report) Page(vocabulary string, markdown bool) string {
	others := slices.Clone(r.Counts)
	at := slices.IndexFunc(others, func(c Count) bool { return c.Vocabulary == vocabulary })
	isCounted := func(form string) bool { return slices.Contains(r.Forms, form) }
	shown := []string{Wire, native, bare, "hermes", "qwen3-coder"}
	return bench.Page(page, map[string]any{
		"Report": r, "ManyTools": manyTools, "Count": r.Counts[at],
		"Others":  slices.Delete(others, at, at+1),
		"Missing": slices.DeleteFunc(slices.Clone(forms), isCounted),
		"Shown":   slices.DeleteFunc(shown, func(form string) bool { return !isCounted(form) }),
	}, template.FuncMap{
		"count": terminal.Count,
		"minus": func(a, b int) int { return a - b },
		"ratio": func(format string, a, b int) string {
			return fmt.Sprintf(format, float64(a)/float64(b))
		},
		"short": short,
	}, markdown)
}

// short returns the beginning of a call, without its tags.
func short(call string) string {
	call = strings.TrimSuffix(strings.TrimPrefix(call, "<call>"), "</call>")
	return terminal.CutEnd(strings.Join(strings.Fields(call), " "), 39)
}
