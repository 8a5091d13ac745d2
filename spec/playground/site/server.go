package site

import (
	"bytes"
	"io"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/callwire/callwire/spec/playground/engine"
)

// mostRequest is the limit on a request of the page, in bytes.
const mostRequest = 4 << 20

// policy keeps the page to itself: it loads nothing from anywhere else.
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// Server returns a handler that serves the playground and the specification, with the
// engine in this program in place of wasm. It only answers requests of its own page.
func Server() http.Handler {
	pages := Pages()
	page := served.Replace(string(pages["playground/index.html"]))
	pages["playground/index.html"] = []byte(page)
	return server(pages)
}

// served makes the page call the program that serves it. Only the site has the other pages.
var served = strings.NewReplacer(
	`<html lang="en">`, `<html lang="en" data-engine="answer">`,
	`<a href="../benchmarks.html">Benchmarks</a>`, "",
	`<a href="../implementations.html">Implementations</a>`, "",
	`href="../index.html"`, `href="index.html"`,
)

type server map[string][]byte

func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	if strings.HasPrefix(r.URL.Path, "/spec/") { // it has an inline script
		h.Set("Content-Security-Policy",
			strings.Replace(policy, "script-src 'self'", "script-src 'self' 'unsafe-inline'", 1))
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if r.URL.Path == "/playground/answer" {
		s.answer(w, r)
		return
	}
	name := r.URL.Path
	switch name {
	case "/", "/playground", "/index.html":
		http.Redirect(w, r, "/playground/", http.StatusFound)
		return
	case "/playground/", "/spec/":
		name += "index.html"
	}
	text, ok := s[strings.TrimPrefix(path.Clean(name), "/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// answer answers the page. It rejects pages of other sites: their requests have another
// origin, or a type other than JSON.
func (s server) answer(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	switch {
	case r.Method != http.MethodPost:
		http.Error(w, "POST a request in JSON", http.StatusMethodNotAllowed)
		return
	case r.Header.Get("Content-Type") != "application/json",
		origin != "" && origin != "http://"+r.Host:
		http.Error(w, "for the page of the playground only", http.StatusForbidden)
		return
	}
	request, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostRequest))
	if err != nil {
		http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(engine.Serve(request))
}
