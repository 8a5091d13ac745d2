package clients

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// nodeAgents are the agents in JavaScript, each a script with settings.
var nodeAgents = []struct{ script, version, provider string }{
	{"openai.mjs", "6", ""}, {"openai.mjs", "7", ""},
	{"responses.mjs", "6", ""}, {"responses.mjs", "7", ""},
	{"ai.mjs", "6", "anthropic"}, {"ai.mjs", "6", "chat"}, {"ai.mjs", "6", "compatible"}, {"ai.mjs", "6", "google"}, {"ai.mjs", "6", "responses"},
	{"ai.mjs", "7", "anthropic"}, {"ai.mjs", "7", "chat"}, {"ai.mjs", "7", "compatible"}, {"ai.mjs", "7", "google"}, {"ai.mjs", "7", "responses"},
	{"anthropic.mjs", "", ""},
	{"gemini.mjs", "", "chat"}, {"gemini.mjs", "", "automatic"},
	{"ollama.mjs", "", ""},
	{"agents.mjs", "", ""},
	{"langchain.mjs", "", "anthropic"}, {"langchain.mjs", "", "chat"}, {"langchain.mjs", "", "responses"},
}

// TestNode runs agents in JavaScript, through callwire proxy.
func TestNode(t *testing.T) {
	if _, err := os.Stat("node/node_modules"); err != nil {
		t.Skip("the packages are not installed: npm ci --prefix node")
	}
	program := buildProgram(t)
	for _, agent := range nodeAgents {
		for shape := range shapes {
			streams := shape != "tidy" // shapes are about streams
			if !streams || shape == "bytes" || shape == "crlf" {
				t.Run(fmt.Sprintf("%s %s %s/%s", agent.script, agent.version, agent.provider, shape), func(t *testing.T) {
					m := &scripted.Model{Replies: agentReplies, Shape: shapes[shape], Strict: true}
					upstream := httptest.NewServer(m)
					defer upstream.Close()
					node := exec.Command("node", agent.script)
					node.Dir = "node"
					node.Env = append(os.Environ(), "PROXY="+startProxy(t, program, upstream.URL),
						"VERSION="+agent.version, "PROVIDER="+agent.provider, fmt.Sprintf("STREAM=%t", streams))
					var said strings.Builder
					node.Stderr = &said
					out, err := node.Output()
					if err != nil {
						t.Fatalf("%v\n%s", err, said.String())
					}
					checkAgent(t, out, m)
				})
			}
		}
	}
}

// checkAgent looks at what an agent has reported, and at what the model saw.
func checkAgent(t *testing.T, out []byte, m *scripted.Model) {
	type made struct {
		Name  string
		Input map[string]any
	}
	var got struct {
		Calls []made
		Text  string
		Steps int
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := []made{
		{"getWeather", map[string]any{"location": "Zürich"}},
		{"findContact", map[string]any{"name": "Ada"}},
		{"getWeather", map[string]any{"location": "Reykjavík", "units": "metric"}},
		{"sendMail", map[string]any{"to": []any{"ada@example.com"}, "subject": "Zürich 🎉", "body": mailText, "priority": 1.0}},
	}
	if !reflect.DeepEqual(got.Calls, want) || got.Text != "Zürich is warmer. Ada has mail." || got.Steps != 4 {
		t.Errorf("%s", out)
	}
	turns := checkRequests(t, m)[1].Turns()
	last := turns[len(turns)-1].Text
	// Some SDKs send a result as JSON with the name of its tool.
	for _, part := range []string{"<tool-result name=\"getWeather\">\n", `18 °C in Zürich <\/tool-result><\call>`} {
		if !strings.Contains(last, part) {
			t.Errorf("the model sees %q", last)
		}
	}
}
