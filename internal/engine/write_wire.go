package engine

import (
	"bytes"
	"cmp"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// The canonical form of the wire format: paths if that reads back, and a JSON object otherwise.

// maxGrowth is how many times as long as the JSON body arguments may be. A path repeats the keys
// that lead to its value: long ones over many members would be written in quadratic time.
const maxGrowth = 8

// paths appends args, a JSON object in compact form, as arguments with paths. It reports false if a
// value certainly doesn't read back after a path, or if there are too many or too long arguments.
func (w *writer) paths(dst, args []byte, t *sig.Type) (out []byte, ok bool) {
	w.scanner = scanner{Text: args, Depth: len(args)}
	w.scanner.Next()
	w.path, w.count = w.path[:0], 0
	w.most = len(dst) + min(w.o.Limits.Bytes, maxGrowth*len(args))
	return w.pathMembers(dst, t)
}

// pathMembers appends the members of the object of type t whose brace was read.
func (w *writer) pathMembers(dst []byte, t *sig.Type) (out []byte, ok bool) {
	s, prefix := &w.scanner, len(w.path)
	for key := s.Next(); key.Kind == 'k'; key = s.Next() {
		if prefix > 0 {
			w.path = append(w.path, '.')
		}
		from := len(w.path)
		w.path = s.AppendUnquoted(w.path, key)
		name := w.path[from:]
		typ, _, _ := t.Property(name)
		value := s.Next()
		ok := w.isPath(name)
		if value.Kind == '{' {
			ok = ok && s.Text[value.End] != '}'
			if ok {
				dst, ok = w.pathMembers(dst, typ)
			}
		} else {
			w.count++
			ok = ok && w.count <= w.o.Limits.Arguments && !w.isDropped(value, typ)
			dst = append(append(append(dst, ' '), w.path...), '=')
			dst = w.pathValue(dst, value, typ)
		}
		if !ok || len(dst) > w.most {
			return dst, false
		}
		w.path = w.path[:prefix]
	}
	return dst, true
}

// isPath reports whether a name can be in a path.
func (w *writer) isPath(name []byte) bool {
	firsts := string([]byte{w.tags.Open[0], w.tags.Close[0]})
	return !bytes.ContainsAny(name, firsts) && lexeme.IsPath(string(name)) && !w.hides(name)
}

// isDropped reports whether a repairing reader drops a value written bare: null.
func (w *writer) isDropped(t lexeme.JSONToken, typ *sig.Type) bool {
	isNull := t.Kind == 'l' && w.scanner.Text[t.Start] == 'n'
	return isNull && w.o.Repair && typ.Restricts() && typ.Kinds&sig.Null == 0
}

// pathValue appends the value that begins with t, any but an object.
func (w *writer) pathValue(dst []byte, t lexeme.JSONToken, typ *sig.Type) []byte {
	text := w.scanner.Text[t.Start:w.scanner.Finish(t).End]
	switch t.Kind {
	case 'l':
		return append(dst, text...)
	case '[':
		return w.json(dst, text)
	}
	w.text = w.scanner.AppendUnquoted(w.text[:0], t)
	if w.isBare(typ, w.text) {
		return append(dst, w.text...)
	}
	return w.quoted(dst, w.text, lexeme.QuoteFor(w.text))
}

// isBare reports whether a string of type t is written, and read back, as a bare word.
func (w *writer) isBare(t *sig.Type, text []byte) bool {
	if !w.tags.CanBeBare(text) || w.o.Repair && questionable(text) || w.hides(text) {
		return false
	}
	if len(w.format.Also) > 0 && w.containsTag(text) {
		return false
	}
	return IsWord(t, text)
}

// IsWord reports whether a bare word is read as a string where the type is t.
func IsWord(t *sig.Type, text []byte) bool {
	kind, ok := simpleKind(t, text)
	if !ok {
		r := read(t, text, false, maxWraps)
		ok = !r.wrapped
		kind = cmp.Or(r.kind, kind)
	}
	return ok && kind == sig.String
}

// questionable reports whether a string, written bare, may be read as a mistake: as a null, as
// several arguments, or as one that isDoubtful reports.
func questionable(word []byte) bool {
	joins := bytes.IndexByte(word, ',') >= 0 && bytes.IndexByte(word, '=') >= 0
	return joins || string(word) == "null" || looksMistaken(word)
}
