package middleware

import (
	"strings"
	"testing"
)

// TestSalvage: the drift of a model is a call, one in Markdown code is text, and an
// opener that is nearly ours is neither: the model is told.
func TestSalvage(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       Options
		calls      int
		told       string
	}{
		{"drift", `<call>getWeather location: "Rome"</call>`, Options{}, 1, ""},
		{"drift without salvage", `<call>getWeather location: "Rome"</call>`, Options{NoSalvage: true, Retries: -1}, 0, "expected-equals"},
		{"in code", "Write `<call>getWeather location=Rome</call>`.", Options{Retries: -1}, 0, ""},
		{"in code, read", "Write `<call>getWeather location=Rome</call>`.", Options{CallsInCode: true}, 1, ""},
		{"another spelling", "<CALL>getWeather location=Rome</CALL>", Options{Retries: -1}, 0, "wrong-opener"},
		{"another spelling, trusted", "<CALL>getWeather location=Rome</CALL>", Options{ContinueAfterMalformed: true}, 1, ""},
	} {
		got := read(t, c.opts, weatherRequest, chunks("stop", c.text))
		if len(got.Calls) != c.calls || strings.Contains(got.Text, "<tool-error") != (c.told != "") || !strings.Contains(got.Text, c.told) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.calls == 0 && !strings.HasPrefix(got.Text, c.text) {
			t.Errorf("%s: the text is not shown: %q", c.name, got.Text)
		}
	}
}
