package fuzz

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// spelled has a tool whose arguments are of every shape that elements can have.
var spelled = mustCompile(`[{"name": "put", "inputSchema": {"type": "object", "additionalProperties": false, "properties": {
	"s": {"type": "string"}, "n": {"type": "number"}, "b": {"type": ["boolean", "null"]},
	"tags": {"type": "array", "items": {"type": "string"}}, "nums": {"type": "array", "items": {"type": "integer"}},
	"grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
	"o": {"$ref": "#/$defs/o"}, "rows": {"type": "array", "items": {"$ref": "#/$defs/o"}}},
	"$defs": {"o": {"type": "object", "additionalProperties": false, "properties": {
		"s": {"type": "string"}, "n": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}},
		"in": {"type": "object", "additionalProperties": false, "properties": {"s": {"type": "string"}, "b": {"type": "boolean"}}}}}}}}]`)

// TestSpellingsOfXML: whichever way arguments are written as elements, they read the same
// at any split: a list by repeating its element, by items, or as JSON, text in entities, in
// CDATA sections or as it is, with comments and whitespace where they mean nothing.
func TestSpellingsOfXML(t *testing.T) {
	args := spelled.Lookup([]byte("put")).Args
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		input := FitObject(s, args, 4)
		w := speller{s: s}
		w.between()
		w.members(json.RawMessage(input), args)
		text := "<put>" + w.String() + "</put>"
		setup := Setup{Catalog: spelled, Protocol: protocol.MorphXML}
		parts, err := Read(newDecoderReader(setup), Chunks([]byte(text), Cuts(s, len(text)))...)
		if err != nil {
			rt.Fatalf("%q: %v", text, err)
		}
		want := string(canonical([]byte(input)))
		if len(parts) != 1 || parts[0].Kind != kindCall || parts[0].Input != want || len(parts[0].Issues) > 0 {
			rt.Fatalf("%s is written %q, read %+v", want, text, parts)
		}
	})
}

// A speller writes JSON as elements, each time in another way.
type speller struct {
	s Source
	strings.Builder
}

// between writes what means nothing between elements.
func (w *speller) between() {
	w.WriteString(oneOf(w.s, "", "", "\n", " \t\r\n", "<!---->", " <!-- </put> <s> & -- > --> "))
}

// element writes the tags of a name around content.
func (w *speller) element(name string, content func()) {
	before := w.Len()
	w.WriteString("<" + name + oneOf(w.s, "", "", " ", "\n") + ">")
	start := w.Len()
	content()
	if w.Len() == start && chance(w.s, 2) {
		text := w.String()[:before]
		w.Reset()
		w.WriteString(text + "<" + name + oneOf(w.s, "", " ") + "/>")
		return
	}
	w.WriteString("</" + name + oneOf(w.s, "", "", " ") + ">")
}

// members writes the members of an object, and what means nothing after each.
func (w *speller) members(object json.RawMessage, t *sig.Type) {
	for _, m := range entriesOf(object) {
		w.member(m.key, m.value, t.Field([]byte(m.key)).Type)
		w.between()
	}
}

// member writes a value of type t as one element of that name, or as several.
func (w *speller) member(name string, value json.RawMessage, t *sig.Type) {
	list := elementsOf(value)
	item := t.Item(0)
	if value[0] == '[' && len(list) > 1 && item.Kinds&sig.Array == 0 && !hasEmpty(list) && chance(w.s, 2) {
		for i, v := range list {
			if i > 0 {
				w.between()
			}
			w.element(name, func() { w.value(v, item, false) }) // which may be the list, too
		}
		return
	}
	w.element(name, func() { w.value(value, t, true) })
}

// hasEmpty reports whether an object of the list has no members, which by itself is an
// empty list.
func hasEmpty(list []json.RawMessage) bool {
	for _, v := range list {
		if string(v) == "{}" {
			return true
		}
	}
	return false
}

// value writes a value of type t; sure says that its element can have no other type.
func (w *speller) value(value json.RawMessage, t *sig.Type, sure bool) {
	list := elementsOf(value)
	switch {
	case value[0] == '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			panic(err)
		}
		w.text(text, sure)
	case value[0] == '{' && len(entriesOf(value)) > 0 && !chance(w.s, 3):
		w.between()
		w.members(value, t)
	case value[0] == '[' && len(list) > 0 && !chance(w.s, 3):
		w.between()
		for _, v := range list {
			w.element("item", func() { w.value(v, t.Item(0), true) })
			w.between()
		}
	case value[0] == '[' && len(list) == 0 && chance(w.s, 2):
	case value[0] == '{' && len(entriesOf(value)) == 0 && chance(w.s, 2):
	default:
		w.text(oneOf(w.s, "", " ", "\n")+string(value)+oneOf(w.s, "", "\n "), false)
	}
}

// text writes text: piece by piece in entities, in CDATA sections, or as it is where that
// begins nothing; markup says that elements mean nothing in it.
func (w *speller) text(text string, markup bool) {
	for text != "" {
		n := min(len(text), 1+w.s.IntN(12))
		for n < len(text) && text[n]&0xc0 == 0x80 {
			n++
		}
		piece := text[:n]
		text = text[n:]
		switch {
		case chance(w.s, 4) && !strings.ContainsAny(piece, "]>"):
			w.WriteString("<![CDATA[" + piece + "]]>")
		case !strings.ContainsAny(piece, "<&"):
			w.WriteString(piece)
		case markup && chance(w.s, 2) && !strings.ContainsAny(piece, "/!&") && !strings.HasSuffix(piece, "<"):
			w.WriteString(piece)
		default:
			for _, c := range piece {
				switch {
				case c == '<' || c == '&' || chance(w.s, 5):
					w.WriteString(oneOf(w.s, fmt.Sprintf("&#%d;", c), fmt.Sprintf("&#x%X;", c)))
				default:
					w.WriteRune(c)
				}
			}
		}
	}
}

// entry is a member of an object.
type entry struct {
	key   string
	value json.RawMessage
}

// entriesOf returns the members of an object in their order.
func entriesOf(object json.RawMessage) (all []entry) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, _ := d.Token()
		var e entry
		if err := d.Decode(&e.value); err != nil {
			panic(err)
		}
		e.key = key.(string)
		all = append(all, e)
	}
	return all
}

// elementsOf returns the elements of an array.
func elementsOf(array json.RawMessage) (all []json.RawMessage) {
	if array[0] == '[' {
		if err := json.Unmarshal(array, &all); err != nil {
			panic(err)
		}
	}
	return all
}
