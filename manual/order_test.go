package manual

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestOrderOfResults: results come in the order of the calls of their step, within
// a message and across messages, and what is of no call stays.
func TestOrderOfResults(t *testing.T) {
	for name, c := range map[string]struct{ messages, want string }{
		"messages of a tool": {
			`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"w","arguments":"{\"c\":\"Oslo\"}"}},{"id":"2","function":{"name":"w","arguments":"{\"c\":\"Paris\"}"}},{"id":"3","function":{"name":"w","arguments":"{\"c\":\"Rome\"}"}}]},
			{"role":"tool","tool_call_id":"3","content":"r3"},{"role":"tool","tool_call_id":"x","content":"orphan"},{"role":"tool","tool_call_id":"1","content":"r1"},{"role":"tool","tool_call_id":"2","content":"r2"},{"role":"user","content":"r4"}]`,
			"r1 orphan r2 r3 r4",
		},
		"parts of one message": {
			`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"w","input":{}},{"type":"tool_use","id":"2","name":"w","input":{}}]},
			{"role":"user","content":[{"type":"text","text":"r0"},{"type":"tool_result","tool_use_id":"2","content":"r2"},{"type":"tool_result","tool_use_id":"1","content":"r1","is_error":true}]}]`,
			"r0 r1 r2",
		},
		"items, two steps": {
			`[{"type":"function_call","call_id":"1","name":"w","arguments":"{}"},{"type":"function_call","call_id":"2","name":"w","arguments":"{}"},{"type":"function_call_output","call_id":"2","output":"r2"},{"type":"function_call_output","call_id":"1","output":"r1"},
			{"type":"function_call","call_id":"3","name":"w","arguments":"{}"},{"type":"function_call","call_id":"1","name":"w","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"r4"},{"type":"function_call_output","call_id":"3","output":"r3"}]`,
			"r1 r2 r3 r4",
		},
	} {
		var messages []Message
		if err := json.Unmarshal([]byte(c.messages), &messages); err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprintf("%+v", messages)
		out, err := rewrite(Options{KeepUserText: true}, nil, messages)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%+v", messages) != before {
			t.Errorf("%s: the messages given were changed", name)
		}
		var found []string
		for _, m := range out {
			for _, p := range m.Parts {
				for _, word := range strings.Fields(p.Text) {
					if word == "orphan" || len(word) == 2 && word[0] == 'r' {
						found = append(found, word)
					}
				}
			}
		}
		if got := strings.Join(found, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
