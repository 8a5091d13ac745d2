// Package site contains the files of the playground: the page, which loads nothing from
// other hosts, and the cases of the corpus as examples. Server serves them with the engine
// of this program; a static site has the engine as wasm beside them.
package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/spec"
)

//go:embed assets
var assets embed.FS

// Pages returns the files of the playground, except the wasm and its loader, and those of
// the specification, by their names in the site.
func Pages() map[string][]byte {
	all := map[string][]byte{"playground/cases.json": casesJSON()}
	for _, name := range []string{"index.html", "style.css", "app.js"} {
		all["playground/"+name], _ = assets.ReadFile("assets/" + name) // it is embedded
	}
	for _, f := range spec.Files() {
		all["spec/"+f.Name] = f.Text
	}
	return all
}

// shownCase is a case of the corpus as the page has it.
type shownCase struct {
	ID       string          `json:"id"`
	Note     string          `json:"note"`
	Text     string          `json:"text"`
	Tools    json.RawMessage `json:"tools,omitempty"`
	Options  corpus.Options  `json:"options,omitzero"`
	Protocol string          `json:"protocol,omitempty"`
}

// casesJSON returns the cases that are texts a person can type, with options that
// the page has.
func casesJSON() []byte {
	all := []shownCase{}
	for _, c := range append(corpus.Cases(), corpus.ProtocolCases()...) {
		isTypable := utf8.Valid(c.Text) && len(c.Text) <= 4000 && !bytes.ContainsRune(c.Text, '\r')
		others := c.Options
		others.Strict, others.StopAfterMalformed = false, false
		others.AcceptAtEnd, others.Salvage = false, false
		if c.Op == corpus.Parse && isTypable && others == (corpus.Options{}) {
			all = append(all,
				shownCase{c.ID, c.Note, string(c.Text), c.Tools, c.Options, c.Protocol})
		}
	}
	text, _ := json.Marshal(all) // strings always can
	return text
}
