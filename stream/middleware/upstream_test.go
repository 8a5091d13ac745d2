package middleware

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// canned returns a model that answers with these bodies, the last one again and again.
func canned(bodies ...string) *scripted.Model {
	return &scripted.Model{Script: func(n int, _ scripted.Request) scripted.Reply {
		body := bodies[min(n, len(bodies)-1)]
		kind := "text/event-stream; charset=utf-8"
		if strings.HasPrefix(body, "{") {
			kind = "application/json"
		}
		return scripted.Reply{Raw: body, ContentType: kind}
	}}
}

// newRequest returns a request with a body.
func newRequest(path, body string) *http.Request {
	req, err := http.NewRequest("POST", "http://upstream.test"+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	return req
}

// ask sends a request to an upstream through a Transport.
func ask(u http.RoundTripper, opts Options, path, body string) (status int, out string, err error) {
	resp, err := (&Transport{Base: u, Options: opts}).RoundTrip(newRequest(path, body))
	if err != nil {
		return 0, "", err
	}
	data, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(data), err
}

// post is ask for a response that can be read, under the options of shown.
func post(t testing.TB, u http.RoundTripper, opts Options, path, body string) string {
	t.Helper()
	_, out, err := ask(u, shown(opts), path, body)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// response returns a response of a type with that body, and streaming one that is a stream.
func response(kind string, body io.Reader) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(body)}
}

func streaming(body io.Reader) *http.Response { return response("text/event-stream", body) }

// once answers with a response.
func once(resp *http.Response) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return resp, nil }
}

// compileTools compiles a catalog of the tests.
func compileTools(t testing.TB, tools string) *sig.Catalog {
	t.Helper()
	catalog, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

// cutReader reads data in chunks of given sizes, over and over.
type cutReader struct {
	data []byte
	cuts []byte
	n    int
}

func (r *cutReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := len(p)
	if len(r.cuts) > 0 {
		n = min(n, int(r.cuts[r.n%len(r.cuts)])+1)
		r.n++
	}
	n = copy(p[:n], r.data)
	r.data = r.data[n:]
	return n, nil
}

// The paths of the protocols.
const (
	chat     = "/chat/completions"
	messages = "/messages"
)

// says returns a model that writes these texts, one for each request.
func says(texts ...string) *scripted.Model {
	m := &scripted.Model{}
	for _, text := range texts {
		m.Replies = append(m.Replies, scripted.Reply{Text: text})
	}
	return m
}

// written returns the response, mostly a stream, in which a model writes a text.
func written(path, request, text string) string {
	resp, err := says(text).RoundTrip(newRequest(path, request))
	if err != nil {
		panic(err)
	}
	data, _ := io.ReadAll(resp.Body)
	return string(data)
}

// chunksRaw returns a stream of chat completions without an end. The contents are JSON.
func chunksRaw(contents ...string) string {
	var b strings.Builder
	for _, c := range contents {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-7","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`+"\n\n", c)
	}
	return b.String()
}

// shown returns options under which likely mistakes are repaired, and malformed calls are
// text.
func shown(o Options) Options {
	o.Repair, o.ShowMalformed = true, true
	return o
}

// warnings returns a hook that writes warnings to log.
func warnings(log io.Writer) func(*http.Request, Rewrite) {
	return func(_ *http.Request, r Rewrite) {
		if r.Stage == Warned {
			io.WriteString(log, r.Reason+"\n")
		}
	}
}

// validObject reports whether data is one JSON object.
func validObject(data []byte) bool { return readValid(data) != nil }

// endpoints are requests with the tool getWeather to each API, streamed and whole.
var endpoints = map[string]struct{ path, request string }{
	"chat":            {"/v1" + chat, weatherRequest},
	"chat whole":      {"/v1" + chat, strings.Replace(weatherRequest, `"stream":true`, `"stream":false`, 1)},
	"messages":        {"/v1" + messages, weatherRequestA},
	"messages whole":  {"/v1" + messages, strings.Replace(weatherRequestA, `"stream":true`, `"stream":false`, 1)},
	"responses":       {"/v1/responses", weatherRequestR},
	"responses whole": {"/v1/responses", strings.Replace(weatherRequestR, `"stream":true`, `"stream":false`, 1)},
	"gemini":          {geminiStream, weatherRequestG},
	"gemini whole":    {geminiPath, weatherRequestG},
	"ollama":          {ollamaPath, weatherRequestO},
	"ollama whole":    {ollamaPath, strings.Replace(weatherRequestO, `"model"`, `"stream":false,"model"`, 1)},
}

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a quarter of the time is garbage
	os.Exit(m.Run())
}
