package middleware

import (
	"strings"
	"testing"
)

// Values that do not fit are repaired where they are those of a JSON body, and null
// where the argument may be left out is none.
func TestRepair(t *testing.T) {
	const tool = `{"type":"function","function":{"name":"t","strict":true,"parameters":{"type":"object","properties":{"n":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},"s":{"type":"string"}}}}}`
	request := strings.Replace(weatherRequest, weatherTool, tool, 1)
	for text, want := range map[string]string{
		`<call>t n=null s=x</call>`:                 `{"s":"x"}`,
		`<call>t {"n":null,"s":null}</call>`:        `{}`,
		`<call>t {"n":"7","tags":"[\"a\"]"}</call>`: `{"n":7,"tags":["a"]}`,
		`<call>t n=7</call>`:                        `{"n":7}`,
	} {
		u := &upstream{replies: []string{chunks("stop", text)}}
		if got := readChat(t, u.post(t, Options{}, chat, request), 0); len(u.bodies) != 1 || len(got.Calls) != 1 || got.Calls[0].Arguments != want {
			t.Errorf("%s: %+v, want %s", text, got, want)
		}
	}
	u := &upstream{replies: []string{chunks("stop", `<call>t n=x</call>`), chunks("stop", "Well.")}}
	if u.post(t, Options{}, chat, request); len(u.bodies) != 2 {
		t.Errorf("%d requests", len(u.bodies))
	}
}
