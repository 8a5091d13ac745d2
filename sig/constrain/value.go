package constrain

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain/internal/bnf"
)

// value returns the rule of the values of t except objects, as written after an
// equals sign or in JSON.
func (m *mapper) value(t *sig.Type, inJSON bool) *bnf.Node {
	return m.rule(ruleOf{"value", t, inJSON}, false, func() *bnf.Node {
		m.noteLimits(t)
		free := freeOf(t)
		alts := m.literals(t, free, "")
		alts = append(alts, m.enum(t, func(e *sig.Member) (bnf.Word, bool) {
			word, ok := m.member(t, e, inJSON)
			return bnf.Word{Text: word, Then: bnf.Empty}, ok
		}))
		if free&sig.String != 0 {
			alts = append(alts, m.text(t, inJSON))
		}
		if free&sig.Array != 0 {
			alts = append(alts, m.array(t))
		}
		return m.b.Alt(alts...)
	})
}

// freeOf returns the kinds that t allows with any value.
func freeOf(t *sig.Type) sig.Kinds {
	if t == nil {
		return sig.Any
	}
	return t.Free
}

// any returns the JSON values of t, objects included.
func (m *mapper) any(t *sig.Type) *bnf.Node {
	if t == nil {
		m.noteFree()
	}
	return m.within(t, func() *bnf.Node {
		value := m.value(t, true)
		if freeOf(t)&sig.Object != 0 {
			return m.b.Alt(value, m.object(t))
		}
		return value
	})
}

// literals returns the null, booleans and numbers of t that are among free, with end
// after each.
func (m *mapper) literals(t *sig.Type, free sig.Kinds, end string) (alts []*bnf.Node) {
	b := m.b
	if free&sig.Null != 0 {
		alts = append(alts, b.Literal("null"+end))
	}
	if free&sig.Boolean != 0 {
		alts = append(alts, b.Literal("true"+end), b.Literal("false"+end))
	}
	if free&(sig.Integer|sig.Number) != 0 {
		alts = append(alts, b.Seq(m.number(t, free&sig.Number == 0), b.Literal(end)))
	}
	return alts
}

// comma returns what is between two items or members. Models write a space there;
// allowing more could make them write nothing else.
func (m *mapper) comma() *bnf.Node { return m.b.Seq(m.b.Literal(","), m.b.Opt(m.b.Literal(" "))) }

// array returns the arrays of t.
func (m *mapper) array(t *sig.Type) *bnf.Node {
	return m.rule(ruleOf{"array", t, true}, true, func() *bnf.Node {
		b := m.b
		least, most := m.items(t)
		prefix := 0
		if t != nil {
			prefix = len(t.Prefix)
		}
		items := make([]*bnf.Node, 0, prefix+1)
		for i := range prefix + 1 {
			m.at("[]", func() { items = append(items, m.any(t.Item(i))) })
		}
		tuple, rest := items[:prefix], items[prefix]
		if most >= 0 && most < prefix {
			tuple, rest = tuple[:most], bnf.Never
		}
		tail := m.more(rest, prefix, least-prefix, most)
		for i, item := range slices.Backward(tuple) {
			tail = b.Seq(item, tail)
			if i > 0 {
				tail = b.Seq(m.comma(), tail)
			}
			if i >= least {
				tail = b.Opt(tail)
			}
		}
		return b.Seq(b.Literal("["), tail, b.Literal("]"))
	})
}

// more returns the items after a number of others: at least so many of them, and most with
// the others; most < 0 means no bound.
func (m *mapper) more(item *bnf.Node, after, least, most int) *bnf.Node {
	b := m.b
	switch {
	case most >= 0 && most <= after || item == bnf.Never:
		if least > 0 {
			return bnf.Never
		}
		return bnf.Empty
	case most >= 0:
		most -= after
	}
	next := b.Define("item", b.Seq(m.comma(), item))
	if after > 0 {
		return b.Repeat(next, max(least, 0), most)
	}
	all := b.Seq(item, b.Repeat(next, less(least), less(most)))
	if least == 0 {
		return b.Opt(all)
	}
	return all
}

// less returns how many are left of n after the first; 0 and no bound stay.
func less(n int) int {
	if n <= 0 {
		return n
	}
	return n - 1
}

