package sig

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// value is one JSON value of the source. It keeps the order of members. Its methods accept
// nil, a value that is missing.
type value struct {
	kind     Kinds // exactly one; Number for every number
	repeated bool  // an earlier member of parent had the same key

	raw   []byte         // the source text
	text  string         // of a string, decoded; of another scalar, as written
	below []*value       // the elements of an array, or the members of an object
	index map[string]int // index of each key in below, if there are many

	parent *value
	token  string // key or index under parent

	schema *schema // the value as a schema, see schemaAt
}

// get returns the member with that key, or nil.
func (v *value) get(key string) *value {
	if v.is(Object) {
		if i := v.find(key); i >= 0 {
			return v.below[i]
		}
	}
	return nil
}

// find returns the index of the member with that key, or -1.
func (v *value) find(key string) int {
	if v.index == nil {
		return slices.IndexFunc(v.below, func(m *value) bool { return m.token == key })
	}
	if i, ok := v.index[key]; ok {
		return i
	}
	return -1
}

// add appends a member, or replaces the earlier one with the same key.
func (v *value) add(m *value) {
	const many = 16 // members from which an index is faster than comparing
	if i := v.find(m.token); i >= 0 {
		v.below[i], m.repeated = m, true
		return
	}
	v.below = append(v.below, m)
	if len(v.below) == many {
		v.index = make(map[string]int, 2*many)
		for i, m := range v.below {
			v.index[m.token] = i
		}
	} else if v.index != nil {
		v.index[m.token] = len(v.below) - 1
	}
}

// is reports whether v exists and has one of the kinds.
func (v *value) is(k Kinds) bool { return v != nil && v.kind&k != 0 }

// isTrue reports whether v is true.
func (v *value) isTrue() bool { return v.is(Boolean) && v.text == "true" }

// elements returns the elements of an array.
func (v *value) elements() []*value {
	if v.is(Array) {
		return v.below
	}
	return nil
}

// members returns the members of an object.
func (v *value) members() []*value {
	if v.is(Object) {
		return v.below
	}
	return nil
}

// str returns the text of a string.
func (v *value) str() string {
	if v.is(String) {
		return v.text
	}
	return ""
}

// pointer returns the JSON pointer from root to v.
func (v *value) pointer(root *value) string {
	var tokens []string
	for ; v != nil && v != root; v = v.parent {
		tokens = append(tokens, "/"+pointerEscaper.Replace(v.token))
	}
	slices.Reverse(tokens)
	return strings.Join(tokens, "")
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// maxDepth is how deep arrays and objects may nest, as in encoding/json. Code that
// recurses into a value needs no other bound.
const maxDepth = 10_000

// decoder reads JSON text into values.
type decoder struct{ lexeme.Scanner }

// decode reads one JSON text, nested at most depth deep. The last value of a repeated key
// counts, at the position of the first. What is not Unicode becomes U+FFFD. The values alias
// src if it is valid UTF-8.
func decode(src []byte, depth int) (root *value, err error) {
	if !utf8.Valid(src) {
		src = []byte(string([]rune(string(src))))
	}
	d := decoder{lexeme.Scanner{Text: src, Depth: depth, Unpaired: true}}
	for t := d.Next(); t.Kind != 0; t = d.Next() {
		root = d.value(t, nil, "")
	}
	fault, at := d.Fault()
	switch {
	case fault == lexeme.NoFault:
		return root, nil
	case fault == lexeme.TooDeep:
		return nil, fmt.Errorf("invalid JSON at offset %d: nested deeper than %d", at, depth)
	case at >= len(src):
		return nil, fmt.Errorf("invalid JSON at offset %d: found the end of the text", at)
	}
	r, _ := utf8.DecodeRune(src[at:])
	return nil, fmt.Errorf("invalid JSON at offset %d: found %q", at, r)
}

// value reads the value that begins with t.
func (d *decoder) value(t lexeme.JSONToken, parent *value, token string) *value {
	v, start := &value{parent: parent, token: token}, t.Start
	switch t.Kind {
	case '[':
		v.kind = Array
		for t = d.Next(); t.Kind != ']' && t.Kind != 0; t = d.Next() {
			v.below = append(v.below, d.value(t, v, strconv.Itoa(len(v.below))))
		}
	case '{':
		v.kind = Object
		for t = d.Next(); t.Kind == 'k'; t = d.Next() {
			v.add(d.value(d.Next(), v, d.unquoted(t)))
		}
	case 's':
		v.kind, v.text = String, d.unquoted(t)
	case 'l':
		v.text = string(d.Text[t.Start:t.End])
		switch v.text {
		case "null":
			v.kind = Null
		case "true", "false":
			v.kind = Boolean
		default:
			v.kind = Number
		}
	}
	v.raw = d.Text[start:max(t.End, start)] // there is no end if it is not JSON
	return v
}

// unquoted returns what a key or string means.
func (d *decoder) unquoted(t lexeme.JSONToken) string {
	if !t.Escaped {
		return string(d.Content(t))
	}
	return string(lexeme.AppendJSONUnquoted(nil, d.Content(t), utf8.RuneError))
}
