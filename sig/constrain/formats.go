package constrain

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// GBNF returns the grammar in the format of llama.cpp and of programs that embed it, such
// as LocalAI and Fireworks, and of xgrammar, used by vLLM, SGLang and WebLLM. Its first rule
// is root.
//
// A rule is one line. The output avoids what readers of the format disagree on: escapes
// are \u with four digits, classes contain only ASCII characters, and nothing that may be
// empty is repeated.
func (g *Grammar) GBNF() string {
	g = g.orProse()
	return gbnfOf(g.root)
}

// gbnfOf returns a rule and those that it reaches in GBNF.
func gbnfOf(r *rule) string { return strings.Join(gbnf.definitions(r, "root"), "\n") + "\n" }

// Regex returns an anchored regular expression that matches what the grammar derives,
// in the syntax that RE2, Rust, Python and ECMAScript share. It fails if a value is nested in
// values of its own kind, or if the expression would be too long.
func (g *Grammar) Regex() (string, error) {
	text, err := regex.flat(g.orProse().root.body, maxRegex)
	if err != nil {
		return "", err
	}
	return "^(?:" + text + ")$", nil
}

// Lark returns the grammar in the Lark format of llguidance, which OpenAI's custom
// tools use; Python's Lark reads it too. Its first rule is start.
//
// Words, strings, numbers and prose up to a call are terminals.
func (g *Grammar) Lark() string {
	return strings.Join(lark.definitions(g.orProse().root, "start"), "\n") + "\n"
}

// StructuralTag returns the grammar as a structural tag of xgrammar, in JSON: the
// model writes freely until it has written an opener, and from there to the close
// tag what the grammar derives. Free text then costs nothing.
//
// It allows no text that the grammar does not derive and, if a call is required, only
// texts that begin with one.
func (g *Grammar) StructuralTag() []byte {
	g = g.orProse()
	tags := g.o.Tags
	// xgrammar misses an opener such as Gemma's fence after a copy of its first byte.
	fence := strings.HasPrefix(tags.Open, tags.Close)
	format := fmt.Sprintf(`{"type":"grammar","grammar":%s}`, quote(g.GBNF()))
	// A tag of a section could not be there before or after the only call.
	inSection := g.o.Format.Section.Open != "" && (g.o.Required || g.o.Last)
	if g.call != nil && !g.o.Bare && !fence && !inSection {
		call := quote(gbnfOf(g.call))
		format = fmt.Sprintf(`{"type":"triggered_tags","triggers":[%s],"tags":[`+
			`{"type":"tag","begin":%[1]s,"content":{"type":"grammar","grammar":%s},"end":%s}],`+
			`"at_least_one":%t,"stop_after_first":%t}`,
			quote(tags.Open), call, quote(tags.Close), g.o.Required, g.o.Last)
	}
	return []byte(`{"type":"structural_tag","format":` + format + `}`)
}

// quote returns text as a JSON string.
func quote(text string) string { return string(lexeme.AppendQuoted(nil, text)) }
