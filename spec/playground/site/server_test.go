package site

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/spec/playground/engine"
)

// TestServer: the pages are there, link to nothing that is not, and the engine
// answers its own page alone.
func TestServer(t *testing.T) {
	server := Server()
	get := func(method, path, body string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://127.0.0.1:8790"+path, strings.NewReader(body))
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		return w
	}
	for path, want := range map[string]string{
		"/playground/": "data-engine=", "/playground/index.html": "The text of the model", "/playground/app.js": "startEngine", "/playground/style.css": "--paper",
		"/playground/cases.json": "framing/text-only", "/spec/": "The callwire format", "/spec/SPEC.md": "# The callwire format",
	} {
		if w := get("GET", path, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'self'") {
			t.Errorf("%s: %d %.100s", path, w.Code, w.Body.String())
		} else if strings.HasSuffix(path, "/") && !strings.Contains(w.Body.String(), `<link rel="icon" href="data:`) {
			t.Errorf("%s: browsers ask for favicon.ico", path)
		}
	}
	if w := get("GET", "/", ""); w.Code != http.StatusFound || w.Header().Get("Location") != "/playground/" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for _, path := range []string{"/nope", "/go.mod"} {
		if w := get("GET", path, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	const asked, json = `{"text":"<call>t a=1</call>"}`, "application/json"
	if w := get("POST", "/playground/answer", asked, "Content-Type", json, "Origin", "http://127.0.0.1:8790"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"input":"{\"a\":1}"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"another origin": get("POST", "/playground/answer", asked, "Content-Type", json, "Origin", "http://evil.example"),
		"another site":   get("POST", "/playground/answer", asked, "Sec-Fetch-Site", "cross-site"),
		"a get":          get("GET", "/playground/answer", ""),
		"too long":       get("POST", "/playground/answer", strings.Repeat(" ", mostRequest+1), "Content-Type", json),
	} {
		if w.Code < 400 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// TestCases: the examples are cases of the corpus that the page can show as they are.
func TestCases(t *testing.T) {
	cases := shownCases()
	if len(cases) < 500 {
		t.Fatalf("%d cases", len(cases))
	}
	page, err := assets.ReadFile("assets/index.html")
	if err != nil {
		t.Fatal(err)
	}
	with, protocols := map[string]bool{}, map[string]bool{}
	for _, c := range cases {
		if protocols[c.Protocol] = true; c.Protocol != "" && !slices.Contains(engine.Protocols(), c.Protocol) {
			t.Errorf("%s is in the format %s, which the page does not have", c.ID, c.Protocol)
		}
		for option, set := range map[string]bool{
			"strict": c.Options.Strict, "stopAfterMalformed": c.Options.StopAfterMalformed,
			"acceptAtEnd": c.Options.AcceptAtEnd, "salvage": c.Options.Salvage,
		} {
			with[option] = with[option] || set
		}
	}
	for option, set := range with {
		if !set || !strings.Contains(string(page), `id="`+option+`"`) {
			t.Errorf("the page or its cases have no option %s", option)
		}
	}
	if len(protocols) < 4 {
		t.Errorf("cases of the formats %v", protocols)
	}
}
