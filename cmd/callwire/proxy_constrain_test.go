package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
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
		o.log = newProxyLog(io.Discard, terminal.Screen{}, false)
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

// OpenAI's models get a custom tool with the grammar, and what they write in it is
// calls, streamed and whole, in both of its APIs.
func TestProxyCustomTool(t *testing.T) {
	var format map[string]any
	upstream := startUpstream(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Stream bool
			Tools  []struct {
				Type, Name string
				Format     map[string]any
				Custom     struct {
					Name   string
					Format map[string]any
				}
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || len(q.Tools) != 1 || q.Tools[0].Type != "custom" {
			t.Errorf("%v: %+v", err, q)
			return
		}
		chat := strings.HasSuffix(r.URL.Path, "/chat/completions")
		if format = q.Tools[0].Format; chat {
			format = q.Tools[0].Custom.Format
		}
		call := `{"index":0,"id":"call_1","type":"custom","custom":{"name":"call","input":"<call>ping host=a</call>"}}`
		item := `{"type":"custom_tool_call","id":"ctc_1","call_id":"call_1","name":"call","input":"<call>ping host=a</call>","status":"completed"}`
		w.Header().Set("Content-Type", "application/json")
		switch {
		case chat && q.Stream:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"tool_calls\":[%s]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n", call)
		case chat:
			fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[%s]},"finish_reason":"tool_calls"}]}`, call)
		case q.Stream:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":%s}\n\n", item)
			fmt.Fprintf(w, "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":%s}\n\n", item)
			fmt.Fprintf(w, "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[%s]}}\n\n", item)
		default:
			fmt.Fprintf(w, `{"status":"completed","output":[%s]}`, item)
		}
	}))
	p := startProxy(t, upstream, func(o *proxyOptions) {
		o.log = newProxyLog(io.Discard, terminal.Screen{}, false)
		o.constrain(middleware.OpenAICustomTool)
	})
	const function = `"name":"ping","parameters":{"type":"object","properties":{"host":{"type":"string"}},"required":["host"]}}`
	lark := callwire("", "grammar", "--tools", writeFile(t, `[{"type":"function",`+function+`]`), "--mode", "required", "--bare", "--format", "lark").stdout
	for _, stream := range []string{"true", "false"} {
		_, answer, err := post(t, p.url+"/v1/chat/completions", `{"model":"m","stream":`+stream+`,"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{`+function+`}]}`)
		inner, _ := format["grammar"].(map[string]any)
		if err != nil || !strings.Contains(answer, `"function":{"name":"ping","arguments":"{\"host\":\"a\"}"}`) || !strings.Contains(answer, `"finish_reason":"tool_calls"`) || strings.Contains(answer, "custom") || inner["definition"] != lark {
			t.Errorf("%s, %v, %v", answer, err, format)
		}
		_, answer, err = post(t, p.url+"/v1/responses", `{"model":"m","stream":`+stream+`,"input":"Hi","tools":[{"type":"function",`+function+`]}`)
		if err != nil || !strings.Contains(answer, `"arguments":"{\"host\":\"a\"}"`) || strings.Contains(answer, "custom") || format["definition"] != lark || format["syntax"] != "lark" {
			t.Errorf("%s, %v, %v", answer, err, format)
		}
	}
}

// What is not constrained is told.
func TestProxyWarns(t *testing.T) {
	var said strings.Builder
	o := &proxyOptions{log: newProxyLog(&said, terminal.Screen{}, false)}
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
