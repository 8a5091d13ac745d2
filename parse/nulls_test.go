package parse_test

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// Under Salvage a null in the place of an argument that may be left out, and that allows
// no null, is left out, whatever the argument's kind; everywhere else it stays.
func TestNullIsAbsent(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","required":["must"],"additionalProperties":false,"properties":{
		"must":{"type":"string"},"s":{"type":"string"},"e":{"enum":["a","b"]},"n":{"type":"number"},"i":{"type":"integer"},"b":{"type":"boolean"},
		"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"s":{"type":"string"}}},"z":{"type":["string","null"]},"w":{"enum":["null","x"]},"any":{}}}}]`)
	for _, c := range []struct {
		text, input string
		repaired    bool
	}{
		{"<call>t must=x s=null</call>", `{"must":"x"}`, true},
		{"<call>t must=x e=null</call>", `{"must":"x"}`, true},
		{"<call>t must=x n=null</call>", `{"must":"x"}`, true},
		{"<call>t must=x i=null b=true</call>", `{"must":"x","b":true}`, true},
		{"<call>t s=null must=x</call>", `{"must":"x"}`, true},
		{"<call>t must=x l=null</call>", `{"must":"x"}`, true},
		{"<call>t must=x o=null</call>", `{"must":"x"}`, true},
		{"<call>t must=x s=null n=null i=1</call>", `{"must":"x","i":1}`, true},
		{"<call>t must=x, s=null, i=1</call>", `{"must":"x","i":1}`, true},
		{"<call>t must=x o.s=null</call>", `{"must":"x"}`, true},
		{"<call>t(must=\"x\", s=None)</call>", `{"must":"x"}`, true},
		{"<call>t must=null</call>", `{"must":"null"}`, false},
		{`<call>t must=x s="null"</call>`, `{"must":"x","s":"null"}`, false},
		{"<call>t must=x w=null</call>", `{"must":"x","w":"null"}`, false},
		{"<call>t must=x s=nullable</call>", `{"must":"x","s":"nullable"}`, false},
		{"<call>t must=x z=null any=null</call>", `{"must":"x","z":null,"any":null}`, false},
	} {
		got := parse.Options{Salvage: true}.Text(c.text, catalog)
		if len(got) != 1 || got[0].Kind != parse.Call || string(got[0].Input) != c.input {
			t.Errorf("%s: %+v %s", c.text, got, got[0].Input)
			continue
		}
		repaired := slices.ContainsFunc(got[0].Issues, func(is parse.Issue) bool { return is.Code == lexer.Repaired && is.Path == "null" })
		if repaired != c.repaired {
			t.Errorf("%s: issues %+v", c.text, got[0].Issues)
		}
		p, _ := parse.NewParser(catalog, parse.Options{Salvage: true})
		var deltas []byte
		for i := range len(c.text) + 1 { // and byte by byte nothing is taken back
			if i < len(c.text) {
				p.Feed([]byte(c.text[i : i+1]))
			} else {
				p.Close()
			}
			for part := p.Next(); part != parse.NoPart; part = p.Next() {
				if part == parse.InputPart || part == parse.CallPart {
					deltas = append(deltas, p.Delta()...)
				}
			}
		}
		if string(deltas) != c.input {
			t.Errorf("%s, byte by byte: %s", c.text, deltas)
		}
	}
	// A lone comma is doubtful whether its call is whole in a chunk or not.
	for _, step := range []int{1, 100} {
		p, _ := parse.NewParser(catalog, parse.Options{Salvage: true})
		for chunk := range slices.Chunk([]byte("<call>t must=,</call>"), step) {
			p.Feed(chunk)
			for part := p.Next(); part != parse.NoPart; part = p.Next() {
				if part == parse.CallPart && (len(p.Segment().Issues) != 1 || p.Segment().Issues[0].Code != lexer.Doubtful) {
					t.Errorf("%d bytes at once: %+v", step, p.Segment().Issues)
				}
			}
		}
	}
	if got := parse.Text("<call>t must=x s=null</call>", catalog); string(got[0].Input) != `{"must":"x","s":"null"}` {
		t.Errorf("without Salvage: %s", got[0].Input)
	}
}

// A null is left out of JSON with the comma beside it and all whitespace between them.
func TestNullWithinWhitespace(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}}]`)
	for input, want := range map[string]string{
		"{ \"a\" : \"x\" ,\r\n\t \"b\" : null\n}": `{"a":"x"}`,
		"{ \"b\" : null \t,\r\n \"a\" : \"x\" }":  `{"a":"x"}`,
		"{ \n\"b\" : null\t}":                     `{}`,
	} {
		if got, issues, err := parse.Repair(catalog, "t", []byte(input)); err != nil || string(got) != want || len(issues) != 1 {
			t.Errorf("%q: %s, %v, %v", input, got, issues, err)
		}
	}
}

// Under Salvage a null that would be left out behind a path is written in JSON.
func TestNullIsWrittenForSalvage(t *testing.T) {
	catalog := compiled(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"number"},"z":{"type":["string","null"]}}}}]`)
	for input, want := range map[string]string{
		`{"n":null}`: `<call>t {"n":null}</call>`,
		`{"z":null}`: `<call>t z=null</call>`,
	} {
		got, err := parse.FormatOptions{Salvage: true}.Format(catalog, "t", []byte(input))
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", input, got, err, want)
			continue
		}
		segs := parse.Options{Salvage: true}.Text(got, catalog)
		if len(segs) != 1 || segs[0].Kind != parse.Call || string(segs[0].Input) != input {
			t.Errorf("%s reads back as %+v", got, segs)
		}
	}
}
