package constrain

import (
	"regexp"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// value returns the rule of the values of t at a place. After an equals sign objects are not
// among them.
func (m *mapper) value(t *sig.Type, at place) *node {
	m.noteType(t)
	return m.rule(ruleOf{"value", t, at}, func() *node {
		alts := append(m.literals(t), m.enum(t, at))
		if t.Free&sig.Array != 0 {
			alts = append(alts, m.array(t))
		}
		if t.Free&sig.Object != 0 && at != inWire {
			alts = append(alts, m.object(t))
		}
		value := m.alt(alts...)
		if at == inMarks {
			value = m.seq(value, m.literal(m.valueEnd()))
		}
		if t.Free&sig.String != 0 {
			value = m.alt(value, m.text(t, at))
		}
		return value
	})
}

// literals returns the null, booleans and numbers of t.
func (m *mapper) literals(t *sig.Type) (alts []*node) {
	if t.Free&sig.Null != 0 {
		alts = append(alts, m.literal("null"))
	}
	if t.Free&sig.Boolean != 0 {
		alts = append(alts, m.literal("true"), m.literal("false"))
	}
	if t.Free&numeric != 0 {
		for _, alt := range altsOf(t, numeric) {
			alts = append(alts, m.number(alt, alt.Free&sig.Number == 0))
		}
	}
	return alts
}

// comma returns what is between two items or members. Models write a space there;
// allowing more could make them write nothing else.
func (m *mapper) comma() *node { return m.seq(m.literal(","), m.opt(m.literal(" "))) }

// mostItems is the greatest bound on an array that engines accept.
const mostItems = 2000

// array returns the arrays of t. The first items have types of their own, one at least, the
// others share one.
func (m *mapper) array(t *sig.Type) *node {
	return m.rule(ruleOf{"array", t, inJSON}, func() *node {
		count := limits.Range{Min: limits.Unbounded} // the loosest one of the alternatives
		for _, alt := range altsOf(t, sig.Array) {
			r := m.counts(limitsOf(alt).Items, "Items", mostItems)
			count.Min, count.Max = min(count.Min, r.Min), max(count.Max, r.Max)
		}
		item := func(i int) *node {
			return m.at("[]", func() *node { return m.value(typeOf(t.Item(i)), inJSON) })
		}
		first := []*node{item(0)}
		for i := 1; i < len(t.Prefix); i++ {
			first = append(first, item(i))
		}
		next := m.define("item", m.seq(m.comma(), item(len(t.Prefix))))
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
			if i%16 == 15 { // some engines limit nesting
				tail = m.define("items", tail)
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
	return m.rule(ruleOf{"object", t.Shape(), inJSON}, func() *node {
		required, optional := m.members(t, m.comma(), func(name string, t *sig.Type) *node {
			key := m.literal(m.quoteText(name, asJSON))
			if name == freeName {
				key = m.quoted(stringSet{length: anyCount, not: m.marks}, asJSON)
			}
			return m.seq(key, m.literal(":"), m.opt(m.literal(" ")), m.value(t, inJSON))
		})
		return m.seq(m.literal("{"), m.inOrder(required, optional, m.comma()), m.literal("}"))
	})
}

// enum returns the members of the enum of t.
func (m *mapper) enum(t *sig.Type, at place) *node {
	var words []word
	for i := range t.Enum {
		e := &t.Enum[i]
		isCombined := e.Kind&(sig.Array|sig.Object) != 0 // from elements of all alternatives
		isDerived := func(alt *sig.Type) bool {
			isFormat := slices.ContainsFunc(limitsOf(alt).Formats, isEnforced) // Accepts ignores it
			return alt.Free&e.Kind != 0 && (isCombined || !isFormat && alt.Accepts(e.JSON))
		}
		if slices.ContainsFunc(altsOf(t, e.Kind), isDerived) {
			continue // as any value of the kind
		}
		text, problem := m.member(t, e, at)
		if problem != "" {
			m.note(narrowed, "enum", "a member is left out: "+problem)
		} else {
			words = append(words, word{text, empty})
		}
	}
	return m.words(words)
}

// member returns a member of an enum as written in a call, or why no call can contain it.
func (m *mapper) member(t *sig.Type, e *sig.Member, at place) (text, problem string) {
	const misread = "it would be read as something else"
	content := []byte(e.Text)
	isBare := engine.IsWord(t, content)
	switch {
	case len(e.JSON) > maxMember:
		return "", "it is too long"
	case !t.Accepts(e.JSON):
		return "", "it does not fit the rest of the schema"
	case e.Kind != sig.String:
		if e.Kind == sig.Object && at == inWire {
			m.inJSON = true
			m.note(narrowed, "enum", "an object in an enum is written as JSON, not as paths")
		}
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
		text = m.quoteText(e.Text, &quoting{quote: string(lexeme.QuoteFor(content))})
	}
	if mark, _ := regexp.MatchString(m.marks, text); mark && at == inMarks {
		problem = misread
	}
	return text, problem
}

// compact returns JSON text as the writer writes it, or why no call can contain it.
func (m *mapper) compact(text []byte) (written, problem string) {
	s := lexeme.Scanner{Text: text, Depth: maxNesting, Unpaired: true}
	s.Finish(s.Next())
	if fault, _ := s.Fault(); fault != lexeme.NoFault {
		return "", "it is nested too deep"
	}
	quote := func(dst, text []byte) []byte {
		return append(dst, m.quoteText(string(text), asJSON)...)
	}
	return string(engine.AppendJSON(nil, text, !m.wire(), quote)), ""
}
