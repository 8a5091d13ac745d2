package engine

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// WriteOptions configure how calls are written. The zero WriteOptions write the canonical form of
// the wire format.
type WriteOptions struct {
	Format *format.Format // nil means the wire format
	Tags   format.Tags    // around a call, instead of those of the format
	Limits lexer.Limits   // of the reader

	JSON    bool // write arguments as a JSON object even where the wire format has another way
	Repair  bool // for a reader that repairs calls: quote or refuse what it may take for a mistake
	Visible bool // escape the characters that unseen.Is reports
	Index   int  // how many calls of the conversation come before, for formats that count them
}

// Written is a call to write.
type Written struct {
	ID    string // written if the format writes names as IDs
	Name  string
	Input []byte // one JSON object
}

// AppendCall appends one call; see [AppendCalls].
func AppendCall(dst []byte, catalog *sig.Catalog, call Written, o *WriteOptions) ([]byte, error) {
	return AppendCalls(dst, catalog, []Written{call}, o)
}

// AppendCalls appends calls such that each reads back as the same call under the same catalog,
// in a section if the format has them. Digits, and the order of arguments and keys, are kept. It
// refuses a call that would not read back, or that quotes one between marks; the error is then a
// [*lexer.Error] whose offset is in the input of that call, and dst is returned as it was. Other
// errors are those of [Compile].
//
// The work is linear in the input.
func AppendCalls(
	dst []byte, catalog *sig.Catalog, calls []Written, o *WriteOptions,
) ([]byte, error) {
	w, err := newWriter(catalog, o)
	if err != nil || len(calls) == 0 {
		return dst, err
	}
	defer w.parser.Release()
	f := w.format
	out := append(dst, f.Section.Open...)
	for i := range calls {
		if i > 0 {
			out = append(out, f.Layout.Join...)
		}
		w.index = w.o.Index + i
		out, err = w.append(out, &calls[i])
		if err != nil {
			return dst, err
		}
	}
	return append(out, f.Section.Close...), nil
}

// writer writes calls of one format.
type writer struct {
	o       WriteOptions
	catalog *sig.Catalog
	format  *format.Format
	tags    lexeme.Tags
	marks   []string // tags of calls, sections and functions, in all formats that are read
	byTool  bool     // the tags of tools are tags of calls in one of them
	parser  *Parser
	index   int // of the call in the conversation

	flat   bool    // values in elements and blocks, and the wire format, are JSON or close to it
	quotes bool    // a value between marks contains a call
	inner  *Parser // reads such values, to find the call
	text   []byte  // a string, unescaped

	// In the wire format.
	scanner scanner // of the arguments
	path    []byte  // of the value being written
	count   int     // arguments so far
	most    int     // length of the output at which the JSON body is shorter
}

func newWriter(catalog *sig.Catalog, o *WriteOptions) (w *writer, err error) {
	w = &writer{catalog: catalog}
	if o != nil {
		w.o = *o
	}
	w.o.Limits = w.o.Limits.OrDefault()
	reading := Options{Format: w.o.Format, Tags: w.o.Tags, Limits: w.o.Limits}
	w.format = reading.format()
	w.parser, err = NewParser(catalog, &reading, WholeCalls)
	if err == nil && w.format.Body == format.Parameters {
		reading.AllowAfterMalformed, reading.AllowInCode = true, true
		reading.Repair = w.o.Repair
		w.inner, err = NewParser(catalog, &reading, WholeCalls)
	}
	if err != nil {
		return nil, err
	}
	for _, f := range w.format.Set() {
		w.byTool = w.byTool || f.ToolTags()
		for _, tags := range [...]format.Tags{f.Call, f.Section} {
			if tags != (format.Tags{}) {
				w.marks = append(w.marks, tags.Open, tags.Close)
			}
		}
		if open := f.Function.Open; len(open) > 1 { // with Repair it begins a call too
			w.marks = append(w.marks, open)
		}
	}
	if tags := w.format.Call; tags != (format.Tags{}) {
		w.tags = lexeme.NewTags(tags.Open, tags.Close)
	}
	return w, nil
}