// object returns the JSON objects of t.
func (m *mapper) object(t *sig.Type) *bnf.Node {
	return m.rule(ruleOf{"object", t, true}, true, func() *bnf.Node {
		b := m.b
		colon := b.Seq(b.Literal(":"), b.Opt(b.Literal(" ")))
		var inside *bnf.Node
		if isMap(t) {
			m.noteFree()
			extra := extraOf(t)
			var member *bnf.Node
			m.at("*", func() {
				value := m.within(extra, func() *bnf.Node { return m.any(extra) })
				member = b.Define("member", b.Seq(m.anyString(asJSON), colon, value))
			})
			inside = b.Opt(b.Seq(member, b.Repeat(b.Seq(m.comma(), member), 0, m.o.FreeKeys-1)))
		} else {
			required, optional := m.fields(t, room(t), func(f *sig.Field) *bnf.Node {
				return b.Seq(b.Literal(m.quoteText(f.Name, asJSON)), colon, m.any(f.Type))
			})
			inside = m.inOrder(required, optional, m.comma())
		}
		return b.Seq(b.Literal("{"), inside, b.Literal("}"))
	})
}

// enum returns the members of the enum of t as word writes them.
func (m *mapper) enum(t *sig.Type, word func(*sig.Member) (bnf.Word, bool)) *bnf.Node {
	if t == nil {
		return bnf.Never
	}
	var words []bnf.Word
	for i := range t.Enum {
		if w, ok := word(&t.Enum[i]); ok {
			words = append(words, w)
		}
	}
	return m.b.Words(words)
}

// member returns a member of an enum as written in a call. ok is false if t allows all
// values of that kind, or if no call can contain the member.
func (m *mapper) member(t *sig.Type, e *sig.Member, inJSON bool) (word string, ok bool) {
	if t.Free&e.Kind != 0 {
		return "", false
	}
	leaveOut := func(why string) (string, bool) {
		m.note(Narrowed, "enum", "a member is left out: "+why)
		return "", false
	}
	scalar := e.Kind&(sig.Array|sig.Object) == 0
	switch {
	case len(e.JSON) > maxMember:
		return leaveOut("it is too long")
	case e.Kind == sig.String && inJSON:
		return m.quoteText(e.Text, asJSON), true
	case e.Kind == sig.String && m.tags.CanBeBare([]byte(e.Text)) && bareIsString(t, e.Text):
		return e.Text, true
	case e.Kind == sig.String:
		text := []byte(e.Text)
		return string(m.tags.AppendString(nil, text, lexeme.QuoteFor(text))), true
	case scalar && !m.signsHold(string(e.JSON)):
		return leaveOut("the tags do not allow a sign in a number")
	case scalar:
		return string(e.JSON), true
	case !t.Accepts(e.JSON):
		return leaveOut("it does not fit the rest of the schema")
	}
	if e.Kind == sig.Object && !inJSON {
		m.inJSON = true
		m.note(Narrowed, "enum", "an object in an enum is written as JSON, not as paths")
	}
	word, ok = m.compact(e.JSON)
	if !ok {
		return leaveOut("it is nested too deep, or the tags do not allow a sign in a number")
	}
	return word, true
}

// compact returns JSON text as the writer writes it. ok is false if it is nested deeper
// than a call can be, or has a number that no call can.
func (m *mapper) compact(text []byte) (string, bool) {
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
		switch t.Kind {
		case 'k', 's':
			token = m.quoteText(string(s.AppendUnquoted(nil, t)), asJSON)
		case 'l':
			if !m.signsHold(token) {
				return "", false
			}
		}
		out.WriteString(token)
		if t.Kind == 'k' {
			out.WriteString(":" + space)
		}
		inside = t.Kind == 's' || t.Kind == 'l' || closes
	}
	fault, _ := s.Fault()
	return out.String(), fault == lexeme.NoFault
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
	case strings.EqualFold(word, "true") || strings.EqualFold(word, "false"):
		return !fits(sig.Boolean, strings.ToLower(word))
	case lexeme.IsNumber([]byte(word)):
		return !fits(sig.Integer|sig.Number, word)
	}
	return true
}
