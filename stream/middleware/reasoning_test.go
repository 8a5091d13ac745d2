package middleware

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
)

// TestInReasoning: where a message begins inside reasoning, what it thinks of calling is
// not called, its text comes as it is, and so it is in the message after a correction.
func TestInReasoning(t *testing.T) {
	const thought = `Oslo? <call>getWeather location=Oslo</call> No.</think>`
	for name, e := range endpoints {
		for _, replies := range [][]string{
			{thought + "So " + rome},
			{thought + "So " + broken, thought + "So " + rome},
		} {
			for _, begins := range []bool{true, false} {
				out, m := asked(t, Options{InReasoning: begins}, e.path, e.request, replies...)
				spoken := ""
				for _, m := range spokenMembers.FindAllStringSubmatch(out, -1) {
					spoken += m[2]
				}
				if !begins {
					if strings.Contains(spoken, "<call>getWeather location=Oslo") {
						t.Errorf("%s: without the option it is not called: %s", name, out)
					}
					continue
				}
				if len(m.Requests()) != len(replies) || !strings.Contains(spoken, "<call>getWeather location=Oslo</call> No.</think>") || strings.Contains(spoken, "<think>") || !strings.Contains(spoken, "Rome") {
					t.Errorf("%s: %d requests, %s", name, len(m.Requests()), out)
				}
			}
		}
	}
	for _, closer := range []string{"</thinking>", "[/THINK]", "</seed:think>", "◁/think▷"} { // whatever tags the model knows
		out, _ := asked(t, Options{InReasoning: true}, "/v1"+chat, weatherRequest, rome+closer+rome)
		if got := readChat(t, out, 0); len(got.Calls) != 1 || got.Text != rome+closer {
			t.Errorf("%s: %+v", closer, got)
		}
	}
	leak := `<tool_call>{"name":"getWeather","arguments":{"location":"Rome"}}</tool_call>`
	out, _ := asked(t, Options{InReasoning: true, Rescue: format.Hermes}, "/v1"+chat, weatherRequest, leak+"</think>"+leak)
	if got := readChat(t, out, 0); len(got.Calls) != 1 || got.Text != leak+"</think>" {
		t.Errorf("rescued: %+v", got)
	}
}
