package engine

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/unseen"
)

// call appends a call as the prompt of the format shows it. Args are in compact form. If the writer
// is flat, values in elements and blocks, and the wire format, are JSON or close to it.
func (w *writer) call(dst []byte, c *Written, args []byte) []byte {
	f := w.format
	if f.ToolTags() {
		dst = append(appendTag(dst, "<", []byte(c.Name)), f.Layout.Lead...)
		return appendTag(w.inElement(dst, c, args), "</", []byte(c.Name))
	}
	dst = append(append(dst, f.Call.Open...), f.Layout.Lead...)
	switch {
	case f.Body == format.Arguments:
		dst = w.arguments(append(dst, c.Name...), c, args)
	case len(f.NameKeys) > 0:
		dst = append(w.envelope(dst, c, args), f.Layout.Line...)
	default:
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
	}
	return append(dst, f.Call.Close...)
}

// arguments appends arguments in the wire format.
func (w *writer) arguments(dst []byte, c *Written, args []byte) []byte {
	if string(args) == "{}" {
		return dst
	}
	if !w.flat {
		t := w.catalog.Lookup([]byte(c.Name)).Args
		if out, ok := w.paths(dst, args, t); ok {
			return out
		}
	}
	return w.json(append(dst, ' '), args)
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
	dst = w.quoted(append(dst, '{'), []byte(f.NameKeys[0]), '"')
	dst = w.quoted(append(dst, ": "...), []byte(c.Name), '"')
	dst = w.quoted(append(dst, ", "...), []byte(f.ArgumentKeys[0]), '"')
	return append(w.json(append(dst, ": "...), args), '}')
}

// parameters appends arguments between marks, strings as they are.
func (w *writer) parameters(dst, args []byte) []byte {
	mark, line := &w.format.Parameter, w.format.Layout.Line
	edge := ""
	if w.format.Lines {
		edge = "\n"
	}
	w.quotes = false
	s := scanner{Text: args, Depth: len(args)}
	s.Next()
	for key := s.Next(); key.Kind == 'k'; key = s.Next() {
		dst = s.AppendUnquoted(append(dst, mark.Open...), key)
		dst = append(dst, mark.End...)
		if mark.Value != "" {
			dst = append(append(dst, line...), mark.Value...)
		}
		dst = append(dst, edge...)
		from, value := len(dst), s.Next()
		if value.Kind == 's' {
			dst = s.AppendUnquoted(dst, value)
		} else {
			dst = w.json(dst, args[value.Start:s.Finish(value).End])
		}
		dst = append(append(append(dst, edge...), mark.Close...), line...)
		w.quotes = w.quotes || w.containsCall(dst[from:])
	}
	return dst
}

// containsCall reports whether a value between marks contains a call, or one that the end of the
// written call completes. Nothing hides it: if the opener of the written call is damaged, the
// quoted one runs.
func (w *writer) containsCall(value []byte) bool {
	f, p := w.format, w.inner
	p.Reset()
	defer p.Release()
	end := f.Function.Close + f.Layout.Line + f.Call.Close
	isCall := func(e Event) bool { return e.Kind == Call }
	return slices.ContainsFunc(p.Feed(value), isCall) ||
		slices.ContainsFunc(p.Feed([]byte(end)), isCall) || slices.ContainsFunc(p.Close(), isCall)
}

// json appends compact JSON text as the format has it, without its tags.
func (w *writer) json(dst, text []byte) []byte {
	quote := func(dst, text []byte) []byte { return w.quoted(dst, text, '"') }
	return AppendJSON(dst, text, w.format.Body != format.Arguments, quote)
}

// quoted appends a string in quotes that contains no tag of a format that is read.
func (w *writer) quoted(dst, text []byte, quote byte) []byte {
	from := len(dst)
	if w.format.Body == format.Arguments && len(w.format.Also) == 0 {
		dst = w.tags.AppendString(dst, text, quote)
	} else {
		dst = appendUntagged(dst, text, w.beginsTag)
	}
	return w.visible(dst, from)
}

// visible escapes invisible characters in dst[from:] if the options ask for that.
func (w *writer) visible(dst []byte, from int) []byte {
	if !w.hides(dst[from:]) {
		return dst
	}
	return append(dst[:from], unseen.Escape(string(dst[from:]))...)
}

