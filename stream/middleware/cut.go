package middleware

import (
	"bytes"

	"github.com/callwire/callwire/lexer/lexeme"
)

// JSON from outside is checked and cut into its members in one scan: in a long
// conversation, reading a request once costs as much as everything else done with it.

// request is a body, cut.
type request struct {
	body     object
	messages [][]byte // of its conversation, if that is a list
	objects  []object // and their members; nil for one that is not an object
}

// cutRequest cuts a body with its conversation under that key. It reports false if data
// is not a JSON object. Of several lists the first one counts.
func cutRequest(data []byte, key string) (r request, ok bool) {
	c := cutter{data: data}
	message := func(i int) (end int) {
		var o object
		if i < len(data) && data[i] == '{' {
			o = make(object, 0, 4)
			end = c.object(i, &o, nil)
		} else {
			end = c.value(i)
		}
		if end > 0 {
			r.messages, r.objects = append(r.messages, data[i:end]), append(r.objects, o)
		}
		return end
	}
	ok = c.whole(&r.body, func(k string, i int) int {
		if k != key || r.messages != nil || i == len(data) || data[i] != '[' {
			return c.value(i)
		}
		r.messages = make([][]byte, 0, 16)
		return c.array(i, message)
	})
	return r, ok
}

// cutObject appends the members of an object to dst. It reports false if data is not a
// JSON object.
func cutObject(dst object, data []byte) (o object, ok bool) {
	c := cutter{data: data}
	ok = c.whole(&dst, nil)
	return dst, ok
}

// cutter reads JSON and checks it. Its methods take the offset of a value's first byte,
// and return the offset after the value, 0 if there is none.
type cutter struct {
	data  []byte
	depth int
}

// mostNested is how deep values may nest, as in encoding/json.
const mostNested = 10000

// whole reads data that is an object, as object does.
func (c *cutter) whole(o *object, value func(key string, i int) int) bool {
	i := space(c.data, 0)
	if i == len(c.data) || c.data[i] != '{' {
		return false
	}
	i = c.object(i, o, value)
	return i > 0 && space(c.data, i) == len(c.data)
}

// object reads an object and appends its members to o, if there is one. Value, if there
// is one, reads their values.
func (c *cutter) object(i int, o *object, value func(key string, i int) int) (end int) {
	if c.depth++; c.depth > mostNested {
		return 0
	}
	i = space(c.data, i+1)
	if i < len(c.data) && c.data[i] == '}' {
		c.depth--
		return i + 1
	}
	for more := true; more; {
		start := i
		if end = c.string(i); end == 0 {
			return 0
		}
		if i = space(c.data, end); i == len(c.data) || c.data[i] != ':' {
			return 0
		}
		i = space(c.data, i+1)
		key := ""
		if o != nil {
			key = keyOf(c.data[start:end])
		}
		if value == nil {
			end = c.value(i)
		} else {
			end = value(key, i)
		}
		if end == 0 {
			return 0
		}
		if o != nil {
			*o = append(*o, member{key, c.data[i:end]})
		}
		i, more = c.separator(end, '}')
	}
	c.depth--
	return i
}

// array reads an array, and its elements by element.
func (c *cutter) array(i int, element func(i int) int) (end int) {
	if c.depth++; c.depth > mostNested {
		return 0
	}
	i = space(c.data, i+1)
	if i < len(c.data) && c.data[i] == ']' {
		c.depth--
		return i + 1
	}
	for more := true; more; {
		if i = element(i); i == 0 {
			return 0
		}
		i, more = c.separator(i, ']')
	}
	c.depth--
	return i
}

// separator returns the offset of what follows a comma, or that after the end of an
// array or object.
func (c *cutter) separator(i int, end byte) (next int, more bool) {
	if i = space(c.data, i); i < len(c.data) {
		switch c.data[i] {
		case ',':
			return space(c.data, i+1), true
		case end:
			return i + 1, false
		}
	}
	return 0, false
}

// value reads any value.
func (c *cutter) value(i int) (end int) {
	if i == len(c.data) {
		return 0
	}
	switch c.data[i] {
	case '"':
		return c.string(i)
	case '[':
		return c.array(i, c.value)
	case '{':
		return c.object(i, nil, nil)
	}
	end = i
	for end < len(c.data) && bytes.IndexByte([]byte(",]} \n\r\t"), c.data[end]) < 0 {
		end++
	}
	if lexeme.LiteralOf(c.data[i:end]) == 0 {
		return 0
	}
	return end
}

// string reads a string.
func (c *cutter) string(i int) (end int) {
	if i >= len(c.data) || c.data[i] != '"' {
		return 0
	}
	for i++; ; {
		n, _, flags := lexeme.SkipPlain(c.data, i, '"')
		switch {
		case flags != 0 || n == len(c.data):
			return 0
		case c.data[n] == '"':
			return n + 1
		}
		size := escapeLen(c.data[n:])
		if size == 0 {
			return 0
		}
		i = n + size
	}
}

// escapeLen returns the length of the escape at the beginning of b, 0 if it is not one.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		for _, c := range b[2:6] {
			if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}
