package parse_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestPathsOfIssues: which value is meant, and where it stands.
func TestPathsOfIssues(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{
		"n":{"type":"integer"},
		"rows":{"type":"array","items":{"type":"object","properties":{"k":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"}}}}},
		"o":{"type":"object","properties":{"p":{"type":"object","properties":{"q":{"type":"integer"}}}}},
		"a.b":{"type":"integer"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{`<call>t n=x</call>`, `type-mismatch n@10`},
		{`<call>t {"n":"x"}</call>`, `type-mismatch n@13`},
		{`<call>t rows=[{k:x}]</call>`, `type-mismatch rows[0].k@17`},
		{`<call>t rows=[{k:1},{k:2,l:[1,2,x]}]</call>`, `type-mismatch rows[1].l[2]@32`},
		{`<call>t {"rows":[{"l":[1,"x"]}]}</call>`, `type-mismatch rows[0].l[1]@25`},
		{`<call>t o.p.q=x</call>`, `type-mismatch o.p.q@14`},
		{`<call>t o={p:{q:x}}</call>`, `type-mismatch o.p.q@16`},
		{`<call>t o.p={q:x} n=y</call>`, `type-mismatch o.p.q@15 type-mismatch n@20`},
		{`<call>t a.b=x</call>`, `type-mismatch a.b@12`},
		{`<call>t {"\u006e":"x"}</call>`, `type-mismatch n@18`},
		{`<call>t rows=[{z:1}]</call>`, `unknown-argument rows[0].z@15`},
		{`<call>t z.y=1</call>`, `unknown-argument z@8`},
		{`<call>t n.y=1</call>`, `type-mismatch n@8`},
		{`<call>t rows=[1,{k:x}]</call>`, `type-mismatch rows[0]@14 type-mismatch rows[1].k@19`},
	} {
		segs := parse.Text(c.text, catalog)
		var got []string
		for _, i := range segs[0].Issues {
			got = append(got, fmt.Sprintf("%s %s@%d", i.Code, i.Path, i.At))
		}
		if g := strings.Join(got, " "); g != c.want || len(segs) != 1 {
			t.Errorf("%s: %s, want %s", c.text, g, c.want)
		}
	}
}

// TestLongPathsAreCut: paths end after 1000 bytes, with a sign, not inside a rune.
func TestLongPathsAreCut(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{"o":{"type":"object","properties":{}}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, want string }{
		{strings.Repeat("k", 1000), strings.Repeat("k", 1000)},
		{strings.Repeat("k", 1001), strings.Repeat("k", 1000) + "…"},
		{strings.Repeat("k", 999) + "é", strings.Repeat("k", 999) + "…"},
		{strings.Repeat("k", 998) + "éx", strings.Repeat("k", 998) + "é…"},
		{strings.Repeat("€", 400), strings.Repeat("€", 333) + "…"},
	} {
		segs := parse.Text("<call>t "+c.key+"=1</call>", catalog)
		if got := segs[0].Issues[0].Path; got != c.want || !utf8.ValidString(got) {
			t.Errorf("a key of %d bytes is cut to %d: …%q", len(c.key), len(got), got[max(0, len(got)-9):])
		}
		segs = parse.Text("<call>t o={"+c.key+":1}</call>", catalog)
		got := segs[0].Issues[0].Path
		if !utf8.ValidString(got) || len(got) > 1000+len("…") || !strings.HasPrefix("o."+c.key+"…", strings.TrimSuffix(got, "…")) {
			t.Errorf("in an object: %d bytes, …%q", len(got), got[max(0, len(got)-9):])
		}
	}
	for escape, c := range map[string]string{`\u0001`: "\x01", `\\`: `\`, `\n`: "\n", `\u00e9`: "é"} { // however long their writing is
		got := parse.Text(`<call>t o={"`+strings.Repeat(escape, 1001)+`":1}</call>`, catalog)[0].Issues[0].Path
		if want := "o." + strings.Repeat(c, 998/len(c)) + "…"; got != want {
			t.Errorf("a key of %s is cut to %d bytes", escape, len(got))
		}
	}
	deep := "<call>t o=" + strings.Repeat("{"+strings.Repeat("k", 300)+":", 10) + "1" + strings.Repeat("}", 10) + "</call>"
	if got := parse.Text(deep, catalog)[0].Issues[0].Path; len(got) > 1003 {
		t.Errorf("a deep path has %d bytes", len(got))
	}
}

// TestIssuesAreCounted: a thousand are told, in the order of their places.
func TestIssuesAreCounted(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 999, 1000, 1001, 3000} {
		segs := parse.Text("<call>t a=["+strings.TrimSuffix(strings.Repeat("x,", n), ",")+"]</call>", catalog)
		issues := segs[0].Issues
		if len(issues) != min(n, 1000) {
			t.Errorf("%d issues of %d", len(issues), n)
		}
		for i, issue := range issues {
			if issue.Code != lexer.TypeMismatch || issue.At != 11+2*i || issue.Path != fmt.Sprintf("a[%d]", i) {
				t.Fatalf("issue %d of %d: %+v", i, n, issue)
			}
		}
	}
}

// What a Parser says of itself.
func TestParserTellsWhereItIs(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t"},{"name":"u"}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.NewParser(catalog, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := p.Steps()
	for _, c := range []struct {
		chunk string
		idle  bool
		tool  string
	}{{"text", true, ""}, {"<ca", false, ""}, {"ll>u ", false, "u"}, {"a=1</call>", true, "u"}, {"<call>t", false, ""}, {"</call>x", true, "t"}} {
		p.Feed([]byte(c.chunk))
		for p.Next() != parse.NoPart {
		}
		tool := p.Segment().Name
		if p.Skip(0, nil) != c.idle || tool != c.tool {
			t.Errorf("after %q: idle %t, tool %q", c.chunk, p.Skip(0, nil), tool)
		}
		if p.Steps() <= before {
			t.Errorf("%q cost no step", c.chunk)
		}
		before = p.Steps()
	}
	p.Reset()
	if p.Steps() >= before || !p.Skip(0, nil) {
		t.Errorf("after Reset: %d steps, idle %t", p.Steps(), p.Skip(0, nil))
	}
}

// TestJSONThatIsNone: the writer names the byte at which JSON ends.
func TestJSONThatIsNone(t *testing.T) {
	for input, at := range map[string]int{
		`{"a":"b`: 7, `{"a`: 3, `{`: 1, `{"a"}`: 4, `{"a" 1}`: 5, `{"a":1,}`: 7, `{"a":[1,]}`: 8, `{"a":[,1]}`: 6, `{,}`: 1, `{"a":01}`: 5, `{"a":1 2}`: 7,
		`{"a":"\x"}`: 6, `{"a":"\'"}`: 6, `{"a":"\`: 6, "{\"a\":\"\n\"}": 6, `{"a":nul}`: 5, `{"a":1]`: 6, `{"a":[1}`: 7, `{"a":1}}`: 7, `{a:1}`: 1, `{"a":'b'}`: 5, ` `: 1, `{"a":1,"b"`: 10, `{"a":"\u12"}`: 6,
	} {
		_, err := parse.Format(nil, "t", []byte(input))
		var e *lexer.Error
		if !asError(err, &e) || e.Code != lexer.InvalidJSON || e.Offset != at {
			t.Errorf("%s: %v, want invalid-json at %d", input, err, at)
		}
	}
	_, err := parse.Format(nil, "t", []byte("{\"a\":\"é\xc3\"}"))
	var e *lexer.Error
	if !asError(err, &e) || e.Code != lexer.InvalidUTF8 || e.Offset != 8 {
		t.Errorf("half a rune: %v", err)
	}
	_, err = parse.Format(nil, "t", []byte(`{"a":"\ud83dx"}`))
	if !asError(err, &e) || e.Code != lexer.UnpairedSurrogate || e.Offset != 6 {
		t.Errorf("half a surrogate pair: %v", err)
	}
}

func asError(err error, e **lexer.Error) bool {
	x, ok := err.(*lexer.Error)
	*e = x
	return ok
}
