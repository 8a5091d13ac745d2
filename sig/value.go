package sig

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is one JSON value of the source. It keeps the order of members.
//
// Values form a tree of unbounded depth, so code that recurses into it must limit
// the depth.
type value struct {
	kind     Kinds  // exactly one; Number for every number
	start    int    // offset in the source
	raw      []byte // the source text
	text     string // of a string, decoded; of another scalar, as written
	members  []member
	index    map[string]int // index of each key in members, if there are many
	elements []*value

	parent *value
	token  string // key or index under parent

	schema *schema // the value as a schema, see schemaAt
}

type member struct {
	key   string
	value *value
}

// document is a decoded JSON text.
type document struct {
	root     *value
	repeated []*value // values that replaced an earlier one with the same key, in source order
}

// get returns the member with that key, or nil. v may be nil.
func (v *value) get(key string) *value {
	if v != nil {
		if i := v.find(key); i >= 0 {
			return v.members[i].value
		}
	}
	return nil
}

// find returns the index of the member with that key, or -1.
func (v *value) find(key string) int {
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range v.members {
		if v.members[i].key == key {
			return i
		}
	}
	return -1
}

// add appends a member or replaces the earlier one with the same key, and reports
// whether there was one.
func (v *value) add(m member) (repeated bool) {
	const many = 16
	if i := v.find(m.key); i >= 0 {
		v.members[i].value = m.value
		return true
	}
	v.members = append(v.members, m)
	switch n := len(v.members); {
	case n == many:
		v.index = make(map[string]int, 2*many)
		for i := range v.members {
			v.index[v.members[i].key] = i
		}
	case n > many:
		v.index[m.key] = n - 1
	}
	return false
}

// is reports whether v exists and has one of the kinds.
func (v *value) is(k Kinds) bool { return v != nil && v.kind&k != 0 }

// str returns the text of a string, or "" for anything else.
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
		tokens = append(tokens, v.token)
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(pointerEscaper.Replace(tokens[i]))
	}
	return b.String()
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// sameValue reports whether a and b are the same JSON except for the order of
// members, whitespace and escapes. It returns false if that takes more than
// *budget comparisons, or if nesting is deeper than maxNesting.
func sameValue(a, b *value, budget *int, depth int) bool {
	if *budget--; *budget < 0 || depth > maxNesting {
		return false
	}
	if a == b {
		return true
	}
	if a.kind != b.kind || a.text != b.text ||
		len(a.members) != len(b.members) || len(a.elements) != len(b.elements) {
		return false
	}
	for i, m := range a.members {
		other := b.members[i].value
		if b.members[i].key != m.key {
			*budget -= len(b.members)
			if other = b.get(m.key); other == nil {
				return false
			}
		}
		if !sameValue(m.value, other, budget, depth+1) {
			return false
		}
	}
	for i := range a.elements {
		if !sameValue(a.elements[i], b.elements[i], budget, depth+1) {
			return false
		}
	}
	return true
}

// decode reads one JSON text of any depth. The last value of a repeated key
// counts, at the position of the first. The values alias src.
func decode(src []byte) (*document, error) {
	d := decoder{src: src}
	if err := d.run(); err != nil {
		return nil, err
	}
	return &d.document, nil
}

// decoder reads the structure of JSON; encoding/json reads the scalars.
type decoder struct {
	document
	src []byte
	at  int
}

// run reads value after value, and after each closes what ends with it. It is a
// loop because the depth of the stack must not depend on the input.
func (d *decoder) run() error {
	var open *value // the innermost array or object that is not closed yet
	for {
		v, err := d.begin(open)
		if err != nil {
			return err
		}
		if v.kind&(Array|Object) != 0 {
			if closer := d.peek(); closer != closerOf(v) {
				open = v
				continue
			}
			d.at++
			v.raw = d.src[v.start:d.at]
		}
		for more := false; !more; {
			next := d.peek()
			switch {
			case open == nil && d.at == len(d.src):
				return nil
			case open == nil:
				return d.unexpected("the end")
			case next == ',':
				more = true
			case next == closerOf(open):
				open.raw = d.src[open.start : d.at+1]
				open = open.parent
			default:
				return d.unexpected("a comma or " + string(rune(closerOf(open))))
			}
			d.at++
		}
	}
}

// begin reads the next value with the key before it: all of a scalar, the opening
// bracket of an array or object.
func (d *decoder) begin(parent *value) (*value, error) {
	key := ""
	if parent.is(Object) {
		var err error
		if key, err = d.key(); err != nil {
			return nil, err
		}
	}
	c := d.peek()
	v := &value{start: d.at, parent: parent}
	switch {
	case c == '[':
		v.kind = Array
		d.at++
	case c == '{':
		v.kind = Object
		d.at++
	case c == '"':
		v.kind = String
		text, err := d.quoted()
		if err != nil {
			return nil, err
		}
		v.text = text
	default:
		for d.at < len(d.src) && isScalarByte(d.src[d.at]) {
			d.at++
		}
		word := d.src[v.start:d.at]
		if !json.Valid(word) {
			d.at = v.start
			return nil, d.unexpected("a value")
		}
		v.text = string(word)
		switch c {
		case 'n':
			v.kind = Null
		case 't', 'f':
			v.kind = Boolean
		default:
			v.kind = Number
		}
	}
	v.raw = d.src[v.start:d.at]
	switch {
	case parent == nil:
		d.root = v
	case parent.kind == Array:
		v.token = strconv.Itoa(len(parent.elements))
		parent.elements = append(parent.elements, v)
	default:
		v.token = key
		if parent.add(member{key, v}) {
			d.repeated = append(d.repeated, v)
		}
	}
	return v, nil
}

func (d *decoder) key() (string, error) {
	if d.peek() != '"' {
		return "", d.unexpected("a key in double quotes")
	}
	key, err := d.quoted()
	if err != nil {
		return "", err
	}
	if d.peek() != ':' {
		return "", d.unexpected("a colon")
	}
	d.at++
	return key, nil
}

// quoted reads a string and decodes it.
func (d *decoder) quoted() (string, error) {
	start := d.at
	plain := true
	for d.at++; d.at < len(d.src) && d.src[d.at] != '"'; d.at++ {
		switch c := d.src[d.at]; {
		case c == '\\':
			plain = false
			d.at++
		case c < ' ' || c >= utf8.RuneSelf:
			plain = false
		}
	}
	if d.at >= len(d.src) {
		d.at = len(d.src)
		return "", d.unexpected("the end of a string")
	}
	d.at++
	raw := d.src[start:d.at]
	if plain {
		return string(raw[1 : len(raw)-1]), nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("string at offset %d: %w", start, err)
	}
	return s, nil
}

// peek skips whitespace and returns the byte there, 0 at the end.
func (d *decoder) peek() byte {
	for ; d.at < len(d.src); d.at++ {
		switch c := d.src[d.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (d *decoder) unexpected(want string) error {
	if d.peek(); d.at >= len(d.src) {
		return fmt.Errorf("expected %s, found the end of the text", want)
	}
	r, _ := utf8.DecodeRune(d.src[d.at:])
	return fmt.Errorf("expected %s at offset %d, found %q", want, d.at, r)
}

func closerOf(v *value) byte {
	if v.kind == Array {
		return ']'
	}
	return '}'
}

// isScalarByte reports whether c can be part of a number, true, false or null.
func isScalarByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'
}
