package manual

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// Of a schema that branches at every level few values are tried.
func TestExampleIsBounded(t *testing.T) {
	schema := `{"type":"object","properties":{"n":{"type":"string","pattern":"^never-made-up$"}}}`
	for range 8 {
		b := []byte(`{"type":"object","properties":{`)
		for i := range 8 {
			b = append(b, `"p`+string(rune('0'+i))+`":{"$ref":"#/$defs/x"},`...)
		}
		schema = string(b) + `"z":` + schema + `}}`
	}
	catalog := compile(t, []sig.Tool{{Name: "t", Schema: []byte(schema[:len(schema)-1] + `,"$defs":{"x":{"type":"object","properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/x"},"c":{"$ref":"#/$defs/x"},"d":{"$ref":"#/$defs/x"}}}}}`)}})
	m := maker{}
	m.object(catalog.Tools()[0].Args)
	if m.tries > 2*maxExampleTries {
		t.Errorf("%d values", m.tries)
	}
}

// The words of a name.
func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"dueDate": "due date", "due_date": "due date", "userID": "user id", "HTTPStatus": "http status", "getHTTPStatus": "get http status", "größeÄndern": "größe ändern", "a1B2": "a1 b2", "__x--y": "x y", "x.y z": "x y z", "": "", "ABC": "abc", "aB": "a b", "1a": "1a",
	} {
		if got := strings.Join(splitWords(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
