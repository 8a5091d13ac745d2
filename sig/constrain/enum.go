package constrain

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// member returns a member of an enum as written in a call. It is not ok if t allows
// all values of that kind, or if no call can contain the member.
func (m *mapper) member(t *sig.Type, e *sig.Member, inJSON bool) (word string, ok bool) {
	if t.Free&e.Kind != 0 {
		return "", false
	}
	leaveOut := func(why string) (string, bool) {
		m.note(Narrowed, "enum", "a member is left out: "+why)
		return "", false
	}
	switch {
	case len(e.JSON) > maxMember:
		return leaveOut("it is too long")
	case e.Kind == sig.String && inJSON:
		return m.quoteText(e.Text, asJSON), true
	case e.Kind == sig.String && m.tags.CanBeBare([]byte(e.Text)) && bareIsString(t, e.Text):
		return e.Text, true
	case e.Kind == sig.String:
		return string(m.tags.AppendString(nil, []byte(e.Text), lexeme.QuoteFor([]byte(e.Text)))), true
	case e.Kind&(sig.Array|sig.Object) == 0 && !m.signsHold(string(e.JSON)):
		return leaveOut("the tags do not allow a sign in a number")
	case e.Kind&(sig.Array|sig.Object) == 0:
		return string(e.JSON), true
	}
	if e.Kind == sig.Object && !inJSON {
		m.inJSON = true
		m.note(Narrowed, "enum", "an object in an enum is written as JSON, not as paths")
	}
	d := json.NewDecoder(strings.NewReader(string(e.JSON)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || !reads(t, v, true) {
		return leaveOut("it does not fit the rest of the schema")
	}
	if word, ok = m.compact(e.JSON); !ok {
		return leaveOut("it is nested too deep or has a repeated key")
	}
	return word, true
}

// reads reports whether a value is read as itself, without an issue; listed means
// that it is in the enum of t.
func reads(t *sig.Type, v any, listed bool) bool {
	if t == nil {
		return true
	}
	kind, text := sig.Null, "null"
	switch v := v.(type) {
	case bool:
		kind, text = sig.Boolean, "false"
		if v {
			text = "true"
		}
	case json.Number:
		kind, text = sig.Integer, v.String()
		if strings.ContainsAny(text, ".eE") {
			kind = sig.Number
		}
	case string:
		kind, text = sig.String, v
	case []any:
		for i, e := range v {
			if !reads(t.Item(i), e, false) {
				return false
			}
		}
		kind = sig.Array
	case map[string]any:
		for name, e := range v {
			typ, _, known := t.Property([]byte(name))
			if !known || !reads(typ, e, false) {
				return false
			}
		}
		for i := range t.Fields {
			if _, there := v[t.Fields[i].Name]; t.Fields[i].Required && !there {
				return false
			}
		}
		kind = sig.Object
	}
	return listed || t.Free&kind != 0 || kind&(sig.Array|sig.Object) == 0 && t.Member(kind, []byte(text)) != nil
}

// compact returns JSON text as the writer writes it. It is not ok if the text has a
// repeated key, which no call can have, or is nested deeper than a call can be.
func (m *mapper) compact(text []byte) (string, bool) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var out strings.Builder
	var open []nest
	for {
		token, err := d.Token()
		if err != nil {
			return out.String(), len(open) == 0 && out.Len() > 0
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			out.WriteString(token.(json.Delim).String())
			open = open[:len(open)-1]
			continue
		}
		isKey := false
		if len(open) > 0 {
			if isKey, err = open[len(open)-1].enter(token, &out, m.after()); err != nil {
				return "", false
			}
		}
		switch token := token.(type) {
		case json.Delim:
			if len(open) >= maxNesting {
				return "", false
			}
			out.WriteString(token.String())
			open = append(open, nest{object: token == '{', keys: make(map[string]bool)})
		case string:
			out.WriteString(m.quoteText(token, asJSON))
			if isKey {
				out.WriteString(":" + m.after())
			}
		case json.Number:
			if !m.signsHold(token.String()) {
				return "", false
			}
			out.WriteString(token.String())
		case bool:
			out.WriteString(map[bool]string{true: "true", false: "false"}[token])
		case nil:
			out.WriteString("null")
		}
	}
}

// after returns what the writer puts after commas and colons.
func (m *mapper) after() string {
	if m.protocol == Wire {
		return ""
	}
	return " "
}

var errRepeated = errors.New("a repeated key")

// nest is an open array or object.
type nest struct {
	object, value bool // a value comes next, not a key
	begun         bool
	keys          map[string]bool
}

// enter writes the comma before an item or key, followed by after, and reports
// whether the token is a key.
func (n *nest) enter(token json.Token, out *strings.Builder, after string) (isKey bool, err error) {
	isKey = n.object && !n.value
	n.value = isKey
	if n.object && !isKey {
		return false, nil
	}
	if n.begun {
		out.WriteString("," + after)
	}
	n.begun = true
	if isKey {
		if n.keys[token.(string)] {
			return true, errRepeated
		}
		n.keys[token.(string)] = true
	}
	return isKey, nil
}
