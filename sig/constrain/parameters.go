package constrain

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain/internal/bnf"
)

// Some formats put values between marks, strings without quotes and escapes. Text that
// looks like a mark could be one, so a grammar does not derive it in strings.

// markPattern returns a pattern of what looks like a mark of the format, "" if it has none,
// and the characters that marks begin with.
func markPattern(f *format.Format) (pattern string, first bnf.Charset) {
	if f.Body != format.Parameters {
		return "", first
	}
	var alts []string
	seen := map[string]bool{"": true}
	for _, mark := range []string{
		f.Parameter.Open, f.Parameter.End, f.Parameter.Value, f.Parameter.Close,
		f.Function.Open, f.Function.End, f.Function.Close,
	} {
		if len(mark) < 2 {
			continue // one character cannot be kept out
		}
		first = first.Union(bnf.Chars(mark[:1]))
		pattern := regexp.QuoteMeta(mark)
		if name := element.FindStringSubmatch(mark); name != nil {
			pattern = "</?" + name[1] + "[=>]"
		}
		if !seen[pattern] {
			seen[pattern] = true
			alts = append(alts, pattern)
		}
	}
	return "(?:" + strings.Join(alts, "|") + ")", first
}

// element matches a mark that looks like a tag of XML.
var element = regexp.MustCompile(`^</?([a-z_]+)[=>]$`)

// betweenMarks reports whether a mark can contain the name.
func betweenMarks(name string, m format.Marks) bool {
	return name != "" && !strings.ContainsFunc(name, notInMark(m).Contains)
}

// notInMark returns the characters that end the word of a mark.
func notInMark(m format.Marks) bnf.Charset {
	return controls.Union(bnf.Chars(` <>`)).Union(bnf.Chars(m.End[:min(1, len(m.End))]))
}

// parameters returns the arguments, each between its marks, and the end of the function.
func (m *mapper) parameters(t *sig.Type) *bnf.Node {
	b, f := m.b, m.o.Format
	between := m.between()
	end := f.Function.Close
	if end != "" {
		end += f.Layout.Line
	}
	if isMap(t) {
		m.noteFree()
		extra := extraOf(t)
		key := b.Repeat(b.Class(bnf.Anything.Without(notInMark(f.Parameter))), 1, -1)
		value := m.within(extra, func() *bnf.Node { return m.taggedValue(extra) })
		one := b.Seq(b.Literal(f.Parameter.Open), key, b.Literal(between), value)
		return b.Seq(b.Repeat(one, 0, m.o.FreeKeys), b.Literal(end))
	}
	required, optional := m.fields(t, room(t), func(p *sig.Field) *bnf.Node {
		if !betweenMarks(p.Name, f.Parameter) {
			return bnf.Never
		}
		return b.Seq(b.Literal(f.Parameter.Open+p.Name+between), m.taggedValue(p.Type))
	})
	list := required
	for _, e := range optional {
		list = append(list, b.Opt(e))
	}
	return b.Seq(b.Seq(list...), b.Literal(end))
}

// between returns what comes between a key and its value.
func (m *mapper) between() string {
	f := m.o.Format
	between := f.Parameter.End
	if f.Parameter.Value != "" {
		between += f.Layout.Line + f.Parameter.Value
	}
	if f.Lines {
		between += "\n"
	}
	return between
}

// valueEnd returns what follows a value.
func (m *mapper) valueEnd() string {
	f := m.o.Format
	if f.Lines {
		return "\n" + f.Parameter.Close + f.Layout.Line
	}
	return f.Parameter.Close + f.Layout.Line
}

