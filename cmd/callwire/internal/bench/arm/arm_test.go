package arm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/sig"
)

// TestMatrix: settings multiply, each arm is there once, and native calls know
// nothing of manuals.
func TestMatrix(t *testing.T) {
	arms, err := Matrix([]string{"native", "wire", "wire-json"}, map[string][]string{
		"style": {"compact", "classic"}, "retries": {"0", "1"}, "syntax": {"wire", "json"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range arms {
		names = append(names, a.String())
	}
	want := "native; native retries=1; " +
		"wire; wire retries=1; wire style=classic; wire style=classic retries=1; " +
		"wire syntax=json; wire syntax=json retries=1; wire syntax=json style=classic; wire syntax=json style=classic retries=1"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDefaults(t *testing.T) {
	settings := make(map[string]string)
	for _, axis := range Axes {
		settings[axis.Name] = axis.usual
	}
	for _, mode := range []string{"native", "wire"} {
		if a, err := New(mode, settings); err != nil || a.String() != mode {
			t.Errorf("%s: %v, %v", mode, a, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct{ mode, name, value, want string }{
		{"hand", "", "", "a mode is"},
		{"wire", "style", "long", "classic or compact"},
		{"wire", "retries", "-1", "0 to 10"},
		{"wire", "retries", "01", "0 to 10"},
		{"wire", "constrain", "none", "fireworks or llama.cpp or localai"},
		{"wire", "delims", "<call>", "OPEN|CLOSE"},
		{"wire", "delims", "a|b", "2 to 32 bytes"},
		{"native", "style", "long", "classic or compact"},
	} {
		settings := map[string]string{}
		if c.name != "" {
			settings[c.name] = c.value
		}
		if _, err := New(c.mode, settings); err == nil || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestConstrain: each engine finds the grammar where it looks for it, and what the
// writer makes of a call is in it; native calls have none.
func TestConstrain(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}]`)
	if err != nil {
		t.Fatal(err)
	}
	client, err := endpoint.New("http://127.0.0.1", endpoint.OpenAI, endpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for engine, path := range map[string][]string{
		"llama.cpp": {"grammar"}, "localai": {"grammar"}, "vllm": {"structured_outputs", "grammar"}, "sglang": {"ebnf"}, "fireworks": {"response_format", "grammar"},
		"vllm-tag": {"response_format", "format"}, "sglang-tag": {"response_format", "format"},
	} {
		a, err := New("wire", map[string]string{"constrain": engine})
		if err != nil || a.String() != "wire constrain="+engine || a.Check(catalog) != nil {
			t.Fatal(a, err)
		}
		r, err := a.Open(client, Params{}, catalog, "", nil).request()
		if err != nil {
			t.Fatal(err)
		}
		body, err := r.Body(endpoint.OpenAI, true)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(body, &value); err != nil {
			t.Fatal(err)
		}
		for _, name := range path {
			value = value.(map[string]any)[name]
		}
		if !strings.Contains(fmt.Sprint(value), "root ::=") {
			t.Errorf("%s: %.200s", engine, body)
		}
	}
	a, err := New("hermes", map[string]string{"constrain": "llama.cpp", "style": "classic"})
	if err != nil || a.String() != "hermes constrain=llama.cpp" || a.Check(catalog) != nil || !strings.Contains(string(a.constrained(nil, catalog)["grammar"]), `\\\"arguments\\\": `) {
		t.Errorf("%v, %v: %s", a, err, a.constrained(nil, catalog)["grammar"])
	}
	if a, _ := New("morph-xml", map[string]string{"constrain": "vllm"}); a.Check(catalog) == nil {
		t.Error("there is no grammar of it")
	}
	if a, err := New("native", map[string]string{"constrain": "vllm"}); err != nil || a.String() != "native" {
		t.Error(a, err)
	}
}
