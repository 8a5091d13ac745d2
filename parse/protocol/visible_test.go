package protocol_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

const visibleTools = `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}},"c":{"type":"object","properties":{"k":{"type":"string"}}}}}}]`

// TestFormatVisible: under Visible, JSON strings and elements write what hides as an
// escape, which reads back to the same arguments.
func TestFormatVisible(t *testing.T) {
	catalog, err := sig.Compile(visibleTools)
	if err != nil {
		t.Fatal(err)
	}
	const input = `{"a":"x\u202ey\u2028z\udb40\udc41<b>é\u200d\nw","b":["\u202e","\u0085"]}`
	for _, c := range []struct {
		p    protocol.Protocol
		want string
	}{
		{protocol.Hermes, `"x\u202ey\u2028z\udb40\udc41<b>é` + "\u200d" + `\nw"`},
		{protocol.MorphXML, "<a>x&#x202e;y&#x2028;z&#xe0041;&lt;b&gt;é\u200d\nw</a>"},
		{yaml.XML, `"x\u202ey\u2028z\U000e0041<b>é` + "\u200d" + `\nw"`},
		{protocol.Qwen3Coder, `["\u202e", "\u0085"]`}, // a string has no escapes there
	} {
		call, err := parse.FormatOptions{Protocol: c.p, Visible: true}.Format(catalog, "t", []byte(input))
		if err != nil || !strings.Contains(call, c.want) {
			t.Errorf("%+q, %v, want %+q in it", call, err, c.want)
		}
		segs := parse.Options{Protocol: c.p}.Text(call, catalog)
		i := slices.IndexFunc(segs, func(s parse.Segment) bool { return s.Kind == parse.Call })
		if i < 0 {
			t.Errorf("%+q reads as %+v", call, segs)
			continue
		}
		var got, want any
		if err := json.Unmarshal(segs[i].Input, &got); err != nil {
			t.Error(err)
		}
		if err := json.Unmarshal([]byte(input), &want); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+q: %s", call, diff)
		}
	}
}

// Whatever the arguments, a call under Visible hides nothing, and none is refused that is
// written otherwise.
func TestVisibleWhatever(t *testing.T) {
	catalog, err := sig.Compile(visibleTools)
	if err != nil {
		t.Fatal(err)
	}
	pieces := []string{"a", "\u202e", "\u2028", "\u0085", "\x1b", "\r", "\x00", "\n", "&", "&#x202e;", "<", "</a>", "</tool_call>", `\`, `"`, `\u202e`, "\U000e0041", " ", "é", "1", "[", "}"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 5), func(p []string) string { return strings.Join(p, "") })
		input, err := json.Marshal(map[string]any{"a": text.Draw(t, "a"), "b": []string{text.Draw(t, "b")}, "c": map[string]string{"k": text.Draw(t, "c")}})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []protocol.Protocol{protocol.Hermes, protocol.GemmaFence, protocol.MorphXML, yaml.XML} {
			call, err := parse.FormatOptions{Protocol: p, Visible: true}.Format(catalog, "t", input)
			if _, plain := (parse.FormatOptions{Protocol: p}).Format(catalog, "t", input); (err == nil) != (plain == nil) {
				t.Errorf("%s: %v, otherwise %v", input, err, plain)
			}
			if i := strings.IndexFunc(call, func(r rune) bool { return r != '\n' && r != '\t' && sig.Invisible(r) }); i >= 0 {
				t.Errorf("%+q hides something at %d", call, i)
			}
		}
	})
}
