package middleware

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	callformat "github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig/constrain"
)

// TestConstrainProtocols: the grammar is that of the protocol; where there is none,
// none is sent.
func TestConstrainProtocols(t *testing.T) {
	catalog := compileTools(t, "["+weatherTool+"]")
	const request = `{"messages":[{"role":"user","content":"Hi"}],"tools":[` + weatherTool + `]}`
	for _, f := range callformat.All() {
		var log bytes.Buffer
		opts := Options{Constrain: "llama.cpp", Manual: manual.Options{Format: f}, OnRewrite: warnings(&log)}
		body, reason := sent(t, opts, "/v1/chat/completions", request)
		got := rawjson.ParseObject([]byte(body)).Text("grammar")
		g, err := constrain.New(catalog, constrain.Options{Format: f})
		if !slices.Contains(constrain.Formats(), f) {
			if got != "" || !strings.Contains(log.String(), "no grammar: "+f.Name) {
				t.Errorf("%s: %s, %s", f.Name, got, log.String())
			}
			continue
		}
		if err != nil || got != g.GBNF() || reason != "" {
			t.Errorf("%s: %v, %s, %s%s", f.Name, err, reason, got, log.String())
		}
	}
}

func TestConstrainTooLarge(t *testing.T) {
	var words []string
	for i := range 20 {
		words = append(words, string(rawjson.Quote(string(rune('a'+i))+strings.Repeat("x", 60000))))
	}
	tools := `[{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{"e":{"enum":[` + strings.Join(words, ",") + `]}}}}}]`
	var log bytes.Buffer
	body, reason := sent(t, Options{Constrain: "vllm", OnRewrite: warnings(&log)}, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Hi"}],"tools":`+tools+`}`)
	if strings.Contains(body, "structured_outputs") || reason != "" || !strings.Contains(log.String(), "not constrained: a grammar of") {
		t.Errorf("%d bytes, %s, %s", len(body), reason, log.String())
	}
}

// TestConstrainNamed: the grammar has only the tools that may be called.
func TestConstrainNamed(t *testing.T) {
	body, reason := sent(t, Options{Constrain: "llama.cpp"}, chat, `{"messages":[{"role":"user","content":"Hi"}],"tool_choice":{"type":"function","function":{"name":"pong"}},"tools":[`+weatherTool+`,{"type":"function","function":{"name":"pong"}}]}`)
	grammar := rawjson.ParseObject([]byte(body)).Text("grammar")
	if reason != "" || !strings.Contains(grammar, `"pong"`) || strings.Contains(grammar, "getWeather") {
		t.Errorf("%s, %s", reason, grammar)
	}
}
