package middleware

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestUsage: the usage of a response is that of all requests, also if the required call never
// comes. Then clients get an error, and don't ask again.
func TestUsage(t *testing.T) {
	tokens := func(text string) int { return (len(text) + 3) / 4 } // as in package scripted
	for name, e := range endpoints {
		api, isWhole := strings.CutSuffix(name, " whole")
		for _, replies := range [][]string{{broken, rome}, {broken, "No."}, {"No.", "No!"}} {
			request, want := `{"stream_options":{"include_usage":true},`+e.request[1:], 0
			isMissing := replies[1] != rome
			if isMissing {
				choice, ok := asks["required"][api]
				if !ok {
					continue
				}
				request = `{` + choice + `,` + request[1:]
			}
			m := &scripted.Model{Replies: []scripted.Reply{{Text: replies[0]}, {Text: replies[1]}}}
			status, out, _ := ask(m, Options{}, e.path, request)
			for i, r := range m.Requests() {
				want += tokens(string(r.Body)) + tokens(replies[i])
			}
			got := shapeOf(api).read(t, out).usage
			hasUsage := !isMissing || !isWhole && api != "responses" // their errors have none
			if hasUsage && got != fmt.Sprint(want) || isMissing != strings.Contains(out, "call-missing") ||
				(status == http.StatusUnprocessableEntity) != (isMissing && isWhole) || len(m.Requests()) != 2 {
				t.Errorf("%s, %q: %d, %s tokens in %d requests, want %d", name, replies, status, got, len(m.Requests()), want)
			}
		}
	}
}

// TestThreads: a client that continues a thread with a result must send everything.
func TestThreads(t *testing.T) {
	m := &scripted.Model{}
	var log strings.Builder
	status, answer, _ := ask(m, Options{OnRewrite: warnings(&log)}, messages, `{"model":"m","thread":{"type":"continue","previous_message_id":"msg_1"},"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"sun"}]}]}`)
	if status != http.StatusNotFound || !strings.Contains(answer, `"error_code":"thread_not_found"`) || len(m.Requests()) != 0 || log.Len() == 0 {
		t.Errorf("%d, %s, %s", status, answer, log.String())
	}
}

// TestMemoryFollowsBytes: a body that has not arrived takes no memory.
func TestMemoryFollowsBytes(t *testing.T) {
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			req := mustRequest("")
			req.Body = io.NopCloser(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(io.ErrUnexpectedEOF)))
			req.ContentLength = 30_000_000
			Middleware(Options{})(req, nil)
		}
	})
	if got := result.AllocedBytesPerOp(); got > 64<<10 {
		t.Errorf("%d bytes", got)
	}
}
