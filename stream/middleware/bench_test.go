package middleware

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
)

// benchAnswer returns a request's response with that body, read by a Middleware.
func benchAnswer(b testing.TB, opts Options, path, request string, body io.Reader) io.ReadCloser {
	req, err := http.NewRequest("POST", "http://upstream.test/v1"+path, strings.NewReader(request))
	if err != nil {
		b.Fatal(err)
	}
	resp, err := Middleware(shown(opts))(req, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)}, nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return resp.Body
}

// cpuTime returns the CPU time of this process, in nanoseconds.
func cpuTime() int64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return used.Utime.Nano() + used.Stime.Nano()
}

type writerOnly struct{ io.Writer }

// BenchmarkChunk is what one chunk of a stream costs in each API: prose, and the text
// of a long argument.
func BenchmarkChunk(b *testing.B) {
	for _, f := range streamForms {
		events := func(forms []string, text string) string {
			var all strings.Builder
			for _, form := range forms {
				all.WriteString(frameText(f.api, strings.NewReplacer("$TEXT", string(rawjson.Quote(text)), "$N", "4", "$PAD", "x").Replace(form)))
			}
			return all.String()
		}
		head, form := events(f.head, ""), f.forms[:1]
		chunk := events(form, " some words")
		for name, head := range map[string]string{"prose": head, "argument": head + events(form, `<call>getWeather location="`)} {
			b.Run(strings.Trim(f.api, "/")+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(chunk)))
				b.ReportAllocs()
				opts := Options{}
				opts.Limits.Bytes = 1 << 40 // the argument does not end
				body := benchAnswer(b, opts, f.api, f.request, io.MultiReader(strings.NewReader(head), io.LimitReader(&endless{fill: chunk}, int64(b.N)*int64(len(chunk)))))
				b.ResetTimer()
				before := cpuTime()
				_, err := io.CopyBuffer(writerOnly{io.Discard}, body, make([]byte, 4096))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}

// BenchmarkCall is what a message with one call costs, from the request to the
// end of the response.
func BenchmarkCall(b *testing.B) {
	stream := chunks("stop", "Let me look. ", "<call>", "get", "Weather", " location", "=\"New", " York\"", "</call>")
	b.ReportAllocs()
	do := Middleware(shown(Options{}))
	for b.Loop() {
		req := mustRequest(weatherRequest)
		resp, err := do(req, func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(stream))}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
	}
}

// BenchmarkRequest is what rewriting a request costs, by the steps of the
// conversation after it.
func BenchmarkRequest(b *testing.B) {
	for _, steps := range []int{0, 10, 100} {
		b.Run(fmt.Sprint(steps), func(b *testing.B) {
			var history strings.Builder
			for i := range steps {
				fmt.Fprintf(&history, `,{"role":"assistant","content":"Step","tool_calls":[{"id":"c%d","type":"function","function":{"name":"getWeather","arguments":"{\"location\":\"Rome\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":"sun"}`, i, i)
			}
			body := strings.Replace(weatherRequest, `"}]}`, `"}`+history.String()+`]}`, 1)
			do := Middleware(shown(Options{}))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				do(mustRequest(body), func(*http.Request) (*http.Response, error) { return nil, io.EOF })
			}
		})
	}
}

// BenchmarkStep is what the last request of a conversation of 500 steps costs, with
// 4 KB of results in each, and decoding and encoding it by encoding/json.
func BenchmarkStep(b *testing.B) {
	var turns []string
	for i := range 500 {
		turns = append(turns, fmt.Sprintf(`{"role":"assistant","content":"Step","tool_calls":[{"id":"c%d","type":"function","function":{"name":"getWeather","arguments":"{\"location\":\"Rome\"}"}}]}`, i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("It is \"sunny\".\n", 256)))
	}
	body := func(turns []string) string {
		return strings.Replace(weatherRequest, `"}]}`, `"},`+strings.Join(turns, ",")+`]}`, 1)
	}
	before, last := body(turns[:998]), body(turns)
	send := func(do func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error), body string) {
		do(mustRequest(body), func(*http.Request) (*http.Response, error) { return nil, io.EOF })
	}
	b.Run("rewritten", func(b *testing.B) {
		do := Middleware(shown(Options{}))
		b.SetBytes(int64(len(last)))
		for b.Loop() {
			b.StopTimer()
			send(do, before)
			b.StartTimer()
			send(do, last)
		}
	})
	b.Run("fresh", func(b *testing.B) { // of a conversation that was not seen before
		b.SetBytes(int64(len(last)))
		for b.Loop() {
			send(Middleware(shown(Options{})), last)
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(last)))
		for b.Loop() {
			var v any
			json.Unmarshal([]byte(last), &v)
			json.Marshal(v)
		}
	})
}
