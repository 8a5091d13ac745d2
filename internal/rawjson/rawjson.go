// Package rawjson reads and edits JSON member by member. It keeps the order of members and the
// bytes of each value, so members that the program does not know pass through unchanged.
//
//	o := rawjson.ParseObject(data)
//	if o.Text("role") == "user" {
//		data = o.Set("content", rawjson.Quote("hi")).Append(nil)
//	}
//
// The package splits values without validating them. Invalid JSON never panics, but the result is
// unspecified. All values alias the text they were read from.
package rawjson

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// A Member is one member of an object. Value has no whitespace around it.
type Member struct {
	Key   string
	Value []byte
}

// An Object is a JSON object as its members, in order. Keys are compared exactly. Of several
// members with the same key the last one counts, as in encoding/json.
type Object []Member

// ParseObject returns the members of a JSON object, or nil if data isn't one.
func ParseObject(data []byte) Object {
	if IsNull(data) {
		return nil
	}
	return appendChildren(make(Object, 0, 8), data, '{')
}

// AppendObject appends the members of a JSON object, or returns nil if data isn't one. Reading
// many objects of the same shape into the same memory is fast.
func AppendObject(dst Object, data []byte) Object { return appendChildren(dst, data, '{') }

// ParseArray returns the elements of a JSON array, or nil if data isn't one.
func ParseArray(data []byte) [][]byte {
	var few [4]Member // most arrays are short
	members := appendChildren(few[:0], data, '[')
	if members == nil {
		return nil
	}
	list := make([][]byte, len(members))
	for i, m := range members {
		list[i] = m.Value
	}
	return list
}

// appendChildren appends the members of an object, or the elements of an array without keys. It
// returns nil if data isn't one with that bracket.
func appendChildren(dst Object, data []byte, open byte) Object {
	i := lexeme.SkipSpace(data, 0)
	if i >= len(data) || data[i] != open {
		return nil
	}
	closing := open + 2 // in ASCII, for both kinds
	for i = lexeme.SkipSpace(data, i+1); i < len(data) && data[i] != closing; {
		var m Member
		if open == '{' {
			end := StringEnd(data, i)
			key := data[i:end]
			if len(key) < 2 || key[0] != '"' {
				return nil
			}
			m.Key = dst.keyLike(key)
			i = lexeme.SkipSpace(data, lexeme.SkipSpace(data, end)+1) // after the colon
		}
		end := valueEnd(data, i)
		if end <= i {
			return nil
		}
		m.Value = data[i:end]
		dst = append(dst, m)
		i = lexeme.SkipSpace(data, end)
		if i < len(data) && data[i] == ',' {
			i = lexeme.SkipSpace(data, i+1)
		}
	}
	if i >= len(data) {
		return nil
	}
	return dst
}

// keyLike returns the text of a key. Often it is the one that was in its place before.
func (o Object) keyLike(quoted []byte) string {
	if n := len(o); n < cap(o) {
		before := o[:n+1][n].Key
		if before != "" && before == string(quoted[1:len(quoted)-1]) {
			return before
		}
	}
	return intern(quoted)
}

// StringEnd returns the offset after the string that begins at i, or len(data) if it is cut off.
func StringEnd(data []byte, i int) int {
	for i++; i < len(data); i += 2 { // a backslash and what it escapes
		i, _, _ = lexeme.SkipPlain(data, i, '"')
		if i < len(data) && data[i] == '"' {
			return i + 1
		}
	}
	return len(data)
}

// valueEnd returns the offset after the value that begins at i, or len(data) if it is cut off.
func valueEnd(data []byte, i int) int {
	if i >= len(data) {
		return len(data)
	}
	switch data[i] {
	case '"':
		return StringEnd(data, i)
	case '{', '[':
		return compoundEnd(data, i)
	}
	for i < len(data) && !lexeme.EndsLiteral(data[i]) {
		i++
	}
	return i
}

// compoundEnd is valueEnd for an object or array.
func compoundEnd(data []byte, i int) int {
	for depth := 0; i < len(data); {
		switch data[i] {
		case '"':
			i = StringEnd(data, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(data)
}

// words are keys and types of chat APIs. Reading one of them doesn't allocate.
var words = internTable(
	"id", "object", "created", "model", "system_fingerprint", "service_tier", "choices", "usage",
	"obfuscation", "index", "delta", "logprobs", "finish_reason", "role", "content", "refusal",
	"reasoning_content", "tool_calls", "type", "message", "content_block", "text", "partial_json",
	"thinking", "signature", "stop_reason", "stop_sequence", "name", "function", "arguments",
	"input", "output", "tool_call_id", "tool_use_id", "call_id", "is_error", "cache_control",
	"parts", "functionCall", "functionResponse", "args", "response", "toolCallId", "toolName",
	"state", "status", "item_id", "output_index", "content_index", "sequence_number", "item",
	"part", "done", "created_at", "candidates", "finishReason", "usageMetadata", "responseId",
	"user", "assistant", "system", "tool", "tool_use", "tool_result",
	"text_delta", "input_json_delta", "thinking_delta", "content_block_delta", "input_text",
	"output_text", "function_call", "function_call_output", "response.output_text.delta",
	"response.reasoning_summary_text.delta", "response.function_call_arguments.delta",
)

// longestWord is the length of the longest of the words, in bytes.
const longestWord = 40

func internTable(words ...string) map[string]string {
	m := make(map[string]string, len(words))
	for _, w := range words {
		m[w] = w
	}
	return m
}

// intern returns the text of a JSON string.
func intern(quoted []byte) string {
	if n := len(quoted) - 1; 0 < n && n <= longestWord {
		if w, ok := words[string(quoted[1:n])]; ok {
			return w
		}
	}
	return Unquote(quoted)
}

// Make returns an object with these keys and values.
func Make(keysAndValues ...any) Object {
	o := make(Object, 0, len(keysAndValues)/2+2)
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		o = append(o, Member{keysAndValues[i].(string), Value(keysAndValues[i+1])})
	}
	return o
}

// Value returns a value as JSON: JSON as it is, text as a string, a number, an object, or an
// array of JSON. Anything else is null.
func Value(v any) []byte {
	switch v := v.(type) {
	case []byte:
		return v
	case string:
		return Quote(v)
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case Object:
		return v.Append(nil)
	case [][]byte:
		return AppendArray(nil, v)
	}
	return []byte("null")
}

// Get returns the value of key, or nil if there is none.
func (o Object) Get(key string) []byte {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			return o[i].Value
		}
	}
	return nil
}

