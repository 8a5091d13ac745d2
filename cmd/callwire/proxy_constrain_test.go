package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware"
)

// The upstream gets the grammar that callwire grammar prints, and no tools.
func TestProxyConstrains(t *testing.T) {
	var got map[string]any
	upstream := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = nil
		text, _ := io.ReadAll(r.Body)
		json.Unmarshal(text, &got)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"<call>ping host=a</call>"},"finish_reason":"stop"}]}`)
	}))
	const tools = `[{"type":"function","function":{"name":"ping","parameters":{"type":"object","properties":{"host":{"type":"string"}},"required":["host"]}}}]`
	const request = `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tool_choice":"required","tools":` + tools
	p := startProxy(t, upstream, func(o *proxyOptions) {
		o.log = newProxyLog(io.Discard, screen{}, false)
		o.constrain(middleware.LlamaCpp)
	})
	_, answer, err := post(t, p.url+"/v1/chat/completions", request+"}")
	if err != nil || !strings.Contains(answer, `"tool_calls"`) {
		t.Errorf("%s, %v", answer, err)
	}
	want := callwire("", "grammar", "--tools", writeFile(t, tools), "--mode", "required").stdout
	if got["grammar"] != want || got["tools"] != nil {
		t.Errorf("%v\nwant %s", got, want)
	}
}

// What is not constrained is told.
func TestProxyWarns(t *testing.T) {
	var said strings.Builder
	o := &proxyOptions{log: newProxyLog(&said, screen{}, false)}
	if o.constrain(middleware.NoEngine); o.rewriting.Logger != nil {
		t.Error("a logger for nothing")
	}
	o.constrain(middleware.VLLM)
	o.rewriting.Logger.Warn("callwire", "problem", "not constrained: \x1b[31m")
	o.rewriting.Logger.With("a", "b").Info("callwire", "problem", "not told")
	if got := said.String(); !strings.HasPrefix(got, "callwire: not constrained: ") || strings.Contains(got, "\x1b") || strings.Contains(got, "not told") {
		t.Errorf("%q", got)
	}
}
