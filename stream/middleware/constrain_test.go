package middleware

import (
	"bytes"
	"encoding/json"
	"errors"
	"github.com/callwire/callwire/internal/engines"
	"strings"
	"testing"

	callformat "github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig/constrain"
)

const constrainTools = `[{"type":"function","function":{"name":"ping","parameters":{"type":"object","properties":{"host":{"type":"string"}},"required":["host"]}}},
	{"type":"function","function":{"name":"pong","parameters":{"type":"object","properties":{}}}}]`

func TestEngineMember(t *testing.T) {
	catalog := compileTools(t, constrainTools)
	g, err := constrain.New(catalog, constrain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asText := func(s string) string {
		return string(rawjson.Quote(s))
	}
	for e, want := range map[string]string{
		"llama.cpp":  "grammar:" + asText(g.GBNF()),
		"localai":    "grammar:" + asText(g.GBNF()),
		"vllm":       `structured_outputs:{"grammar":` + asText(g.GBNF()) + "}",
		"vllm-tag":   "response_format:" + string(g.StructuralTag()),
		"sglang":     "ebnf:" + asText(g.GBNF()),
		"sglang-tag": "response_format:" + string(g.StructuralTag()),
		"fireworks":  `response_format:{"type":"grammar","grammar":` + asText(g.GBNF()) + "}",
	} {
		key, value := engines.Member(e, g)
		if got := key + ":" + string(value); got != want || !json.Valid(value) {
			t.Errorf("%s: %s\nwant %s", e, got, want)
		}
	}
	_, err = Middleware(Options{Constrain: "gpt"})(mustRequest(weatherRequest), nil)
	if e, _ := err.(*Error); e == nil || e.Code != unknownEngine {
		t.Errorf("an unknown engine: %v", err)
	}
}

// What is sent derives what the request asks for.
func TestConstrain(t *testing.T) {
	grammar := func(rest string, d callformat.Tags) string {
		t.Helper()
		opts := Options{Constrain: "llama.cpp"}
		opts.Manual.Tags.Open, opts.Manual.Tags.Close = d.Open, d.Close
		body, reason := sent(t, opts, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Hi"}],"tools":`+constrainTools+rest+`}`)
		if reason != "" {
			t.Fatalf("%s: %s", rest, reason)
		}
		return rawjson.ParseObject([]byte(body)).Text("grammar")
	}
	catalog := compileTools(t, constrainTools)
	for rest, o := range map[string]constrain.Options{
		"":                          {},
		`,"tool_choice":"auto"`:     {},
		`,"tool_choice":"required"`: {Required: true},
		`,"tool_choice":{"type":"function","function":{"name":"pong"}}`: {Required: true, Tools: []string{"pong"}},
		`,"parallel_tool_calls":false`:                                  {Last: true},
		`,"parallel_tool_calls":false,"tool_choice":"required"`:         {Last: true, Required: true},
	} {
		for _, d := range []callformat.Tags{{}, {Open: "<<", Close: ">>"}} {
			o.Tags = d
			g, err := constrain.New(catalog, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := grammar(rest, d); got != g.GBNF() {
				t.Errorf("%s: %s\nwant %s", rest, got, g.GBNF())
			}
		}
	}
}

// TestConstrainProtocols: the grammar is that of the protocol; where there is none,
// none is sent.
func TestConstrainProtocols(t *testing.T) {
	catalog := compileTools(t, constrainTools)
	const request = `{"messages":[{"role":"user","content":"Hi"}],"tools":` + constrainTools + `}`
	for _, f := range callformat.All() {
		var log bytes.Buffer
		opts := Options{Constrain: "llama.cpp", Manual: manual.Options{Format: f}, OnRewrite: warnings(&log)}
		body, reason := sent(t, opts, "/v1/chat/completions", request)
		got := rawjson.ParseObject([]byte(body)).Text("grammar")
		g, err := constrain.New(catalog, constrain.Options{Format: f})
		if errors.Is(err, constrain.ErrNoGrammar) {
			if got != "" || !strings.Contains(log.String(), "no grammar for "+f.Name) {
				t.Errorf("%s: %s, %s", f.Name, got, log.String())
			}
			continue
		}
		if err != nil || got != g.GBNF() || reason != "" {
			t.Errorf("%s: %v, %s, %s%s", f.Name, err, reason, got, log.String())
		}
	}
	opts := Options{Constrain: engines.Custom, Manual: manual.Options{Format: callformat.Hermes}}
	if body, _ := sent(t, opts, "/v1/chat/completions", request); !strings.Contains(body, "between <tool_call> and </tool_call>") {
		t.Errorf("sent %s", body)
	}
}

// To ask for text is to ask for nothing.
func TestConstrainText(t *testing.T) {
	for _, e := range engines.Names[:7] {
		body, _ := sent(t, Options{Constrain: e}, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"text"},"tools":`+constrainTools+`}`)
		if !strings.Contains(body, "::=") || strings.Count(body, `"response_format"`) > 1 {
			t.Errorf("%s: %s", e, body)
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
