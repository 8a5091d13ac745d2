package engine

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// The canonical form of the wire format: paths where each value reads back under its type, and a
// JSON object otherwise.

// checkName returns the code for a name that cannot be written, or none.
func (w *writer) checkName(name string) lexer.Code {
	switch {
	case !lexeme.IsName(name), w.o.Visible && strings.ContainsFunc(name, sig.Invisible):
		return lexer.BadName
	case !utf8.ValidString(name):
		return lexer.InvalidUTF8
	case len(name) > w.o.Limits.Name:
		return lexer.NameTooLong
	}
	return ""
}

// wireWriter writes arguments in one body.
type wireWriter struct {
	*writer
	args *sig.Type
	out  []byte
	most int // length of out at which the JSON body is shorter

	scanner scanner
	keys    [][]byte // the path of the value being written, decoded
	path    []byte   // the same with dots
	count   int      // arguments so far
	reader  *draft   // reads what was written
}

// maxGrowth is how many times as long as the JSON body arguments may be. A path repeats the keys
// that lead to its value: long ones over many members would be written in quadratic time.
const maxGrowth = 8

// appendWire appends a call in the wire format, in JSON if it is flat or if there is no other way.
func (w *writer) appendWire(dst []byte, c *Written, args []byte) []byte {
	b := &w.wire
	b.writer, b.args = w, w.catalog.Lookup([]byte(c.Name)).Args
	b.out = append(append(dst, w.tags.Open...), c.Name...)
	name := len(b.out)
	if len(args) > len("{}") && (w.flat || !b.arguments(args, len(dst))) {
		b.out = append(b.out[:name], ' ')
		b.json(args)
	}
	out := append(b.out, w.tags.Close...)
	b.out = nil
	return out
}

// arguments writes args, a JSON object in compact form, as arguments of a call that begins at
// out[start]. It returns false if a value does not read back after a path, or if there are too many
// or too long arguments.
func (w *wireWriter) arguments(args []byte, start int) bool {
	w.most = min(w.o.Limits.Bytes+start-len(w.tags.Close), len(w.out)+maxGrowth*len(args))
	w.scanner = scanner{Text: args, Depth: len(args)}
	w.scanner.Next()
	w.keys, w.path, w.count = w.keys[:0], w.path[:0], 0
	return w.members(w.args)
}

// members writes the members of the object of type t whose brace was read.
func (w *wireWriter) members(t *sig.Type) bool {
	s, prefix := &w.scanner, len(w.path)
	for key := s.Next(); key.Kind == 'k'; key = s.Next() {
		name := s.AppendUnquoted(nil, key)
		if prefix > 0 {
			w.path = append(w.path, '.')
		}
		w.keys, w.path = append(w.keys, name), append(w.path, name...)
		typ, _, _ := t.Property(name)
		value := s.Next()
		if value.Kind == '{' {
			if s.Text[value.End] == '}' || !w.members(typ) {
				return false
			}
		} else if w.count++; w.count > w.o.Limits.Arguments || !w.value(value, typ) {
			return false
		}
		if len(w.out) > w.most {
			return false
		}
		w.keys, w.path = w.keys[:len(w.keys)-1], w.path[:prefix]
	}
	return true
}

// value writes the value that begins with t after the path. It returns false if the value does not
// read back.
func (w *wireWriter) value(t lexeme.JSONToken, typ *sig.Type) bool {
	dots, ok := w.pathReadsBack()
	if !ok {
		return false
	}
	w.out = append(append(append(w.out, ' '), w.path...), '=')
	w.read(dots)
	text := w.scanner.Text[t.Start:endOf(&w.scanner, t)]
	switch t.Kind {
	case 'l':
		if w.o.Repair && string(text) == "null" && typ.Restricts() && typ.Kinds&sig.Null == 0 {
			return false // a bare null is left out
		}
		w.out = append(w.out, text...)
		w.reader.scalar(typ, text, false, 0)
	case 's':
		w.text = w.scanner.AppendUnquoted(w.text[:0], t)
		if w.bareWord(typ, text) {
			return true
		}
		w.string(lexeme.QuoteFor(w.text))
		w.reader.scalar(typ, w.text, true, 0)
	case '[':
		w.reader.typ = typ
		w.reader.writeTokens(&scanner{Text: text, Depth: w.o.Limits.Depth - dots}, 0)
		w.json(text)
	}
	return bytes.Equal(w.reader.out, text)
}

// bareWord writes w.text as a bare word if that reads back as want.
func (w *wireWriter) bareWord(typ *sig.Type, want []byte) bool {
	if !w.tags.CanBeBare(w.text) || w.o.Repair && questionable(w.text) || w.hides(w.text) {
		return false
	}
	w.reader.scalar(typ, w.text, false, 0)
	if bytes.Equal(w.reader.out, want) {
		w.out = append(w.out, w.text...)
		return true
	}
	w.reader.out = w.reader.out[:0]
	return false
}

// questionable reports whether a string, written bare, may be read as a mistake: as a null, as
// several arguments, or as one that isDoubtful reports.
func questionable(word []byte) bool {
	joins := bytes.IndexByte(word, ',') >= 0 && bytes.IndexByte(word, '=') >= 0
	return joins || string(word) == "null" || looksMistaken(word)
}

// read prepares to read a value after a path with that many dots.
func (w *wireWriter) read(dots int) {
	if w.reader == nil {
		w.reader = newDraft(w.o.Limits)
	}
	d := w.reader
	d.restart()
	d.level = dots
}

// pathReadsBack reports whether the path, as written, leads to the keys, and how many dots it has.
func (w *wireWriter) pathReadsBack() (dots int, ok bool) {
	if w.hides(w.path) {
		return 0, false
	}
	for key := range bytes.SplitSeq(w.path, []byte{'.'}) {
		if !lexeme.IsKey(key) || bytes.IndexByte(key, w.tags.Open[0]) >= 0 ||
			bytes.IndexByte(key, w.tags.Close[0]) >= 0 {
			return 0, false
		}
		dots++
	}
	dots--
	rest, t := w.path, w.args
	for i, key := range w.keys {
		n := t.FirstKey(rest)
		if !bytes.Equal(rest[:n], key) || (n == len(rest)) != (i == len(w.keys)-1) {
			return 0, false
		}
		t, _, _ = t.Property(key)
		rest = rest[min(n+1, len(rest)):]
	}
	return dots, dots <= w.o.Limits.Depth
}

// json writes compact JSON text whose strings contain no tags.
func (w *wireWriter) json(text []byte) {
	s := scanner{Text: text, Depth: len(text)}
	from := 0
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		if t.Kind == 'k' || t.Kind == 's' {
			w.out = append(w.out, text[from:t.Start]...)
			w.text = s.AppendUnquoted(w.text[:0], t)
			w.string('"')
			from = t.End
		}
	}
	w.out = append(w.out, text[from:]...)
}

// string writes the string in w.text.
func (w *wireWriter) string(quote byte) {
	from := len(w.out)
	w.out = w.tags.AppendString(w.out, w.text, quote)
	if w.hides(w.text) {
		w.out = append(w.out[:from], sig.Visible(string(w.out[from:]))...)
	}
}
