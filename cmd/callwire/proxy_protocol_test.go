package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream"
)

// The upstream is told of tools in the format of its model, or natively where calls
// only are to be rescued; the program gets the call either way.
func TestProxySpeaks(t *testing.T) {
	for _, c := range []struct {
		protocol, rescue string
		answer           string
		sees, not        string
	}{
		{"hermes", "", `<tool_call>{\"name\":\"ping\",\"arguments\":{\"host\":\"a\"}}</tool_call>`, "<tool_call>", `"tools"`},
		{"", "qwen3-coder, hermes", `<tool_call>{\"name\":\"ping\",\"arguments\":{\"host\":\"a\"}}</tool_call>`, `"tools"`, "<tool_call>"},
		{"wire", "wire", `<call>ping host=a</call>`, `"tools"`, "<call>"},
	} {
		got := ""
		upstream := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			got = string(text)
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"`+c.answer+`"},"finish_reason":"stop"}]}`)
		}))
		p := startProxy(t, upstream, func(o *proxyOptions) {
			o.debug = true
			if err := o.speak(c.protocol, c.rescue, false); err != nil {
				t.Fatal(err)
			}
		})
		_, answer, err := post(t, p.url+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"ping","parameters":{"type":"object","properties":{"host":{"type":"string"}}}}}]}`)
		if err != nil || !strings.Contains(answer, `"arguments":"{\"host\":\"a\"}"`) || !strings.Contains(got, c.sees) || strings.Contains(got, c.not) {
			t.Errorf("%q, %q: sent %s, got %s, %v", c.protocol, c.rescue, got, answer, err)
		}
		p.stop()
		if rescued := strings.Contains(p.log.String(), "1 call rescued"); rescued != (c.rescue != "") {
			t.Errorf("%q, %q: shows %s", c.protocol, c.rescue, p.log)
		}
	}
	for _, c := range []struct {
		protocol, rescue string
		tags             bool
		want             string
	}{
		{"morse", "", false, strings.Join(protocolNames(), ", ")},
		{"", "hermes,morse", false, `"morse"`},
		{"hermes", "hermes", false, "one of them"},
		{"hermes", "", true, "tags of its own"},
	} {
		if err := new(proxyOptions).speak(c.protocol, c.rescue, c.tags); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestProxyReadsReasoning: a message whose template opens its reasoning is read from there on,
// and text that is not wanted is left out.
func TestProxyReadsReasoning(t *testing.T) {
	upstream := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"Or <call>ping host=b</call>?</think>So <call>ping host=a</call>"},"finish_reason":"stop"}]}`)
	}))
	p := startProxy(t, upstream, func(o *proxyOptions) {
		o.rewriting.InReasoning, o.rewriting.Strip = true, stream.StripAll
	})
	_, answer, err := post(t, p.url+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"ping","parameters":{"type":"object","properties":{"host":{"type":"string"}}}}}]}`)
	if err != nil || strings.Count(answer, `"arguments"`) != 1 || !strings.Contains(answer, `{\"host\":\"a\"}`) || strings.Contains(answer, "think") || strings.Contains(answer, "So ") {
		t.Errorf("%v, %s", err, answer)
	}
}