// First returns the value of the first of the keys that has one other than null, or nil.
func (o Object) First(keys ...string) []byte {
	for _, key := range keys {
		if v := o.Get(key); !IsNull(v) {
			return v
		}
	}
	return nil
}

// Has reports whether key has a value other than null.
func (o Object) Has(key string) bool { return !IsNull(o.Get(key)) }

// Text returns the string that is the value of key, or "" if it isn't a string.
func (o Object) Text(key string) string { return Text(o.Get(key)) }

// ID returns the ID that is the value of the first of the keys that has one: a string, or the
// compact JSON text of any other value, since some servers use numbers. It is "" for none.
func (o Object) ID(keys ...string) string {
	v := o.First(keys...)
	if IsString(v) || IsNull(v) {
		return Text(v)
	}
	return string(Compact(v))
}

// Object returns the object that is the value of key, or nil if it isn't one.
func (o Object) Object(key string) Object { return ParseObject(o.Get(key)) }

// Array returns the elements of the array that is the value of key, or nil if it isn't one.
func (o Object) Array(key string) [][]byte { return ParseArray(o.Get(key)) }

// Only reports whether all members of o have one of the keys.
func (o Object) Only(keys ...string) bool {
	return !slices.ContainsFunc(o, func(m Member) bool { return !slices.Contains(keys, m.Key) })
}

// Set sets the value of key and returns the object. It changes o if o has the key, and appends to
// it otherwise.
func (o Object) Set(key string, value []byte) Object {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			o[i].Value = value
			return o
		}
	}
	return append(o, Member{key, value})
}

// With is Set for a value of any kind that [Value] takes.
func (o Object) With(key string, value any) Object { return o.Set(key, Value(value)) }

// Without returns a copy of o without the members that have one of the keys.
func (o Object) Without(keys ...string) Object {
	isOut := func(m Member) bool { return slices.Contains(keys, m.Key) }
	return slices.DeleteFunc(slices.Clone(o), isOut)
}

// Append appends o as JSON.
func (o Object) Append(dst []byte) []byte {
	size := 2
	for _, m := range o {
		size += len(m.Key) + len(m.Value) + 4
	}
	dst = append(slices.Grow(dst, size), '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendQuoted(dst, m.Key), ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// AppendArray appends the elements as a JSON array.
func AppendArray(dst []byte, elements [][]byte) []byte {
	size := 2
	for _, e := range elements {
		size += len(e) + 1
	}
	dst = append(slices.Grow(dst, size), '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e...)
	}
	return append(dst, ']')
}

// IsString reports whether value is a JSON string.
func IsString(value []byte) bool { return len(value) > 0 && value[0] == '"' }

// IsArray reports whether value is a JSON array.
func IsArray(value []byte) bool { return len(value) > 0 && value[0] == '[' }

// IsNull reports whether value is null or missing.
func IsNull(value []byte) bool { return len(value) == 0 || string(value) == "null" }

// Text returns the text of a JSON string, or "" if value isn't one.
func Text(value []byte) string {
	if !IsString(value) {
		return ""
	}
	return intern(value)
}

// Unquote returns the text of a JSON string. A surrogate without its partner becomes U+FFFD.
func Unquote(quoted []byte) string {
	if len(quoted) < 2 {
		return ""
	}
	content := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(content, '\\') < 0 {
		return string(content)
	}
	dst := make([]byte, 0, len(content))
	return string(lexeme.AppendJSONUnquoted(dst, content, utf8.RuneError))
}

// Quote returns text as a JSON string.
func Quote[T ~string | ~[]byte](text T) []byte {
	return AppendQuoted(make([]byte, 0, len(text)+len(text)/4+2), text)
}

// AppendQuoted appends text as a JSON string. It escapes only what it must. It doesn't escape < or
// the bytes of an ill-formed sequence, so the text is kept byte for byte.
func AppendQuoted[T ~string | ~[]byte](dst []byte, text T) []byte {
	return lexeme.AppendQuoted(dst, text)
}

// Compact returns JSON without whitespace outside of strings, and anything else as it is.
func Compact(value []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value
	}
	return b.Bytes()
}
