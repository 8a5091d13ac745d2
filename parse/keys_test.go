package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// TestOwnKeys: with repairs, a format with its own keys in the envelope reads what it writes, and
// only what is wrong in a call is repaired.
func TestOwnKeys(t *testing.T) {
	catalog, err := sig.Compile(`[{"name": "t", "inputSchema": {"properties": {
		"s": {"type": "string"}, "i": {"type": "integer"}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, nameKey := range []string{"tool", "fn"} {
		f := *protocol.Hermes
		f.Name = "own"
		f.NameKeys, f.ArgumentKeys, f.IDKeys = []string{nameKey}, []string{"input"}, []string{"cid"}
		read := func(text string) string {
			t.Helper()
			o := &parse.Options{Format: &f, Repair: true}
			segments, err := parse.Message(catalog, text, o)
			if err != nil || len(segments) != 1 || segments[0].Call == nil {
				t.Fatalf("%s: %+v, %v", text, segments, err)
			}
			c := segments[0].Call
			return fmt.Sprint(c.ID, " ", string(c.Input), c.Issues)
		}
		for input, issues := range map[string]string{
			`{"s":"x"}`: "[]",
			`{"i":"5"}`: "[type-mismatch at byte %d, argument i]",
			`{"i":"y"}`: "[type-mismatch at byte %d, argument i]",
		} {
			o := &parse.FormatOptions{Format: &f, Repair: true}
			text, err := parse.FormatCall(catalog, "t", []byte(input), o)
			if err != nil {
				t.Fatal(input, err)
			}
			want := "call-1 " + input + issues
			if issues != "[]" {
				want = fmt.Sprintf(want, len("<tool_call>\n{``: `t`, `input`: {`i`: ")+len(nameKey))
			}
			if got := read(text); got != want {
				t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
			}
		}
		head := `<tool_call>{"cid": "c", "id": "d", "` + nameKey + `": "t", "input": `
		text := head + `{"i": 5,}}</tool_call>`
		after := len(head + `{"i": 5,`)
		want := fmt.Sprintf(`c {"i":5}[repaired (trailing-commas) at byte %d]`, after)
		if got := read(text); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// TestRepeatedKeys: a key that occurs twice in an object is a fault at the second one, however many
// keys lie between, and the same key in the next object is none.
func TestRepeatedKeys(t *testing.T) {
	forms := map[string]func(keys []string) (text string, at int){
		"arguments": func(keys []string) (string, int) {
			head := "<call>t " + strings.Join(keys, "=1 ")
			return head + "=1</call>", len(head) - len(keys[len(keys)-1])
		},
		"object": func(keys []string) (string, int) {
			head := `<call>t {"` + strings.Join(keys, `":1,"`)
			return head + `":1}</call>`, len(head) - len(keys[len(keys)-1]) - 1
		},
		"second object": func(keys []string) (string, int) {
			first := strings.Join(keys[:len(keys)-1], ":{b:1},")
			head := "<call>t a=[{" + first + ":1},{" + strings.Join(keys, ":1,")
			return head + ":1}]</call>", len(head) - len(keys[len(keys)-1])
		},
	}
	for name, form := range forms {
		for _, n := range []int{2, 12, 13, 14, 65, 200} {
			var keys []string
			for i := range n {
				keys = append(keys, fmt.Sprint("k", i))
			}
			for i := range n + 1 {
				text, at := form(append(keys, fmt.Sprint("k", i)))
				segments, err := parse.Message(sig.AnyTool, text, nil)
				if err != nil || len(segments) != 1 {
					t.Fatalf("%s: %+v, %v", text, segments, err)
				}
				fault, isNew := segments[0].Err, i == n
				isRight := fault == nil && isNew || fault != nil && !isNew &&
					fault.Code == lexer.DuplicateKey && fault.Offset == at
				if !isRight {
					t.Errorf("%s, %d keys and %d again at %d: %v", name, n, i, at, fault)
				}
			}
		}
	}
}
