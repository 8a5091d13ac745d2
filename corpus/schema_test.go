package corpus_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchema holds the files of cases against schema.json.
func TestSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", readJSON(t, "schema.json")); err != nil {
		t.Fatal(err)
	}
	file, err := c.Compile("schema.json")
	one, err2 := c.Compile("schema.json#/$defs/case")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	names := caseFiles(t)
	for _, name := range names {
		for i, c := range readJSON(t, name).(map[string]any)["cases"].([]any) {
			if err := one.Validate(c); err != nil {
				t.Errorf("%s: cases[%d]: %v", name, i, err)
			}
		}
	}
	if err := file.Validate(readJSON(t, names[0])); err != nil {
		t.Error(err)
	}
	for member, wrong := range map[string]any{"version": "2", "topic": "A b", "cases": []any{map[string]any{}}, "more": true} {
		other := map[string]any{"version": "1.0", "topic": "t", "cases": []any{}}
		other[member] = wrong
		if file.Validate(other) == nil {
			t.Errorf("%s may be %v", member, wrong)
		}
	}
}

// caseFiles returns the names of all files of cases.
func caseFiles(t *testing.T) []string {
	t.Helper()
	disk := os.DirFS(".")
	names, err := fs.Glob(disk, "cases/*.json")
	more, err2 := fs.Glob(disk, "cases/*/*.json")
	if err := errors.Join(err, err2); err != nil || len(names) == 0 || len(more) == 0 {
		t.Fatalf("%d and %d files, %v", len(names), len(more), err)
	}
	return append(names, more...)
}

func readJSON(t *testing.T, name string) (v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}
