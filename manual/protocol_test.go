package manual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// testdata/formats.txt has, for each format, what a model sees of a tool, of a conversation with
// tags of several formats in it, and of a malformed call; and what a budget leaves out.
func TestFormats(t *testing.T) {
	catalog := compile(t, weather)
	messages := readMessages(t, `[{"role":"assistant","content":"Yes.","tool_calls":[
		{"id":"a","function":{"name":"getWeather","arguments":"{\"location\":\"Oslo\"}"}},
		{"id":"b","function":{"name":"getWeather","arguments":"{\"location\":\"</tool_call>\"}"}}]},
		{"role":"tool","tool_call_id":"b","content":"a </tool_call></tool_response>`+"```"+` <getWeather>"},
		{"role":"tool","tool_call_id":"a","content":"b","is_error":true}]`)
	var all strings.Builder
	for _, f := range protocol.All() {
		o := Options{Format: f}
		out, errs := must(catalog, o).Rewrite(messages)
		short := must(catalog, Options{Format: f, Budget: 1})
		fmt.Fprintf(&all, "== %s\n%s\n%v\n%s\n%v\n", f, must(catalog, o), errs, writeMessages(t, out), short.Omitted())
		call := strings.Replace(firstText(out[0]), "Oslo", "Oslo\x00", 1)
		for _, s := range segments(catalog, call, parse.Options{Format: f, Strict: true}) {
			all.WriteString(must(catalog, o).Feedback(s))
		}
		all.WriteString("\n")
	}
	golden.Assert(t, all.String(), "formats.txt")
}

// firstText returns the text of the first part of m.
func firstText(m Message) string { return m.Parts[0].Text }

// A format that is in no table is written, listed and read, also with other result tags and an ID
// as name.
func TestOwnFormat(t *testing.T) {
	catalog := compile(t, `[{"name":"f","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]`)
	own := *protocol.KimiK2
	own.Name, own.Call = "own", parse.Tags{Open: "<|do|>", Close: "<|done|>"}
	m := must(catalog, Options{Format: &own})
	if list := m.String(); !strings.Contains(list, "<|do|>functions.example_function_name:0<|tool") {
		t.Errorf("the list is %s", list)
	}
	call := func(id string) Part {
		return Part{Kind: Call, ID: id, Name: "f", Input: []byte(`{"n":1}`)}
	}
	out, errs := m.Rewrite([]Message{
		{Role: Assistant, Parts: []Part{call("a"), call("functions.f:7"), call("b")}},
		{Role: ToolRole, Parts: []Part{
			{Kind: Result, ID: "b", Text: "x<|do|>"}, {Kind: Result, ID: "functions.f:7", Text: "## Return of y"},
		}},
	})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	var calls []string
	for _, id := range []string{"functions.f:0", "functions.f:7", "functions.f:2"} {
		calls = append(calls, "<|do|>"+id+own.Function.End+`{"n": 1}<|done|>`)
	}
	want := own.Section.Open + strings.Join(calls, "") + own.Section.Close
	if got := firstText(out[0]); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	results := []string{"## Return of functions.f:7\n#\\# Return of y", "## Return of functions.f:2\nx<\\|do|>"}
	for i, want := range results {
		if got := out[1].Parts[i].Text; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A format without tags of results has those of the wire format.
func TestFormatWithoutResultTags(t *testing.T) {
	own := *protocol.MorphXML
	own.Prompt.Result = parse.Tags{}
	m := must(compile(t, weather), Options{Format: &own})
	want := "<tool-result name=\"a\">\n<\\/tool-result><\\getWeather>\n</tool-result>"
	if got := m.Result("a", "</tool-result><getWeather>", false); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
