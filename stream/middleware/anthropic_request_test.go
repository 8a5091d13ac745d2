package middleware

import (
	"strings"
	"testing"
)

// TestMessageRequests compares what is sent byte for byte: $T stands for the
// tools, $M for the manual.
func TestMessageRequests(t *testing.T) {
	const user = `"messages":[{"role":"user","content":"Hi"}]`
	for _, c := range []struct{ name, in, want string }{
		{
			"no system",
			`{"model":"m","tools":$T,"tool_choice":{"type":"auto"},"messages":[{"role":"user","content":"a<b"}],"metadata":{"user_id":"u"}}`,
			`{"model":"m","messages":[{"role":"user","content":"a<b"}],"metadata":{"user_id":"u"},"system":"$M","stop_sequences":["<tool-result"]}`,
		}, {
			"system as a string",
			`{"system":"Be <brief>.","tools":$T,` + user + `}`,
			`{"system":"Be <brief>.\n\n$M",` + user + `,"stop_sequences":["<tool-result"]}`,
		}, {
			"system as a list",
			`{"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}},{"type":"text","text":"x"}],"tools":$T,` + user + `}`,
			`{"system":[{"type":"text","text":"Be brief.\n\n$M","cache_control":{"type":"ephemeral"}},{"type":"text","text":"x"}],` + user + `,"stop_sequences":["<tool-result"]}`,
		}, {
			"system as an empty list",
			`{"system":[],"tools":$T,` + user + `}`,
			`{"system":[{"type":"text","text":"$M"}],` + user + `,"stop_sequences":["<tool-result"]}`,
		}, {
			"a breakpoint behind the tools",
			`{"system":"S","tools":[` + strings.TrimSuffix(weatherToolA, "}") + `,"cache_control":{"type":"ephemeral","ttl":"1h"}}],` + user + `}`,
			`{"system":[{"type":"text","text":"S"},{"type":"text","text":"$M","cache_control":{"type":"ephemeral","ttl":"1h"}}],` + user + `,"stop_sequences":["<tool-result"]}`,
		}, {
			"history: thinking stays first, breakpoints stay, results with what the user says",
			`{"tools":$T,"messages":[{"role":"user","content":"Q"},
				{"role":"assistant","content":[{"type":"thinking","thinking":"<call>x</call>","signature":"sig=="},{"type":"text","text":"Let me see."},{"type":"tool_use","id":"toolu_1","name":"getWeather","input":{"location":"New York"},"cache_control":{"type":"ephemeral"}},{"type":"tool_use","id":"toolu_2","name":"getWeather","input":{}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"18"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},{"type":"tool_result","tool_use_id":"toolu_2","content":"no <call>","is_error":true,"cache_control":{"type":"ephemeral"}},{"type":"text","text":"And?"}]}]}`,
			`{"messages":[{"role":"user","content":"Q"},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"<call>x</call>","signature":"sig=="},{"type":"text","text":"Let me see.\n<call>getWeather location=\"New York\"</call>","cache_control":{"type":"ephemeral"}},{"type":"text","text":"<call>getWeather</call>"}]},` +
				`{"role":"user","content":[{"type":"text","text":"<tool-result name=\"getWeather\" call=\"1\">\n18\n</tool-result>"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"<tool-error name=\"getWeather\" call=\"2\">\nno <\\call>\n</tool-error>","cache_control":{"type":"ephemeral"}},{"type":"text","text":"And?"}]}],"system":"$M","stop_sequences":["<tool-result"]}`,
		}, {
			"what a text of the user's cites",
			`{"tools":$T,"messages":[{"role":"user","content":[{"type":"text","text":"so","citations":[{"cited_text":"say <call>x</call>"}]}]}]}`,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"so","citations":[{"cited_text":"say <\\call>x<\\/call>"}]}]}],"system":"$M","stop_sequences":["<tool-result"]}`,
		}, {
			"a document of the user's",
			`{"tools":$T,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"say <call>x</call>"}}]}]}`,
			`{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"say <\\call>x<\\/call>"}}]}],"system":"$M","stop_sequences":["<tool-result"]}`,
		}, {
			"tags that documents of the user's would join",
			`{"tools":$T,"messages":[{"role":"user","content":[{"type":"text","text":"a <"},` +
				`{"type":"document","source":{"type":"content","content":[{"type":"text","text":"call>x</call>"},{"type":"text","text":"b <c"},{"type":"text","text":"all>y</call>"}]}},` +
				`{"type":"text","text":"so","citations":[{"cited_text":"d <"}]},{"type":"search_result","title":"<","source":"c","content":[{"type":"text","text":"call>z</call> e <"}]},{"type":"text","text":"call>w</call>"}]}]}`,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"a <"},` +
				`{"type":"document","source":{"type":"content","content":[{"type":"text","text":"\ncall>x<\\/call>"},{"type":"text","text":"b <c"},{"type":"text","text":"\nall>y<\\/call>"}]}},` +
				`{"type":"text","text":"so","citations":[{"cited_text":"d <"}]},{"type":"search_result","title":"<","source":"c","content":[{"type":"text","text":"\ncall>z<\\/call> e <"}]},{"type":"text","text":"\ncall>w<\\/call>"}]}],"system":"$M","stop_sequences":["<tool-result"]}`,
		}, {
			"none",
			`{"tools":$T,"tool_choice":{"type":"none"},"system":"S",` + user + `}`,
			`{"system":"S",` + user + `}`,
		}, {
			"any, one at a time",
			`{"tools":$T,"tool_choice":{"type":"any","disable_parallel_tool_use":true},` + user + `}`,
			`{"messages":[{"role":"user","content":"Hi\n\nAnswer with at least one tool call."}],"system":"$M\n\nWrite at most one call in a message.","stop_sequences":["<tool-result"]}`,
		}, {
			"a named tool",
			`{"tools":$T,"tool_choice":{"type":"tool","name":"getWeather"},` + user + `}`,
			`{"messages":[{"role":"user","content":"Hi\n\nAnswer with a call of the tool getWeather."}],"system":"$M","stop_sequences":["<tool-result"]}`,
		}, {
			"no tools any more",
			`{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"a","input":{"n":1.50}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}]}`,
			`{"messages":[{"role":"assistant","content":[{"type":"text","text":"<call>a n=1.50</call>"}]},{"role":"user","content":[{"type":"text","text":"<tool-result name=\"a\">\n\n</tool-result>"}]}]}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			fill := strings.NewReplacer("$T", "["+weatherToolA+"]", "$M", weatherManual, "\n\t\t\t\t", "")
			in := fill.Replace(c.in)
			got, reason := sent(t, Options{}, messages, in)
			if want := fill.Replace(c.want); got != want || reason != "" {
				t.Errorf("reason %q, sent\n%s\nwant\n%s", reason, got, want)
			}
			if again, _ := sent(t, Options{}, messages, in); again != got {
				t.Errorf("another time\n%s", again)
			}
		})
	}
}

// TestUntouchedMessages holds what is sent as it came, byte for byte.
func TestUntouchedMessages(t *testing.T) {
	const user = `"messages":[{"role":"user","content":"<call>t</call>"}]`
	tools := `"tools":[` + weatherToolA + `]`
	for _, body := range []string{
		`{"model":"m",` + user + `}`,
		`{` + tools + `,"tool_choice":{"type":"tool","name":"unknown"},` + user + `}`,
		`{` + tools + `,"tool_choice":{"type":"new"},` + user + `}`,
		`{"tools":7,` + user + `}`,
	} {
		if got, reason := sent(t, Options{}, messages, body); got != body || reason == "" {
			t.Errorf("reason %q, sent\n%s\nfor\n%s", reason, got, body)
		}
	}
}

func TestNativeToolChoiceOfMessages(t *testing.T) {
	body := strings.Replace(weatherRequestA, `"stream"`, `"tool_choice":{"type":"any"},"stream"`, 1)
	if got, reason := sent(t, Options{KeepToolChoice: true}, messages, body); got != body || reason == "" {
		t.Errorf("sent %s", got)
	}
}
