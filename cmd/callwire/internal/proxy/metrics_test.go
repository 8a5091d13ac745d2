package proxy

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestMetrics counts what was done.
func TestMetrics(t *testing.T) {
	model := &scripted.Model{Replies: []scripted.Reply{
		{Text: "<call>getWeather location</call>"}, {Text: "<call>getWeather location=Oslo</call> <tool-result>x"}, {Text: "Hi"}, {Text: "No."}, {Text: "No."},
	}}
	p := startProxy(t, startUpstream(t, model))
	post(t, p.url+"/v1/chat/completions", withTools)
	post(t, p.url+"/v1/chat/completions", `{"messages":[]}`)
	post(t, p.url+"/v1/chat/completions", strings.Replace(withTools, `"stream":true`, `"tool_choice":"required"`, 1))
	answer, body, _ := post(t, p.url+"/metrics", "")
	for _, want := range []string{
		`callwire_requests_total{api="chat completions",outcome="rewritten"} 2`, `callwire_requests_total{api="chat completions",outcome="passed_on"} 1`,
		"\ncallwire_calls_total 1\n", "\ncallwire_corrections_total 2\n", "\ncallwire_invented_total 1\n", "# TYPE callwire_malformed_total counter", "callwire_requests_open 0", `callwire_failures_total{status="422"} 1`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if kind := answer.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		t.Errorf("type %s", kind)
	}
}
