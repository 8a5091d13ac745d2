package protocol_test

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// Every call that is read without Salvage is read with it, but that a value without quotes
// may end where a closer is missing; what is read with it alone says which repair it
// took, or comes after one.
func TestSalvageTells(t *testing.T) {
	calls := func(o parse.Options, text string) (calls []parse.Segment) {
		for _, s := range o.Text(text, weather) {
			if s.Kind == parse.Call {
				calls = append(calls, s)
			}
		}
		return calls
	}
	for _, name := range protocol.Names()[1:] {
		p := protocol.ByName(name)
		example, err := parse.FormatOptions{Protocol: p}.Format(weather, "get_weather", []byte(`{"city":"a"}`))
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(example) {
			for _, text := range []string{example[:i], example[:i] + "=" + example[i:], example[:i] + example[i+1:] + "\n" + example} {
				with, without := calls(parse.Options{Protocol: p, Salvage: true}, text), calls(parse.Options{Protocol: p}, text)
				same := func(a parse.Segment) func(parse.Segment) bool {
					return func(b parse.Segment) bool { return a.Start == b.Start && string(a.Input) == string(b.Input) }
				}
				repaired := func(s parse.Segment) bool {
					return slices.ContainsFunc(s.Issues, func(i parse.Issue) bool { return i.Code == lexer.Repaired })
				}
				for _, s := range without {
					shorter := func(b parse.Segment) bool { return b.Start == s.Start && b.End < s.End && repaired(b) }
					if !slices.ContainsFunc(with, same(s)) && !slices.ContainsFunc(with, shorter) {
						t.Errorf("%s: %q: %s is read without Salvage alone", name, text, s.Input)
					}
				}
				for _, s := range with {
					if found := slices.ContainsFunc(without, same(s)); found && repaired(s) || !found && !repaired(s) && !s.AfterMalformed {
						t.Errorf("%s: %q: %s, repaired %t", name, text, s.Input, repaired(s))
					}
				}
			}
		}
	}
}

// One brace too many after the object is dropped under Salvage alone, and told.
func TestExtraBrace(t *testing.T) {
	const call = `<tool_call>{"name": "now", "arguments": {}}`
	for text, want := range map[string]bool{call + "}</tool_call>": true, call + "\n }\n</tool_call>": true, call + "}}</tool_call>": false, call + "}x</tool_call>": false} {
		for _, o := range []parse.Options{{Protocol: protocol.Hermes}, {Protocol: protocol.Hermes, Salvage: true}, {Protocol: protocol.Hermes, Salvage: true, Strict: true}} {
			s := o.Text(text, weather)[0]
			salvaged := o.Salvage && !o.Strict && want
			if s.Kind == parse.Call != salvaged || salvaged && (len(s.Issues) != 1 || s.Issues[0].Path != "extra-brace" || text[s.Issues[0].At] != '}') {
				t.Errorf("%q: %v %v", text, s.Kind, s.Issues)
			}
		}
	}
}
