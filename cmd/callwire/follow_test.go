package main

import "testing"

// TestFollowEarly: what is known after each write is printed before the next
// one, a call that is not complete included.
func TestFollowEarly(t *testing.T) {
	for flag, steps := range map[string][][2]string{
		"--color=never": {
			{"Hello", "Hello"},
			{" you: <ca", " you: "},
			{"ll>t a=1", "\n▶ t call-1 {\"a\":"},
			{" s='one", "1,\"s\":\"one"},
			{" two", " two"},
			{"'</call>", "\"}\n"},
			{"\n<call>t b", "▶ t call-2"},
			{" = 2</call>", "\n✗ t call-2 expected-equals at 2:10 (byte 51)\n"},
		},
		"--json": {
			{"Hel", `{"type":"text-start"}` + "\n" + `{"type":"text-delta","text":"Hel"}` + "\n"},
			{"lo <", `{"type":"text-delta","text":"lo "}` + "\n"},
			{"call>t s='é\\", `{"type":"text-end"}` + "\n" + `{"type":"tool-input-start","id":"call-1","name":"t"}` + "\n" +
				`{"type":"tool-input-delta","id":"call-1","delta":"{\"s\":\"é"}` + "\n"},
			{"n'", `{"type":"tool-input-delta","id":"call-1","delta":"\\n\""}` + "\n"},
			{"</call>", `{"type":"tool-input-delta","id":"call-1","delta":"}"}` + "\n" + `{"type":"tool-input-end","id":"call-1"}` + "\n" +
				`{"type":"tool-call","id":"call-1","start":6,"end":29,"name":"t","input":"{\"s\":\"é\\n\"}"}` + "\n"},
		},
	} {
		early(t, []string{"parse", "--follow", "--salvage=false", flag}, steps)
	}
}
