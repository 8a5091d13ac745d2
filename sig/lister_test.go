package sig

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// listing returns the type of an enum with these members.
func listing(t testing.TB, members ...string) *Type {
	typ, problems := compileProperty(t, `{"enum":[`+strings.Join(members, ",")+`]}`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return typ
}

// plainly decodes a JSON text so that equal values are deeply equal.
func plainly(t rapid.TB, text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var plain func(any) any
	plain = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			r, _ := new(big.Rat).SetString(string(v))
			return "number " + r.RatString()
		case string:
			return "string " + v
		case []any:
			for i := range v {
				v[i] = plain(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = plain(v[k])
			}
		}
		return v
	}
	return plain(v)
}

// drawJSON draws a value that often equals another one, written in one of many ways.
func drawJSON(t *rapid.T, depth int) string {
	pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "text") }
	space := func() string { return pick("", "", "", " ", "\n") }
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		return pick("1", "1.0", "10e-1", "0.1E1", "2", "-0", "0", "0e9", "1.5", "15e-1", "null", "true", "false")
	case 1, 2:
		return pick(`"a"`, `"\u0061"`, `"1"`, `""`, `"é"`, `"\u00e9"`, `"\n"`, `"\u000a"`, `"[1]"`, `"\""`, `"\u0022"`, `"😀"`, `"\ud83d\ude00"`)
	case 3, 4:
		var b strings.Builder
		b.WriteString("[" + space())
		for i := range rapid.IntRange(0, 3).Draw(t, "elements") {
			if i > 0 {
				b.WriteString("," + space())
			}
			b.WriteString(drawJSON(t, depth-1) + space())
		}
		return b.String() + "]"
	}
	var b strings.Builder
	b.WriteString("{" + space())
	for i, key := range rapid.Permutation([][]string{{`"a"`, `"\u0061"`}, {`"b"`, `"\u0062"`}, {`"1"`}}).Draw(t, "keys")[:rapid.IntRange(0, 3).Draw(t, "members")] {
		if i > 0 {
			b.WriteString("," + space())
		}
		b.WriteString(pick(key...) + space() + ":" + space() + drawJSON(t, depth-1) + space())
	}
	return b.String() + "}"
}

// TestListerBySlowComparison: an array or object is listed if and only if
// encoding/json reads it as equal to a member, even if those inside it were asked
// about before, for this type or another, and if the text has moved in between.
func TestListerBySlowComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var schemas []string
		var members [2][]string
		for i := range members {
			members[i] = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return drawJSON(t, 3) }), 1, 12).Draw(t, "members")
			schemas = append(schemas, fmt.Sprintf(`"p%d":{"enum":[%s]}`, i, strings.Join(members[i], ",")))
		}
		c, err := Compile([]Tool{{Name: "t", Schema: []byte(`{"type":"object","properties":{` + strings.Join(schemas, ",") + `}}`)}})
		if err != nil {
			t.Fatal(err)
		}
		value := "[" + drawJSON(t, 4) + "]"
		if rapid.Bool().Draw(t, "listed") {
			value = rapid.SampledFrom(append(members[0], members[1]...)).Draw(t, "value")
		}
		if value[0] != '[' && value[0] != '{' {
			return
		}

		var lister Lister
		text := []byte("text before")
		var opened []int
		quoted := false
		for i := 0; i < len(value); i++ {
			c1 := value[i]
			text = append(text, c1)
			switch {
			case quoted && c1 == '\\':
				i++
				text = append(text, value[i])
			case c1 == '"':
				quoted = !quoted
			case !quoted && (c1 == '[' || c1 == '{'):
				opened = append(opened, len(text)-1)
			case !quoted && (c1 == ']' || c1 == '}'):
				from := opened[len(opened)-1]
				opened = opened[:len(opened)-1]
				if len(opened) > 0 && rapid.IntRange(0, 2).Draw(t, "asked") == 0 {
					continue
				}
				if n := rapid.IntRange(-len("text before"), 3).Draw(t, "moved"); rapid.Bool().Draw(t, "moves") {
					n = max(n, -len(text)+len(value), -from, -firstOf(opened, from))
					text = append([]byte(strings.Repeat("x", max(0, n))), text[max(0, -n):]...)
					lister.Shift(n)
					from += n
					for k := range opened {
						opened[k] += n
					}
				}
				p := rapid.IntRange(0, 1).Draw(t, "type")
				want := false
				for _, m := range members[p] {
					want = want || reflect.DeepEqual(plainly(t, m), plainly(t, string(text[from:])))
				}
				if got := lister.Lists(c.Tools()[0].Args.Fields[p].Type, text, from, len(opened) > 0); got != want {
					t.Errorf("%s in %s: %v", text[from:], members[p], got)
				}
			}
		}
		if len(lister.numbers) > 0 {
			t.Errorf("%d numbers are left", len(lister.numbers))
		}
	})
}

