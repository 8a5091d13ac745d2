package engine

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
)

// The canonical form of the wire format: paths where each value reads back under its type, and a
// JSON object otherwise.

// wireWriter writes the body of one call.
type wireWriter struct {
	*writer
	args *sig.Type
	out  []byte

	keys   [][]byte    // the path of the value being written, decoded
	path   []byte      // the same with dots
	types  []*sig.Type // of each object on the path
	reader *draft      // reads what was written
}

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

// appendWire appends a call in the wire format.
func (w *writer) appendWire(dst []byte, c *Written, args []byte) ([]byte, error) {
	b := wireWriter{writer: w, args: w.catalog.Lookup([]byte(c.Name)).Args, out: dst}
	most := w.o.Limits.Bytes + len(dst) - len(w.tags.Close)
	for inJSON := w.o.JSON; ; inJSON = true {
		b.out = append(append(b.out[:len(dst)], w.tags.Open...), c.Name...)
		inJSON = b.body(args, inJSON, most)
		b.out = append(b.out, w.tags.Close...)
		if w.tags.Simple() && w.tags.Open == "<call>" || w.readsBack(b.out[len(dst):], c.Name, args) {
			break
		}
		if inJSON {
			return dst, w.containsTag(c)
		}
	}
	if len(b.out)-len(dst) > w.o.Limits.Bytes {
		return dst, w.refuse(c, lexer.CallTooLong, c.Input, len(c.Input))
	}
	return b.out, nil
}

// containsTag returns the refusal of a call that does not read back, because its name or a number
// contains a custom tag.
func (w *writer) containsTag(c *Written) error {
	s := scanner{Text: c.Input, Depth: len(c.Input)}
	bare := w.tags.Open + c.Name + w.tags.Close
	nameIsFine := w.readsBack([]byte(bare), c.Name, []byte("{}"))
	for t := s.Next(); t.Kind != 0 && nameIsFine; t = s.Next() {
		if t.Kind != 'l' {
			continue
		}
		object := []byte(`{"a":` + string(c.Input[t.Start:t.End]) + "}")
		text := w.tags.Open + c.Name + " " + string(object) + w.tags.Close
		if !w.readsBack([]byte(text), c.Name, object) {
			return w.refuse(c, lexer.NestedCall, c.Input[:t.End], t.Start)
		}
	}
	return w.refuse(c, lexer.BadName, []byte(c.Name), 0)
}

// maxGrowth is how many times as long as the JSON body arguments may be. A path repeats the keys
// that lead to its value: long ones over many members would be written in quadratic time.
const maxGrowth = 8

// body writes the body of a call, in JSON if asked to or if there is no other way that ends at
// out[:most]. It reports whether it is in JSON, as the body without arguments is too.
func (w *wireWriter) body(args []byte, inJSON bool, most int) bool {
	name := len(w.out)
	if len(args) == len("{}") {
		return true
	}
	if !inJSON && w.arguments(args, min(most, name+maxGrowth*len(args))) {
		return false
	}
	w.out = append(w.out[:name], ' ')
	w.json(args)
	return true
}

// arguments writes args, a JSON object in compact form, as arguments. It returns false if a value
// does not read back after a path, if there are more arguments than the limit, or if they do not
// end at out[:most].
func (w *wireWriter) arguments(args []byte, most int) bool {
	s := scanner{Text: args, Depth: len(args)}
	s.Next()
	w.keys, w.path = w.keys[:0], w.path[:0]
	w.types = append(w.types[:0], w.args)
	for n := 0; len(w.out) <= most; {
		t := s.Next()
		switch t.Kind {
		case 'k':
			typ := w.push(s.AppendUnquoted(nil, t))
			if !w.value(&s, typ) {
				return false
			}
			if len(w.types) > len(w.keys) { // the value is an object, whose members follow
				continue
			}
			n++
			if n > w.o.Limits.Arguments {
				return false
			}
			w.pop()
		case '}':
			if len(w.keys) == 0 {
				return true
			}
			w.types = w.types[:len(w.types)-1]
			w.pop()
		default:
			return false
		}
	}
	return false
}

// push enters a key, and returns the type of its value.
func (w *wireWriter) push(key []byte) *sig.Type {
	if len(w.keys) > 0 {
		w.path = append(w.path, '.')
	}
	w.keys, w.path = append(w.keys, key), append(w.path, key...)
	typ, _, _ := w.types[len(w.types)-1].Property(key)
	return typ
}

// pop leaves the last key of the path.
func (w *wireWriter) pop() {
	last := w.keys[len(w.keys)-1]
	w.keys = w.keys[:len(w.keys)-1]
	w.path = w.path[:len(w.path)-len(last)]
	if n := len(w.path); n > 0 {
		w.path = w.path[:n-1]
	}
}

// value writes the value that s reads next, after the path, or enters it if it is an object. It
// returns false if the value does not read back.
func (w *wireWriter) value(s *scanner, typ *sig.Type) bool {
	t := s.Next()
	if t.Kind == '{' {
		w.types = append(w.types, typ)
		return s.Text[s.Offset()] != '}'
	}
	dots, ok := w.pathReadsBack()
	if !ok {
		return false
	}
	w.out = append(append(append(w.out, ' '), w.path...), '=')
	w.read(dots)
	start := t.Start
	switch t.Kind {
	case 'l':
		text := s.Text[t.Start:t.End]
		if w.o.Repair && string(text) == "null" && typ.Says() && typ.Kinds&sig.Null == 0 {
			return false // a bare null is left out
		}
		w.out = append(w.out, text...)
		w.reader.bare(typ, text, 0)
	case 's':
		w.text = s.AppendUnquoted(w.text[:0], t)
		if w.bareWord(typ, s.Text[t.Start:t.End]) {
			return true
		}
		w.string(lexeme.QuoteFor(w.text))
		w.reader.quoted(typ, w.text, 0)
	case '[':
		from := s.Offset() - 1
		w.reader.typ = typ
		for w.reader.writeToken(s, t, 0); len(w.reader.frames) > 0; {
			if w.reader.room() < 0 {
				return false
			}
			t = s.Next()
			w.reader.writeToken(s, t, 0)
		}
		w.json(s.Text[from:t.End])
	}
	return bytes.Equal(w.reader.out, s.Text[start:t.End])
}

// bareWord writes w.text as a bare word if that reads back as want.
func (w *wireWriter) bareWord(typ *sig.Type, want []byte) bool {
	if !w.tags.CanBeBare(w.text) || w.o.Repair && questionable(w.text) || w.hides(w.text) {
		return false
	}
	w.reader.bare(typ, w.text, 0)
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
	last := word[len(word)-1]
	if last == ',' || last == ';' || isArrow(word) || string(word) == "null" {
		return true
	}
	if opened, _ := repair.LooksQuoted(word); opened {
		return true
	}
	return bytes.IndexByte(word, ',') >= 0 && bytes.IndexByte(word, '=') >= 0
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

// hides reports whether text contains anything that must be escaped.
func (w *writer) hides(text []byte) bool {
	return w.o.Visible && bytes.ContainsFunc(text, sig.Invisible)
}
