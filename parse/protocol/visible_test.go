package protocol_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// TestFormatVisible: under Visible, JSON strings and elements write what hides as an
// escape, which reads back to the same arguments.
func TestFormatVisible(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}}}}}]`)
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