func firstOf(list []int, otherwise int) int {
	if len(list) > 0 {
		return list[0]
	}
	return otherwise
}

// TestListerForgets: a dropped value is read again.
func TestListerForgets(t *testing.T) {
	typ := listing(t, `[[1],2]`, `[[2],2]`, `[1]`, `[2]`)
	var l Lister
	text := []byte(`[[1]`)
	if !l.Lists(typ, text, 1, true) {
		t.Error("[1] is not listed")
	}
	l.Drop(1)
	text = append(text[:1], `[2]`...)
	if !l.Lists(typ, text, 1, true) {
		t.Error("[2] is not listed")
	}
	text = append(text, `,3]`...)
	if l.Lists(typ, text, 0, true) {
		t.Error("[[2],3] is listed")
	}
	l.Drop(0)
	if text = []byte(`[[2],2]`); !l.Lists(typ, text, 0, false) || len(l.numbers) > 0 {
		t.Errorf("[[2],2] is not listed, or %d are kept", len(l.numbers))
	}
}

// TestListerIsLinear: asking about every one of many nested arrays reads each once,
// whatever the enum lists, and a used Lister does not allocate.
func TestListerIsLinear(t *testing.T) {
	var members []string
	for n := range 100 {
		members = append(members, nest(n+1, `[`, ``, `]`), nest(n+1, `{"a":`, `1`, `}`))
	}
	typ := listing(t, members...)
	for _, deep := range []struct{ open, inner, end string }{{`[`, ``, `]`}, {`{"a":`, `1`, `}`}, {`[`, `"` + strings.Repeat("x", 500) + `"`, `]`}, {`[`, strings.Repeat("1,", 300) + `1`, `]`}} {
		steps := func(n int) int {
			var l Lister
			text := []byte(strings.Repeat(deep.open, n) + deep.inner)
			for i := n - 1; i >= 0; i-- {
				text = append(text, deep.end...)
				if got, want := l.Lists(typ, text, i*len(deep.open), i > 0), n-i <= 100 && len(deep.inner) < 2; got != want {
					t.Fatalf("%d of %s: listed %v", n-i, deep.open, got)
				}
			}
			if l.Steps > 2*len(text) {
				t.Errorf("%d bytes are read for %d", l.Steps, len(text))
			}
			return l.Steps
		}
		if once, twice := steps(500), steps(1000); twice > 2*once {
			t.Errorf("%s: %d bytes are read for depth 500, %d for 1000", deep.open, once, twice)
		}
	}
	var l Lister
	text := []byte(`{"a":{"a":{"a":1.0}}}`)
	if n := testing.AllocsPerRun(100, func() { l.Lists(typ, text, 0, false) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestManyMembers: among few literals or many, each finds itself, even if written
// differently, and nothing else.
func TestManyMembers(t *testing.T) {
	for _, n := range []int{1, manyMembers - 1, manyMembers, manyMembers + 1, 1000} {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"m%d"`, i), fmt.Sprintf(`%d.50`, i), fmt.Sprintf(`[%d,"x"]`, i), fmt.Sprintf(`{"a":%d,"b":{}}`, i))
		}
		typ := listing(t, members...)
		if len(typ.Enum) != 4*n {
			t.Fatalf("%d members, want %d", len(typ.Enum), 4*n)
		}
		if indexed := len(typ.members.index); indexed != len(typ.Enum) && len(typ.Enum) >= manyMembers {
			t.Errorf("%d of %d members are indexed", indexed, len(typ.Enum))
		}
		for i := range n + 1 {
			for k, m := range []*Member{
				typ.Member(String, fmt.Appendf(nil, `m%d`, i)), typ.Member(Number, fmt.Appendf(nil, `%d.5e0`, i)),
				typ.Member(Array, fmt.Appendf(nil, `[%d.0, "\u0078"]`, i)), typ.Member(Object, fmt.Appendf(nil, `{"b":{},"a":%de0}`, i)),
			} {
				if i < n && m != &typ.Enum[4*i+k] || i == n && m != nil {
					t.Errorf("%d members: number %d of kind %d is %v", 4*n, i, k, m)
				}
			}
		}
		if typ.Member(Null, []byte("null")) != nil || typ.Member(Boolean, []byte("true")) != nil || typ.Member(Array, []byte(`[0,"x",1]`)) != nil || typ.Member(Array, []byte(`{"a":0,"b":{}}`)) != nil {
			t.Error("found a literal that is not a member")
		}
	}
}
