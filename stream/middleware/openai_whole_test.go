package middleware

import (
	"encoding/json"
	"strings"
	"testing"
)

// wholeReply is what a client makes of a completion.
type wholeReply struct {
	ID      string
	Choices []struct {
		Message struct {
			Content   *string
			ToolCalls []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
}

func readWhole(t *testing.T, body string) wholeReply {
	t.Helper()
	var r wholeReply
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return r
}

func TestCompletion(t *testing.T) {
	u := &upstream{replies: []string{completion("stop", `Look: <call>getWeather location="a<b"</call><call>getWeather location=Rome</call>`)}}
	out := u.post(t, Options{}, chat, weatherRequest)
	want := `{"id":"chatcmpl-7","object":"chat.completion","created":1712345678,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"Look: ","refusal":null,"tool_calls":[` +
		`{"id":"ID0","type":"function","function":{"name":"getWeather","arguments":"{\"location\":\"a<b\"}"}},{"id":"ID1","type":"function","function":{"name":"getWeather","arguments":"{\"location\":\"Rome\"}"}}]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}}`
	for i, c := range readWhole(t, out).Choices[0].Message.ToolCalls {
		want = strings.Replace(want, "ID"+string(rune('0'+i)), c.ID, 1)
	}
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// TestCompletionsThatStay come out byte for byte.
func TestCompletionsThatStay(t *testing.T) {
	for _, body := range []string{
		completion("stop", "no <b> call"), " " + completion("stop", "x"),
		`{"choices":[{"message":{"content":null,"tool_calls":[]}}]}`, `{"choices":[]}`, `{"error":"<call>getWeather</call>"}`,
		`{"choices":[{"message":{"content":"x","reasoning_content":"<call>getWeather</call>"},"finish_reason":"stop"}]}`,
	} {
		u := &upstream{replies: []string{body}, kind: "application/json"}
		if got := u.post(t, Options{}, chat, weatherRequest); got != body {
			t.Errorf("got %s for %s", got, body)
		}
	}
}
