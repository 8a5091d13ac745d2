package engine

import (
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

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
		end := t
		for depth := s.Nesting(); s.Nesting() >= depth; {
			end = s.Next()
		}
		dst = lexeme.AppendEncoded(dst, s.Text[t.Start:end.End], w.hidden())
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
