package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// withoutNulls returns the text of a JSON object without the members that are null if
// the schema declares the property, does not require it and allows no null: such a null
// means that it is left out. Spaces stand in their place, so offsets hold. Noted is
// called with the type, the path and the offset of each such null. Depth is how deep
// the text may nest; it is valid JSON, in which no key is repeated.
func withoutNulls(text []byte, args *sig.Type, depth int, noted func(t *sig.Type, path string, at int)) []byte {
	type place struct {
		typ      *sig.Type // of the object or array
		path     string    // that leads to what is in it
		array    bool
		elements int
	}
	var (
		s      = lexeme.Scanner{Text: text, Depth: depth, Unpaired: true}
		open   []place
		field  *sig.Field // of the key that was read
		key    int        // where it begins
		name   []byte     // the key
		copied bool
	)
	below := func() (t *sig.Type, path string) { // the type of the value to come, and its path
		if len(open) == 0 {
			return args, ""
		}
		in := &open[len(open)-1]
		if in.array {
			in.elements++
			return in.typ.Item(in.elements - 1), strings.TrimSuffix(in.path, ".") + "[" + strconv.Itoa(in.elements-1) + "]."
		}
		if field != nil {
			t = field.Type
		}
		return t, in.path + string(name) + "."
	}
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		switch t.Kind {
		case '{', '[':
			typ, path := below()
			open = append(open, place{typ: typ, path: path[:min(len(path), maxNullPath)], array: t.Kind == '['})
		case '}', ']':
			open = open[:len(open)-1]
		case 'k':
			if name, key = text[t.Start+1:t.End-1], t.Start; t.Escaped {
				name = lexeme.AppendJSONUnquoted(nil, name, -1)
			}
			field = open[len(open)-1].typ.Field(name)
		case 's', 'l':
			typ, path := below()
			if open[len(open)-1].array || field == nil || field.Required || typ == nil || typ.Kinds&sig.Null != 0 || string(text[t.Start:t.End]) != "null" {
				continue
			}
			if !copied {
				text, copied = slices.Clone(text), true
			}
			noted(typ, strings.TrimSuffix(path, "."), t.Start)
			blank(text, key, t.End)
		}
	}
	return text
}

// maxNullPath is how many bytes of a path are kept.
const maxNullPath = 1 << 10

// blank puts spaces in place of the member text[from:to] and its comma.
func blank(text []byte, from, to int) {
	after := to
	for lexeme.IsSpace(text[after]) {
		after++
	}
	if text[after] == ',' {
		to = after + 1
	} else {
		before := from - 1
		for lexeme.IsSpace(text[before]) {
			before--
		}
		if text[before] == ',' {
			from = before
		}
	}
	for i := from; i < to; i++ {
		text[i] = ' '
	}
}
