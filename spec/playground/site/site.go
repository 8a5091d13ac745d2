// Package site contains the files of the playground: the page, which loads nothing from
// other hosts, and the cases of the corpus as examples. Server serves them with the engine
// of this program; a static site has the engine as wasm beside them.
package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/spec"
	"github.com/callwire/callwire/spec/playground/engine"
)

//go:embed assets
var assets embed.FS

// Pages returns the files of the playground, except the wasm and its loader, and those of
// the specification, by their names in the site.
func Pages() map[string][]byte {
	all := map[string][]byte{}
	all["playground/cases.json"], _ = json.Marshal(shownCases()) // cases always can
	for _, name := range []string{"index.html", "style.css", "app.js"} {
		all["playground/"+name], _ = assets.ReadFile("assets/" + name) // it is embedded
	}
	for _, f := range spec.Files() {
		all["spec/"+f.Name] = f.Text
	}
	return all
}

// shownCases returns the cases that are texts a person can type, with options that the page
// has, without the answers.
func shownCases() (all []corpus.Case) {
	for _, c := range append(corpus.Cases(), corpus.ProtocolCases()...) {
		isTypable := utf8.Valid(c.Text) && len(c.Text) <= 4000 && !bytes.ContainsRune(c.Text, '\r')
		others := c.Options
		others.Strict, others.StopAfterMalformed = false, false
		others.AcceptAtEnd, others.Salvage = false, false
		if c.Op == corpus.Parse && isTypable && others == (corpus.Options{}) {
			c.Want, c.Rules = corpus.Want{}, nil
			all = append(all, c)
		}
	}
	return all
}

// mostRequest is the limit on a request of the page, in bytes.
const mostRequest = 4 << 20

// policy keeps the pages to themselves: they load nothing from anywhere else.
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// Server returns a handler that serves the playground and the specification, with the
// engine in this program in place of wasm. It answers no page of another site.
func Server() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", http.RedirectHandler("/playground/", http.StatusFound))
	mux.Handle("POST /playground/answer", http.NewCrossOriginProtection().Handler(
		http.HandlerFunc(answer)))
	for name, text := range Pages() {
		if name == "playground/index.html" { // it calls this program
			text = bytes.Replace(text, []byte("<html "), []byte(`<html data-engine="answer" `), 1)
		}
		page := func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
		}
		mux.HandleFunc("GET /"+name, page)
		if folder, ok := strings.CutSuffix(name, "index.html"); ok {
			mux.HandleFunc("GET /"+folder+"{$}", page)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		if strings.HasPrefix(r.URL.Path, "/spec/") { // it has an inline script
			h.Set("Content-Security-Policy",
				strings.Replace(policy, "script-src", "script-src 'unsafe-inline'", 1))
		}
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		mux.ServeHTTP(w, r)
	})
}

// answer answers the page.
func answer(w http.ResponseWriter, r *http.Request) {
	request, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostRequest))
	if err != nil {
		http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(engine.Serve(request))
}
