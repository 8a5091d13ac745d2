package constrain

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// value returns the rule of the values of t at a place. After an equals sign objects are not
// among them.
func (m *mapper) value(t *sig.Type, at place) *node {
	return m.rule(ruleOf{"value", t, at}, func() *node {
		m.noteLimits(t)
		free, then := freeOf(t), empty
		if at == inMarks {
			then = m.literal(m.valueEnd())
		}
		literal := free
		if at == inMarks && hasAnyString(t) { // text includes other literals
			literal = 0
			if t.Restricts() {
				literal |= free & sig.Boolean
			}
			if hasRange(t) {
				literal |= free & numeric
			}
		}
		alts := append(m.literals(t, literal, then), m.enum(t, at, then))
		if free&sig.String != 0 {
			alts = append(alts, m.text(t, at))
		}
		if free&sig.Array != 0 {
			alts = append(alts, m.seq(m.array(t), then))
		}
		if free&sig.Object != 0 && at != inWire {
			alts = append(alts, m.seq(m.object(t), then))
		}
		return m.alt(alts...)
	})
}

// any returns the JSON values of t.
func (m *mapper) any(t *sig.Type) *node {
	if t == nil {
		m.noteFree(t)
	}
	return m.within(t, func() *node { return m.value(t, inJSON) })
}

// literals returns the null, booleans and numbers of t that are among free, with then
// after each.
func (m *mapper) literals(t *sig.Type, free sig.Kinds, then *node) (alts []*node) {
	if free&sig.Null != 0 {
		alts = append(alts, m.seq(m.literal("null"), then))
	}
	if free&sig.Boolean != 0 {
		alts = append(alts, m.seq(m.literal("true"), then), m.seq(m.literal("false"), then))
	}
	if free&numeric != 0 {
		for _, alt := range altsOf(t, numeric) {
			alts = append(alts, m.seq(m.number(alt, freeOf(alt)&sig.Number == 0), then))
		}
	}
	return alts
}

// comma returns what is between two items or members. Models write a space there;
// allowing more could make them write nothing else.
func (m *mapper) comma() *node { return m.seq(m.literal(","), m.opt(m.literal(" "))) }

// array returns the arrays of t. The first items have types of their own, one at least, the
// others share one.
func (m *mapper) array(t *sig.Type) *node {
	return m.rule(ruleOf{"array", t, inJSON}, func() *node {
		count := m.items(t)
		var first []*node
		item := never
		for i := 0; i == 0 || t != nil && i <= len(t.Prefix); i++ {
			m.at("[]", func() { item = m.any(t.Item(i)) })
			first = append(first, item)
		}
		first = first[:max(len(first)-1, 1)]
		next := never
		if item != never {
			next = m.define("item", m.seq(m.comma(), item))
		}
		tail := m.repeat(next, less(count.Min, len(first)), less(count.Max, len(first)))
		for i, item := range slices.Backward(first) {
			if i >= count.Max {
				continue
			}
			tail = m.seq(item, tail)
			if i > 0 {
				tail = m.seq(m.comma(), tail)
			}
			if i >= count.Min {
				tail = m.opt(tail)
			}
		}
		return m.seq(m.literal("["), tail, m.literal("]"))
	})
}

// less returns how many of n are left after some; no bound stays none.
func less(n, some int) int {
	if n == limits.Unbounded {
		return n
	}
	return max(n-some, 0)
}

// object returns the JSON objects of t.
func (m *mapper) object(t *sig.Type) *node {
	return m.rule(ruleOf{"object", t, inJSON}, func() *node {
		colon := m.seq(m.literal(":"), m.opt(m.literal(" ")))
		var inside *node
		if isMap(t) {
			m.noteFree(t)
			var member *node
			m.at("*", func() {
				key := m.quoted(anyString, asJSON, m.marks)
				value := m.within(extraOf(t), func() *node { return m.any(extraOf(t)) })
				member = m.define("member", m.seq(key, colon, value))
			})
			more := m.repeat(m.seq(m.comma(), member), 0, m.o.FreeKeys-1)
			inside = m.opt(m.seq(member, more))
		} else {
			required, optional := m.fields(t, room(t), func(f *sig.Field) *node {
				return m.seq(m.literal(m.quoteText(f.Name, asJSON)), colon, m.any(f.Type))
			})
			inside = m.inOrder(required, optional, m.comma())
		}
		return m.seq(m.literal("{"), inside, m.literal("}"))
	})
}