// beginsTag reports whether text begins with a tag.
func (w *writer) beginsTag(text []byte) bool {
	for _, tag := range w.marks {
		if text[0] == tag[0] && bytes.HasPrefix(text, []byte(tag)) {
			return true
		}
	}
	return w.byTool && w.beginsToolTag(text)
}

// containsTag reports whether text contains a tag.
func (w *writer) containsTag(text []byte) bool {
	for i := range text {
		if w.beginsTag(text[i:]) {
			return true
		}
	}
	return false
}

// AppendSpaced appends JSON text with a space after each comma and colon, as the templates of
// models do. Its strings contain no tag and no invisible character.
func AppendSpaced(dst, text []byte, isTag func(text []byte) bool) []byte {
	return AppendJSON(dst, text, true, func(dst, text []byte) []byte {
		from := len(dst)
		dst = appendUntagged(dst, text, isTag)
		return append(dst[:from], unseen.Escape(string(dst[from:]))...)
	})
}

// AppendJSON appends JSON text with its keys and strings in quotes, and spaces if wanted.
func AppendJSON(dst, text []byte, spaced bool, quote func(dst, text []byte) []byte) []byte {
	comma, colon := ",", ":"
	if spaced {
		comma, colon = ", ", ": "
	}
	s := scanner{Text: text, Depth: len(text), Unpaired: true}
	afterValue := false
	var content []byte
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		if afterValue && t.Kind != '}' && t.Kind != ']' {
			dst = append(dst, comma...)
		}
		afterValue = t.Kind != '{' && t.Kind != '[' && t.Kind != 'k'
		switch t.Kind {
		case 'k', 's':
			content = s.AppendUnquoted(content[:0], t)
			dst = quote(dst, content)
			if t.Kind == 'k' {
				dst = append(dst, colon...)
			}
		default:
			dst = append(dst, text[t.Start:t.End]...)
		}
	}
	return dst
}

// appendUntagged appends a JSON string that contains no tag: the second byte of a tag is escaped if
// it is a slash, otherwise the first character.
func appendUntagged(dst, text []byte, isTag func(text []byte) bool) []byte {
	from := 0
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
			dst = unseen.AppendEscape(dst, r)
			from = i + n
		}
		i = from - 1
	}
	return append(lexeme.AppendText(dst, text[from:]), '"')
}

// Calls in an element named after the tool.

// inElement appends arguments as a block or as elements.
func (w *writer) inElement(dst []byte, c *Written, args []byte) []byte {
	if w.format.Body == format.Block {
		style := format.Style{Flat: w.flat, BeginsTag: w.beginsTag}
		if w.o.Visible {
			style.Hidden = unseen.Is
		}
		return w.format.Codec.Encode(dst, c.Name, args, style)
	}
	s := scanner{Text: args, Depth: len(args)}
	s.Next()
	return w.members(dst, &s)
}

// beginsToolTag reports whether text begins with the tag of a tool.
func (w *writer) beginsToolTag(text []byte) bool {
	if text[0] != '<' {
		return false
	}
	end, _ := lexeme.TagName(text, 1)
	if w.catalog.Lookup(text[1:end]) == nil {
		return false
	}
	after, _, cut := lexeme.TagEnd(text, end)
	return after > 0 || cut
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
	case t.Kind == 's':
		w.text = s.AppendUnquoted(w.text[:0], t)
		dst = lexeme.AppendEncoded(dst, w.text, w.hidden())
	default:
		dst = lexeme.AppendEncoded(dst, s.Text[t.Start:s.Finish(t).End], w.hidden())
	}
	return append(appendTag(dst, "</", name), w.format.Layout.Line...)
}

// hidden returns a function that reports whether the first character of text is written by number,
// or nil.
func (w *writer) hidden() func(text []byte) bool {
	if !w.o.Visible && len(w.format.Also) == 0 {
		return nil
	}
	return func(text []byte) bool {
		c, _ := utf8.DecodeRune(text)
		isUnseen := w.o.Visible && c != '\n' && c != '\t' && unseen.Is(c)
		return isUnseen || w.beginsTag(text)
	}
}
