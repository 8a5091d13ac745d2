package protocol_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// The error of a malformed call says how this format writes it, and nothing of the tags
// of another.
func TestErrorsSpeakOfTheFormat(t *testing.T) {
	for _, name := range protocol.Names(yaml.XML)[1:] {
		p := protocol.ByName(name, yaml.XML)
		call := string(written(t, p, weather, "get_weather", `{"city":"a","days":3}`))
		malformed := 0
		for i := range len(call) {
			for _, text := range []string{call[:i], call[:i] + "=" + call[i:], call[:i] + call[i+1:], call[:i] + `"` + call[i:]} {
				for _, s := range (parse.Options{Protocol: p}).Text(text, weather) {
					if s.Kind != parse.Malformed {
						continue
					}
					malformed++
					if told := s.Err.Error(); strings.Contains(told, "<call>") || strings.Contains(told, "key=value") || !strings.Contains(told, "; ") {
						t.Errorf("%s: %q: %s", name, text, told)
					}
				}
			}
		}
		if malformed == 0 {
			t.Errorf("%s: nothing is malformed", name)
		}
	}
}
