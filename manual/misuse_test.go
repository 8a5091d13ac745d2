package manual

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Without a catalog nothing is known, and nothing panics.
func TestNoCatalog(t *testing.T) {
	for _, o := range []Options{{}, {Budget: 1, Lazy: Lazy{Tool: notTime}}, {Tags: parse.Tags{Open: "<a>"}}} {
		if got := must(nil, o).String(); got != "" {
			t.Errorf("the manual of nothing is %q", got)
		}
		if _, err := must(nil, o).MarshalJSON(); err != nil {
			t.Error(err)
		}
		if err := check(nil, o); (err == nil) != (o.Tags == parse.Tags{}) {
			t.Errorf("%v: %v", o.Tags, err)
		}
		if got := must(nil, o).Load([]byte(`{"names":["x"]}`)); !strings.Contains(got, `There is no tool "x"`) {
			t.Errorf("%q", got)
		}
		for _, s := range segments(nil, `<call>t(a=1)</call><call>t a=r"x</call><call>t`, parse.Options{}) {
			if got := must(nil, o).Feedback(s); got == "" {
				t.Errorf("nothing is said of %s", s.Text)
			}
		}
	}
}

// Missing input never panics: the result is an error or empty.
func TestNothing(t *testing.T) {
	catalog := compile(t, weather)
	if call := must(catalog, Options{}).exampleOf("none"); call != "" {
		t.Errorf("an example of no tool: %q", call)
	}
	for _, s := range []parse.Segment{
		{}, {Call: &parse.Call{}}, {Err: &lexer.Error{}}, {Err: &lexer.Error{Offset: -5, Closed: true}, Text: "x"},
		{Err: &lexer.Error{Code: "none", Offset: 1 << 40}, Text: "<call>t", Start: -1 << 40},
		{Call: &parse.Call{Name: "getWeather", Issues: []parse.Issue{{Code: "x", Offset: -1}, {Code: lexer.Coerced, Offset: 1 << 40, Type: new(sig.Type)}}}, Text: "\x80"},
	} {
		got := must(catalog, Options{}).Feedback(s)
		if said := s.Err != nil || s.Call != nil && s.Call.Issues != nil; (got != "") != said {
			t.Errorf("of %+v: %q", s, got)
		}
	}
}

// What is given may be changed once a function has returned, and what is returned
// too.
func TestNothingIsKept(t *testing.T) {
	catalog := compile(t, office)
	o := Options{Lazy: Lazy{Tool: notTime}}
	messages := readMessages(t, `[{"role":"assistant","id":"1","content":"x","tool_calls":[{"id":"1","function":{"name":"`+defaultLoader+`","arguments":"{\"names\":[\"search\"]}"}}]},{"role":"tool","tool_call_id":"1","content":[{"type":"image","a":1}]}]`)
	out, err := rewrite(o, catalog, messages)
	if err != nil {
		t.Fatal(err)
	}
	want := writeMessages(t, messages)
	for i := range out {
		if out[i].Extra != nil {
			out[i].Extra["x"] = json.RawMessage("1")
		}
		for k := range out[i].Parts {
			out[i].Parts[k] = Part{}
		}
	}
	if got := writeMessages(t, messages); got != want {
		t.Errorf("what is returned is part of what was given: %s", got)
	}
}

// Errors have what a caller needs to act on them.
func TestErrors(t *testing.T) {
	m, err := New(compile(t, office), &Options{Budget: 10})
	if want := fmt.Sprintf("alone take %d", (len(m.String())+3)/4); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	_, errs := m.Rewrite(readMessages(t, `[{"role":"user","content":"x"},
		{"role":"assistant","content":"x","tool_calls":[{"id":"1","function":{"name":"search","arguments":"[]"}}]}]`))
	bad := new(lexer.Error)
	if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), "manual: message 1, part 1: ") ||
		!errors.As(errs[0], &bad) || bad.Code != lexer.NotAnObject {
		t.Errorf("%v", errs)
	}
}
