package rawjson

import "github.com/callwire/callwire/internal/lexeme"

// maxDepth is how deep arrays and objects may nest, as in encoding/json.
const maxDepth = 10_000

// Valid reports whether data is one JSON value. It accepts what [json.Valid] accepts, in a fraction
// of the time.
func Valid(data []byte) bool {
	end, ok := validValue(data, lexeme.SkipSpace(data, 0), maxDepth)
	return ok && lexeme.SkipSpace(data, end) == len(data)
}

// validValue returns the offset after the value that begins at i. Ok is false if it isn't valid, or
// nests deeper than depth.
func validValue(data []byte, i, depth int) (end int, ok bool) {
	if i >= len(data) {
		return i, false
	}
	switch data[i] {
	case '"':
		return validString(data, i)
	case '{', '[':
		return validCompound(data, i, depth)
	}
	end = valueEnd(data, i)
	switch word := data[i:end]; string(word) {
	case "true", "false", "null":
		return end, true
	default:
		return end, lexeme.IsNumber(word)
	}
}

// validCompound is validValue for an object or array.
func validCompound(data []byte, i, depth int) (end int, ok bool) {
	if depth == 0 {
		return i, false
	}
	isObject := data[i] == '{'
	closing := data[i] + 2 // in ASCII, for both kinds
	i = lexeme.SkipSpace(data, i+1)
	if i < len(data) && data[i] == closing {
		return i + 1, true
	}
	for {
		if isObject {
			i, ok = validKey(data, i)
			if !ok {
				return i, false
			}
		}
		i, ok = validValue(data, i, depth-1)
		if !ok {
			return i, false
		}
		i = lexeme.SkipSpace(data, i)
		switch {
		case i >= len(data):
			return i, false
		case data[i] == closing:
			return i + 1, true
		case data[i] != ',':
			return i, false
		}
		i = lexeme.SkipSpace(data, i+1)
	}
}

// validKey returns the offset of the value whose key begins at i.
func validKey(data []byte, i int) (value int, ok bool) {
	if i >= len(data) || data[i] != '"' {
		return i, false
	}
	i, ok = validString(data, i)
	i = lexeme.SkipSpace(data, i)
	if !ok || i >= len(data) || data[i] != ':' {
		return i, false
	}
	return lexeme.SkipSpace(data, i+1), true
}

// validString is validValue for a string.
func validString(data []byte, i int) (end int, ok bool) {
	for i++; ; {
		var flags lexeme.Flags
		i, _, flags = lexeme.SkipPlain(data, i, '"')
		switch {
		case flags&lexeme.Control != 0 || i >= len(data):
			return i, false
		case data[i] == '"':
			return i + 1, true
		}
		n := escapeLen(data[i:])
		if n == 0 {
			return i, false
		}
		i += n
	}
}

// escapeLen returns the length of the escape that b begins with, or 0 if it isn't valid.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	}
	if b[1] != 'u' || len(b) < 6 {
		return 0
	}
	for _, c := range b[2:6] {
		isHex := '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
		if !isHex {
			return 0
		}
	}
	return 6
}
