package sig

import (
	"bytes"
	"encoding/json"
)

// Member is one literal that an enum or const allows.
type Member struct {
	Kind Kinds  // exactly one; Integer for a number that is integral by value, else Number
	JSON []byte // compact, with digits and escapes as written
	Text string // of a string the decoded text, else the text of JSON
}

func newMember(v *value) Member {
	m := Member{Kind: v.kind, JSON: v.raw, Text: v.text}
	switch v.kind {
	case Number:
		if parseNumber(v.text).integral() {
			m.Kind = Integer
		}
	case Array, Object:
		var b bytes.Buffer
		if json.Compact(&b, v.raw) == nil { // else nested too deep for encoding/json: as written
			m.JSON = b.Bytes()
		}
		m.Text = string(m.JSON)
	}
	return m
}

// memberKey is what makes two members the same value: strings are compared
// decoded, numbers by value, arrays and objects as compact text.
type memberKey struct {
	kind Kinds
	text string
}

func (m *Member) key() memberKey {
	if m.Kind&(Integer|Number) != 0 {
		return memberKey{m.Kind, parseNumber(m.Text).key()}
	}
	return memberKey{m.Kind, m.Text}
}

// Is reports whether m is the literal of kind k and text. The text of a string
// is the decoded one; a number is the same if it is equal by value, and
// whether k says Integer or Number makes no difference; an array or object is
// the same if it is written the same in compact form.
func (m *Member) Is(k Kinds, text []byte) bool {
	if m.Kind&numeric != 0 && k&numeric != 0 {
		return parseNumber(m.Text).equal(parseNumber(string(text)))
	}
	return m.Kind == k && m.Text == string(text)
}
