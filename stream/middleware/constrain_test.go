package middleware

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse/protocol"
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
		return string(quoted(s))
	}
	for e, want := range map[Engine]string{
		NoEngine:  ":",
		LlamaCpp:  "grammar:" + asText(g.GBNF()),
		LocalAI:   "grammar:" + asText(g.GBNF()),
		VLLM:      `structured_outputs:{"grammar":` + asText(g.EBNF()) + "}",
		VLLMTag:   "response_format:" + string(g.StructuralTag()),
		SGLang:    "ebnf:" + asText(g.EBNF()),
		SGLangTag: "response_format:" + string(g.StructuralTag()),
		Fireworks: `response_format:{"type":"grammar","grammar":` + asText(g.GBNF()) + "}",
	} {
		key, value := e.Member(g)
		if got := key + ":" + string(value); got != want || key != "" && !json.Valid(value) {
			t.Errorf("%s: %s\nwant %s", e, got, want)
		}
		if back, err := ParseEngine(e.String()); back != e || err != nil {
			t.Errorf("%s: %s, %v", e, back, err)
		}
	}
	if got := Engine(99).String(); got != "Engine(99)" {
		t.Errorf("an engine that is none: %s", got)
	}
	if _, err := ParseEngine("gpt"); err == nil || !strings.Contains(err.Error(), "llama.cpp") {
		t.Error(err)
	}
}

