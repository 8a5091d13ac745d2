package parse_test

import (
	"fmt"
	"testing"

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
		want := fmt.Sprintf(`c {"i":5}[repaired at byte %d, argument trailing-commas]`, after)
		if got := read(text); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}
