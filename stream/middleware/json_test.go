package middleware

import (
	"encoding/json"
	"strings"
	"testing"
)

// samples are JSON texts, those of objects among them with odd members.
var samples = []string{
	`{}`, ` { } `, `{"a":1}`, "{\n \"a\" : [1 , {\"b\":\"}]\\\"\"}] ,\"\\u0061b\":null , \"c\":\"\\\\\" }", `{"a":{},"a":[]}`,
	`[]`, ` [ 1 , "x,]" , [ [] ] , {"a":[]} ] `, `[true,false,null,-1.5e3,""]`, `1`, `"x"`, `null`,
}

// TestMembers holds reading and writing of members to encoding/json.
func TestMembers(t *testing.T) {
	for _, text := range samples {
		o := readObject(nil, []byte(text))
		var want map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &want); err != nil || want == nil {
			if o != nil {
				t.Errorf("%q is no object: %v", text, o)
			}
		} else {
			if o == nil {
				t.Errorf("%q: nothing", text)
			}
			for key, value := range want {
				if got := o.get(key); string(got) != string(value) {
					t.Errorf("%q: %q is %q, want %q", text, key, got, value)
				}
			}
			var again map[string]json.RawMessage
			if err := json.Unmarshal(o.appendTo(nil), &again); err != nil || len(again) != len(want) {
				t.Errorf("%q is written %s: %v", text, o.appendTo(nil), err)
			}
		}
		a := readArray(nil, []byte(text))
		var list []json.RawMessage
		if err := json.Unmarshal([]byte(text), &list); err != nil || list == nil {
			if a != nil {
				t.Errorf("%q is no array: %q", text, a)
			}
			continue
		}
		if len(a) != len(list) {
			t.Fatalf("%q: %q", text, a)
		}
		for i := range a {
			if string(a[i]) != string(list[i]) {
				t.Errorf("%q: element %d is %q", text, i, a[i])
			}
		}
		if err := json.Unmarshal(appendArray(nil, a), &list); err != nil || len(list) != len(a) {
			t.Errorf("%q is written %s: %v", text, appendArray(nil, a), err)
		}
	}
}

func TestSetAndWithout(t *testing.T) {
	o := readObject(nil, []byte(`{"a":1,"b":2,"a":3}`))
	if got := string(o.set("a", []byte("4")).appendTo(nil)); got != `{"a":1,"b":2,"a":4}` {
		t.Errorf("set: %s", got)
	}
	if got := string(o.without("a").set("c", []byte("5")).appendTo(nil)); got != `{"b":2,"c":5}` {
		t.Errorf("without: %s", got)
	}
	if len(o) != 3 {
		t.Error("without changed its object")
	}
}

// TestStrings holds quoting and unquoting to encoding/json, for what that does
// not change.
func TestStrings(t *testing.T) {
	for _, text := range []string{"", "a", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é😀\u2028<>&", strings.Repeat("x\n", 50)} {
		q := quoted(text)
		var got string
		if err := json.Unmarshal(q, &got); err != nil || got != text {
			t.Errorf("%q is quoted %s: %v", text, q, err)
		}
		if got := appendUnquoted(nil, q); string(got) != text {
			t.Errorf("%s is unquoted %q", q, got)
		}
		std, _ := json.Marshal(text)
		if got := appendUnquoted(nil, std); string(got) != text {
			t.Errorf("%s is unquoted %q", std, got)
		}
	}
	if got := string(quoted("<é>\xff")); got != "\"<é>\xff\"" {
		t.Errorf("bytes are not kept: %q", got)
	}
	for quoted, want := range map[string]string{
		`"\ud83d\ude00"`: "😀", `"\uD83D"`: "\ufffd", `"\ude00x"`: "\ufffdx", `"\ud83d\u0041"`: "\ufffdA", `"\ud83d\ud83d\ude00"`: "\ufffd😀", `"\/"`: "/",
	} {
		if got := appendUnquoted(nil, []byte(quoted)); string(got) != want {
			t.Errorf("%s is unquoted %q, want %q", quoted, got, want)
		}
	}
}

func TestHighSurrogate(t *testing.T) {
	for quoted, want := range map[string]string{
		`"\ud83d"`: `\ud83d`, `"x\uDBFF"`: `\uDBFF`, `"\\ud83d"`: "", `"\\\ud83d"`: `\ud83d`, `"\ude00"`: "", `"\ud83d\ude00"`: "", `"ud83d"`: "", `""`: "", `"\u00e9"`: "", `"\ud83dx"`: "", `"\udxyz"`: "",
	} {
		if got := highSurrogate([]byte(quoted)); string(got) != want {
			t.Errorf("%s: %q, want %q", quoted, got, want)
		}
	}
}
