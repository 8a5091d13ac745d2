package middleware

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
)

// JSON is read and written member by member, in order and with the original bytes of
// each value, so what is not understood here passes through. The functions in this file
// take valid JSON.

// member is one member of an object. Its value is a part of the source.
type member struct {
	key   string
	value []byte // without whitespace around it
}

// object is a JSON object by its members.
type object []member

// readObject appends the members of a valid JSON object to dst. It returns nil if data
// is not an object.
func readObject(dst object, data []byte) object {
	i := space(data, 0)
	if i >= len(data) || data[i] != '{' {
		return nil
	}
	if dst == nil {
		dst = make(object, 0, 8)
	}
	i = space(data, i+1)
	for data[i] != '}' {
		end := stringEnd(data, i)
		key := data[i:end]
		i = space(data, space(data, end)+1)
		end = valueEnd(data, i)
		dst = append(dst, member{keyOf(key), data[i:end]})
		if i = space(data, end); data[i] == ',' {
			i = space(data, i+1)
		}
	}
	return dst
}

// readObjects returns the members of each value; nil for nil.
func readObjects(values [][]byte) []object {
	if values == nil {
		return nil
	}
	all := make([]object, len(values))
	for i, v := range values {
		all[i] = readObject(nil, v)
	}
	return all
}

// readArray appends the elements of a valid JSON array to dst. It returns nil if data
// is not an array.
func readArray(dst [][]byte, data []byte) [][]byte {
	i := space(data, 0)
	if i >= len(data) || data[i] != '[' {
		return nil
	}
	if dst == nil {
		dst = make([][]byte, 0, 4)
	}
	i = space(data, i+1)
	for data[i] != ']' {
		end := valueEnd(data, i)
		dst = append(dst, data[i:end])
		if i = space(data, end); data[i] == ',' {
			i = space(data, i+1)
		}
	}
	return dst
}

// space returns the offset of the first byte from i on that is not whitespace.
func space(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}

// stringEnd returns the offset after the string that begins at i.
func stringEnd(data []byte, i int) int {
	for i++; ; i += 2 {
		if i, _, _ = lexeme.SkipPlain(data, i, '"'); data[i] == '"' {
			return i + 1
		}
	}
}

// valueEnd returns the offset after the value that begins at i.
func valueEnd(data []byte, i int) int {
	switch data[i] {
	case '"':
		return stringEnd(data, i)
	case '{', '[':
		for depth := 0; ; {
			switch data[i] {
			case '"':
				i = stringEnd(data, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(data) {
		switch data[i] {
		case ',', '}', ']', ' ', '\n', '\r', '\t':
			return i
		}
		i++
	}
	return i
}

// keys holds the keys that every chunk has, so reading them allocates nothing.
var keys = func() map[string]string {
	m := make(map[string]string)
	for _, k := range []string{
		"id", "object", "created", "model", "system_fingerprint", "service_tier", "choices", "usage", "obfuscation",
		"index", "delta", "logprobs", "finish_reason", "role", "content", "refusal", "reasoning_content", "tool_calls",
		"type", "message", "content_block", "text", "partial_json", "thinking", "stop_reason", "stop_sequence",
	} {
		m[k] = k
	}
	return m
}()

// keyOf returns the key that a JSON string spells.
func keyOf(quoted []byte) string {
	if k, ok := keys[string(quoted[1:len(quoted)-1])]; ok {
		return k
	}
	return unquoted(quoted)
}

// get returns the value of the last member of that key, nil if there is none.
func (o object) get(key string) []byte {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i].value
		}
	}
	return nil
}

// text returns the string that is the value of key, "" if it is not a string.
func (o object) text(key string) string {
	if v := o.get(key); isString(v) {
		return unquoted(v)
	}
	return ""
}

// id returns the id that is the value of key, "" for none: a string, or, since some
// servers count, the JSON text of any other value.
func (o object) id(key string) string {
	v := o.get(key)
	if v == nil || isString(v) || string(v) == "null" {
		return o.text(key)
	}
	return string(v)
}

// object returns the object that is the value of key, nil if it is not an object.
func (o object) object(key string) object {
	if v := o.get(key); len(v) > 0 && v[0] == '{' {
		return readObject(nil, v)
	}
	return nil
}

// array returns the elements of the array that is the value of key, nil if it is not an
// array.
func (o object) array(key string) [][]byte {
	if v := o.get(key); len(v) > 0 && v[0] == '[' {
		return readArray(nil, v)
	}
	return nil
}

// at returns the value at a path of keys, nil if there is none.
func (o object) at(path []string) []byte {
	for i, key := range path {
		value := o.get(key)
		if i == len(path)-1 || value == nil {
			return value
		}
		o = readObject(nil, value)
	}
	return nil
}

// setAt sets the value at a path, and creates the objects on the way.
func (o object) setAt(path []string, value []byte) object {
	if len(path) > 1 {
		value = readObject(nil, orObject(o.get(path[0]))).setAt(path[1:], value).appendTo(nil)
	}
	return o.set(path[0], value)
}

// withoutAt returns the object without the value at a path, and without objects on the
// way that this leaves empty.
func (o object) withoutAt(path []string) object {
	if o.at(path) == nil {
		return o
	}
	if len(path) > 1 {
		if inner := readObject(nil, o.get(path[0])).withoutAt(path[1:]); len(inner) > 0 {
			return append(object(nil), o...).set(path[0], inner.appendTo(nil))
		}
	}
	return o.without(path[0])
}

// compact returns JSON without whitespace outside of strings.
func compact(value []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value
	}
	return b.Bytes()
}

