package constrain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// A grammar allows every way of writing a string that the writer of the format uses.

// quoting is a way to write strings.
type quoting struct {
	hint, quote string
	escapes     string // what may follow a backslash
}

var (
	asWord   = &quoting{hint: "word"}
	inDouble = &quoting{"double", `"`, `"'\/bfnrt`}
	inSingle = &quoting{"single", "'", `"'\/bfnrt`}
	asJSON   = &quoting{"string", `"`, `"\/bfnrt`} // as in RFC 8259
	asText   = &quoting{hint: "text"}              // between marks
)

// quotings are the ways to write a string at a place.
var quotings = map[place][]*quoting{
	inWire: {asWord, inDouble, inSingle}, inJSON: {asJSON}, inMarks: {asText},
}

var (
	lowControls = span(0, 0x1f)
	controls    = lowControls + "\x7f"
	hexDigits   = chars("0123456789ABCDEFabcdef")
	noWord      = controls + ` "'<>`
	noKey       = controls + ` =.<>"'[]{},`
)

// plain returns the characters that are not escaped in q.
func (m *mapper) plain(q *quoting) charset {
	switch {
	case q == asText:
		return anything
	case q == asWord:
		return anything.without(noWord + m.tagFirst)
	case m.wire():
		return anything.without(controls + charset(q.quote+`\`))
	}
	return anything.without(lowControls + `"\`) // only the wire format escapes DEL
}

// stringSet is a set of strings.
type stringSet struct {
	length   limits.Range // in characters
	patterns []string     // all of them match
	not      string       // a pattern that does not; "" if there is none
}

// formats are the formats that are enforced: those that are cheap for engines and
// that models get wrong. Dates and times are as in RFC 3339.
var formats = map[string]string{
	"date":      `^` + datePattern + `$`,
	"time":      `^` + timePattern + `$`,
	"date-time": `^` + datePattern + `[Tt]` + timePattern + `$`,
	"uuid":      `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`,
}

func isEnforced(format string) bool { return formats[format] != "" }

const (
	datePattern = `[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`
	hourPattern = `([01][0-9]|2[0-3]):[0-5][0-9]`
	timePattern = hourPattern + `:([0-5][0-9]|60)(\.[0-9]{1,9})?([Zz]|[+-]` + hourPattern + `)`
)

// text returns the strings of t.
func (m *mapper) text(t *sig.Type, at place) *node {
	var alts []*node
	for _, alt := range altsOf(t, sig.String) {
		s := m.stringsOf(alt)
		for _, q := range quotings[at] {
			s.not = m.misread(t, q)
			alts = append(alts, m.quoted(s, q))
		}
	}
	return m.alt(alts...)
}

// The bounds of what is enforced.
const (
	longestBound = 1000 // on a length: in some engines every character takes a rule
	maxPattern   = 500  // bytes
	maxCounted   = 20   // repetitions with a number in a pattern
)

// stringsOf returns the strings of t, as far as its limits are enforced.
func (m *mapper) stringsOf(t *sig.Type) stringSet {
	l := limitsOf(t)
	s := stringSet{length: m.counts(l.Length, "Length", longestBound)}
	enforce := func(pattern string) {
		all, err := append(slices.Clip(s.patterns), pattern), errStates
		if len(pattern) <= maxPattern && strings.Count(pattern, "{") <= maxCounted {
			_, err = m.intersection(all, "")
		}
		if err != nil {
			m.note(widened, "pattern", "it is not enforced: "+err.Error())
		} else {
			s.patterns = all
		}
	}
	for _, p := range l.Patterns {
		enforce(p)
	}
	for _, f := range l.Formats {
		if isEnforced(f) {
			enforce(formats[f])
		} else {
			m.note(widened, "format", fmt.Sprintf("the format %.40s is not enforced", f))
		}
	}
	if len(s.patterns) > 0 && s.length != anyCount {
		enforce(lengthPattern(s.length))
		s.length = anyCount
	}
	return s
}

// lengthPattern matches texts of that many characters.
func lengthPattern(r limits.Range) string {
	bounds := strconv.Itoa(r.Min) + ","
	if r.Max != limits.Unbounded {
		bounds += strconv.Itoa(r.Max)
	}
	return `^(?s:.{` + bounds + `})$`
}

// compiled is what intersect returns.
type compiled struct {
	texts automaton
	err   error
}

var errPatterns = errors.New("the patterns of the catalog have too many states")

// intersection caches the function intersect and bounds its work for a catalog.
func (m *mapper) intersection(patterns []string, not string) (automaton, error) {
	key := not + "\x00" + strings.Join(patterns, "\x00")
	found, known := m.patterns[key]
	switch {
	case known:
	case m.states <= 0:
		return nil, errPatterns
	default:
		found.texts, found.err = intersect(patterns, not)
		m.states -= max(len(found.texts), maxStates/10) // a failure costs work, too
		m.patterns[key] = found
	}
	return found.texts, found.err
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

// quoted returns the strings of s in q.
func (m *mapper) quoted(s stringSet, q *quoting) *node {
	key := fmt.Sprintf("text %s %d %q %q", q.hint, s.length, s.patterns, s.not)
	return m.once(key, func() *node {
		if len(s.patterns) == 0 && s.not == "" {
			return m.bounded(q, s.length, "")
		}
		patterns := slices.Clip(s.patterns)
		if q == asWord {
			patterns = append(patterns, `^[^\[{]`)
		}
		if s.length != anyCount {
			patterns = append(patterns, lengthPattern(s.length))
		}
		texts, err := m.intersection(patterns, s.not)
		switch {
		case err == nil:
			spelled := m.spelled(q.hint, texts, m.written(q), m.literal(m.after(q)))
			return m.token(q.hint, m.seq(m.literal(q.quote), spelled))
		case q == asWord:
			m.note(narrowed, "type", "the string is always in quotes: "+err.Error())
		case len(s.patterns) == 0 && s.not == m.marks:
			m.note(narrowed, "maxLength", "a string of bounded length has no <")
			return m.bounded(q, s.length, m.markFirst)
		case len(s.patterns) > 0 || s.length != anyCount:
			m.note(widened, "type", "limits of strings are not enforced: "+err.Error())
			return m.quoted(stringSet{length: anyCount, not: s.not}, q)
		default:
			m.note(narrowed, "type", "strings are left out: "+err.Error())
		}
		return never
	})
}

// after returns what follows a string in q. A lexer then knows where the token ends.
func (m *mapper) after(q *quoting) string {
	if q == asText {
		return m.valueEnd()
	}
	return q.quote
}

// written returns a function for how the characters of a set are written in q, or a single
// non-ASCII character. With it an automaton of texts becomes one of strings in a call.
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
			number := m.seq(m.literal("u00"), m.class("01"), m.class(hexDigits))
			alts = append(alts, m.seq(m.literal(`\`), m.alt(m.class("bfnrt"), number)))
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

// bounded returns the strings in q of that many characters, all but those in not.
func (m *mapper) bounded(q *quoting, length limits.Range, not charset) *node {
	plain, least, most := m.plain(q).without(not), length.Min, length.Max
	one, rest := m.class(plain), m.literal(m.after(q))
	switch {
	case q == asWord && most == 0:
		return never
	case q == asWord:
		first := m.class(plain.without("[{"))
		return m.token("word", m.seq(first, m.repeat(one, less(least, 1), less(most, 1))))
	case q != asText:
		one = m.alt(one, m.seq(m.literal(`\`), m.escaped(q)))
	}
	if most == limits.Unbounded && q != asText {
		// Engines check tokens against this form a hundred times as fast as against one*.
		most = least
		rest = m.once("rest "+q.hint+string(not), func() *node {
			all := automaton{{steps: []step{{anything, 0}}, accepts: true}}
			escaped := func(charset) *node { return one }
			return m.spelled(q.hint+"-rest", all, escaped, rest)
		})
	}
	one = m.define("char", one)
	return m.token(q.hint, m.seq(m.literal(q.quote), m.repeat(one, least, most), rest))
}

// escaped returns the rule of what follows a backslash in q. Surrogates are not characters.
func (m *mapper) escaped(q *quoting) *node {
	hex := m.class(hexDigits)
	low := m.seq(m.class(hexDigits.without("Dd")), m.repeat(hex, 3, 3))
	high := m.seq(m.class("Dd"), m.class(span('0', '7')), m.repeat(hex, 2, 2))
	number := m.seq(m.literal("u"), m.alt(low, high))
	return m.define("escape", m.alt(m.class(chars(q.escapes)), number))
}
