package middleware

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

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
		if got := readChat(t, answer); len(got.Calls) != calls || repaired < 5 || required == 1 && repaired != calls {
			t.Errorf("%d calls, %d repaired", len(got.Calls), repaired)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) / uint64(len(text)); got > 1500 {
			t.Errorf("%d bytes for a byte, %d required", got, required)
		}
	}
}
