package middleware

import (
	"net/http"
	"strings"
	"testing"
)

// askOf sends a request to a whole path, such as that of an API with a version prefix.
func askOf(t *testing.T, u *upstream, opts Options, path, body string) string {
	t.Helper()
	out, err := u.try(opts, "/.."+path, body)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	geminiPath   = "/v1beta/models/gemini-2.5-pro:generateContent"
	geminiStream = "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"
	ollamaPath   = "/api/chat"
)

const weatherRequestG = `{"contents":[{"role":"user","parts":[{"text":"Warm?"}]}],"tools":[{"functionDeclarations":[{"name":"getWeather","description":"Get the weather.","parameters":{"type":"OBJECT","properties":{"location":{"type":"STRING"},"days":{"type":"INTEGER"}},"required":["location"]}}]},{"googleSearch":{}}],"generationConfig":{"temperature":0}}`

const weatherRequestO = `{"model":"m","messages":[{"role":"user","content":"Warm?"}],"tools":[` + weatherTool + `]}`

// TestSigned: a request that is signed stays as it is.
func TestSigned(t *testing.T) {
	req, _ := http.NewRequest("POST", "http://upstream.test/model/a/invoke", strings.NewReader(weatherRequestA))
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=x")
	u, reason := &upstream{replies: []string{"{}"}}, ""
	opts := Options{OnRewrite: func(_ *http.Request, r Rewrite) { reason = r.Reason }}
	_, err := (&Transport{Base: u, Options: opts}).RoundTrip(req)
	if err != nil || u.bodies[0] != weatherRequestA || !strings.Contains(reason, "signed") {
		t.Errorf("%v, reason %q, sent %s", err, reason, u.bodies)
	}
}
