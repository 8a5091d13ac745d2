package middleware

import (
	"regexp"
	"strings"
	"testing"
)

// spokenMembers are where text and arguments stand in answers.
var spokenMembers = regexp.MustCompile(`"(content|text|delta|partial_json|arguments|location)": *"((?:[^"\\]|\\.)*)"`)

// TestStrip: text that is not wanted does not reach the application, calls do, and what
// is malformed is told.
func TestStrip(t *testing.T) {
	for name, e := range endpoints {
		for _, c := range []struct {
			opts         Options
			reply        string
			want, wanted []string // what is not there, and what is
		}{
			{Options{}, "alpha. " + rome + "omega.", nil, []string{"alpha", "omega", "Rome"}},
			{Options{StripLeading: true}, "<think>alpha</think> alpha. `" + rome + "`" + rome + "omega.", []string{"alpha", "<call>"}, []string{"omega", "Rome"}},
			{Options{StripAll: true}, "alpha. " + rome + "omega.", []string{"alpha", "omega"}, []string{"Rome"}},
			{Options{StripLeading: true}, "alpha, and no call.", []string{"alpha", "call."}, nil},
			{Options{StripAll: true}, "alpha " + broken, []string{"alpha"}, []string{"tool-error"}},
		} {
			c.opts.Retries = -1
			out, _ := asked(t, c.opts, e.path, e.request, c.reply)
			text := ""
			for _, m := range spokenMembers.FindAllStringSubmatch(out, -1) {
				text += m[2]
			}
			for _, not := range c.want {
				if strings.Contains(text, not) {
					t.Errorf("%s, strip %t of %q: %q in\n%s", name, c.opts.StripAll, c.reply, not, out)
				}
			}
			for _, is := range c.wanted {
				if !strings.Contains(text, is) {
					t.Errorf("%s, strip %t of %q: no %q in\n%s", name, c.opts.StripAll, c.reply, is, out)
				}
			}
		}
	}
}
