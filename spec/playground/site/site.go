package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

//go:embed assets
var assets embed.FS

// A File is a file of the page, with its name in the folder of the playground.
type File struct {
	Name string
	Text []byte
}

// Files returns the files of the page, except the wasm and its loader.
func Files() ([]File, error) {
	var all []File
	for _, name := range []string{"index.html", "style.css", "app.js"} {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		all = append(all, File{name, text})
	}
	cases, err := casesJSON()
	if err != nil {
		return nil, err
	}
	return append(all, File{"cases.json", cases}), nil
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
func casesJSON() ([]byte, error) {
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
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(all)
	return out.Bytes(), err
}
