package manual

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

const library = `[
	{"name":"sendEmail","description":"Send a message to people.","lazy":true,"inputSchema":{"type":"object","properties":{"to":{"type":"string"},"subject":{"type":"string"}}}},
	{"name":"create_calendar_event","description":"Put a meeting into the calendar.","lazy":true,"inputSchema":{"type":"object","properties":{"start":{"type":"string","description":"When it begins"}}}},
	{"name":"list_events","description":"Tell what is in the calendar.","lazy":true,"inputSchema":{"type":"object","properties":{"day":{"type":"string"}}}},
	{"name":"translate","description":"Translate a text.","lazy":true,"inputSchema":{"type":"object","properties":{"languages":{"type":"string"}}}},
	{"name":"now","description":"Tell the time.","inputSchema":{"type":"object","properties":{}}}]`

// The loader finds tools by names, words and regular expressions.
func TestSearch(t *testing.T) {
	catalog := must(compile(t, library), Options{}).Catalog()
	for _, c := range []struct{ input, want, not string }{
		{`{"query":"email somebody"}`, "sendEmail to? subject?", "translate"},
		{`{"query":"calendar events"}`, "list_events day?", "translate"},
		{`{"query":"begins"}`, "create_calendar_event start? (When it begins)", "list_events"},
		{`{"query":"language"}`, "translate languages?", "sendEmail"},
		{`{"query":"/^(list|create)_/"}`, "list_events day?", "sendEmail"},
		{`{"query":"/(/"}`, "not a regular expression", "sendEmail to?"},
		{`{"query":"submarine"}`, "No tool was found for \"submarine\".\nWrite <call>", "sendEmail to?"},
		{`{"query":"translate"}`, "translate languages?", "There is no tool"},
		{`{"names":["translate"],"query":"email"}`, "sendEmail to? subject?", "There is no tool"},
		{`{"names":["nothing"],"query":"email"}`, `There is no tool "nothing"`, ""},
		{`{"query":5}`, "Name the tools to load", ""},
		{`{"query":""}`, "Name the tools to load", ""},
		{`{"query":"the time"}`, "", "now"},
	} {
		got := must(catalog, Options{}).Load([]byte(c.input))
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) && !strings.Contains(got, "names:") {
			t.Errorf("%s\n got %s\nwant %s, not %s", c.input, got, c.want, c.not)
		}
	}
}

// Of many tools the best are shown, and how many more there are.
func TestSearchIsBounded(t *testing.T) {
	var tools []sig.Tool
	for i := range 5000 {
		tools = append(tools, sig.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "Do something useful.", Lazy: true, Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)})
	}
	tools = append(tools, sig.Tool{Name: "archive", Description: "Something else.", Lazy: true, Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)})
	catalog := must(compile(t, tools), Options{}).Catalog()
	o := Options{Lazy: Lazy{HideNames: true}}
	text := must(catalog, o).String()
	if len(text) > 1000 || !strings.Contains(text, "More tools are not listed.") || !strings.HasSuffix(text, `<call>__load_tool_schema__ query="tool 0"</call>`) {
		t.Errorf("%d bytes: %.1200s", len(text), text)
	}
	if got := must(catalog, o).Load([]byte(`{"query":"something useful"}`)); strings.Count(got, "Do something useful.") != maxFound || !strings.HasSuffix(got, "\n4996 more tools match. Describe the tool more exactly to see them.") {
		t.Error(got)
	}
	if got := must(catalog, o).Load([]byte(`{"query":"something archived archive"}`)); !strings.HasPrefix(got, "archive a? - Something else.\n") {
		t.Error(got)
	}
	if got := must(catalog, o).Load([]byte(`{}`)); !strings.Contains(got, "Search by what a tool does") || len(got) > 200 {
		t.Error(got)
	}
	if err := check(catalog, o); err != nil {
		t.Error(err)
	}
}

// Tools are ranked by BM25 as it is defined, of which a term in a name counts four times.
func TestRankIsBM25(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(most int) string {
		words := make([]string, random.IntN(most))
		for i := range words {
			words[i] = string(rune('a' + random.IntN(6)))
		}
		return strings.Join(words, " ")
	}
	for range 300 {
		tools := make([]*sig.Tool, 1+random.IntN(6))
		words := make(map[*sig.Tool][]string)
		total := 0
		for i := range tools {
			tools[i] = &sig.Tool{Name: "x " + text(3), Description: text(20)}
			words[tools[i]] = strings.Fields(strings.Repeat(tools[i].Name+" ", 4) + tools[i].Description)
			total += len(words[tools[i]])
		}
		query := strings.Fields(text(4))
		scores := make(map[*sig.Tool]float64)
		count := func(tool *sig.Tool, term string) (n float64) {
			for _, word := range words[tool] {
				if word == term {
					n++
				}
			}
			return n
		}
		for i, term := range query {
			if slices.Contains(query[:i], term) {
				continue
			}
			in := 0.0
			for _, tool := range tools {
				in += min(count(tool, term), 1)
			}
			for _, tool := range tools {
				n, length := count(tool, term), float64(len(words[tool])*len(tools))/float64(total)
				if n > 0 {
					scores[tool] += math.Log(1+(float64(len(tools))-in+0.5)/(in+0.5)) * n * 2.2 / (n + 1.2*(0.25+0.75*length))
				}
			}
		}
		found := newRanking(tools).rank(tools, slices.Clone(query))
		if len(found) != len(scores) {
			t.Fatalf("%q finds %d of %d", query, len(found), len(scores))
		}
		for i := 1; i < len(found); i++ {
			if a, b := scores[found[i-1]], scores[found[i]]; a < b-1e-9 || a == b && slices.Index(tools, found[i-1]) > slices.Index(tools, found[i]) {
				t.Fatalf("%q: %v before %v", query, found[i-1], found[i])
			}
		}
	}
}
