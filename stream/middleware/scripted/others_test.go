package scripted

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	geminiPath = "/v1beta/models/m:generateContent"
	ollamaPath = "/api/chat"
)

// TestOthers reads what Gemini and Ollama answer, streamed in all shapes and whole.
func TestOthers(t *testing.T) {
	type answer struct {
		Candidates []struct {
			Content struct {
				Parts []struct {
					Text    string
					Thought bool
				}
				Role string
			}
			FinishReason string
		}
		UsageMetadata struct{ TotalTokenCount int }
		Message       struct{ Role, Content, Thinking string }
		Done          bool
		DoneReason    string `json:"done_reason"`
		Count         int    `json:"eval_count"`
	}
	for _, shape := range append([]Shape{{Write: 1 << 20}}, shapes...) {
		for path, body := range map[string]string{
			geminiPath: "{}", strings.Replace(geminiPath, ":g", ":streamG", 1) + "?alt=sse": "{}",
			ollamaPath: "{}", ollamaPath + "?": `{"stream":false}`,
		} {
			m := &Model{Replies: []Reply{{Text: text, Reasoning: "Hm, 7."}}, Shape: shape}
			got, out := post(t, m, "http://model"+path, body)
			var chunks []string
			switch kind := got.Header.Get("Content-Type"); kind {
			case "application/x-ndjson":
				chunks = slices.Collect(strings.Lines(out))
			case "application/json":
				chunks = []string{out}
			default:
				chunks = dataOf(out)
			}
			said, thought, end := "", "", ""
			for _, c := range chunks {
				var a answer
				if err := json.Unmarshal([]byte(c), &a); err != nil {
					t.Fatalf("%s: %v in %q", path, err, c)
				}
				said, thought = said+a.Message.Content, thought+a.Message.Thinking
				for _, candidate := range a.Candidates {
					for _, p := range candidate.Content.Parts {
						if p.Thought {
							thought += p.Text
						} else {
							said += p.Text
						}
					}
					if end += candidate.FinishReason; candidate.Content.Role != "model" || a.UsageMetadata.TotalTokenCount == 0 {
						t.Errorf("%s: %s", path, c)
					}
				}
				if a.Done {
					end += fmt.Sprint(a.DoneReason, a.Count)
				}
			}
			want := "stop14"
			if strings.HasPrefix(path, "/v1beta") {
				want = "STOP"
			}
			if said != text || thought != "Hm, 7." || end != want {
				t.Errorf("%s, %+v: %q, %q, %q", path, shape, said, thought, end)
			}
		}
	}
	r := Request{Path: geminiPath, Body: []byte(`{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"text":"Yes"}]}]}`)}
	if got := r.Turns(); !slices.Equal(got, []Turn{{"system", "Be brief."}, {"user", "Hi"}, {"assistant", "Yes"}}) {
		t.Errorf("%q", got)
	}
}
