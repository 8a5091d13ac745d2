package manual

import (
	"encoding/json"
	"testing"

	"github.com/callwire/callwire/sig"
)

func officeTools(t testing.TB) []sig.Tool { return toolsOf(t, office) }

func toolsOf(t testing.TB, text string) (tools []sig.Tool) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &tools); err != nil {
		t.Fatal(err)
	}
	return tools
}

func notTime(t *sig.Tool) bool { return t.Name != "getTime" }
