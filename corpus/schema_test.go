package corpus_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestSchema holds the files of cases against schema.json.
func TestSchema(t *testing.T) {
	root := readJSON(t, "schema.json").(map[string]any)
	names := caseFiles(t)
	for _, name := range names {
		for i, c := range readJSON(t, name).(map[string]any)["cases"].([]any) {
			if err := fits(root, map[string]any{"$ref": "#/$defs/case"}, c); err != nil {
				t.Errorf("%s: cases[%d]: %v", name, i, err)
			}
		}
	}
	file := readJSON(t, names[0]).(map[string]any)
	if err := fits(root, root, file); err != nil {
		t.Error(err)
	}
	for member, wrong := range map[string]any{"version": "2", "topic": "A b", "cases": []any{map[string]any{}}, "more": true} {
		other := map[string]any{"version": "1.0", "topic": "t", "cases": []any{}}
		other[member] = wrong
		if fits(root, root, other) == nil {
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

// fits knows the words of JSON Schema that schema.json uses, and panics at
// others.
func fits(root, schema map[string]any, v any) error {
	for word, arg := range schema {
		ok, why := true, error(nil)
		switch word {
		case "$schema", "$defs", "title", "description":
		case "$ref":
			name := strings.TrimPrefix(arg.(string), "#/$defs/")
			why = fits(root, root["$defs"].(map[string]any)[name].(map[string]any), v)
		case "const":
			ok = reflect.DeepEqual(arg, v)
		case "enum":
			ok = false
			for _, member := range arg.([]any) {
				ok = ok || reflect.DeepEqual(member, v)
			}
		case "anyOf":
			for _, s := range arg.([]any) {
				if why = fits(root, s.(map[string]any), v); why == nil {
					break
				}
			}
		case "type":
			ok = arg == typeOf(v) || arg == "integer" && isInteger(v)
		case "minimum":
			n, is := v.(float64)
			ok = !is || n >= arg.(float64)
		case "minItems":
			list, is := v.([]any)
			ok = !is || float64(len(list)) >= arg.(float64)
		case "pattern":
			s, is := v.(string)
			ok = !is || regexp.MustCompile(arg.(string)).MatchString(s)
		case "items":
			list, _ := v.([]any)
			for i, item := range list {
				if err := fits(root, arg.(map[string]any), item); err != nil {
					why = fmt.Errorf("[%d]: %w", i, err)
				}
			}
		case "required":
			m, _ := v.(map[string]any)
			for _, name := range arg.([]any) {
				_, has := m[name.(string)]
				ok = ok && has
			}
		case "properties":
			m, _ := v.(map[string]any)
			for name, s := range arg.(map[string]any) {
				if member, has := m[name]; has {
					if err := fits(root, s.(map[string]any), member); err != nil {
						why = fmt.Errorf("%s: %w", name, err)
					}
				}
			}
		case "additionalProperties":
			m, _ := v.(map[string]any)
			known, _ := schema["properties"].(map[string]any)
			for name := range m {
				_, has := known[name]
				ok = ok && has
			}
		default:
			panic("schema.json uses " + word)
		}
		if why != nil {
			return why
		}
		if !ok {
			return fmt.Errorf("%s: %v does not fit %v", word, v, arg)
		}
	}
	return nil
}

func typeOf(v any) string {
	return map[reflect.Kind]string{
		reflect.Bool: "boolean", reflect.Float64: "number", reflect.String: "string", reflect.Slice: "array", reflect.Map: "object",
	}[reflect.ValueOf(v).Kind()]
}

func isInteger(v any) bool {
	n, ok := v.(float64)
	return ok && n == math.Trunc(n)
}
