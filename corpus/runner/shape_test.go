package runner

import "testing"

// TestInOtherLetters: names are compared as JSON compares them, by what they decode to,
// and what only looks like a name in a string is none.
func TestInOtherLetters(t *testing.T) {
	for line, want := range map[string]bool{
		`{"seq":1,"events":[]}`:                         false,
		`{"Seq":1,"events":[]}`:                         true,
		`{"seq":1,"events":[{"type":"text","AT" : 1}]}`: true,
		`{"seq":1,"text":{"B64":""}}`:                   true,
		`{"\u0073eq":1}`:                                false,
		`{"\u0053eq":1}`:                                true,
		`{"ſeq":1}`:                                     true,
		`{"seq":1,"text":"\"Seq\":1, \\"}`:              false,
		`{"seq":1,"text":"Seq"}`:                        false,
		`{"seq":1,"Note":"a member of its own"}`:        false,
		`[]`:                                            false, `"Seq"`: false, ``: false,
	} {
		if got := inOtherLetters([]byte(line)); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}
