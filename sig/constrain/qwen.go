package constrain

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/callwire/callwire/sig"
)

// Qwen3-Coder puts values between marks, strings without quotes and escapes. Text
// that looks like a mark could be one, so a grammar does not derive it in strings.

const qwenMarks = `</?(?:parameter|function)[=>]`

var qwenMark = regexp.MustCompile(qwenMarks)

const valueEnd = "\n</parameter>\n"

// qwenCall returns a call as in the chat template of the model.
func (m *mapper) qwenCall(p sig.Plan) (choice, bool) {
	m.begin(p.Tool.Name)
	if !betweenMarks(p.Tool.Name) {
		m.note(LeftOut, "name", "no call can have this name")
		return choice{}, false
	}
	if !m.hasRoom(p) {
		return choice{}, false
	}
	b := m.b
	body := b.seq(m.parameters(p.Tool.Args), b.literal("</function>\n"))
	return choice{"\n<function=" + p.Tool.Name + ">\n", b.define("call-"+p.Tool.Name, body)}, true
}

// betweenMarks reports whether a mark can contain the name.
func betweenMarks(name string) bool {
	return name != "" && !strings.ContainsFunc(name, noMark.contains)
}

var noMark = controls.union(chars(` <>`))

// parameters returns the arguments, each between its marks.
func (m *mapper) parameters(t *sig.Type) expr {
	b := m.b
	if isMap(t) {
		m.noteFree()
		var extra *sig.Type
		if t != nil {
			extra = t.Extra
		}
		key := b.repeat(b.class(anything.without(noMark)), 1, -1)
		value := m.within(extra, func() expr { return m.rawValue(extra) })
		return b.repeat(b.seq(b.literal("<parameter="), key, b.literal(">\n"), value), 0, m.freeKeys)
	}
	m.noteObject(t)
	var list, optional []expr
	room := maxLeaves - requiredIn(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		e := never
		if betweenMarks(f.Name) {
			m.at(f.Name, func() { e = b.seq(b.literal("<parameter="+f.Name+">\n"), m.rawValue(f.Type)) })
		}
		switch {
		case f.Required:
			list = append(list, e)
		case e == never:
			m.at(f.Name, func() { m.note(Narrowed, "properties", noValue) })
		default:
			if room--; room < 0 {
				m.note(Narrowed, "properties", "a call has no more arguments")
				continue
			}
			optional = append(optional, b.opt(e))
		}
	}
	return b.seq(append(list, optional...)...)
}

// rawValue returns the values of t with the closing mark.
func (m *mapper) rawValue(t *sig.Type) expr {
	b := m.b
	free := sig.Any
	if t != nil {
		free = t.Free
	}
	m.noteLimits(t)
	var alts []expr
	end := b.literal(valueEnd)
	if free&sig.String != 0 {
		alts = append(alts, m.rawText(t))
	} else {
		alts = m.literals(t, free, valueEnd)
	}
	if t != nil {
		var words []choice
		for i := range t.Enum {
			if word, ok := m.rawMember(t, &t.Enum[i]); ok {
				words = append(words, choice{word, end})
			}
		}
		alts = append(alts, b.words(words))
	}
	if free&sig.Array != 0 {
		alts = append(alts, b.seq(m.array(t), end))
	}
	if free&sig.Object != 0 {
		alts = append(alts, b.seq(m.object(t), end))
	}
	return b.alt(alts...)
}

// rawText returns the strings of t with the closing mark, which is part of the token
// so that a lexer knows where it ends.
func (m *mapper) rawText(t *sig.Type) expr {
	b := m.b
	not := qwenMarks
	// Text that would be read as another type, or with an issue.
	if t.Says() && t.Kinds&sig.Boolean != 0 {
		not += "|" + otherCases
	}
	if !t.Says() || t.Kinds&(sig.Array|sig.Object) != 0 {
		not += `|^[ \t\r\n]*[\[{]`
	}
	raw := func(set charset, char rune) expr {
		if char != 0 {
			return b.literal(string(char))
		}
		return b.class(set)
	}
	return m.markless(m.stringsOf(t), not, "text", empty, raw, b.literal(valueEnd))
}

// rawMember returns a member of an enum as written in a call.
func (m *mapper) rawMember(t *sig.Type, e *sig.Member) (word string, ok bool) {
	switch {
	case e.Kind != sig.String:
		word, ok = m.member(t, e, true)
	case t.Free&sig.String != 0:
		return "", false
	default:
		word, ok = e.Text, len(e.Text) <= maxMember && (t.Kinds == sig.String || bareIsString(t, e.Text) && !strings.ContainsAny(e.Text[:min(1, len(e.Text))], "[{ \t\r\n"))
	}
	if ok = ok && !qwenMark.MatchString(word); !ok {
		m.note(Narrowed, "enum", "a member is left out: it would be read as something else")
	}
	return word, ok
}

// jsonText returns the JSON strings of s without anything that looks like a mark.
func (m *mapper) jsonText(s stringSet) expr {
	return m.markless(s, qwenMarks, "string", m.b.literal(`"`), m.written(asJSON), m.b.literal(`"`))
}

// markless returns the strings of s that not does not match, between begin and end;
// written returns how characters are written.
func (m *mapper) markless(s stringSet, not, hint string, begin expr, written func(charset, rune) expr, end expr) expr {
	b := m.b
	key := fmt.Sprintf("%s %s %d %d %q", hint, not, s.min, s.max, s.patterns)
	if e, ok := m.texts[key]; ok {
		return e
	}
	patterns := s.patterns
	if s.automaton == nil {
		patterns = []string{lengthPattern(s.min, s.max)}
	}
	e := never
	a, err := m.intersection(patterns, not)
	switch {
	case err == nil:
		e = b.token(hint, b.seq(begin, a.expr(b, hint, written, end)))
	case s.automaton == nil && not == qwenMarks:
		m.note(Narrowed, "maxLength", "a string of bounded length has no <")
		e = b.token(hint, b.seq(begin, b.repeat(written(anything.without(chars("<")), 0), s.min, s.max), end))
	default:
		m.note(Narrowed, "type", "strings are left out: "+err.Error())
	}
	m.texts[key] = e
	return e
}
