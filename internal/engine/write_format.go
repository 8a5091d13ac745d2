package engine

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
)

// appendOther appends a call in a format other than the wire format.
func (w *writer) appendOther(dst []byte, c *Written, args []byte) ([]byte, error) {
	limits := w.o.Limits
	w.flat = false
	text := w.call(nil, c, args)
	if w.format.ToolTags() && !w.readsBack(text, c.Name, args) {
		w.flat = true
		text = w.call(nil, c, args)
	}
	switch {
	case len(c.Name) > limits.Name:
		return dst, w.refuse(c, lexer.NameTooLong, []byte(c.Name), 0)
	case len(text) > limits.Bytes:
		return dst, w.refuse(c, lexer.CallTooLong, c.Input, len(c.Input))
	case w.readsBack(text, c.Name, args):
		return append(dst, text...), nil
	case !w.readsBack(w.call(nil, c, []byte("{}")), c.Name, []byte("{}")):
		return dst, w.refuse(c, lexer.BadName, []byte(c.Name), 0)
	}
	return dst, w.refuse(c, lexer.UnwritableValue, c.Input, w.unwritable(c))
}

// unwritable returns the offset of the first value in the input that does not read back alone, or
// 0.
func (w *writer) unwritable(c *Written) int {
	s := scanner{Text: c.Input, Depth: len(c.Input)}
	s.Next()
	for key := s.Next(); key.Kind == 'k'; key = s.Next() {
		value := s.Next()
		end := value
		for s.Nesting() > 1 {
			end = s.Next()
		}
		args, code, _ := compact(
			append(append([]byte{'{'}, c.Input[key.Start:end.End]...), '}'), w.o.Limits.Depth+1)
		if code != "" || !w.readsBack(w.call(nil, c, args), c.Name, args) {
			return value.Start
		}
	}
	return 0
}

// call appends a call as the prompt of the format shows it. Args are in compact form.
func (w *writer) call(dst []byte, c *Written, args []byte) []byte {
	f := w.format
	if f.ToolTags() {
		return w.tagged(dst, c, args)
	}
	dst = append(append(dst, f.Call.Open...), f.Layout.Lead...)
	if len(f.NameKeys) > 0 {
		dst = append(w.envelope(dst, c, args), f.Layout.Line...)
		return append(dst, f.Call.Close...)
	}
	dst = append(append(dst, f.Function.Open...), w.name(c)...)
	dst = append(dst, f.Function.End...)
	if f.Body == format.Envelope {
		dst = w.json(dst, args)
	} else {
		dst = w.parameters(append(dst, f.Layout.Line...), args)
	}
	if f.Function.Close != "" {
		dst = append(append(dst, f.Function.Close...), f.Layout.Line...)
	}
	return append(dst, f.Call.Close...)
}

// name returns the name of a call, or its ID if that is what the format writes.
func (w *writer) name(c *Written) string {
	if !w.format.NameIsID {
		return c.Name
	}
	prefix := "functions." + c.Name + ":"
	if index, ok := strings.CutPrefix(c.ID, prefix); ok && index != "" &&
		strings.Trim(index, "0123456789") == "" {
		return c.ID
	}
	return prefix + strconv.Itoa(w.index)
}

// envelope appends name and arguments as one object.
func (w *writer) envelope(dst []byte, c *Written, args []byte) []byte {
	f := w.format
	dst = w.quoted(append(dst, '{'), []byte(f.NameKeys[0]))
	dst = w.quoted(append(dst, ": "...), []byte(c.Name))
	dst = w.quoted(append(dst, ", "...), []byte(f.ArgumentKeys[0]))
	return append(w.json(append(dst, ": "...), args), '}')
}

// parameters appends arguments between marks, strings as they are.
func (w *writer) parameters(dst, args []byte) []byte {
	mark, line := &w.format.Parameter, w.format.Layout.Line
	s := scanner{Text: args, Depth: len(args)}
	s.Next()
	for key := s.Next(); key.Kind == 'k'; key = s.Next() {
		dst = s.AppendUnquoted(append(dst, mark.Open...), key)
		dst = append(dst, mark.End...)
		if mark.Value != "" {
			dst = append(append(dst, line...), mark.Value...)
		}
		if w.format.Lines {
			dst = append(dst, '\n')
		}
		value := s.Next()
		switch value.Kind {
		case '{', '[':
			from, end := value.Start, value
			for s.Nesting() > 1 {
				end = s.Next()
			}
			dst = w.json(dst, args[from:end.End])
		case 's':
			dst = s.AppendUnquoted(dst, value)
		default:
			dst = append(dst, args[value.Start:value.End]...)
		}
		if w.format.Lines {
			dst = append(dst, '\n')
		}
		dst = append(append(dst, mark.Close...), line...)
	}
	return dst
}

// json appends compact JSON text as [AppendSpaced] does, without tags of the format.
func (w *writer) json(dst, text []byte) []byte {
	return AppendSpaced(dst, text, w.beginsTag, w.o.Visible)
}

// quoted appends a JSON string as [AppendUntagged] does, without tags of the format.
func (w *writer) quoted(dst, text []byte) []byte {
	return AppendUntagged(dst, text, w.beginsTag, w.o.Visible)
}

// beginsTag reports whether text begins with a tag.
func (w *writer) beginsTag(text []byte) bool {
	f := w.format
	for _, tag := range [...]string{f.Call.Open, f.Call.Close, f.Section.Open, f.Section.Close} {
		if tag != "" && text[0] == tag[0] && bytes.HasPrefix(text, []byte(tag)) {
			return true
		}
	}
	return false
}

// AppendSpaced appends JSON text with a space after each comma and colon, as the templates of
// models do, and its strings as [AppendUntagged] writes them.
func AppendSpaced(dst, text []byte, isTag func(text []byte) bool, visible bool) []byte {
	s := scanner{Text: text, Depth: len(text), Unpaired: true}
	afterValue := false
	var content []byte
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		if afterValue && t.Kind != '}' && t.Kind != ']' {
			dst = append(dst, ", "...)
		}
		afterValue = t.Kind != '{' && t.Kind != '[' && t.Kind != 'k'
		switch t.Kind {
		case 'k', 's':
			content = s.AppendUnquoted(content[:0], t)
			dst = AppendUntagged(dst, content, isTag, visible)
			if t.Kind == 'k' {
				dst = append(dst, ": "...)
			}
		default:
			dst = append(dst, text[t.Start:t.End]...)
		}
	}
	return dst
}

// AppendUntagged appends a JSON string that contains no tag: the second byte of a tag is escaped if
// it is a slash, otherwise the first character. If visible, invisible characters are escaped.
func AppendUntagged(dst, text []byte, isTag func(text []byte) bool, visible bool) []byte {
	start, from := len(dst), 0
	dst = append(dst, '"')
	for i := 0; i < len(text); i++ {
		if !isTag(text[i:]) {
			continue
		}
		dst = lexeme.AppendText(dst, text[from:i])
		if text[i+1] == '/' {
			dst = append(dst, text[i], '\\', '/')
			from = i + 2
		} else {
			r, n := utf8.DecodeRune(text[i:])
			dst = sig.AppendEscape(dst, r)
			from = i + n
		}
		i = from - 1
	}
	dst = append(lexeme.AppendText(dst, text[from:]), '"')
	if visible && bytes.ContainsFunc(text, sig.Invisible) {
		dst = append(dst[:start], sig.Visible(string(dst[start:]))...)
	}
	return dst
}
