package constrain

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Strings are written bare, in double quotes or in single quotes. A grammar allows
// everything that package parse writes (rules write.bare, write.quoted, write.escape,
// write.tag).

// quoting is a way to write strings.
type quoting uint8

const (
	asWord quoting = iota
	inDouble
	inSingle
	asJSON // in double quotes, with the escapes of RFC 8259
)

func (q quoting) quote() string { return [...]string{"", `"`, "'", `"`}[q] }

var (
	controls = between(0, 0x1f).union(chars("\x7f"))
	digits   = between('0', '9')
	hex      = digits.union(between('a', 'f')).union(between('A', 'F'))
	noWord   = controls.union(chars(` "'<>`))
	noKey    = controls.union(chars(` =.<>"'[]{},`))
)

// plain returns the characters that are not escaped in q.
func (m *mapper) plain(q quoting) charset {
	switch q {
	case asWord:
		return anything.without(noWord).without(m.tagFirst)
	case inSingle:
		return anything.without(controls).without(chars(`'\`))
	}
	if m.protocol != Wire { // only the writer of Wire escapes DEL
		return anything.without(between(0, 0x1f)).without(chars(`"\`))
	}
	return anything.without(controls).without(chars(`"\`))
}

// written returns a function for how a character of a set, or the character char if
// it is not 0, is written in q. With it an automaton of texts becomes one of strings
// in a call.
func (m *mapper) written(q quoting) func(set charset, char rune) expr {
	b := m.b
	plain := m.plain(q)
	return func(set charset, char rune) expr {
		if char != 0 {
			return b.literal(string(char))
		}
		alts := []expr{b.class(set.intersect(plain))}
		if q == asWord {
			return alts[0]
		}
		special := set.without(plain)
		if all := between(0, 0x1f); special.intersect(all) == all {
			alts = append(alts, b.seq(b.literal(`\`), b.class(chars("bfnrt"))), b.seq(b.literal(`\u00`), b.class(chars("01")), b.class(hex)))
			special = special.without(all)
		}
		for c := range byte(0x80) {
			if special.has(c) {
				alts = append(alts, b.literal(escape(c)))
			}
		}
		for _, tag := range [...]string{m.delims.Open, m.delims.Close} {
			switch {
			case tag[1] == '/' && m.delims.Open[0] != '/' && m.delims.Close[0] != '/':
				if set.has('/') {
					alts = append(alts, b.literal(`\/`))
				}
			case set.has(tag[0]):
				alts = append(alts, b.literal(fmt.Sprintf(`\u%04x`, tag[0])))
			}
		}
		return b.alt(alts...)
	}
}

// escape returns the escape for a character.
func escape(c byte) string {
	switch c {
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	case '"', '\'', '\\':
		return `\` + string(rune(c))
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// quoteText writes text in quotes, as the writer does.
func (m *mapper) quoteText(text string, q quoting) string {
	if m.protocol != Wire { // only the writer of Wire escapes DEL
		parts := strings.Split(text, "\x7f")
		for i, part := range parts {
			quoted := string(m.tags.AppendString(nil, []byte(part), '"'))
			parts[i] = quoted[1 : len(quoted)-1]
		}
		return `"` + strings.Join(parts, "\x7f") + `"`
	}
	return string(m.tags.AppendString(nil, []byte(text), q.quote()[0]))
}

// bareIsString reports whether a bare word that is in the enum of t as a string is
// read as that string, because no other reading fits.
func bareIsString(t *sig.Type, word string) bool {
	fits := func(k sig.Kinds, literal string) bool {
		return t.Free&k != 0 || t.Member(k, []byte(literal)) != nil
	}
	switch {
	case word == "null":
		return !fits(sig.Null, word)
	case len(word) == 4 && strings.EqualFold(word, "true") || len(word) == 5 && strings.EqualFold(word, "false"):
		return !fits(sig.Boolean, strings.ToLower(word))
	case lexeme.IsNumber([]byte(word)):
		return !fits(sig.Integer|sig.Number, word)
	}
	return true
}

// stringRules are the rules of strings, created on demand.
type stringRules struct {
	free   [4]expr // any string, by quoting
	rest   [4]expr // what follows the opening quote
	one    [4]expr // one character of a string
	escape [4]expr // what follows a backslash
}

// escapes returns the rule of what follows a backslash in q.
func (m *mapper) escapes(q quoting) expr {
	if m.strings.escape[q] == 0 {
		b := m.b
		short := `"\/bfnrt`
		if q == inDouble || q == inSingle {
			short += "'"
		}
		scalar := b.alt(
			b.seq(b.class(hex.without(chars("dD"))), b.repeat(b.class(hex), 3, 3)),
			b.seq(b.class(chars("dD")), b.class(between('0', '7')), b.repeat(b.class(hex), 2, 2)))
		m.strings.escape[q] = b.define("escape", b.alt(b.class(chars(short)), b.seq(b.literal("u"), scalar)))
	}
	return m.strings.escape[q]
}

// character returns the rule of one character of a string in q.
func (m *mapper) character(q quoting) expr {
	if m.strings.one[q] == 0 {
		b := m.b
		m.strings.one[q] = b.define("char", b.alt(b.class(m.plain(q)), b.seq(b.literal(`\`), m.escapes(q))))
	}
	return m.strings.one[q]
}

// anyString returns the rule of any string in q.
func (m *mapper) anyString(q quoting) expr {
	if m.strings.free[q] != 0 {
		return m.strings.free[q]
	}
	b := m.b
	if q == asJSON && m.protocol == Qwen3Coder {
		m.strings.free[q] = m.jsonText(stringSet{max: -1})
		return m.strings.free[q]
	}
	if q == asWord {
		plain := m.plain(q)
		m.strings.free[q] = b.token("word", b.seq(b.class(plain.without(chars("[{"))), b.repeat(b.class(plain), 0, -1)))
		return m.strings.free[q]
	}
	hint := [...]string{"", "double", "single", "string"}[q]
	tail := b.declare(hint + "-rest")
	b.rules[tail].body = b.alt(
		b.literal(q.quote()),
		b.seq(b.class(m.plain(q)), b.ref(tail)),
		b.seq(b.literal(`\`), m.escapes(q), b.ref(tail)))
	m.strings.rest[q] = b.ref(tail)
	m.strings.free[q] = b.token(hint, b.seq(b.literal(q.quote()), b.ref(tail)))
	return m.strings.free[q]
}

// longestBound is the greatest length that is enforced: in some engines every
// character takes a rule.
const longestBound = 1000

// boundedString returns the strings in q of min to max characters; max < 0 means no
// bound.
func (m *mapper) boundedString(q quoting, min, max int) expr {
	b := m.b
	switch {
	case min <= 0 && max < 0:
		return m.anyString(q)
	case q == asWord:
		if max == 0 {
			return never
		}
		plain := m.plain(q)
		return b.token("word", b.seq(b.class(plain.without(chars("[{"))), b.repeat(b.class(plain), less(min), less(max))))
	case max < 0:
		m.anyString(q)
		return b.token("string", b.seq(b.literal(q.quote()), b.repeat(m.character(q), min, min), m.strings.rest[q]))
	}
	return b.token("string", b.seq(b.literal(q.quote()), b.repeat(m.character(q), min, max), b.literal(q.quote())))
}

// less returns how many are left of n after the first; 0 and no bound stay.
func less(n int) int {
	if n <= 0 {
		return n
	}
	return n - 1
}

// wordPattern returns a regular expression that matches the words.
func (m *mapper) wordPattern() string {
	var no strings.Builder
	for c := range byte(0x80) {
		if !m.plain(asWord).has(c) {
			fmt.Fprintf(&no, `\x%02x`, c)
		}
	}
	return `^[^\x5b\x7b` + no.String() + `][^` + no.String() + `]*$`
}

// otherCases matches booleans in any case, which are read with an issue.
const otherCases = `^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$`

// tagSet returns the first bytes of the tags.
func tagSet(d lexer.Delims) charset { return chars(d.Open[:1] + d.Close[:1]) }
