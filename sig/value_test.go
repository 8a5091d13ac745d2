package sig

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// jsonSeeds are texts at the edges of JSON, for the table and the fuzzer.
var jsonSeeds = []string{
	``, ` `, `null`, ` true `, `false`, `0`, `-0.5e+7`, `"a"`, `[]`, `{}`, `[ ]`, `{ }`, `[1,2]`, `{"a":1}`, `{"a":{"b":[{}]}}`,
	`[1,]`, `[,1]`, `[1 2]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{1:2}`, `[`, `{`, `]`, `}`, `[}`, `{]`, `[1}`, `{"a":1]`, `1 2`, `[] []`,
	`nul`, `nulll`, `tru`, `TRUE`, `01`, `1.`, `.5`, `+1`, `1e`, `-`, `NaN`, `0x1`, `'a'`, `"a`, `"\`, `"\"`, `"\x"`, `"\u12"`, "\"\n\"", "\"\x00\"", `"\ud800"`, "\"\xff\"", "[\x0b1]", "\ufeff1",
	`"é😀"`, `"\u00e9\ud83d\ude00\/"`, `{"a":1,"a":2}`, `[[[[[[[[]]]]]]]]`, `,`, `:`, `"a":1`, `1,2`, "\t\r\n [ \t\r\n1\t , 2 ]\n",
}

func TestDecode(t *testing.T) {
	for _, text := range jsonSeeds {
		checkDecode(t, text)
	}
	root, err := decode([]byte(` {"b":1, "a" : [ {} ,2 ], "b":3, "c":{"d":4,"d":5}} `), maxDepth)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range root.members() {
		got = append(got, m.token+"="+string(m.raw))
		for _, v := range append(m.below, m) {
			if v.repeated {
				got = append(got, v.pointer(root))
			}
		}
	}
	if got, want := strings.Join(got, " "), `b=3 /b a=[ {} ,2 ] c={"d":4,"d":5} /c/d`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// checkDecode compares decode with encoding/json.
func checkDecode(t *testing.T, text string) {
	t.Helper()
	root, err := decode([]byte(text), maxDepth)
	if (err == nil) != json.Valid([]byte(text)) {
		t.Fatalf("%q: %v", text, err)
	}
	if err != nil {
		return
	}
	var want any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(plain(root))
	if want, _ := json.Marshal(want); string(got) != string(want) {
		t.Errorf("%q: %s, want %s", text, got, want)
	}
}

// plain returns v as encoding/json decodes it, and checks its spans.
func plain(v *value) any {
	switch v.kind {
	case Object:
		m := make(map[string]any)
		for _, x := range v.below {
			m[x.token] = plain(x)
		}
		return m
	case Array:
		a := make([]any, 0)
		for _, x := range v.below {
			a = append(a, plain(x))
		}
		return a
	case String:
		var s string
		if json.Unmarshal(v.raw, &s) != nil || s != v.text {
			return "wrong span: " + string(v.raw)
		}
		return v.text
	default:
		return json.RawMessage(v.raw)
	}
}

// Members are found with and without an index.
func TestDecodeManyMembers(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 100} {
		var b strings.Builder
		for i := range 2 * n {
			b.WriteString(`,"k` + strings.Repeat("x", i%n) + `":` + []string{"0", "1"}[i/n])
		}
		root, err := decode([]byte("{"+b.String()[1:]+"}"), maxDepth)
		if err != nil || len(root.below) != n || root.get("none") != nil {
			t.Fatalf("%v: %d members, want %d", err, len(root.below), n)
		}
		for i := range n {
			if v := root.get("k" + strings.Repeat("x", i)); v == nil || v.text != "1" || !v.repeated || v != root.below[i] {
				t.Errorf("member %d of %d: %v", i, n, v)
			}
		}
	}
}

func TestPointer(t *testing.T) {
	root, err := decode([]byte(`{"a/b":[0,{"~":{"":1}}]}`), maxDepth)
	if err != nil {
		t.Fatal(err)
	}
	const want = "/a~1b/1/~0/"
	v := root.follow(want[1:])
	if v == nil || v.text != "1" || v.pointer(root) != want {
		t.Errorf("%v", v)
	}
	for _, none := range []string{"a", "a~1b/2", "a~1b/-1", "a~1b/x", "a~1b/0/0"} {
		if root.follow(none) != nil {
			t.Errorf("%s has a target", none)
		}
	}
}

// Domains behave as sets under intersection and union.
func TestDomainsAreSets(t *testing.T) {
	var samples []*value
	c := newCompiler(nil, nil)
	c.work = 1 << 30
	for _, text := range []string{`null`, `true`, `false`, `0`, `1`, `1.0`, `1.5`, `"a"`, `"1"`, `[]`, `[1]`, `{}`} {
		root, err := decode([]byte(text), maxDepth)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, root)
	}
	has := func(d domain, v *value) bool {
		return d.has(memberOf(v))
	}
	draw := rapid.Custom(func(t *rapid.T) domain {
		d := only(Kinds(rapid.IntRange(0, int(Any)).Draw(t, "kinds")))
		if rapid.Bool().Draw(t, "enum") {
			var members []*value
			for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(samples)-1), 1, 5).Draw(t, "members") {
				members = append(members, samples[i])
			}
			d = c.intersect(d, domain{}.with(membersOf(members), Any))
		}
		return d
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		both, either := c.intersect(a, b), c.unite([]domain{a, b})
		for _, v := range samples {
			if has(both, v) != (has(a, v) && has(b, v)) || has(either, v) != (has(a, v) || has(b, v)) {
				t.Errorf("%v, %v and %s", a, b, v.raw)
			}
		}
		for _, d := range []domain{a, b, both, either} {
			numbers := d.kinds&numeric == Number || d.free&numeric == Number
			if numbers || d.free&^d.kinds != 0 || d.kinds&^d.free&^(domain{}).with(d.members, Any).kinds != 0 {
				t.Errorf("inconsistent: %v", d)
			}
		}
	})
}
