package middleware

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// memoryOf returns how many bytes of memory a stream takes while it is read, which
// has brought text and the beginning of a call.
func memoryOf(t testing.TB, streams int) float64 {
	head := strings.Join(strings.SplitAfter(chunks("stop", "Let me look. ", `<call>getWeather location="New `), "\n\n")[:3], "")
	use := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	do := Middleware(shown(Options{}))
	before := use()
	bodies := make([]io.ReadCloser, streams)
	for i := range bodies {
		resp, err := do(mustRequest(weatherRequest), func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(head))}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		bodies[i] = resp.Body
		buf := make([]byte, 512)
		for range 2 {
			resp.Body.Read(buf)
		}
	}
	after := use()
	runtime.KeepAlive(bodies)
	return float64(after-before) / float64(streams)
}

// TestMemory: 10,000 slow streams fit into 320 MB.
func TestMemory(t *testing.T) {
	if got := memoryOf(t, 300); got > 32<<10 {
		t.Errorf("%.0f bytes for a stream", got)
	}
}

// BenchmarkMemory reports what a stream keeps in memory, of 10,000 slow ones.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		b.ReportMetric(memoryOf(b, 10_000), "bytes/stream")
	}
}
