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

// headerTokens is how many tokens the prompt may have before the signatures, in each vocabulary:
// with the example for plain types, and without examples, whose length depends on the tools, for
// all.
const (
	plainHeaderTokens = 70
	headerTokens      = 110
)

// plainTools are catalogs of tools with plain types, with and without optional arguments.
var plainTools = []string{
	weather,
	`[{"name":"get_user","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"fields":{"type":"string"}},"required":["id"]}}]`,
	`[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}},{"name":"greet","inputSchema":{"type":"object","properties":{"name":{"type":"string"},"loud":{"type":"boolean"}}}}]`,
	`[{"name":"list_restaurants","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"location":{"type":"string"},"user_id":{"type":"string"}},"required":["id","location","user_id"]}}]`,
	`[{"name":"translateUser","inputSchema":{"type":"object","properties":{"user_id":{"type":"string"},"start_date":{"type":"string"},"end_date":{"type":"string"},"note":{"type":"string"}},"required":["user_id","start_date","end_date"]}}]`,
	`[{"name":"create_calendar_event","inputSchema":{"type":"object","properties":{"title":{"type":"string"},"start":{"type":"string"},"duration":{"type":"integer"},"attendee":{"type":"string"},"note":{"type":"string"}},"required":["title","start","duration","attendee"]}}]`,
	`[{"name":"many","inputSchema":{"type":"object","properties":{"argument0":{"type":"string"},"argument1":{"type":"string"},"argument2":{"type":"string"},"argument3":{"type":"string"},"argument4":{"type":"string"},"argument5":{"type":"string"},"argument6":{"type":"string"},"argument7":{"type":"string"},"argument8":{"type":"string"},"argument9":{"type":"string"},"argument10":{"type":"string"},"argument11":{"type":"string"},"argument12":{"type":"string"},"argument13":{"type":"string"},"argument14":{"type":"string"},"argument15":{"type":"string"},"argument16":{"type":"string"},"argument17":{"type":"string"},"argument18":{"type":"string"},"argument19":{"type":"string"}},"required":["argument0","argument1","argument2","argument3","argument4","argument5","argument6","argument7","argument8","argument9","argument10","argument11","argument12","argument13","argument14","argument15","argument16","argument17","argument18","argument19"]}}]`,
}

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

// The prompt stays within its tokens up to the signatures.
func TestHeaderTokens(t *testing.T) {
	for _, vocabulary := range []string{"o200k_base", "cl100k_base"} {
		count := counter(t, vocabulary)
		for name, text := range catalogs(t) {
			m := must(compile(t, text), Options{})
			p := m.parts
			p.examples, p.signatures = nil, nil
			if n := count(m.render(p)); n > headerTokens {
				t.Errorf("%s: %d tokens of %s, want at most %d\n%s", name, n, vocabulary, headerTokens, m.render(p))
			}
		}
		for _, tools := range plainTools {
			m := must(compile(t, tools), Options{})
			header, _, _ := strings.Cut(m.String(), m.parts.signatures[0])
			if n := count(header); n > plainHeaderTokens || n < plainHeaderTokens/2 {
				t.Errorf("%d tokens of %s, want at most %d\n%s", n, vocabulary, plainHeaderTokens, header)
			} else {
				t.Logf("%d tokens of %s", n, vocabulary)
			}
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
