package middleware

import (
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
	resp, err := Middleware(shown(opts))(newRequest(path, request), once(streaming(body)))
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

// streamForms are events of each API: the beginning of a message, and an event with a text.
var streamForms = []struct {
	api, request string
	head         []string
	text         string
}{
	{chat, weatherRequest, nil, `{"id":"c","choices":[{"index":0,"delta":{"content":$TEXT},"finish_reason":null}]}`},
	{messages, weatherRequestA, []string{
		`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	}, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":$TEXT}}`},
	{"/responses", weatherRequestR, []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","output":[]}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`,
		`{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`,
	}, `{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":$TEXT,"logprobs":[],"sequence_number":4,"obfuscation":"x"}`},
	{ollamaPath, weatherRequest, nil, `{"model":"m","created_at":"2026-01-02T03:04:05.4Z","message":{"role":"assistant","content":$TEXT},"done":false}`},
}

// frameText returns an event of an API with that data; Ollama's are lines.
func frameText(api, data string) string {
	if api == ollamaPath {
		return data + "\n"
	}
	return "data: " + data + "\n\n"
}

// BenchmarkChunk is what one chunk of a stream costs in each API: prose, and the text
// of a long argument.
func BenchmarkChunk(b *testing.B) {
	for _, f := range streamForms {
		event := func(text string) string {
			return frameText(f.api, strings.ReplaceAll(f.text, "$TEXT", string(rawjson.Quote(text))))
		}
		head, chunk := "", event(" some words")
		for _, data := range f.head {
			head += frameText(f.api, data)
		}
		for name, head := range map[string]string{"prose": head, "argument": head + event(`<call>getWeather location="`)} {
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
				do(newRequest(chat, body), func(*http.Request) (*http.Response, error) { return nil, io.EOF })
			}
		})
	}
}
