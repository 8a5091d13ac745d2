package constrain

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain/internal/bnf"
)

// Strings are written bare, in double quotes or in single quotes. A grammar allows
// everything that the writer of the format writes.

// quoting is a way to write strings.
type quoting uint8

const (
	asWord quoting = iota
	inDouble
	inSingle
	asJSON // in double quotes, with the escapes of RFC 8259
)

func (q quoting) quote() string { return [...]string{"", `"`, "'", `"`}[q] }

func (q quoting) hint() string { return [...]string{"word", "double", "single", "string"}[q] }

var (
	controls = bnf.Between(0, 0x1f).Union(bnf.Chars("\x7f"))
	digits   = bnf.Between('0', '9')
	hex      = digits.Union(bnf.Between('a', 'f')).Union(bnf.Between('A', 'F'))
	noWord   = controls.Union(bnf.Chars(` "'<>`))
	noKey    = controls.Union(bnf.Chars(` =.<>"'[]{},`))
)

// plain returns the characters that are not escaped in q.
func (m *mapper) plain(q quoting) bnf.Charset {
	switch q {
	case asWord:
		return bnf.Anything.Without(noWord).Without(m.tagFirst)
	case inSingle:
		return bnf.Anything.Without(controls).Without(bnf.Chars(`'\`))
	}
	if !m.wire() { // only the writer of Wire escapes DEL
		return bnf.Anything.Without(bnf.Between(0, 0x1f)).Without(bnf.Chars(`"\`))
	}
	return bnf.Anything.Without(controls).Without(bnf.Chars(`"\`))
}

// written returns a function for how a character of a set, or the character char if
// it is not 0, is written in q. With it an automaton of texts becomes one of strings
// in a call.
func (m *mapper) written(q quoting) func(set bnf.Charset, char rune) *bnf.Node {
	b := m.b
	plain := m.plain(q)
	return func(set bnf.Charset, char rune) *bnf.Node {
		if char != 0 {
			return b.Literal(string(char))
		}
		alts := []*bnf.Node{b.Class(set.Intersect(plain))}
		if q == asWord {
			return alts[0]
		}
		special := set.Without(plain)
		if all := bnf.Between(0, 0x1f); special.Intersect(all) == all {
			alts = append(alts,
				b.Seq(b.Literal(`\`), b.Class(bnf.Chars("bfnrt"))),
				b.Seq(b.Literal(`\u00`), b.Class(bnf.Chars("01")), b.Class(hex)))
			special = special.Without(all)
		}
		for c := range byte(0x80) {
			if special.Has(c) {
				alts = append(alts, b.Literal(escape(c)))
			}
		}
		for _, tag := range [...]string{m.o.Tags.Open, m.o.Tags.Close} {
			first, escape := tag[0], fmt.Sprintf(`\u%04x`, tag[0])
			if m.escapesSlash(tag) {
				first, escape = '/', `\/`
			}
			if set.Has(first) {
				alts = append(alts, b.Literal(escape))
			}
		}
		return b.Alt(alts...)
	}
}

// escapesSlash reports whether the writer breaks up the tag by a backslash before its
// second byte.
func (m *mapper) escapesSlash(tag string) bool {
	return tag[1] == '/' && m.o.Tags.Open[0] != '/' && m.o.Tags.Close[0] != '/'
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
	quote := q.quote()[0]
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
func (m *mapper) text(t *sig.Type, inJSON bool) *bnf.Node {
	ways := []quoting{asWord, inDouble, inSingle}
	if inJSON {
		ways = []quoting{asJSON}
	}
	s := m.stringsOf(t)
	// If a boolean is allowed, a word like True is read as one, with an issue.
	notBoolean := t.Says() && t.Kinds&sig.Boolean != 0
	key := fmt.Sprintf("text %t %t %d %d %q", inJSON, notBoolean, s.min, s.max, s.patterns)
	return m.once(key, func() *bnf.Node {
		var alts []*bnf.Node
		for _, q := range ways {
			switch {
			case q == asJSON && m.marks != "":
				alts = append(alts, m.jsonText(s))
			case q == asWord && (notBoolean || s.automaton != nil):
				alts = append(alts, m.word(s, notBoolean))
			case s.automaton == nil:
				alts = append(alts, m.boundedString(q, s.min, s.max))
			default:
				quote := m.b.Literal(q.quote())
				content := s.automaton.Node(m.b, "string", m.written(q), quote)
				alts = append(alts, m.b.Token("string", m.b.Seq(quote, content)))
			}
		}
		return m.b.Alt(alts...)
	})
}

// word returns the strings of s that can be written without quotes.
func (m *mapper) word(s stringSet, notBoolean bool) *bnf.Node {
	patterns := append([]string{m.wordPattern()}, s.patterns...)
	if s.automaton == nil && (s.min > 1 || s.max >= 0) {
		patterns = append(patterns, lengthPattern(s.min, s.max))
	}
	not := ""
	if notBoolean {
		not = otherCases
	}
	a, err := m.intersection(patterns, not)
	if err != nil {
		m.note(Narrowed, "type", "the string is always in quotes: "+err.Error())
		return bnf.Never
	}
	return m.b.Token("word", a.Node(m.b, "word", m.written(asWord), bnf.Empty))
}

// partOf identifies a part of the strings in a quoting.
type partOf struct {
	part    string
	quoting quoting
}

// escapes returns the rule of what follows a backslash in q.
func (m *mapper) escapes(q quoting) *bnf.Node {
	return m.once(partOf{"escape", q}, func() *bnf.Node {
		b := m.b
		short := `"\/bfnrt`
		if q != asJSON {
			short += "'"
		}
		scalar := b.Alt(
			b.Seq(b.Class(hex.Without(bnf.Chars("dD"))), b.Repeat(b.Class(hex), 3, 3)),
			b.Seq(
				b.Class(bnf.Chars("dD")), b.Class(bnf.Between('0', '7')), b.Repeat(b.Class(hex), 2, 2),
			))
		return b.Define("escape", b.Alt(b.Class(bnf.Chars(short)), b.Seq(b.Literal("u"), scalar)))
	})
}

// character returns the rule of one character of a string in q.
func (m *mapper) character(q quoting) *bnf.Node {
	return m.once(partOf{"char", q}, func() *bnf.Node {
		escape := m.b.Seq(m.b.Literal(`\`), m.escapes(q))
		return m.b.Define("char", m.b.Alt(m.b.Class(m.plain(q)), escape))
	})
}

// rest returns the rule of what follows the opening quote of any string in q.
func (m *mapper) rest(q quoting) *bnf.Node {
	return m.once(partOf{"rest", q}, func() *bnf.Node {
		b := m.b
		tail := b.Declare(q.hint() + "-rest")
		tail.Body = b.Machine(&bnf.Machine{States: []bnf.State{{
			{Label: b.Literal(q.quote()), To: bnf.End},
			{Label: b.Class(m.plain(q)), To: 0},
			{Label: b.Seq(b.Literal(`\`), m.escapes(q)), To: 0},
		}}})
		return b.Ref(tail)
	})
}

// anyString returns the rule of any string in q.
func (m *mapper) anyString(q quoting) *bnf.Node {
	return m.once(partOf{"any", q}, func() *bnf.Node {
		switch {
		case q == asJSON && m.marks != "":
			return m.jsonText(stringSet{max: -1})
		case q == asWord:
			return m.words(0, -1)
		}
		rest := m.rest(q)
		return m.b.Token(q.hint(), m.b.Seq(m.b.Literal(q.quote()), rest))
	})
}

// longestBound is the greatest length that is enforced: in some engines every
// character takes a rule.
const longestBound = 1000

// boundedString returns the strings in q of min to max characters; max < 0 means no
// bound.
func (m *mapper) boundedString(q quoting, min, max int) *bnf.Node {
	b := m.b
	switch {
	case min <= 0 && max < 0:
		return m.anyString(q)
	case q == asWord:
		if max == 0 {
			return bnf.Never
		}
		return m.words(less(min), less(max))
	case max < 0:
		rest := m.rest(q)
		first := b.Repeat(m.character(q), min, min)
		return b.Token("string", b.Seq(b.Literal(q.quote()), first, rest))
	}
	quote := b.Literal(q.quote())
	return b.Token("string", b.Seq(quote, b.Repeat(m.character(q), min, max), quote))
}

// words returns the words with min to max characters after the first.
func (m *mapper) words(min, max int) *bnf.Node {
	b, plain := m.b, m.plain(asWord)
	first := b.Class(plain.Without(bnf.Chars("[{")))
	return b.Token("word", b.Seq(first, b.Repeat(b.Class(plain), min, max)))
}

// wordPattern returns a regular expression that matches the words.
func (m *mapper) wordPattern() string {
	var no strings.Builder
	for c := range byte(0x80) {
		if !m.plain(asWord).Has(c) {
			fmt.Fprintf(&no, `\x%02x`, c)
		}
	}
	return `^[^\x5b\x7b` + no.String() + `][^` + no.String() + `]*$`
}

// otherCases matches booleans in any case, which are read with an issue.
const otherCases = `^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$`
