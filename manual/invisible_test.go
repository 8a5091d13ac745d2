package manual

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// hidden are characters that hide text, one of each kind.
const hidden = "\u202e\u2066\u200b\u2028\u0085\x1b\u00ad\ufeff\u3164\U000e0041"

// Names from schemas, tools and models are fully visible everywhere: in the manual, in
// feedback, in the answers of the loader and in the tags of results.
func TestNothingIsHidden(t *testing.T) {
	quote := func(text string) string { b, _ := json.Marshal(text); return string(b) }
	name, word := "n\u202e\u0085\u3164ame", quote("w"+hidden)
	catalog := must(compile(t, toolsOf(t, `[
		{"name":`+quote(name)+`,"description":`+word+`,"inputSchema":{"type":"object","title":`+word+`,"required":[`+word+`],"properties":{
			`+word+`:{"const":`+word+`,"description":`+word+`,"default":`+word+`},
			"e":{"enum":[`+word+`,"x"],"pattern":`+word+`,"format":`+word+`,"examples":[`+word+`]},
			"o":{"type":"object","properties":{`+word+`:{"type":"integer"}},"dependentRequired":{`+word+`:[`+word+`]}},
			"l":{"type":"array","items":{"const":[`+word+`]}},
			"d":{"const":{`+word+`:1}}}}},
		{"name":`+quote(name+"2")+`,"lazy":true,"description":`+word+`,"skill":`+quote("a\n"+hidden+"b")+`,"inputExamples":[{"a":`+word+`}],"inputSchema":{"type":"object","properties":{"a":{"type":"string"},`+word+`:{}}}}]`)), Options{}).Catalog()
	check := func(what, text string) {
		t.Helper()
		for _, r := range text {
			if unseen.Is(r) && r != '\n' {
				t.Errorf("%s: %U in %q", what, r, text)
				return
			}
		}
	}
	for _, o := range []Options{{}, {Lazy: Lazy{Schemas: true}}, {Signatures: sig.SignatureOptions{Classic: true}}, {Lazy: Lazy{Loader: name}}} {
		check("the manual", must(catalog, o).String())
		for _, names := range []string{`[` + quote(name+"2") + `]`, `[` + quote(name) + `]`, `[` + word + `]`, `[]`} {
			check("an answer of the loader", must(catalog, o).Load([]byte(`{"names":`+names+`}`)))
		}
		check("a result", must(nil, o).Result(name+hidden, "x", false))
		check("an error", must(nil, o).Result(name+hidden, "x", true))
		for _, body := range []string{
			name + ` {` + word + `:1,"e":"y","o":{` + word + `:"x"},"l":[[]],"d":{}}`, name + ` e="` + hidden + `"`, name + ` o.w` + "\u202e" + `=x`, name + "(a=" + hidden + ")", name + hidden, hidden + "=", "unknown\u202e\u200b a=1",
			`{"name":` + word + `,"arguments":{}}`, name + ` e="` + strings.Repeat(hidden, 5), name + " e=1\r\n\te=2",
		} {
			for _, strict := range []bool{false, true} {
				for _, s := range segments(catalog, "<call>"+body+"</call>", parse.Options{Strict: strict}) {
					check("feedback", must(catalog, o).Feedback(s))
				}
			}
		}
	}
	arguments := []byte(`{"a":` + word + `,"l":[` + word + `],"o":{"x":` + word + `}}`)
	odd := []byte(`{` + word + `:1}`)
	out, err := rewrite(Options{KeepUserText: true}, nil, []Message{{Role: Assistant, Parts: []Part{{Kind: Call, ID: "1", Name: "no name" + hidden, Input: odd}, {Kind: Call, ID: "2", Name: "t", Input: arguments}, {Kind: Call, ID: "3", Name: "t", Input: odd}, {Kind: Call, ID: "4", Name: "t\u202e", Input: odd}}}, {Role: ToolRole, Parts: []Part{{Kind: Result, ID: "1"}, {Kind: Result, Name: hidden}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range out {
		for _, p := range m.Parts {
			check("a history", p.Text)
		}
	}
	for _, s := range segments(nil, out[0].Parts[0].Text, parse.Options{}) {
		if s.Call != nil && !sameJSON(s.Call.Input, arguments) && !sameJSON(s.Call.Input, odd) {
			t.Errorf("a call of %s", s.Call.Input)
		}
	}
}
