package manual

import (
	"encoding/json"
	"strings"
	"testing"
)

// A part of a result that cannot stand beside its text is told in it, with no call in it.
func TestRewriteOfOtherParts(t *testing.T) {
	for part, want := range map[string]string{
		`{"type": "resource", "uri": "x:y"}`:                  "See:\n" + `{"type":"resource","uri":"x:y"}`,
		`{"type":"image","data":"<call>","mimeType":"image"}`: "See:\n" + `{"type":"image","data":"<\call>","mimeType":"image"}`,
		`{"type":"text","text":"that"}`:                       "See:\nthat",
		`{"type":"text","data":1}`:                            "See:\n" + `{"type":"text","data":1}`,
	} {
		messages := []Message{{Role: ToolRole, Parts: []Part{{Kind: Result, Name: "t", Output: json.RawMessage(`[{"type":"text","text":"See:"},` + part + `]`)}}}}
		out, err := rewrite(Options{KeepUserText: true}, nil, messages)
		if err != nil || len(out) != 1 || len(out[0].Parts) != 1 || !strings.Contains(out[0].Parts[0].Text, "\n"+want+"\n") {
			t.Errorf("%s: %+v, %v", part, out, err)
		}
	}
}