// has reports whether there is a member of that key, and it is not null.
func (o object) has(key string) bool {
	v := o.get(key)
	return v != nil && string(v) != "null"
}

// only reports whether an object has no members other than these.
func (o object) only(keys ...string) bool {
	return !slices.ContainsFunc(o, func(m member) bool { return !slices.Contains(keys, m.key) })
}

// twice returns a key that two members have; is reports whether there is one.
func (o object) twice() (key string, is bool) {
	keys := make([]string, 0, 16)
	for _, m := range o {
		keys = append(keys, m.key)
	}
	slices.Sort(keys)
	for i := 1; i < len(keys); i++ {
		if keys[i] == keys[i-1] {
			return keys[i], true
		}
	}
	return "", false
}

// set sets the value of the member of that key, in place, or appends it.
func (o object) set(key string, value []byte) object {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			o[i].value = value
			return o
		}
	}
	return append(o, member{key, value})
}

// without returns the object without the members of these keys.
func (o object) without(keys ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return slices.Contains(keys, m.key) })
}

// appendTo appends the object as JSON.
func (o object) appendTo(dst []byte) []byte {
	size := 2
	for _, m := range o {
		size += len(m.key) + len(m.value) + 4
	}
	dst = append(slices.Grow(dst, size), '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, m.key)
		dst = append(dst, ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}

// appendArray appends the elements as a JSON array.
func appendArray(dst []byte, elements [][]byte) []byte {
	size := 2
	for _, e := range elements {
		size += len(e) + 1
	}
	dst = slices.Grow(dst, size)
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e...)
	}
	return append(dst, ']')
}

func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }

// quoted returns text as a JSON string.
func quoted[T ~string | ~[]byte](text T) []byte {
	return appendQuoted(make([]byte, 0, len(text)+len(text)/4+2), text)
}

// unquoted returns the text that a valid JSON string spells.
func unquoted(quoted []byte) string {
	if content := quoted[1 : len(quoted)-1]; bytes.IndexByte(content, '\\') < 0 {
		return string(content)
	}
	return string(appendUnquoted(make([]byte, 0, len(quoted)), quoted))
}

// appendQuoted appends text as a JSON string. It escapes only what it must: not <, and
// no byte of an ill-formed sequence, so nothing of text is lost.
func appendQuoted[T ~string | ~[]byte](dst []byte, text T) []byte {
	return lexeme.AppendQuoted(dst, text)
}

// appendText appends what stands between the quotes of text as a JSON string.
func appendText(dst, text []byte) []byte { return lexeme.AppendText(dst, text) }

// appendUnquoted appends what a valid JSON string spells. A surrogate without
// its partner becomes U+FFFD.
func appendUnquoted(dst, quoted []byte) []byte {
	return lexeme.AppendJSONUnquoted(dst, quoted[1:len(quoted)-1], utf8.RuneError)
}

// hex4 returns the number that four hexadecimal digits spell.
func hex4(digits []byte) rune {
	var r rune
	for _, c := range digits[:4] {
		switch {
		case c <= '9':
			c -= '0'
		case c >= 'a':
			c -= 'a' - 10
		default:
			c -= 'A' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// highSurrogate returns the escape of a high surrogate that a JSON string ends
// with, without the quote; nil if there is none. Its partner may be the first of
// the next string.
func highSurrogate(quoted []byte) []byte {
	n := len(quoted) - 1
	if n < 7 || quoted[n-6] != '\\' || quoted[n-5] != 'u' || (quoted[n-4] != 'd' && quoted[n-4] != 'D') {
		return nil
	}
	escape := quoted[n-6 : n]
	for _, c := range escape[2:] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return nil
		}
	}
	backslashes := 0
	for i := n - 7; quoted[i] == '\\'; i-- { // stops at the opening quote
		backslashes++
	}
	if r := hex4(escape[2:]); backslashes%2 != 0 || r < 0xd800 || r > 0xdbff {
		return nil
	}
	return escape
}

// validObject reports whether data is JSON text of one object.
func validObject(data []byte) bool {
	i := space(data, 0)
	return i < len(data) && data[i] == '{' && json.Valid(data)
}
