package constrain

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// A grammar allows every way of writing a string that the writer of the format uses.

// quoting is a way to write strings.
type quoting struct {
	hint, quote string
	escapes     string // what may follow a backslash, as in a class
}

var (
	asWord   = &quoting{hint: "word"}
	inDouble = &quoting{"double", `"`, `"'\\/bfnrt`}
	inSingle = &quoting{"single", "'", `"'\\/bfnrt`}
	asJSON   = &quoting{"string", `"`, `"\\/bfnrt`} // as in RFC 8259
	asText   = &quoting{hint: "text"}               // between marks
)

// quotings are the ways to write a string at a place.
var quotings = map[place][]*quoting{
	inWire: {asWord, inDouble, inSingle}, inJSON: {asJSON}, inMarks: {asText},
}

var (
	lowControls = span(0, 0x1f)
	controls    = lowControls.union(chars("\x7f"))
	noWord      = controls.union(chars(` "'<>`))
	noKey       = controls.union(chars(` =.<>"'[]{},`))
)

// plain returns the characters that are not escaped in q.
func (m *mapper) plain(q *quoting) charset {
	switch {
	case q == asText:
		return anything
	case q == asWord:
		return anything.without(noWord).without(m.tagFirst)
	case m.wire():
		return anything.without(controls).without(chars(q.quote + `\`))
	}
	return anything.without(lowControls).without(chars(`"\`)) // only Wire escapes DEL
}

// written returns a function for how the characters of a set are written in q, or a single
// non-ASCII character. With it a machine of texts becomes one of strings in a call.
func (m *mapper) written(q *quoting) func(charset) *node {
	plain := m.plain(q)
	return func(set charset) *node {
		if c, _ := utf8.DecodeRuneInString(string(set)); c >= utf8.RuneSelf && c != others {
			return m.literal(string(c))
		}
		alts := []*node{m.class(set.intersect(plain))}
		if q.quote == "" {
			return alts[0]
		}
		special := set.without(plain)
		if special.intersect(lowControls) == lowControls {
			alts = append(alts,
				m.expression(`\\[bfnrt]`), m.expression(`\\u00[01][0-9A-Fa-f]`))
			special = special.without(lowControls)
		}
		for _, c := range string(special) {
			escaped := m.quoteText(string(c), q)
			alts = append(alts, m.literal(escaped[1:len(escaped)-1]))
		}
		for _, tag := range [...]string{m.o.Tags.Open, m.o.Tags.Close} {
			first, escaped := rune(tag[0]), string(m.tags.AppendEscaped(nil, tag))
			escape := strings.TrimSuffix(escaped, tag[1:])
			if escaped[0] == tag[0] {
				first, escape = '/', `\/`
			}
			if set.has(first) {
				alts = append(alts, m.literal(escape))
			}
		}
		return m.alt(alts...)
	}
}

// quoteText writes text in quotes, as the writer does.
func (m *mapper) quoteText(text string, q *quoting) string {
	quote := q.quote[0]
	if m.wire() {
		return string(m.tags.AppendString(nil, []byte(text), quote))
	}
	parts := strings.Split(text, "\x7f") // which only the wire format escapes
	for i, part := range parts {
		quoted := string(m.tags.AppendString(nil, []byte(part), quote))
		parts[i] = quoted[1 : len(quoted)-1]
	}
	return `"` + strings.Join(parts, "\x7f") + `"`
}

// text returns the strings of t.
func (m *mapper) text(t *sig.Type, at place) *node {
	var alts []*node
	for _, alt := range altsOf(t, sig.String) {
		s := m.stringsOf(alt)
		for _, q := range quotings[at] {
			alts = append(alts, m.quoted(s, q, m.misread(t, q)))
		}
	}
	return m.alt(alts...)
}

// misread returns a pattern of the strings of t that would not be read as such if they were
// written in q; "" if there are none.
func (m *mapper) misread(t *sig.Type, q *quoting) string {
	if q == inDouble || q == inSingle {
		return ""
	}
	not := m.marks
	// If a boolean is allowed, a word like True is read as one, with an issue.
	if q != asJSON && t.Restricts() && t.Kinds&sig.Boolean != 0 {
		not = join(not, otherCases)
	}
	free := t.Free
	if q != asJSON && free&numeric != 0 && hasRange(t) {
		not = join(not, numbers(free&sig.Number == 0))
	}
	if q == asText {
		if !t.Restricts() || t.Kinds&(sig.Array|sig.Object) != 0 {
			not = join(not, `^[ \t\r\n]*[\[{]`)
		}
		if !m.o.Format.Lines {
			not = join(not, overlap(m.o.Format.Parameter.Close))
		}
	}
	return not
}

// otherCases matches booleans in any case.
const otherCases = `^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$`

// numbers returns a pattern of the strings that are read as numbers, or as integers, where
// those are allowed. For integers it includes all numbers with an exponent.
func numbers(integer bool) string {
	const exponent = `[Ee][+-]?[0-9]+`
	tail := `(\.[0-9]+)?(` + exponent + `)?`
	if integer {
		tail = `((\.0+)?|(\.[0-9]+)?` + exponent + `)`
	}
	return `^-?(0|[1-9][0-9]*)` + tail + `$`
}

// join returns a pattern of what either of two patterns matches; "" matches nothing.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "|" + b
}

// quoted returns the strings of s in q, without those that not matches.
func (m *mapper) quoted(s stringSet, q *quoting, not string) *node {
	key := fmt.Sprintf("text %s %d %q %q", q.hint, s.length, s.patterns, not)
	return m.once(key, func() *node {
		if len(s.patterns) == 0 && not == "" {
			return m.bounded(q, s.length)
		}
		begin, then := m.literal(q.quote), m.literal(q.quote)
		if q == asText {
			then = m.literal(m.valueEnd()) // so that a lexer knows where the token ends
		}
		patterns := s.patterns
		if q == asWord {
			patterns = append([]string{`^[^\[{]`}, patterns...)
		}
		if len(s.patterns) == 0 && s.length != anyCount {
			patterns = append(patterns, lengthPattern(s.length))
		}
		a, err := m.intersection(patterns, not)
		switch {
		case err == nil:
			return m.token(q.hint, m.seq(begin, m.spelled(q.hint, a, m.written(q), then)))
		case q == asWord:
			m.note(narrowed, "type", "the string is always in quotes: "+err.Error())
		case len(s.patterns) == 0 && not == m.marks:
			m.note(narrowed, "maxLength", "a string of bounded length has no <")
			one := m.written(q)(anything.without(m.markFirst))
			return m.token(q.hint, m.seq(begin, m.repeat(one, s.length.Min, s.length.Max), then))
		case len(s.patterns) > 0 || s.length != anyCount:
			m.note(widened, "type", "limits of strings are not enforced: "+err.Error())
			return m.quoted(anyString, q, not)
		default:
			m.note(narrowed, "type", "strings are left out: "+err.Error())
		}
		return never
	})
}

// bounded returns the strings in q of that many characters.
func (m *mapper) bounded(q *quoting, length limits.Range) *node {
	plain, least, most := m.class(m.plain(q)), length.Min, length.Max
	switch {
	case q == asWord && most == 0:
		return never
	case q == asWord:
		first := m.class(m.plain(q).without(chars("[{")))
		return m.token("word", m.seq(first, m.repeat(plain, less(least, 1), less(most, 1))))
	}
	quote := m.literal(q.quote)
	rest, one := quote, m.alt(plain, m.seq(m.literal(`\`), m.escapes(q)))
	if most == limits.Unbounded {
		// Engines check tokens against this form a hundred times as fast as against one*.
		most = least
		rest = m.once(q, func() *node {
			all := automaton{{steps: []step{{anything, 0}}, accepts: true}}
			return m.spelled(q.hint+"-rest", all, func(charset) *node { return one }, quote)
		})
	}
	return m.token(q.hint, m.seq(quote, m.repeat(m.define("char", one), least, most), rest))
}

// escapes returns the rule of what follows a backslash in q. Surrogates are not characters.
func (m *mapper) escapes(q *quoting) *node {
	const number = "u([0-9A-CEFa-cef][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})"
	return m.define("escape", m.expression("["+q.escapes+"]|"+number))
}
