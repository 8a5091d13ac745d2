package middleware

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
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
			m := says(replies...)
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

// TestMemoryFollowsBytes: a body that has not arrived takes no memory.
func TestMemoryFollowsBytes(t *testing.T) {
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			req := newRequest(chat, "")
			req.Body = io.NopCloser(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(io.ErrUnexpectedEOF)))
			req.ContentLength = 30_000_000
			Middleware(Options{})(req, nil)
		}
	})
	if got := result.AllocedBytesPerOp(); got > 64<<10 {
		t.Errorf("%d bytes", got)
	}
}

// TestManyMembers: the work grows with the members of an object, not with their square, and not
// with the citations of a text times its calls.
func TestManyMembers(t *testing.T) {
	const n = 50_000
	var many strings.Builder
	for i := range n {
		fmt.Fprintf(&many, `"m%d":1,`, i)
	}
	for name, c := range map[string]struct {
		endpoint string
		replies  []string // @ is many members
	}{
		"message of chat":   {"chat whole", []string{`{"choices":[{"message":{@"content":"` + rome + `"},"finish_reason":"stop"}]}`}},
		"message of Claude": {"messages whole", []string{`{@"content":[{"type":"text","text":"` + rome + `"}],"stop_reason":"end_turn"}`}},
		"usage of Claude":   {"messages", []string{"event: message_start\ndata: " + `{"type":"message_start","message":{"usage":{@"x":1}}}` + "\n\n"}},
		"usage of two":      {"chat whole", []string{`{"choices":[{"message":{"content":"` + broken + `"}}],"usage":{@"x":1}}`, `{"choices":[{"message":{"content":""}}],"usage":{@"x":1}}`}},
		"citations": {"responses whole", []string{`{"output":[{"type":"message","content":[{"type":"output_text","text":"` + strings.Repeat("t"+rome, 1000) +
			`","annotations":[` + strings.Repeat(`{"type":"x","index":99999999},`, 10000) + `{}]}]}]}`}},
		"no content": {"gemini", []string{"data: " + `{"candidates":[{@"content":{"role":"model","parts":[{"text":"<"}]}}]}` +
			"\n\ndata: " + `{"candidates":[{@"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}` + "\n\n"}},
	} {
		for i := range c.replies {
			c.replies[i] = strings.ReplaceAll(c.replies[i], "@", many.String())
		}
		m := canned(c.replies...)
		e, before := endpoints[c.endpoint], cpuTime()
		post(t, m, Options{}, e.path, e.request)
		if took := (cpuTime() - before) / 1e6; took > 1500 || len(m.Requests()) != len(c.replies) {
			t.Errorf("%s: %d ms in %d requests", name, took, len(m.Requests()))
		}
	}
}

// TestManyCalls: of the objects that many calls in one event are written as, few are kept, and of
// each call one event. What is said about many malformed calls is bounded.
func TestManyCalls(t *testing.T) {
	const calls = 5000
	for name, e := range endpoints {
		api, _ := strings.CutSuffix(name, " whole")
		m := says(strings.Repeat(rome, calls), strings.Repeat(broken, calls), strings.Repeat(broken, calls))
		m.Shape.Delta = 1 << 20
		resp, err := (&Transport{Base: m}).RoundTrip(newRequest(e.path, e.request))
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(resp.Body)
		got := shapeOf(api).read(t, string(out))
		if err != nil || len(got.calls) != calls {
			t.Errorf("%s: %v after %d calls", name, err, len(got.calls))
		}
		if b, ok := resp.Body.(*body); ok && (cap(b.x.written) > 8*mostWritten || cap(b.x.events) > 2*calls) {
			t.Errorf("%s: %d objects and %d events are kept", name, cap(b.x.written), cap(b.x.events))
		}
		for what, shows := range map[string]bool{"<tool-error": true, "removed.)": false} {
			_, out, _ := ask(m, Options{Retries: -1, ShowMalformed: shows}, e.path, e.request)
			text := shapeOf(api).read(t, out).text
			if n := strings.Count(text, what); n != mostShown || strings.Contains(text, strings.Repeat(broken, calls-mostShown)) != shows {
				t.Errorf("%s: %d times %s", name, n, what)
			}
		}
	}
}
