package rawjson

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const sample = ` { "role" : "us\u0065r","n":-1.50e3,"list":[1, {"a":"]}\""} ,null,[]],` +
	`"o":{"x":{}},"k\"ey":true,"role":"tool","empty":{},"text":"\ud83d\ude00\ud83d" } `

func TestParseObject(t *testing.T) {
	o := ParseObject([]byte(sample))
	keys := make([]string, len(o))
	for i, m := range o {
		keys[i] = m.Key
		if !json.Valid(m.Value) {
			t.Errorf("%s: %s", m.Key, m.Value)
		}
	}
	want := []string{"role", "n", "list", "o", `k"ey`, "role", "empty", "text"}
	if !slices.Equal(keys, want) {
		t.Errorf("keys %q, want %q", keys, want)
	}
	if o.Text("role") != "tool" || o.ID("n") != "-1.50e3" || o.Text("text") != "😀�" {
		t.Errorf("role %q, n %q, text %q", o.Text("role"), o.ID("n"), o.Text("text"))
	}
	if list := o.Array("list"); len(list) != 4 || string(list[1]) != `{"a":"]}\""}` {
		t.Errorf("list %q", list)
	}
	var a, b any
	again := o.Append(nil)
	if json.Unmarshal([]byte(sample), &a) != nil || json.Unmarshal(again, &b) != nil {
		t.Errorf("written as %s", again)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("written as %s, want %s", y, x)
	}
}

func TestEdit(t *testing.T) {
	o := ParseObject([]byte(`{"a":1,"b":2}`))
	if got := string(o.Without("a").Set("c",
		Quote("x<y")).Append(nil)); got != `{"b":2,"c":"x<y"}` {
		t.Error(got)
	}
	if got := string(o.Set("b", []byte("3")).Append(nil)); got != `{"a":1,"b":3}` {
		t.Error(got)
	}
	if !o.Only("a", "b") || o.Only("a") || !o.Has("a") || o.Has("c") || o.First("c", "b") == nil {
		t.Error(o)
	}
}

// Values of other kinds are neither objects nor arrays.
func TestOtherKinds(t *testing.T) {
	for _, text := range []string{"", " ", "1", `"{}"`, "null", "{", "[", `{"a"`, `{"a":`, `[1`,
		`{"a":1`} {
		if o, list := ParseObject([]byte(text)), ParseArray([]byte(text)); o != nil || list != nil {
			t.Errorf("%q: %v, %q", text, o, list)
		}
	}
	if ParseObject([]byte(" {} ")) == nil || ParseArray([]byte(" [] ")) == nil {
		t.Error("empty values are missing")
	}
}

func FuzzParse(f *testing.F) {
	for i := range len(sample) {
		f.Add([]byte(sample[:i]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, list := ParseObject(data), ParseArray(data)
		for _, m := range o {
			Text(m.Value)
		}
		if !json.Valid(data) {
			return
		}
		read, ok := AppendValid(nil, data)
		if !ok || (read == nil) != (o == nil) || string(read.Append(nil)) != string(o.Append(nil)) {
			t.Errorf("%q, %t, want %q", read, ok, o)
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(data, &members) == nil && members != nil {
			for key, value := range members {
				isExact := !strings.ContainsRune(key, utf8.RuneError) // others are replaced
				if got := o.Get(key); isExact && string(got) != string(value) {
					t.Errorf("%s: %s, want %s", key, got, value)
				}
			}
		}
		var elements []json.RawMessage
		if json.Unmarshal(data, &elements) == nil && len(elements) != len(list) {
			t.Errorf("%d elements, want %d", len(list), len(elements))
		}
	})
}

// FuzzValid: Valid agrees with encoding/json.
func FuzzValid(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-0.5e+3,"b\u00e9\n",null,true,false,{}],"":[]}`, ` [ ] `, ``, ` `, `{`, `[1,]`,
		`{"a"}`, `{"a":}`, `{"a":1,}`,
		`{a:1}`, `"\u00g0"`, `"\x"`, "\"\n\"", `"`, `01`, `1.`, `nul`, `[1 2]`, `{"a" : 1 }x`,
		"\"\xff\"", `[}`, `{]`,
		strings.Repeat("[", 10_001), strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := Valid(data); got != json.Valid(data) {
			t.Errorf("%.100q: %t", data, got)
		}
	})
}