// refuse returns the error for a call that cannot be written.
func (w *writer) refuse(c *Written, code lexer.Code, of []byte, at int) error {
	e := &lexer.Error{Code: code, Offset: at, Tool: c.Name}
	e.Found = lexeme.Excerpt(of[min(at, len(of)):])
	if code == lexer.BadName { // all other codes are about the input
		e.Expected, e.Fix = w.format.Hint(string(code))
	}
	return e
}

// append appends one call. If it does not read back, it may do so flat: as with an array in an
// array in XML.
func (w *writer) append(dst []byte, c *Written) ([]byte, error) {
	name, isWire := []byte(c.Name), w.format.Body == format.Arguments
	switch {
	case w.catalog.Lookup(name) == nil:
		return dst, w.refuse(c, lexer.UnknownTool, name, 0)
	case isWire && (!lexeme.IsName(name) || w.hides(name)):
		return dst, w.refuse(c, lexer.BadName, name, 0)
	case isWire && !utf8.Valid(name):
		return dst, w.refuse(c, lexer.InvalidUTF8, name, 0)
	case len(name) > w.o.Limits.Name:
		return dst, w.refuse(c, lexer.NameTooLong, name, 0)
	}
	args, err := w.compact(c)
	if err != nil {
		return dst, err
	}
	n := len(dst)
	w.flat = w.o.JSON && isWire
	out := w.call(dst, c, args)
	isBack := w.readsBack(out[n:], c.Name, args)
	if !isBack && !w.flat && (isWire || w.format.ToolTags()) {
		w.flat = true
		out = w.call(out[:n], c, args)
		isBack = w.readsBack(out[n:], c.Name, args)
	}
	switch {
	case isBack:
		return out, nil
	case len(out)-n > w.o.Limits.Bytes:
		return dst, w.refuse(c, lexer.CallTooLong, c.Input, len(c.Input))
	case !w.readsBack(w.call(nil, c, []byte("{}")), c.Name, []byte("{}")):
		return dst, w.refuse(c, lexer.BadName, name, 0)
	case isWire: // a number contains a tag
		return dst, w.refuse(c, lexer.NestedCall, c.Input, w.unwritable(c))
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
		member := c.Input[key.Start:s.Finish(value).End]
		object := slices.Concat([]byte{'{'}, member, []byte{'}'})
		args, code, _ := compact(object, w.o.Limits.Depth+1)
		if code != "" || !w.readsBack(w.call(nil, c, args), c.Name, args) {
			return value.Start
		}
	}
	return 0
}

// compact returns the arguments of a call without whitespace and otherwise as written.
func (w *writer) compact(c *Written) ([]byte, error) {
	text, code, at := compact(c.Input, w.o.Limits.Depth+1)
	switch {
	case code != "":
		return nil, w.refuse(c, code, c.Input, at)
	case text[0] != '{':
		return nil, w.refuse(c, lexer.NotAnObject, c.Input, lexeme.SkipSpace(c.Input, 0))
	}
	s := scanner{Text: c.Input, Depth: len(c.Input)}
	s.Next()
	rest := w.o.Limits.Arguments
	for key := s.Next(); key.Kind == 'k'; key = s.Next() {
		if rest == 0 {
			return nil, w.refuse(c, lexer.TooManyArguments, c.Input, key.Start)
		}
		rest--
		s.Finish(s.Next())
	}
	return text, nil
}

// filled returns args as a reader returns them: with what is null if it is missing.
func (w *writer) filled(name string, args []byte) []byte {
	d := newDraft(w.o.Limits)
	d.exact, d.typ = true, w.catalog.Lookup([]byte(name)).Args
	d.writeInput(args, len(args)) // it is valid
	return d.out
}

// readsBack reports whether text, which was written last, is read as exactly one call, that of name
// with args, and quotes none.
func (w *writer) readsBack(text []byte, name string, args []byte) bool {
	p, calls := w.parser, 0
	p.Reset()
	for _, events := range [2]func() []Event{
		func() []Event { return p.Feed(text) }, p.Close,
	} {
		for _, e := range events() {
			if e.Kind != Call || e.Name != name ||
				!bytes.Equal(e.Bytes, args) && !bytes.Equal(e.Bytes, w.filled(name, args)) {
				return false
			}
			calls++
		}
	}
	return calls == 1 && !w.quotes
}

// hides reports whether text contains anything that must be escaped.
func (w *writer) hides(text []byte) bool {
	return w.o.Visible && bytes.ContainsFunc(text, unseen.Is)
}
