package parse_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Under Visible, what hides is written as an escape, in quotes and brackets and in JSON
// where a key hides.
func TestFormatVisible(t *testing.T) {
	for _, c := range []struct{ input, want, visible string }{
		{`{"a":"x\u202ey"}`, "<call>t a=x\u202ey</call>", `<call>t a="x\u202ey"</call>`},
		{`{"a":"x \u0085y'"}`, "<call>t a=\"x \u0085y'\"</call>", `<call>t a="x \u0085y'"</call>`},
		{`{"a":"\"\u2028\""}`, "<call>t a='\"\u2028\"'</call>", `<call>t a='"\u2028"'</call>`},
		{`{"a":["\u200b",{"k\u2066":"\udb40\udc41"}]}`, "<call>t a=[\"\u200b\",{\"k\u2066\":\"\U000e0041\"}]</call>", `<call>t a=["\u200b",{"k\u2066":"\udb40\udc41"}]</call>`},
		{`{"a":{"k\u2066":1}}`, "<call>t a.k\u2066=1</call>", `<call>t {"a":{"k\u2066":1}}</call>`},
		{`{"a":"é\u200d日"}`, "<call>t a=é\u200d日</call>", "<call>t a=é\u200d日</call>"},
		{`{"a":"x\ny"}`, `<call>t a="x\ny"</call>`, `<call>t a="x\ny"</call>`},
	} {
		for _, visible := range []bool{false, true} {
			want := c.want
			if visible {
				want = c.visible
			}
			got, err := parse.FormatOptions{Visible: visible}.Format(nil, "t", []byte(c.input))
			if err != nil || got != want {
				t.Errorf("%s, visible %v: got %q, %v, want %q", c.input, visible, got, err, want)
			}
		}
	}
}

// A name has no escapes: under Visible, one that hides something is refused.
func TestFormatVisibleName(t *testing.T) {
	for _, name := range []string{"t\u202e", "t\u0085z", "t\U000e0041", "t\ufeff"} {
		if _, err := (parse.FormatOptions{}).Format(nil, name, []byte("{}")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		got, err := parse.FormatOptions{Visible: true}.Format(nil, name, []byte("{}"))
		if fault := new(lexer.Error); !errors.As(err, &fault) || fault.Code != lexer.BadName || fault.Offset != 0 {
			t.Errorf("%q: got %q, %v", name, got, err)
		}
	}
}

// Whatever the arguments, the tags and the schema, a call under Visible hides nothing and
// reads back to the same JSON.
func TestVisibleReadsBack(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"properties":{"a":{"type":"string"},"b":{"enum":["x\u202e",1]},"k\u2066":{"type":"array"}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	pieces := []string{"a", "\u202e", "\u2028", "\u0085", "\x1b", "\u00ad", "\U000e0041", "'", `"`, `\`, "<call>", "((", "u202e", " ", "é", "1"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(t, "pieces"), "")
		})
		input, err := json.Marshal(map[string]any{
			"a": text.Draw(t, "a"), "b": text.Draw(t, "b"), "k\u2066": []string{text.Draw(t, "item")}, "k" + text.Draw(t, "key"): map[string]string{"x" + text.Draw(t, "inner"): text.Draw(t, "c")},
		})
		if err != nil {
			t.Fatal(err)
		}
		o := parse.FormatOptions{Visible: true, Salvage: rapid.Bool().Draw(t, "salvage"), Delims: rapid.SampledFrom([]lexer.Delims{{}, {Open: "((", Close: "))"}, {Open: `<\u202e`, Close: `</x>`}}).Draw(t, "delims")}
		call, err := o.Format(catalog, "t", input)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(call, sig.Invisible) {
			t.Errorf("%q hides something", call)
		}
		segs := parse.Options{Delims: o.Delims}.Text(call, catalog)
		var got, want any
		if len(segs) != 1 || json.Unmarshal(segs[0].Input, &got) != nil {
			t.Fatalf("%q reads as %+v", call, segs)
		}
		json.Unmarshal(input, &want) // it was written just now
		if a, b := mustJSON(got), mustJSON(want); a != b {
			t.Errorf("%q reads as %s, want %s", call, a, b)
		}
	})
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
