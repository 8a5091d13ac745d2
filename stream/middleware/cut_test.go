package middleware

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestCut: what is cut in one scan is what encoding/json finds valid, and what reading
// it again finds in it.
func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	bits := []string{`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"messages"`, `"`, `\`, `\u00e9`, `\ud800`, `\n`, `\x`, "\n", " ", "é", "\xff", "\x01", `1`, `-0`, `01`, `1.5e3`, `1.`, `true`, `nul`, `null`}
	valid := 0
	check := func(text string) {
		data := []byte(text)
		r, ok := cutRequest(data, "messages")
		if ok != validObject(data) {
			t.Fatalf("%q: cut %v", text, ok)
		}
		o, also := cutObject(nil, data)
		if also != ok {
			t.Fatalf("%q: cut as an object %v", text, also)
		}
		if !ok {
			return
		}
		valid++
		read := readObject(nil, data)
		var messages [][]byte
		for _, m := range read {
			if m.key == "messages" && messages == nil {
				messages = readArrayOf(m.value)
			}
		}
		if len(read) != len(r.body) || len(read) > 0 && (!reflect.DeepEqual(read, r.body) || !reflect.DeepEqual(read, o)) || !reflect.DeepEqual(messages, r.messages) && len(messages)+len(r.messages) > 0 {
			t.Fatalf("%q: %q and %q, not %q and %q", text, r.body, r.messages, read, messages)
		}
		for i, want := range readObjects(messages) {
			if (want == nil) != (r.objects[i] == nil) || len(want) > 0 && !reflect.DeepEqual(want, r.objects[i]) {
				t.Fatalf("%q: message %d is %q, not %q", text, i, r.objects[i], want)
			}
		}
	}
	seeds := []string{
		`{"a":1,"messages":[{"role":"user","content":"x \"y\" \u00e9"},{},"s",[1,{"a":[]}],null],"b":{"c":[true,false,-1.5e+3]}}`,
		` { "messages" : [ ] , "messages" : [ { "a" : 1 } ] } `, `{"messages":[1],"messages":"x"}`, `{}`, `{"mess\u0061ges":[1]}`,
	}
	for _, seed := range seeds {
		check(seed)
		for range 20000 {
			i := rng.IntN(len(seed) + 1)
			j := min(len(seed), i+rng.IntN(4))
			text := seed[:i] + seed[j:]
			if rng.IntN(4) > 0 {
				text = seed[:i] + bits[rng.IntN(len(bits))] + seed[j:]
			}
			check(text)
		}
	}
	for _, depth := range []int{9999, 10000, 10001} {
		check(`{"messages":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`)
		check(strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth))
	}
	if valid < 5000 {
		t.Errorf("%d valid texts", valid)
	}
}
