package protocol_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// What is wrong before the text, such as the tool's name, is told at its beginning.
func TestReadXMLOfNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("n", 300), "a b", "a>b", "a/", "1", "\xff"} {
		catalog, err := sig.Compile([]map[string]any{{"name": name}})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"", "x", "<a>1</a>", "</" + name + ">", strings.Repeat("x", 300)} {
			_, _, err := protocol.ReadXML(catalog, name, text)
			var e *lexer.Error
			if errors.As(err, &e) && (e.Offset < 0 || e.Offset > len(text)) {
				t.Errorf("%.20q, %.20q: offset %d", name, text, e.Offset)
			}
		}
	}
}
