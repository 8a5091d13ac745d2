package middleware

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// asked sends a request to a scripted model, and returns what the application gets and
// the model.
func asked(t *testing.T, opts Options, path, request string, replies ...string) (string, *scripted.Model) {
	t.Helper()
	m := &scripted.Model{Shape: scripted.Shape{Delta: 5}}
	for _, text := range replies {
		m.Replies = append(m.Replies, scripted.Reply{Text: text})
	}
	req, err := http.NewRequest("POST", "http://upstream.test"+path, strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&Transport{Base: m, Options: shown(opts)}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), m
}

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
