package sig

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMembers(t *testing.T) {
	got, _ := compileProperty(t, `{"enum":["a\u00e9\"","1",1.0,-2.50,true,null,{"k" : [1, 2]},[ ]]}`)
	for i, want := range []struct {
		Kind Kinds
		JSON []byte
		Text string
	}{
		{String, []byte(`"a\u00e9\""`), `aé"`},
		{String, []byte(`"1"`), `1`},
		{Integer, []byte(`1.0`), `1.0`},
		{Number, []byte(`-2.50`), `-2.50`},
		{Boolean, []byte(`true`), `true`},
		{Null, []byte(`null`), `null`},
		{Object, []byte(`{"k":[1,2]}`), `{"k":[1,2]}`},
		{Array, []byte(`[]`), `[]`},
	} {
		m := got.Enum[i]
		if m.Kind != want.Kind || string(m.JSON) != string(want.JSON) || m.Text != want.Text {
			t.Errorf("%d: %v %s %q", i, m.Kind, m.JSON, m.Text)
		}
	}
	for _, c := range []struct {
		kind Kinds
		text string
		want int // index, -1 for none
	}{
		{String, `aé"`, 0}, {String, `b`, -1}, {String, `1`, 1}, {String, `1.0`, -1},
		{Integer, `1`, 2}, {Number, `1`, 2}, {Integer, `10e-1`, 2}, {Integer, `2`, -1}, {Number, `-25E-1`, 3},
		{Boolean, `true`, 4}, {Boolean, `false`, -1}, {Null, `null`, 5}, {String, `null`, -1},
		{Object, `{"k":[1,2]}`, 6}, {Array, `[]`, 7}, {Object, `[]`, -1}, {Array, `{"k":[1,2]}`, -1},
		{Object, ` { "\u006b" : [ 1.0 , 20e-1 ] } `, 6}, {Object, `{"\u006b":[1,2]}`, 6}, {Object, `{"k":[2,1]}`, -1}, {Object, `{"k":[1,2],"l":1}`, -1},
		// Text that is not JSON is not a member.
		{Number, ``, -1}, {Number, `-`, -1}, {Integer, `1.`, -1}, {Array, ``, -1}, {Array, `[`, -1}, {Array, `]`, -1}, {Array, `1`, -1}, {Object, `1`, -1}, {Object, `{"`, -1}, {Object, `{"\`, -1}, {Array, `[é]`, -1}, {Array, `[[]]`, -1}, {Object, `{}`, -1},
	} {
		m := got.Member(c.kind, []byte(c.text))
		if c.want < 0 && m != nil || c.want >= 0 && m != &got.Enum[c.want] {
			t.Errorf("%v %s: got %v", c.kind, c.text, m)
		}
	}
	if (*Type)(nil).Member(String, []byte("a")) != nil {
		t.Error("a nil type has a member")
	}
	text := []byte("10e-1")
	if n := testing.AllocsPerRun(100, func() { got.Member(Integer, text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
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

// An array or object is a member of an enum exactly if it equals one of its values.
func TestMembersByValue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		listed, text := "["+drawJSON(rt, 3)+"]", "["+drawJSON(rt, 3)+"]"
		typ, _ := compileProperty(t, `{"enum":[`+listed+`]}`)
		same := reflect.DeepEqual(plainly(rt, listed), plainly(rt, text))
		if got := typ.Member(Array, []byte(text)) != nil; got != same {
			rt.Fatalf("%s in [%s]: %t", text, listed, got)
		}
	})
}
