package middleware

import (
	"fmt"
	"runtime"
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

// TestRepairIsLinear: what it takes to repair many calls that lack a thousand arguments
// each is bounded by the bytes of the message, and calls that lack few are all repaired.
func TestRepairIsLinear(t *testing.T) {
	for _, required := range []int{1, 2000} {
		var names []string
		for i := range required {
			names = append(names, fmt.Sprintf(`"k%d"`, i))
		}
		request := strings.Replace(weatherRequest, weatherTool, `{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":[`+strings.Join(names, ",")+`]}}}`, 1)
		const calls = 2000
		text := strings.Repeat(`<call>t {"n":"7"}</call>`, calls)
		u := &upstream{replies: []string{chunks("stop", text)}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer := u.post(t, Options{}, chat, request)
		runtime.ReadMemStats(&after)
		repaired := strings.Count(answer, `{\"n\":7}`)
		if got := readChat(t, answer, 0); len(got.Calls) != calls || repaired < 5 || required == 1 && repaired != calls {
			t.Errorf("%d calls, %d repaired", len(got.Calls), repaired)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) / uint64(len(text)); got > 1500 {
			t.Errorf("%d bytes for a byte, %d required", got, required)
		}
	}
}
