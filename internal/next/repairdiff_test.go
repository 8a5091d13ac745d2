package next

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/lexer"
	"github.com/callwire/callwire/internal/next/parse"
)

// oldLines are what the project reads with repairs.
func oldLines(text string, catalog *sig.Catalog, o parse.Options, p cwparse.Protocol) []string {
	if catalog == sig.AnyTool {
		catalog = nil
	}
	mo := cwparse.Options{Limits: o.Limits, Salvage: true, StopAfterMalformed: !o.AllowAfterMalformed, AcceptAtEnd: o.AllowUnclosed, Protocol: p}
	var lines []string
	for _, s := range mo.Text(text, catalog) {
		l := fmt.Sprintf("%s %d-%d", s.Kind, s.Start, s.End)
		switch s.Kind {
		case cwparse.Prose:
			l += fmt.Sprintf(" %q", s.Text)
		case cwparse.Call:
			l += " " + s.Name + " " + canonical(string(s.Input))
			for _, i := range s.Issues {
				l += fmt.Sprintf(" !%s %s %d", i.Code, i.Path, i.At)
			}
			if s.AfterMalformed {
				l += " after"
			}
		case cwparse.Malformed:
			l += fmt.Sprintf(" %s at %d closed=%v", s.Err.Code, s.Err.Offset, s.Closed)
		}
		lines = append(lines, l)
	}
	return lines
}

// Where the repairs of the project differ, the difference is one of these. Old and new are the
// first lines that aren't equal.
var repairDifferences = []struct{ why, old, new string }{
	{"the form is no longer repaired", `!repaired (arrow|dashes|elements|quoted-|question|triple|doubled|escaped|entities|list|wrapper|wrong-close|name-attr|missing-|extra-|other-quotes)`, ``},
	{"two signs are no sign", `!repaired colon`, `^malformed`},
	{"after the name, an envelope is an object like any other", `!repaired envelope`, `!unknown-argument`},
	{"a repaired call must fit the schema",
		`!repaired.*!(unknown|missing|type|not-in|open)|!(unknown|missing|type|not-in|open).*!repaired`, ``},
	{"the call fits the schema once it is repaired", `^malformed|!(unknown|missing|type|not-in|doubtful)`, `^tool-call [^!]*(!(repaired|coerced)[^!]*)+$`},
	{"every doubtful word is noted, also beside quotes", `^tool-call`, `!doubtful`},
	{"a word that is a declared key never becomes part of a value", `unquoted-spaces`, `^malformed`},
	{"an argument needs a space before it", `!repaired (name|name-attribute|quoted-key|attributes) `, `^malformed`},
	{"unknown members of an envelope are refused", `!repaired envelope`, `^malformed`},
	{"None is null without a note", `!repaired python-literal`, `^tool-call`},
	{"a call in JSON without arguments is refused if a member looks like them", `^tool-call [^!]* \{ ?json.Delim "\}"|json.Delim "\{" json.Delim "\}"`, `^malformed`},
	{"a name is read by repair where the call is malformed otherwise, too", `^malformed .*unknown-tool`, `^malformed`},
	{"later calls come after a repair that guesses", ` after$`, ``},
	{"later calls come after a repair that guesses", ``, ` after$`},
	{"a call carries its ID", ``, `^tool-call \S+ id=`},
	{"a missing closing tag is noted beside another repair", `!repaired list`, `!repaired missing-close`},
	{"the plain reading holds what follows as text of a parameter", `^malformed .* (invalid-utf8|duplicate-key|after-malformed)`, `^malformed`},
	{"the plain reading holds what follows as text of a parameter", `^malformed`, `^malformed .* closed=false`},
	{"a colon after a name belongs to it if every name is a tool", `^tool-call`, `^tool-call \S+ \S+: `},
	{"arguments under another key, or beside the name, are read", `^tool-call`, `!repaired envelope`},
	{"a name ends before whitespace or a bracket", `!repaired`, `^malformed .* bad-name`},
	{"a colon, then a blank and an equals sign, are two signs", `!repaired colon`, `^malformed .* expected-equals`},
	{"a word with a quote in it is refused", `\\"`, `^malformed`},
	{"a declared argument beside the arguments", ``, `^malformed .* not-an-object`},
	{"a fence that begins with a call belongs to it, also in code", `^text`, ``},
	{"a null for an optional parameter is dropped", `!(type-mismatch|coerced)`, `!repaired null`},
	{"half a surrogate pair is noted as an escape", `^tool-call`, `!repaired loose-escapes`},
	{"the plain reading holds what follows as text of a parameter", `!repaired missing-close`, ``},
	{"calls in other formats are read by their bodies", `other-protocol|missing-open`, ``},
	{"quotes around a name are part of it if every name is a tool", `!repaired quoted-name`, `^tool-call \S+ "`},
}

var (
	otherOpener = regexp.MustCompile("<\\|?(tool|func|invoke|start|\\|)|\\[TOOL|```|(?i)<call[^>]")
	otherBody   = regexp.MustCompile(`<function name|<tool_call>\s*[{[]`)
	function    = regexp.MustCompile(`<tool_call>\s*<function=`)
)

// mixesFormats reports whether a text has openers or bodies of another format.
func mixesFormats(in string, f *format.Format) bool {
	switch f {
	case format.Wire:
		return otherOpener.MatchString(in)
	case format.Hermes:
		return strings.Contains(in, "<func") || strings.Contains(in, "```")
	}
	return otherBody.MatchString(in) || strings.Contains(function.ReplaceAllString(in, ""), "<function=")
}

// With repairs the engine reads what the project reads, apart from the listed differences.
func TestRepairDifferential(t *testing.T) {
	counts := map[string]int{}
	same := 0
	drifts(t, 60_000, func(in string, c *sig.Catalog, o parse.Options) error {
		o.Limits, o.AllowInCode = lexer.Limits{}, true
		if mixesFormats(in, o.Format) {
			return nil
		}
		var p cwparse.Protocol
		switch o.Format {
		case format.Hermes:
			p = protocol.Hermes
		case format.Qwen3Coder:
			p = protocol.Qwen3Coder
		}
		old := oldLines(in, c, o, p)
		got, err := run(newParser(c, o), []byte(in), nil)
		if err != nil {
			return err
		}
		a, b := firstDifference(old, got)
		if a == b {
			same++
			return nil
		}
		for _, d := range repairDifferences {
			if regexp.MustCompile(d.old).MatchString(a) && regexp.MustCompile(d.new).MatchString(b) {
				counts[d.why]++
				return nil
			}
		}
		return fmt.Errorf("\nold %s\nnew %s", a, b)
	})
	t.Logf("%d are the same", same)
	for why, n := range counts {
		t.Logf("%d: %s", n, why)
	}
}

// firstDifference returns the first lines that differ. The fault of a malformed span is that of
// the strict reader, and its span is not repaired, so only its ends count.
func firstDifference(x, y []string) (a, b string) {
	for i := range max(len(x), len(y)) {
		a, b = "", ""
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		if a != b && (!strings.HasPrefix(a, "malformed") || strings.Fields(a)[1] != strings.Fields(b + " -")[1]) {
			return a, b
		}
	}
	return "", ""
}
