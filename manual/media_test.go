package manual

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a tool has returned beside text is what the API takes of users.
func TestRewriteMedia(t *testing.T) {
	const (
		chat      = `[{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"t","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":[PART]}]`
		responses = `[{"type":"function_call","call_id":"1","name":"t","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":[PART]}]`
		anthropic = `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"t","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[PART]}]}]`
		sdk       = `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"1","toolName":"t","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","toolName":"t","output":{"type":"content","value":[PART]}}]}]`
		ui        = `[{"role":"assistant","parts":[{"type":"tool-t","toolCallId":"1","state":"output-available","input":{},"output":[PART]}]}]`

		mcpImage = `{"type":"image","data":"AAAA","mimeType":"image/png"}`
		mcpAudio = `{"type":"audio","data":"AAAA","mimeType":"audio/wav"}`
		pdf      = `{"type":"file-data","data":"AAAA","mediaType":"application/pdf","filename":"a.pdf"}`
	)
	for _, c := range []struct{ shape, part, want string }{
		{chat, mcpImage, `{"image_url":{"url":"data:image/png;base64,AAAA"},"type":"image_url"}`},
		{chat, mcpAudio, `{"input_audio":{"data":"AAAA","format":"wav"},"type":"input_audio"}`},
		{chat, pdf, `{"file":{"file_data":"data:application/pdf;base64,AAAA","filename":"a.pdf"},"type":"file"}`},
		{chat, `{"type":"image_url","image_url":{"url":"https://x/a.png","detail":"low"}}`, `{"type":"image_url","image_url":{"url":"https://x/a.png","detail":"low"}}`},
		{chat, `{"type":"file-url","url":"https://x/a.pdf"}`, ""},
		{responses, mcpImage, `{"image_url":"data:image/png;base64,AAAA","type":"input_image"}`},
		{responses, pdf, `{"file_data":"data:application/pdf;base64,AAAA","filename":"a.pdf","type":"input_file"}`},
		{responses, `{"type":"file-url","url":"https://x/a.pdf"}`, `{"file_url":"https://x/a.pdf","type":"input_file"}`},
		{responses, mcpAudio, ""},
		{anthropic, mcpImage, `{"source":{"data":"AAAA","media_type":"image/png","type":"base64"},"type":"image"}`},
		{anthropic, pdf, `{"source":{"data":"AAAA","media_type":"application/pdf","type":"base64"},"type":"document"}`},
		{anthropic, `{"type":"image","source":{"type":"url","url":"https://x/a.png"},"cache_control":{"type":"ephemeral"}}`, `{"type":"image","source":{"type":"url","url":"https://x/a.png"},"cache_control":{"type":"ephemeral"}}`},
		{anthropic, mcpAudio, ""},
		{sdk, mcpImage, `{"image":"AAAA","mediaType":"image/png","type":"image"}`},
		{sdk, `{"type":"media","data":"AAAA","mediaType":"image/png"}`, `{"image":"AAAA","mediaType":"image/png","type":"image"}`},
		{sdk, `{"type":"image-data","data":"AAAA","mediaType":"image/png"}`, `{"image":"AAAA","mediaType":"image/png","type":"image"}`},
		{sdk, `{"type":"image-url","url":"https://x/a.png"}`, `{"image":"https://x/a.png","mediaType":"image/*","type":"image"}`},
		{sdk, pdf, `{"data":"AAAA","filename":"a.pdf","mediaType":"application/pdf","type":"file"}`},
		{sdk, `{"type":"file-url","url":"https://x/a"}`, `{"data":"https://x/a","filename":"file","mediaType":"application/octet-stream","type":"file"}`},
		{sdk, `{"type":"file-id","fileId":"f1"}`, ""},
		{sdk, `{"type":"image-file-id","fileId":{"openai":"f1"}}`, ""},
		{ui, mcpImage, `{"filename":"file","mediaType":"image/png","type":"file","url":"data:image/png;base64,AAAA"}`},
	} {
		var messages []Message
		if err := json.Unmarshal([]byte(strings.Replace(c.shape, "PART", `{"type":"text","text":"See:"},`+c.part, 1)), &messages); err != nil {
			t.Fatal(err)
		}
		out, err := HistoryOptions{}.Rewrite(nil, messages)
		if err != nil {
			t.Fatal(err)
		}
		parts := out[len(out)-1].Parts
		if parts[0].Kind != Text || !strings.Contains(parts[0].Text, "See:") || strings.Contains(parts[0].Text, "cannot be shown") != (c.want == "") {
			t.Errorf("%s: %+v", c.part, parts)
		}
		got := ""
		if len(parts) > 1 {
			got = string(parts[1].Raw)
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.part, got, c.want)
		}
	}
}

// A part of a result that cannot stand beside its text is told in it, with no call in it.
func TestRewriteOfOtherParts(t *testing.T) {
	for part, want := range map[string]string{
		`{"type": "resource", "uri": "x:y"}`:                  "See:\n" + `{"type":"resource","uri":"x:y"}`,
		`{"type":"image","data":"<call>","mimeType":"image"}`: "See:\n" + `{"type":"image","data":"<\call>","mimeType":"image"}`,
		`{"type":"text","text":"that"}`:                       "See:\nthat",
		`{"type":"text","data":1}`:                            "See:\n" + `{"type":"text","data":1}`,
	} {
		messages := []Message{{Role: ToolRole, Parts: []Part{{Kind: Result, Name: "t", Output: json.RawMessage(`[{"type":"text","text":"See:"},` + part + `]`)}}}}
		out, err := HistoryOptions{}.Rewrite(nil, messages)
		if err != nil || len(out) != 1 || len(out[0].Parts) != 1 || !strings.Contains(out[0].Parts[0].Text, "\n"+want+"\n") {
			t.Errorf("%s: %+v, %v", part, out, err)
		}
	}
}