// taggedValue returns the values of t with the closing mark.
func (m *mapper) taggedValue(t *sig.Type) *bnf.Node {
	b := m.b
	free := freeOf(t)
	m.noteLimits(t)
	end := b.Literal(m.valueEnd())
	var alts []*bnf.Node
	if free&sig.String != 0 {
		alts = append(alts, m.taggedText(t))
	} else {
		alts = m.literals(t, free, m.valueEnd())
	}
	alts = append(alts, m.enum(t, func(e *sig.Member) (bnf.Word, bool) {
		word, ok := m.taggedMember(t, e)
		return bnf.Word{Text: word, Then: end}, ok
	}))
	if free&sig.Array != 0 {
		alts = append(alts, b.Seq(m.array(t), end))
	}
	if free&sig.Object != 0 {
		alts = append(alts, b.Seq(m.object(t), end))
	}
	return b.Alt(alts...)
}

// taggedText returns the strings of t with the closing mark, which is part of the token
// so that a lexer knows where it ends.
func (m *mapper) taggedText(t *sig.Type) *bnf.Node {
	b := m.b
	not := m.marks
	// Text that would be read as another type, or with an issue.
	if t.Says() && t.Kinds&sig.Boolean != 0 {
		not += "|" + otherCases
	}
	if !t.Says() || t.Kinds&(sig.Array|sig.Object) != 0 {
		not += `|^[ \t\r\n]*[\[{]`
	}
	if !m.o.Format.Lines {
		not += overlap(m.o.Format.Parameter.Close)
	}
	plain := func(set bnf.Charset, char rune) *bnf.Node {
		if char != 0 {
			return b.Literal(string(char))
		}
		return b.Class(set)
	}
	return m.markless(m.stringsOf(t), not, "text", bnf.Empty, plain, b.Literal(m.valueEnd()))
}

// overlap returns patterns of the texts before which the end would be found too early: a }
// before }}.
func overlap(end string) (patterns string) {
	for i := 1; i < len(end); i++ {
		if strings.Index(end[:i]+end, end) < i {
			patterns += "|" + regexp.QuoteMeta(end[:i]) + "$"
		}
	}
	return patterns
}

// taggedMember returns a member of an enum as written in a call.
func (m *mapper) taggedMember(t *sig.Type, e *sig.Member) (word string, ok bool) {
	switch {
	case e.Kind != sig.String:
		word, ok = m.member(t, e, true)
	case t.Free&sig.String != 0:
		return "", false
	default:
		word = e.Text
		opensJSON := strings.ContainsAny(word[:min(1, len(word))], "[{ \t\r\n")
		isString := t.Kinds == sig.String || bareIsString(t, word) && !opensJSON
		ok = len(word) <= maxMember && isString
	}
	if mark, _ := regexp.MatchString(m.marks, word); mark {
		ok = false
	}
	if !ok {
		m.note(Narrowed, "enum", "a member is left out: it would be read as something else")
	}
	return word, ok
}

// jsonText returns the JSON strings of s without anything that looks like a mark.
func (m *mapper) jsonText(s stringSet) *bnf.Node {
	quote := m.b.Literal(`"`)
	return m.markless(s, m.marks, "string", quote, m.written(asJSON), quote)
}

// markless returns the strings of s that not does not match, between begin and end;
// written returns how characters are written.
func (m *mapper) markless(
	s stringSet, not, hint string,
	begin *bnf.Node, written func(bnf.Charset, rune) *bnf.Node, end *bnf.Node,
) *bnf.Node {
	b := m.b
	key := fmt.Sprintf("%s %s %d %d %q", hint, not, s.min, s.max, s.patterns)
	return m.once(key, func() *bnf.Node {
		patterns := s.patterns
		if s.automaton == nil {
			patterns = []string{lengthPattern(s.min, s.max)}
		}
		a, err := m.intersection(patterns, not)
		switch {
		case err == nil:
			return b.Token(hint, b.Seq(begin, a.Node(b, hint, written, end)))
		case s.automaton == nil && not == m.marks:
			m.note(Narrowed, "maxLength", "a string of bounded length has no <")
			one := written(bnf.Anything.Without(m.markFirst), 0)
			return b.Token(hint, b.Seq(begin, b.Repeat(one, s.min, s.max), end))
		}
		m.note(Narrowed, "type", "strings are left out: "+err.Error())
		return bnf.Never
	})
}
