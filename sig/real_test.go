package sig

import (
	"os"
	"path/filepath"
	"testing"
)

// catalogEnv names a folder of further catalogs, one JSON file each, for the tests to
// run on.
const catalogEnv = "CALLWIRE_TOOLS"

func TestRealCatalogs(t *testing.T) {
	folder := os.Getenv(catalogEnv)
	if folder == "" {
		t.Logf("%s is not set: only the catalogs in the tests are compiled", catalogEnv)
		return
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s names a folder without catalogs: %v", catalogEnv, err)
	}
	for _, file := range files {
		if filepath.Base(file) == "INDEX.json" {
			continue // lists the origin of the others
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Compile(text)
			if err != nil {
				t.Fatal(err)
			}
			checkCatalog(t, c, len(text))
			for _, tool := range c.Tools() {
				t.Logf("%s %s", tool.Name, describe(tool.Args))
			}
			for _, p := range c.Problems() {
				t.Logf("problem: %+v", p)
			}
		})
	}
}
