package fuzz

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/sig"
)

//go:embed catalogs.json
var catalogFile []byte

// The catalogs of catalogs.json.
var (
	groups   = catalogOf("groups")   // nested objects with required properties
	types    = catalogOf("types")    // unions, enums, tuples, recursion, names with dots
	tagged   = catalogOf("tagged")   // a place of every type for elements and blocks
	mistyped = catalogOf("mistyped") // one type for each argument, only one of them a string
)

func catalogOf(name string) *sig.Catalog {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(catalogFile, &all); err != nil {
		panic(err)
	}
	return mustCompile([]byte(all[name]))
}

func mustCompile(tools any) *sig.Catalog {
	c, err := sig.Compile(tools)
	if err != nil {
		panic(err)
	}
	return c
}

// Catalogs returns the sample catalog of the corpus, and those in the folder that CALLWIRE_TOOLS
// names, one JSON file each.
func Catalogs(t testing.TB) map[string]*sig.Catalog {
	t.Helper()
	_, sample := corpus.Sample()
	texts := map[string][]byte{"sample": sample}
	const variable = "CALLWIRE_TOOLS"
	if folder := os.Getenv(variable); folder != "" {
		files, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s names a folder without catalogs: %v", variable, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Base(file)] = text
		}
		delete(texts, "INDEX.json") // lists the origin of the others
	}
	all := make(map[string]*sig.Catalog)
	for name, text := range texts {
		all[name] = mustCompile(text)
	}
	return all
}

// named returns a catalog of tools with untyped arguments.
func named(names ...string) *sig.Catalog {
	tools := make([]sig.Tool, len(names))
	for i, name := range names {
		tools[i].Name = name
	}
	return mustCompile(tools)
}