// enum returns the members of the enum of t, with then after each.
func (m *mapper) enum(t *sig.Type, at place, then *node) *node {
	if t == nil {
		return never
	}
	var words []word
	for i := range t.Enum {
		e := &t.Enum[i]
		if t.Free&e.Kind != 0 {
			continue // all values of the kind are allowed
		}
		text, problem := m.member(t, e, at)
		if problem != "" {
			m.note(narrowed, "enum", "a member is left out: "+problem)
		} else {
			words = append(words, word{text, then})
		}
	}
	return m.words(words)
}

// member returns a member of an enum as written in a call, or why no call can contain it.
func (m *mapper) member(t *sig.Type, e *sig.Member, at place) (text, problem string) {
	const misread = "it would be read as something else"
	switch {
	case len(e.JSON) > maxMember:
		return "", "it is too long"
	case !t.Accepts(e.JSON):
		return "", "it does not fit the rest of the schema"
	case e.Kind == sig.Object && at == inWire:
		m.inJSON = true
		m.note(narrowed, "enum", "an object in an enum is written as JSON, not as paths")
	}
	content := []byte(e.Text)
	switch isBare := bareIsString(t, e.Text); {
	case e.Kind != sig.String:
		text, problem = m.compact(e.JSON)
	case at == inJSON:
		text = m.quoteText(e.Text, asJSON)
	case at == inMarks:
		text = e.Text
		opensJSON := strings.ContainsAny(text[:min(1, len(text))], "[{ \t\r\n")
		if t.Kinds != sig.String && (opensJSON || !isBare) {
			problem = misread
		}
	case isBare && m.tags.CanBeBare(content):
		text = e.Text
	default:
		text = string(m.tags.AppendString(nil, content, lexeme.QuoteFor(content)))
	}
	if mark, _ := regexp.MatchString(m.marks, text); mark && at == inMarks {
		problem = misread
	}
	return text, problem
}

// compact returns JSON text as the writer writes it, or why no call can contain it.
func (m *mapper) compact(text []byte) (written, problem string) {
	space := " "
	if m.wire() {
		space = ""
	}
	s := lexeme.Scanner{Text: text, Depth: maxNesting, Unpaired: true}
	var out strings.Builder
	inside := false // a value or key was written before at this level
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		closes := t.Kind == ']' || t.Kind == '}'
		if inside && !closes {
			out.WriteString("," + space)
		}
		token := string(text[t.Start:t.End])
		if t.Kind == 'k' || t.Kind == 's' {
			token = m.quoteText(string(s.AppendUnquoted(nil, t)), asJSON)
		}
		out.WriteString(token)
		if t.Kind == 'k' {
			out.WriteString(":" + space)
		}
		inside = t.Kind == 's' || t.Kind == 'l' || closes
	}
	if fault, _ := s.Fault(); fault != lexeme.NoFault {
		problem = "it is nested too deep"
	}
	return out.String(), problem
}

// bareIsString reports whether a bare word that is in the enum of t as a string is
// read as that string, because no other reading fits.
func bareIsString(t *sig.Type, word string) bool {
	kind, literal := sig.LiteralKind([]byte(word)), []byte(word)
	if strings.EqualFold(word, "true") || strings.EqualFold(word, "false") {
		kind, literal = sig.Boolean, bytes.ToLower(literal)
	}
	if kind == sig.Number {
		kind = numeric
	}
	return kind == 0 || t.Free&kind == 0 && t.Member(kind, literal) == nil
}