// What is sent derives what the request asks for.
func TestConstrain(t *testing.T) {
	grammar := func(rest string, d lexer.Delims) string {
		t.Helper()
		opts := Options{Constrain: LlamaCpp, Manual: manual.Options{Delims: d}}
		body, reason := sent(t, opts, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Hi"}],"tools":`+constrainTools+rest+`}`)
		if reason != "" {
			t.Fatalf("%s: %s", rest, reason)
		}
		return readObject(nil, []byte(body)).text("grammar")
	}
	catalog := compileTools(t, constrainTools)
	for rest, o := range map[string]constrain.Options{
		"":                          {},
		`,"tool_choice":"auto"`:     {},
		`,"tool_choice":"required"`: {Mode: constrain.Required},
		`,"tool_choice":{"type":"function","function":{"name":"pong"}}`: {Mode: constrain.Required, Tools: []string{"pong"}},
		`,"parallel_tool_calls":false`:                                  {Last: true},
		`,"parallel_tool_calls":false,"tool_choice":"required"`:         {Last: true, Mode: constrain.Required},
	} {
		for _, d := range []lexer.Delims{{}, {Open: "<<", Close: ">>"}} {
			o.Delims = d
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
	for _, name := range protocol.Names() {
		var log bytes.Buffer
		opts := Options{Constrain: LlamaCpp, Manual: manual.Options{Protocol: protocol.ByName(name)}, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		body, reason := sent(t, opts, "/v1/chat/completions", request)
		got := readObject(nil, []byte(body)).text("grammar")
		p, known := constrain.ParseProtocol(name)
		if !known {
			if got != "" || !strings.Contains(log.String(), "no grammar of "+name) {
				t.Errorf("%s: %s, %s", name, got, log.String())
			}
			continue
		}
		g, err := constrain.New(catalog, constrain.Options{Protocol: p})
		if err != nil || got != g.GBNF() || reason != "" {
			t.Errorf("%s: %v, %s, %s%s", name, err, reason, got, log.String())
		}
	}
	opts := Options{Constrain: OpenAICustomTool, Manual: manual.Options{Protocol: protocol.Hermes}}
	if body, _ := sent(t, opts, "/v1/chat/completions", request); !strings.Contains(body, "between <tool_call> and </tool_call>") {
		t.Errorf("sent %s", body)
	}
}

func TestConstrainNot(t *testing.T) {
	const messages = `{"messages":[{"role":"user","content":"Hi"}]`
	for _, c := range []struct {
		name, path, body string
		engine           Engine
		warned           string
	}{
		{"no engine", "/v1/chat/completions", messages + `,"tools":` + constrainTools + `}`, NoEngine, ""},
		{"no tools", "/v1/chat/completions", messages + `}`, LlamaCpp, ""},
		{"no calls", "/v1/chat/completions", messages + `,"tools":` + constrainTools + `,"tool_choice":"none"}`, LlamaCpp, ""},
		{"another API", "/v1/messages", messages + `,"tools":[{"name":"ping","input_schema":{"type":"object"}}]}`, LlamaCpp, ""},
		{"its own", "/v1/chat/completions", messages + `,"tools":` + constrainTools + `,"grammar":"root ::= \"x\""}`, LlamaCpp, "has its own grammar"},
		{"its own of another kind", "/v1/chat/completions", messages + `,"tools":` + constrainTools + `,"regex":"::="}`, SGLang, "has its own regex"},
		{"its own schema", "/v1/chat/completions", messages + `,"tools":` + constrainTools + `,"json_schema":{"title":"::="}}`, LlamaCpp, "has its own json_schema"},
	} {
		var log bytes.Buffer
		body, _ := sent(t, Options{Constrain: c.engine, Logger: slog.New(slog.NewTextHandler(&log, nil))}, c.path, c.body)
		if strings.Contains(body, "ping call-ping") || strings.Contains(body, "::=") != (c.warned != "") {
			t.Errorf("%s: %s", c.name, body)
		}
		if !strings.Contains(log.String(), c.warned) {
			t.Errorf("%s: %s", c.name, log.String())
		}
	}
}

// Where a grammar makes the model write a call, it is meant in a fence, too.
func TestConstrainInCode(t *testing.T) {
	const fenced = "Sure:\n```\n<call>getWeather location=Rome</call>\n```"
	for _, c := range []struct {
		engine Engine
		rest   string
		calls  int
	}{
		{LlamaCpp, `"tool_choice":"required"`, 1},
		{VLLM, `"tool_choice":"required"`, 1},
		{LlamaCpp, `"tool_choice":"auto"`, 0},
	} {
		request := `{` + c.rest + `,` + strings.TrimPrefix(weatherRequest, "{")
		if got := read(t, Options{Constrain: c.engine, Retries: -1}, request, chunks("stop", fenced)); len(got.Calls) != c.calls {
			t.Errorf("%s, %s: %+v", c.engine, c.rest, got)
		}
	}
}

// To ask for text is to ask for nothing.
func TestConstrainText(t *testing.T) {
	for e := LlamaCpp; e <= Fireworks; e++ {
		body, _ := sent(t, Options{Constrain: e}, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"text"},"tools":`+constrainTools+`}`)
		if !strings.Contains(body, "::=") || strings.Count(body, `"response_format"`) > 1 {
			t.Errorf("%s: %s", e, body)
		}
	}
}

func TestConstrainTooLarge(t *testing.T) {
	var words []string
	for i := range 20 {
		words = append(words, string(quoted(string(rune('a'+i))+strings.Repeat("x", 60000))))
	}
	tools := `[{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{"e":{"enum":[` + strings.Join(words, ",") + `]}}}}}]`
	var log bytes.Buffer
	body, reason := sent(t, Options{Constrain: VLLM, Logger: slog.New(slog.NewTextHandler(&log, nil))}, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Hi"}],"tools":`+tools+`}`)
	if strings.Contains(body, "structured_outputs") || reason != "" || !strings.Contains(log.String(), "not constrained: a grammar of") {
		t.Errorf("%d bytes, %s, %s", len(body), reason, log.String())
	}
}

// A grammar is made once for a set of tools and what is asked of them.
func TestConstrainOnce(t *testing.T) {
	set := &toolset{}
	catalog := compileTools(t, constrainTools)
	opts := &Options{Constrain: LlamaCpp}
	first := set.grammars.get(catalog, &demand{mode: auto}, opts)
	again := set.grammars.get(catalog, &demand{mode: auto}, opts)
	none := set.grammars.get(catalog, &demand{mode: auto, allowed: []string{}}, opts)
	other := set.grammars.get(catalog, &demand{mode: required}, opts)
	if &first.value[0] != &again.value[0] || &first.value[0] == &other.value[0] || &first.value[0] == &none.value[0] {
		t.Error("made twice, or one for all")
	}
	for range 1000 {
		set.grammars.get(catalog, &demand{mode: auto, allowed: []string{strings.Repeat("x", len(set.grammars.known))}}, opts)
	}
	if n := len(set.grammars.known); n > 64 {
		t.Errorf("%d are kept", n)
	}
}
