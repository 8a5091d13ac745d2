package tokens

import (
	"encoding/json"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

// TestForms writes calls in each form.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, input string
		want        map[Form]string
	}{
		{"getTime", `{"timezone":"Asia/Tokyo"}`, map[Form]string{
			Native: `{"type":"tool_use","id":"toolu_01ABCDEFG","name":"getTime","input":{"timezone":"Asia/Tokyo"}}`,
			Bare:   `{"name":"getTime","arguments":{"timezone":"Asia/Tokyo"}}`,
			Hermes: "<tool_call>\n" + `{"name": "getTime", "arguments": {"timezone": "Asia/Tokyo"}}` + "\n</tool_call>",
			XML:    `<getTime><timezone>Asia/Tokyo</timezone></getTime>`,
			Python: `[getTime(timezone="Asia/Tokyo")]`,
		}},
		{"t", `{}`, map[Form]string{
			Native: `{"type":"tool_use","id":"toolu_01ABCDEFG","name":"t","input":{}}`,
			Bare:   `{"name":"t","arguments":{}}`,
			Hermes: "<tool_call>\n" + `{"name": "t", "arguments": {}}` + "\n</tool_call>",
			XML:    `<t></t>`,
			Python: `[t()]`,
		}},
		{"t", `{"b":1.50,"a":[1,"x,y",{"k":null},[]],"due date":"<&>","o":{},"q":"say \"no, it's\"","e":"a\\\"b: c\u0001\n\t","y":true,"n":false}`, map[Form]string{
			Native: `{"type":"tool_use","id":"toolu_01ABCDEFG","name":"t","input":{"b":1.50,"a":[1,"x,y",{"k":null},[]],"due date":"<&>","o":{},"q":"say \"no, it's\"","e":"a\\\"b: c\u0001\n\t","y":true,"n":false}}`,
			Hermes: "<tool_call>\n" + `{"name": "t", "arguments": {"b": 1.50, "a": [1, "x,y", {"k": null}, []], "due date": "<&>", "o": {}, "q": "say \"no, it's\"", "e": "a\\\"b: c\u0001\n\t", "y": true, "n": false}}` + "\n</tool_call>",
			XML:    `<t><b>1.50</b><a><item>1</item><item>x,y</item><item><k>null</k></item><item></item></a><arg name="due date">&lt;&amp;></arg><o></o><q>say "no, it's"</q><e>a\"b: c` + "\u0001\n\t" + `</e><y>true</y><n>false</n></t>`,
			Python: `[t(b=1.50, a=[1, "x,y", {"k": None}, []], **{"due date": "<&>"}, o={}, q='say "no, it\'s"', e='a\\"b: c\x01\n\t', y=True, n=False)]`,
		}},
	} {
		for form, want := range c.want {
			got, err := form.write(bench.Call{Name: c.name, Input: json.RawMessage(c.input)})
			if err != nil || got != want {
				t.Errorf("%s: %v\n got %s\nwant %s", form, err, got, want)
			}
		}
	}
}

// TestEveryForm: there is a writer for each form but the wire format.
func TestEveryForm(t *testing.T) {
	if len(Forms) != len(writers)+1 || Forms[0] != Wire {
		t.Errorf("%d forms, %d writers", len(Forms), len(writers))
	}
	for _, f := range others {
		if writers[f] == nil {
			t.Errorf("nothing writes %s", f)
		}
	}
}

func TestSameJSON(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":"é"}`, `{"a":"\u00e9"}`, true},
		{`{"a":[1,{}]}`, ` { "a" : [ 1, { } ] } `, true},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":1}`, `{"a":"1"}`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1}`, `{"a":1}{}`, false},
		{`{"a":12345678901234567890}`, `{"a":12345678901234567891}`, false},
	} {
		if got := sameJSON([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
