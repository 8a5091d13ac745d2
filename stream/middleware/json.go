package middleware

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// JSON is read and written member by member, in order and with the original bytes of
// each value, so unknown members pass through.
type (
	object = rawjson.Object
	member = rawjson.Member
)

// members returns an object: keys, each followed by its value. A value is JSON as
// []byte, or the text of a JSON string.
func members(keysAndValues ...any) object { return rawjson.Make(keysAndValues...) }

var null = []byte("null")

// field returns a member of an object.
func field(key string, value []byte) member { return member{Key: key, Value: value} }

// readObjects returns the members of each value; nil for nil.
func readObjects(values [][]byte) []object {
	if values == nil {
		return nil
	}
	all := make([]object, len(values))
	for i, v := range values {
		all[i] = rawjson.ParseObject(v)
	}
	return all
}

// at returns the value at a path of keys, or nil.
func at(o object, path []string) []byte {
	for i, key := range path {
		value := o.Get(key)
		if i == len(path)-1 || value == nil {
			return value
		}
		o = rawjson.ParseObject(value)
	}
	return nil
}

// setAt sets the value at a path, and creates the objects on the way.
func setAt(o object, path []string, value []byte) object {
	if len(path) > 1 {
		value = setAt(o.Object(path[0]), path[1:], value).Append(nil)
	}
	return o.Set(path[0], value)
}

// withoutAt returns the object without the value at a path, and without objects on the
// way that this leaves empty.
func withoutAt(o object, path []string) object {
	if at(o, path) == nil {
		return o
	}
	if len(path) > 1 {
		inner := withoutAt(o.Object(path[0]), path[1:])
		if len(inner) > 0 {
			return slices.Clone(o).Set(path[0], inner.Append(nil))
		}
	}
	return o.Without(path[0])
}

// repeatedKey returns a key that two members of an object have.
func repeatedKey(list []object) (key string, repeated bool) {
	for _, o := range list {
		keys := make([]string, 0, 16)
		for _, m := range o {
			keys = append(keys, m.Key)
		}
		slices.Sort(keys)
		for i := 1; i < len(keys); i++ {
			if keys[i] == keys[i-1] {
				return keys[i], true
			}
		}
	}
	return "", false
}

// number returns a number as JSON.
func number(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }

// appendUnquoted appends the text of a JSON string. A surrogate without its partner
// becomes U+FFFD.
func appendUnquoted(dst, quoted []byte) []byte {
	return lexeme.AppendJSONUnquoted(dst, quoted[1:len(quoted)-1], utf8.RuneError)
}

// highSurrogate returns the escape of a high surrogate that a JSON string ends with, or
// nil. Its partner may be the first escape of the next string.
func highSurrogate(quoted []byte) []byte {
	n := len(quoted) - 1
	if n < 7 || quoted[n-6] != '\\' || quoted[n-5] != 'u' {
		return nil
	}
	escape := quoted[n-6 : n]
	r, err := strconv.ParseUint(string(escape[2:]), 16, 16)
	if err != nil || r < 0xd800 || r > 0xdbff {
		return nil
	}
	backslashes := 0
	for i := n - 7; quoted[i] == '\\'; i-- { // stops at the opening quote
		backslashes++
	}
	if backslashes%2 != 0 {
		return nil
	}
	return escape
}
