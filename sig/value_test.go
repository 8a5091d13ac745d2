package sig

import (
	"encoding/json"
	"strings"
	"testing"
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
}

// checkDecode compares decode with encoding/json.
func checkDecode(t *testing.T, text string) {
	t.Helper()
	doc, err := decode([]byte(text))
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
	got, _ := json.Marshal(plain(doc.root))
	if want, _ := json.Marshal(want); string(got) != string(want) {
		t.Errorf("%q: %s, want %s", text, got, want)
	}
}

// plain returns v as encoding/json decodes it, and checks its spans.
func plain(v *value) any {
	switch v.kind {
	case Object:
		m := make(map[string]any)
		for _, x := range v.members {
			m[x.key] = plain(x.value)
		}
		return m
	case Array:
		a := make([]any, 0)
		for _, x := range v.elements {
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

func FuzzDecode(f *testing.F) {
	for _, text := range jsonSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "[")+strings.Count(text, "{") > 5000 {
			t.Skip("deeper than encoding/json reads")
		}
		checkDecode(t, text)
	})
}

func TestDecodeOrder(t *testing.T) {
	doc, err := decode([]byte(` {"b":1, "a" : [ {} ,2 ], "b":3, "c":{"d":4,"d":5}} `))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, m := range doc.root.members {
		keys = append(keys, m.key+"="+string(m.value.raw))
	}
	if got, want := strings.Join(keys, " "), `b=3 a=[ {} ,2 ] c={"d":4,"d":5}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var repeated []string
	for _, v := range doc.repeated {
		repeated = append(repeated, v.pointer(doc.root))
	}
	if got := strings.Join(repeated, " "); got != "/b /c/d" {
		t.Errorf("repeated %s", got)
	}
}

// Members are found with and without an index.
func TestDecodeManyMembers(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 100} {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"k` + strings.Repeat("x", i) + `":0`)
		}
		for i := range n {
			b.WriteString(`,"k` + strings.Repeat("x", i) + `":1`)
		}
		doc, err := decode([]byte("{" + b.String()[1:] + "}"))
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.root.members) != n || len(doc.repeated) != n {
			t.Fatalf("%d members, %d repeated, want %d", len(doc.root.members), len(doc.repeated), n)
		}
		for i := range n {
			if v := doc.root.get("k" + strings.Repeat("x", i)); v == nil || v.text != "1" || v != doc.root.members[i].value {
				t.Errorf("member %d of %d: %v", i, n, v)
			}
		}
		if doc.root.get("none") != nil {
			t.Error("found a member that does not exist")
		}
	}
}

func TestPointer(t *testing.T) {
	doc, err := decode([]byte(`{"a/b":[0,{"~":{"":1}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = "/a~1b/1/~0/"
	v := doc.root.follow(want[1:])
	if v == nil || v.text != "1" || v.pointer(doc.root) != want {
		t.Errorf("%v", v)
	}
	for _, none := range []string{"a", "a~1b/2", "a~1b/-1", "a~1b/x", "a~1b/0/0"} {
		if doc.root.follow(none) != nil {
			t.Errorf("%s has a target", none)
		}
	}
}

// An error says where the text stops being JSON.
func TestDecodeError(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,}`: `invalid JSON at offset 7: found '}'`,
		`[1`:       "invalid JSON at offset 2: found the end of the text",
		`["\x"]`:   `invalid JSON at offset 2: found '\\'`,
		"[é]":      "invalid JSON at offset 1: found 'é'",
	} {
		if _, err := decode([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
