package tokens

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// writePython writes a call as models with a "pythonic" notation do: a list of
// calls with keyword arguments, which has to be the whole message because no
// tags set it off from text.
func writePython(name string, input json.RawMessage) (string, error) {
	list, err := members(input)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("[" + name + "(")
	for i, m := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		if keyword.MatchString(m.key) {
			b.WriteString(m.key + "=")
			err = appendPython(&b, m.value)
		} else { // no name in Python
			b.WriteString("**{" + quotePython(m.key) + ": ")
			err = appendPython(&b, m.value)
			b.WriteString("}")
		}
		if err != nil {
			return "", err
		}
	}
	b.WriteString(")]")
	return b.String(), nil
}

// keyword is what can stand before the = of a keyword argument.
var keyword = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_]*$`)

// appendPython writes a value as a literal of Python.
func appendPython(b *strings.Builder, value json.RawMessage) error {
	switch value[0] {
	case '{':
		list, err := members(value)
		if err != nil {
			return err
		}
		for i, m := range list {
			b.WriteString([]string{"{", ", "}[min(i, 1)] + quotePython(m.key) + ": ")
			if err := appendPython(b, m.value); err != nil {
				return err
			}
		}
		b.WriteString([]string{"{}", "}"}[min(len(list), 1)])
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return err
		}
		b.WriteByte('[')
		for i, item := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			if err := appendPython(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		b.WriteString(quotePython(text))
	case 't':
		b.WriteString("True")
	case 'f':
		b.WriteString("False")
	case 'n':
		b.WriteString("None")
	default:
		b.Write(value)
	}
	return nil
}

// quotePython returns text as a string literal, in the quotes that need the
// fewest escapes.
func quotePython(text string) string {
	quote := '"'
	if strings.Count(text, `"`) > strings.Count(text, "'") {
		quote = '\''
	}
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == quote || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x100 && unicode.IsControl(r):
			b.WriteString(`\x` + strconv.FormatInt(0x100+int64(r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(quote)
	return b.String()
}
