package manual_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// benchCatalog are the tools of the token benchmark.
const benchCatalog = "../cmd/callwire/internal/bench/catalog.json"

// classicHeader is how many tokens the header has that the classic notation was
// published with.
const classicHeader = 143

// mostOfClassic is how much of the classic manual ours may cost, in per cent. It
// says more: that other formats are not read, and when to write no call.
const mostOfClassic = 80

// headerTokens is how many tokens a header may have with its legend, in o200k: for plain types, and
// for all.
const (
	plainHeaderTokens = 70
	headerTokens      = 130
)

// The header for tools of plain types stays within its tokens, without the example.
func TestPlainHeaderTokens(t *testing.T) {
	p := newManual(t, mustCompile(t, tools)).Parts()
	p.Signatures, p.Examples = nil, nil
	if n := counter(t, "o200k_base")(p.String()); n > plainHeaderTokens {
		t.Errorf("%d tokens, want at most %d:\n%s", n, plainHeaderTokens, p)
	}
}

func newManual(t *testing.T, catalog *sig.Catalog) *manual.Manual {
	t.Helper()
	m, err := manual.New(catalog, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustCompile(t *testing.T, tools any) *sig.Catalog {
	t.Helper()
	catalog, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

// A fact is what a model cannot guess from the name and type of a parameter: a number, a quoted
// word, a code, a format or an example.
var fact = regexp.MustCompile(`"[^"\s]+"|'[^'\s]+'|` + "`[^`\\s]+`" + `|\b[A-Z][A-Z0-9_]{2,}\b|[\w.:/-]*\d[\w.:/-]*|\w+://\S+|\w+[_/]\w+`)

// The prompt tells nearly all facts in the descriptions of parameters of real tools.
func TestFactsAreTold(t *testing.T) {
	told, all := 0, 0
	files := catalogs(t)
	facts, err := os.ReadFile(filepath.Join("testdata", "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	files["facts.json"] = facts
	for name, text := range files {
		catalog := mustCompile(t, text)
		m := newManual(t, catalog)
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
					if strings.Contains(m.Parts().Signatures[i], strings.TrimRight(f, ".:")) {
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

// The header stays within its tokens. The examples of further catalogs, which are
// as long as the names in their tools, do not count.
func TestHeaderTokens(t *testing.T) {
	count := counter(t, "o200k_base")
	for name, text := range catalogs(t) {
		catalog, err := sig.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		p := newManual(t, catalog).Parts()
		if name != filepath.Base(benchCatalog) {
			p.Examples = nil
		}
		p.Signatures = nil
		if n := count(p.String()); n > headerTokens {
			t.Errorf("%s: %d tokens\n%s", name, n, p)
		} else {
			t.Logf("%s: %d tokens\n%s", name, n, p)
		}
	}
}

// mostOfJSON is how much of JSON definitions a manual may cost that tells of all
// parameters in short, in per cent.
const mostOfJSON = 55

// The manual costs at most 55 per cent of the JSON definitions of real catalogs,
// and what it does not tell of constraints is listed.
func TestRealManuals(t *testing.T) {
	count := counter(t, "o200k_base")
	ours, theirs := 0, 0
	for name, text := range catalogs(t) {
		catalog, err := sig.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		type definition struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"input_schema"`
		}
		var definitions []definition
		told, listed := 0, 0
		for _, tool := range catalog.Tools() {
			definitions = append(definitions, definition{tool.Name, tool.Description, tool.Schema})
			plan, _ := sig.PlanOptions{}.Plan(tool)
			of := sig.SignatureOptions{}
			off := sig.SignatureOptions{Parameters: sig.Off}
			all, left := constraintsIn(off.Omitted(plan)), constraintsIn(of.Omitted(plan))
			told, listed = told+all-left, listed+left
			if shorter, line := of.Signature(plan), off.Signature(plan); all > left && len(shorter) <= len(line) {
				t.Errorf("%s: %d constraints are neither told nor listed", tool.Name, all-left)
			}
		}
		data, err := json.Marshal(definitions)
		if err != nil {
			t.Fatal(err)
		}
		n, of := count(newManual(t, catalog).String()), count(string(data))
		ours, theirs = ours+n, theirs+of
		t.Logf("%s: %d tokens of %d; %d constraints are told, %d listed", name, n, of, told, listed)
	}
	if t.Logf("%d of %d", ours, theirs); ours*100 > theirs*mostOfJSON {
		t.Errorf("%d tokens are more than %d %% of %d", ours, mostOfJSON, theirs)
	}
}

// constraintsIn counts the omissions that are no descriptions.
func constraintsIn(omitted []sig.Omission) (n int) {
	for _, o := range omitted {
		if o.Keyword != "description" && o.Keyword != "default" {
			n++
		}
	}
	return n
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

// catalogs returns the tools of the token benchmark, and those of the folder.
func catalogs(t *testing.T) map[string][]byte {
	t.Helper()
	files := []string{benchCatalog}
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
			continue // tells where the others come from
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = text
	}
	return all
}
