package middleware

import (
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream"
)

// spokenMembers are where text and arguments stand in answers.
var spokenMembers = regexp.MustCompile(`"(content|text|delta|partial_json|arguments|location)": *"((?:[^"\\]|\\.)*)"`)

// TestStrip: text that is not wanted does not reach the application, calls do, and what
// is malformed is told.
func TestStrip(t *testing.T) {
	for name, e := range endpoints {
		for _, c := range []struct {
			strip        stream.Strip
			reply        string
			want, wanted []string // what is not there, and what is
		}{
			{stream.StripNone, "alpha. " + rome + "omega.", nil, []string{"alpha", "omega", "Rome"}},
			{stream.StripLeading, "<think>alpha</think> alpha. `" + rome + "`" + rome + "omega.", []string{"alpha", "<call>"}, []string{"omega", "Rome"}},
			{stream.StripAll, "alpha. " + rome + "omega.", []string{"alpha", "omega"}, []string{"Rome"}},
			{stream.StripLeading, "alpha, and no call.", []string{"alpha", "call."}, nil},
			{stream.StripAll, "alpha " + broken, []string{"alpha"}, []string{"tool-error"}},
		} {
			out, _ := asked(t, Options{Strip: c.strip, Retries: -1}, e.path, e.request, c.reply)
			text := ""
			for _, m := range spokenMembers.FindAllStringSubmatch(out, -1) {
				text += m[2]
			}
			for _, not := range c.want {
				if strings.Contains(text, not) {
					t.Errorf("%s, strip %d of %q: %q in\n%s", name, c.strip, c.reply, not, out)
				}
			}
			for _, is := range c.wanted {
				if !strings.Contains(text, is) {
					t.Errorf("%s, strip %d of %q: no %q in\n%s", name, c.strip, c.reply, is, out)
				}
			}
		}
	}
}
