package middleware

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// JSON is read and written member by member, in order and with the original bytes of
// each value, so unknown members pass through.
type object = rawjson.Object

// members returns an object: keys, each followed by its value, as [rawjson.Value] takes it.
func members(keysAndValues ...any) object { return rawjson.Make(keysAndValues...) }

// clone returns an object that stays when the frame that it is from is gone.
func clone(o object) object { return rawjson.ParseObject(o.Append(nil)) }

var null = []byte("null")

// merge sets the members of an object in another.
func merge(o, more object) object {
	if o == nil {
		return more
	}
	places := make(map[string]int, len(o))
	for i, m := range o {
		places[m.Key] = i
	}
	for _, m := range more {
		i, known := places[m.Key]
		if !known {
			i = len(o)
			places[m.Key] = i
			o = append(o, m)
		}
		o[i].Value = m.Value
	}
	return o
}

// at returns the value at a path, keys with dots between them, or nil.
func at(o object, path string) []byte {
	key, rest, isDeeper := strings.Cut(path, ".")
	switch {
	case path == "":
		return nil
	case isDeeper:
		return at(o.Object(key), rest)
	}
	return o.Get(key)
}

// setAt sets the value at a path, and creates the objects on the way.
func setAt(o object, path string, value any) object {
	key, rest, isDeeper := strings.Cut(path, ".")
	if isDeeper {
		value = setAt(o.Object(key), rest, value)
	}
	return o.With(key, value)
}

// withoutAt returns the object without the value at a path, and without objects on the
// way that this leaves empty.
func withoutAt(o object, path string) object {
	key, rest, isDeeper := strings.Cut(path, ".")
	inner := o.Object(key)
	switch {
	case path == "" || isDeeper && inner == nil:
		return o
	case !isDeeper:
		return o.Without(key)
	}
	inner = withoutAt(inner, rest)
	if len(inner) == 0 {
		return o.Without(key)
	}
	return slices.Clone(o).With(key, inner)
}

// repeats returns which key two members of an object have, or "".
func repeats(o object) string {
	known := make(map[string]bool, len(o))
	for _, m := range o {
		if known[m.Key] {
			return "two members are " + lexeme.Excerpt([]byte(m.Key))
		}
		known[m.Key] = true
	}
	return ""
}

// highSurrogate returns the escape of a high surrogate that a JSON string ends with, or
// nil. Its partner may be the first escape of the next string.
func highSurrogate(quoted []byte) []byte {
	at := len(quoted) - len(`\ud800"`)
	if at < 1 || quoted[at] != '\\' || quoted[at+1] != 'u' {
		return nil
	}
	escape := quoted[at : len(quoted)-1]
	backslashes := at + 1 - len(bytes.TrimRight(quoted[:at+1], `\`)) // pairs are escapes
	code, _ := strconv.ParseUint(string(escape[len(`\u`):]), 16, 16)
	if backslashes%2 == 0 || code < 0xd800 || code >= 0xdc00 {
		return nil
	}
	return escape
}
