package manual

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// An example that does no harm is found among many tools that do.
func TestHarmlessExampleOfMany(t *testing.T) {
	args := []byte(`{"type":"object","properties":{"title":{"type":"string"}}}`)
	tools := []sig.Tool{{Name: "find", Schema: args}}
	for i := range 50 {
		name := "delete_" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		tools = append([]sig.Tool{{Name: name, Schema: args}}, tools...)
	}
	got := must(compile(t, tools), Options{}).parts.examples
	if len(got) != 1 || !strings.HasPrefix(got[0], "<call>find ") {
		t.Error(got)
	}
}
