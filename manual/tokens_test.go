package manual

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// benchCatalog are the tools of the token benchmark.
const benchCatalog = "../cmd/callwire/internal/bench/catalog.json"

// headerTokens is how many tokens a header may have with its legend, in o200k: for plain types, and
// for all.
const (
	plainHeaderTokens = 70
	headerTokens      = 130
)

// A fact is what a model cannot guess from the name and type of a parameter: a number, a quoted
// word, a code, a format or an example.
var fact = regexp.MustCompile(`"[^"\s]+"|'[^'\s]+'|` + "`[^`\\s]+`" + `|\b[A-Z][A-Z0-9_]{2,}\b|[\w.:/-]*\d[\w.:/-]*|\w+://\S+|\w+[_/]\w+`)

// The prompt contains nearly all facts in the descriptions of parameters of real tools.
func TestFactsAreTold(t *testing.T) {
	told, all := 0, 0
	files := catalogs(t)
	facts, err := os.ReadFile(filepath.Join("testdata", "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	files["facts.json"] = facts
	for name, text := range files {
		catalog := compile(t, text)
		m := must(catalog, Options{})
		for i, tool := range m.Catalog().Tools() {
			if tool.Args == nil {
				continue
			}
			for j := range tool.Args.Fields {
				field := &tool.Args.Fields[j]
				if field.Type == nil {
					continue
				}
				for _, f := range fact.FindAllString(field.Type.Description, -1) {
					all++
					if strings.Contains(m.parts.signatures[i], strings.TrimRight(f, ".:")) {
						told++
					} else {
						t.Logf("%s: %s.%s: %s", name, tool.Name, field.Name, f)
					}
				}
			}
		}
	}
	t.Logf("%d of %d facts", told, all)
	if all < 50 || told*100 < all*99 {
		t.Errorf("%d of %d facts are told", told, all)
	}
}

// The header stays within its tokens, without the examples, whose length depends on the tools.
func TestHeaderTokens(t *testing.T) {
	count := counter(t, "o200k_base")
	files := catalogs(t)
	files["plain"] = []byte(weather)
	for name, text := range files {
		m := must(compile(t, text), Options{})
		p := m.parts
		p.examples, p.signatures = nil, nil
		header := m.render(p)
		most := headerTokens
		if name == "plain" {
			most = plainHeaderTokens
		}
		if n := count(header); n > most {
			t.Errorf("%s: %d tokens, want at most %d\n%s", name, n, most, header)
		}
	}
}

// mostOfJSON is the limit on the size of a manual with brief descriptions of all
// parameters, in percent of the JSON definitions.
const mostOfJSON = 55

// The manual costs at most 55 per cent of the JSON definitions of real catalogs.
func TestRealManuals(t *testing.T) {
	count := counter(t, "o200k_base")
	ours, theirs := 0, 0
	for name, text := range catalogs(t) {
		catalog := compile(t, text)
		type definition struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"input_schema"`
		}
		var definitions []definition
		for _, tool := range catalog.Tools() {
			definitions = append(definitions, definition{tool.Name, tool.Description, tool.Schema})
		}
		data, err := json.Marshal(definitions)
		if err != nil {
			t.Fatal(err)
		}
		n, of := count(must(catalog, Options{}).String()), count(string(data))
		ours, theirs = ours+n, theirs+of
		t.Logf("%s: %d tokens of %d", name, n, of)
	}
	if ours*100 > theirs*mostOfJSON {
		t.Errorf("%d tokens are more than %d %% of %d", ours, mostOfJSON, theirs)
	}
}

// counter returns what counts tokens of a vocabulary.
func counter(t *testing.T, vocabulary string) func(string) int {
	t.Helper()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	encoding, err := tiktoken.GetEncoding(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) int { return len(encoding.EncodeOrdinary(text)) }
}

// catalogEnv names a folder of further catalogs, one JSON file each.
const catalogEnv = "CALLWIRE_TOOLS"

// catalogs returns the tools of the token benchmark, sample tools, and those of the folder.
func catalogs(t *testing.T) map[string][]byte {
	t.Helper()
	files := []string{benchCatalog, "../corpus/samples/tools.json"}
	if folder := os.Getenv(catalogEnv); folder != "" {
		more, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	all := make(map[string][]byte)
	for _, file := range files {
		if filepath.Base(file) == "INDEX.json" {
			continue // lists the sources of the others
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = text
	}
	return all
}
