package engine

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// call appends a call as the prompt of the format shows it. Args are in compact form.
func (w *writer) call(dst []byte, c *Written, args []byte) []byte {
	f := w.format
	switch {
	case f.ToolTags():
		return w.tagged(dst, c, args)
	case f.Body == format.Arguments:
		return w.appendWire(dst, c, args)
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
	return format.CallID(c.ID, c.Name, w.index)
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
		if value.Kind == 's' {
			dst = s.AppendUnquoted(dst, value)
		} else {
			dst = w.json(dst, args[value.Start:endOf(&s, value)])
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

// Calls in an element named after the tool.

// tagged appends a call. If the writer is flat, values are JSON or close to it: that reads back
// where elements do not, as with an array in an array.
func (w *writer) tagged(dst []byte, c *Written, args []byte) []byte {
	dst = append(appendTag(dst, "<", []byte(c.Name)), w.format.Layout.Lead...)
	if w.format.Body == format.Block {
		style := format.Style{Flat: w.flat}
		if w.o.Visible {
			style.Hidden = sig.Invisible
		}
		dst = w.format.Codec.Encode(dst, c.Name, args, style)
	} else {
		s := scanner{Text: args, Depth: len(args)}
		s.Next()
		dst = w.members(dst, &s)
	}
	return appendTag(dst, "</", []byte(c.Name))
}

func appendTag(dst []byte, open string, name []byte) []byte {
	return append(append(append(dst, open...), name...), '>')
}

// members appends the members of the object whose brace s has read.
func (w *writer) members(dst []byte, s *scanner) []byte {
	for key := s.Next(); key.Kind == 'k'; key = s.Next() {
		dst = w.elements(dst, s.AppendUnquoted(nil, key), s, s.Next())
	}
	return dst
}

// elements appends the value that begins with t as elements with that name: one for each item of an
// array, otherwise one.
func (w *writer) elements(dst, name []byte, s *scanner, t lexeme.JSONToken) []byte {
	next := s.Text[t.End:]
	repeats := t.Kind == '[' && next[0] != ']' && next[0] != '['
	if repeats && !w.flat {
		for item := s.Next(); item.Kind != ']'; item = s.Next() {
			dst = w.elements(dst, name, s, item)
		}
		return dst
	}
	dst = appendTag(dst, "<", name)
	switch {
	case t.Kind == '{' && !w.flat && next[0] != '}':
		dst = w.members(append(dst, w.format.Layout.Line...), s)
	case t.Kind == '{' || t.Kind == '[':
		dst = lexeme.AppendEncoded(dst, s.Text[t.Start:endOf(s, t)], w.hidden())
	case t.Kind == 's':
		w.text = s.AppendUnquoted(w.text[:0], t)
		dst = lexeme.AppendEncoded(dst, w.text, w.hidden())
	default:
		dst = append(dst, s.Text[t.Start:t.End]...)
	}
	return append(appendTag(dst, "</", name), w.format.Layout.Line...)
}

// hidden returns which characters of text are written by number, or nil.
func (w *writer) hidden() func(rune) bool {
	if !w.o.Visible {
		return nil
	}
	return func(c rune) bool { return c != '\n' && c != '\t' && sig.Invisible(c) }
}
