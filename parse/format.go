package parse

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// Format writes the call of a tool with the given arguments in the canonical
// form: one line, that reads back to the same JSON under the same catalog. A
// nil catalog knows every tool and nothing about its arguments.
//
// Input is one JSON object. Digits, and the order of arguments and keys, are
// kept. The error is a [*lexer.Error] whose offset is in input: InvalidJSON,
// NotAnObject, UnpairedSurrogate, InvalidUTF8, DuplicateKey, UnknownTool,
// BadName, TooDeep, TooManyArguments, NameTooLong or CallTooLong.
func Format(catalog *sig.Catalog, name string, input []byte) (string, error) {
	// Rule: write.empty, write.order, write.refuse, write.limit.
	return FormatOptions{}.Format(catalog, name, input)
}

// FormatOptions say how to write. The zero value writes the canonical form.
type FormatOptions struct {
	Protocol Protocol // the format; nil is that of the wire

	Delims lexer.Delims // the tags; zero means the default ones
	Limits lexer.Limits // what the reader allows; fields that are zero have their defaults
	JSON   bool         // write every call that has arguments with a JSON body

	// Salvage quotes the words that a reader under [Options].Salvage would doubt or
	// repair, so that it reads the call as it is meant. Arguments must fit their schema.
	Salvage bool

	// Visible writes the characters that [sig.Invisible] names as escapes, for models and
	// people: words that hold them are quoted. A name has no escapes, so one that holds
	// them is refused in the wire format: BadName. Other protocols escape them in JSON,
	// elements and YAML, and write those in strings without quotes as they are.
	Visible bool
}

// Format is the function Format under options o.
func (o FormatOptions) Format(catalog *sig.Catalog, name string, input []byte) (string, error) {
	out, err := o.Append(nil, catalog, name, input)
	return string(out), err
}

// Append appends what Format returns to dst and returns the extended buffer;
// if the error is not nil, dst is returned as it was. The work is linear in input, but
// for a call that a path cannot carry, which is written twice.
//
// Under custom tags, which a name or a number may hold, there are two more refusals:
// BadName for a name that does not read back, and NestedCall for a number. Tags that
// are not legal are a [*lexer.DelimsError].
func (o FormatOptions) Append(dst []byte, catalog *sig.Catalog, name string, input []byte) ([]byte, error) {
	if o.Protocol != nil {
		return o.Protocol.AppendCall(dst, catalog, name, input, o)
	}
	o.Delims = o.Delims.OrDefault()
	if err := o.Delims.Validate(); err != nil {
		return dst, err
	}
	o.Limits = o.Limits.OrDefault()
	known := catalog == nil || catalog.Lookup([]byte(name)) != nil
	if code := o.checkName(name); known && code != "" {
		return dst, &lexer.Error{Code: code, Tool: name, Found: lexer.Excerpt([]byte(name))}
	}
	text, err := o.Arguments(catalog, name, input)
	if err != nil {
		return dst, err
	}
	var args *sig.Type
	if tool := catalog.Lookup([]byte(name)); tool != nil {
		args = tool.Args
	}

	w := writer{o: o, tags: lexeme.NewTags(o.Delims.Open, o.Delims.Close, nil), args: args, out: dst}
	most := o.Limits.Bytes + len(dst) - len(o.Delims.Close)
	for inJSON := o.JSON; ; inJSON = true {
		w.out = append(append(w.out[:len(dst)], o.Delims.Open...), name...)
		inJSON = w.body(text, inJSON, most)
		w.out = append(w.out, o.Delims.Close...)
		if o.Delims.IsDefault() || o.readsBack(w.out[len(dst):], catalog, name, text) {
			break
		}
		if inJSON {
			return dst, o.holdsTag(name, input)
		}
	}
	if len(w.out)-len(dst) > o.Limits.Bytes {
		return dst, &lexer.Error{Code: lexer.CallTooLong, Offset: len(input), Tool: name}
	}
	return w.out, nil
}

// Arguments returns input, the arguments of a call of the tool of that name, as every
// protocol writes them: without whitespace, everything else as written. The error is
// that of [Format], but that any name of a tool will do.
func (o FormatOptions) Arguments(catalog *sig.Catalog, name string, input []byte) ([]byte, error) {
	limits := o.Limits.OrDefault()
	if catalog != nil && catalog.Lookup([]byte(name)) == nil {
		return nil, &lexer.Error{Code: lexer.UnknownTool, Tool: name, Found: lexer.Excerpt([]byte(name))}
	}
	refuse := func(code lexer.Code, at int) ([]byte, error) {
		return nil, &lexer.Error{Code: code, Offset: at, Tool: name, Found: lexer.Excerpt(input[min(at, len(input)):])}
	}
	text, code, at := compact(input, limits.Depth+1)
	switch {
	case code != "":
		return refuse(code, at)
	case text[0] != '{':
		return refuse(lexer.NotAnObject, len(input)-len(bytes.TrimLeft(input, " \t\r\n")))
	}
	if at := memberAt(input, limits.Arguments); at >= 0 {
		return refuse(lexer.TooManyArguments, at)
	}
	return text, nil
}

// checkName returns the code for a name that cannot be written, or none.
func (o FormatOptions) checkName(name string) lexer.Code {
	switch {
	case !lexeme.IsName(name), o.Visible && strings.ContainsFunc(name, sig.Invisible):
		return lexer.BadName
	case !utf8.ValidString(name):
		return lexer.InvalidUTF8
	case len(name) > o.Limits.Name:
		return lexer.NameTooLong
	}
	return ""
}

// readsBack reports whether text is read as the call of name with input. Only custom
// tags need it: a name or a number can hold some of them.
func (o FormatOptions) readsBack(text []byte, catalog *sig.Catalog, name string, input []byte) bool {
	segs := Options{Delims: o.Delims, Limits: lexer.Limits{Bytes: len(text), Depth: o.Limits.Depth, Arguments: o.Limits.Arguments, Name: o.Limits.Name}}.Text(string(text), catalog)
	return len(segs) == 1 && segs[0].Kind == Call && segs[0].Name == name && bytes.Equal(segs[0].Input, input)
}

// holdsTag returns the refusal of a call that does not read back: the name of it
// holds a tag, or else a number in input does, a valid JSON object.
func (o FormatOptions) holdsTag(name string, input []byte) error {
	bare := o.Delims.Open + name + o.Delims.Close
	s := lexeme.Scanner{Text: input, Depth: len(input)}
	for t := s.Next(); t.Kind != 0 && o.readsBack([]byte(bare), nil, name, []byte("{}")); t = s.Next() {
		object := `{"a":` + string(input[t.Start:t.End]) + "}"
		if t.Kind == 'l' && !o.readsBack([]byte(o.Delims.Open+name+" "+object+o.Delims.Close), nil, name, []byte(object)) {
			return &lexer.Error{Code: lexer.NestedCall, Offset: t.Start, Tool: name, Found: lexer.Excerpt(input[t.Start:t.End])}
		}
	}
	return &lexer.Error{Code: lexer.BadName, Tool: name, Found: lexer.Excerpt([]byte(name))}
}

// memberAt returns the offset in input, a valid JSON object, of the key of
// member n, counted from 0, or -1 if there is none.
func memberAt(input []byte, n int) int {
	s := lexeme.Scanner{Text: input, Depth: len(input)}
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		if t.Kind == 'k' && s.Nesting() == 1 {
			if n == 0 {
				return t.Start
			}
			n--
		}
	}
	return -1
}

// writer writes one call.
type writer struct {
	o    FormatOptions
	tags lexeme.Tags
	args *sig.Type
	out  []byte

	keys   [][]byte    // the path of the value being written, decoded
	path   []byte      // the same with dots
	types  []*sig.Type // what the schema says of each object on the path
	decode []byte
	back   builder // reads what was written
}

// dearest is how many times as long as the JSON body arguments may be. Paths repeat
// the keys that lead to them: a long one over many members would be written in
// quadratic time.
const dearest = 8

// body writes the body of a call, in JSON if asked to or if there is no other way
// that ends at out[:most]. It reports whether it is in JSON, which the body without
// arguments is too.
func (w *writer) body(text []byte, inJSON bool, most int) bool {
	name := len(w.out)
	if len(text) == len("{}") {
		return true
	}
	if !inJSON && w.arguments(text, min(most, name+dearest*len(text))) {
		return false
	}
	w.out = append(w.out[:name], ' ')
	w.json(text)
	return true
}

// arguments writes text, a JSON object in compact form, as arguments. It
// returns false where a value has no faithful writing after a path, where there
// are more arguments than the limit, and where they do not end at out[:most].
//
// Rule: write.path, write.json.
func (w *writer) arguments(text []byte, most int) bool {
	s := lexeme.Scanner{Text: text, Depth: len(text)}
	s.Next()
	w.types = append(w.types[:0], w.args)
	for n := 0; len(w.out) <= most; {
		t := s.Next()
		switch t.Kind {
		case 'k':
			key := s.AppendUnquoted(nil, t)
			if len(w.keys) > 0 {
				w.path = append(w.path, '.')
			}
			w.keys, w.path = append(w.keys, key), append(w.path, key...)
			typ, _, _ := w.types[len(w.types)-1].Property(key)
			if !w.value(&s, typ) {
				return false
			}
			if len(w.types) > len(w.keys) { // the value is an object, whose members follow
				continue
			}
			if n++; n > w.o.Limits.Arguments {
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

// pop leaves the last key of the path.
func (w *writer) pop() {
	last := w.keys[len(w.keys)-1]
	w.keys = w.keys[:len(w.keys)-1]
	w.path = w.path[:len(w.path)-len(last)]
	if n := len(w.path); n > 0 {
		w.path = w.path[:n-1]
	}
}

// value writes the value that s reads next, after the path, or enters it if it
// is an object.
func (w *writer) value(s *lexeme.Scanner, typ *sig.Type) bool {
	t := s.Next()
	if t.Kind == '{' {
		w.types = append(w.types, typ)
		return s.Text[s.Offset()] != '}'
	}
	dots, ok := w.pathReadsBack()
	if !ok {
		return false
	}
	w.out = append(w.out, ' ')
	w.out = append(w.out, w.path...)
	w.out = append(w.out, '=')
	start := t.Start
	w.back.reset()
	w.back.out = w.back.out[:0]
	w.back.maxDepth = w.o.Limits.Depth
	w.back.level = dots
	w.back.slot = typ
	switch t.Kind {
	case 'l':
		text := s.Text[t.Start:t.End]
		if w.o.Salvage && string(text) == "null" && typ.Says() && typ.Kinds&sig.Null == 0 {
			return false // bare, it is left out
		}
		w.out = append(w.out, text...)
		w.back.bareAs(typ, text, 0)
	case 's':
		w.decode = s.AppendUnquoted(w.decode[:0], t)
		if w.tags.CanBeBare(w.decode) && !(w.o.Salvage && questionable(w.decode)) && !w.hides(w.decode) {
			w.back.bareAs(typ, w.decode, 0)
			if bytes.Equal(w.back.out, s.Text[t.Start:t.End]) {
				w.out = append(w.out, w.decode...)
				return true
			}
			w.back.out = w.back.out[:0]
		}
		w.string(lexeme.QuoteFor(w.decode))
		w.back.quotedAs(typ, w.decode, 0)
	case '[':
		from := s.Offset() - 1
		for w.back.jsonToken(s, t, 0); len(w.back.frames) > 0; {
			if w.back.room() < 0 {
				return false
			}
			t = s.Next()
			w.back.jsonToken(s, t, 0)
		}
		w.json(s.Text[from:t.End])
	}
	return bytes.Equal(w.back.out, s.Text[start:t.End])
}

// pathReadsBack reports whether the path, as written, leads to the keys, and how
// many dots it has.
//
// Rule: write.path.
func (w *writer) pathReadsBack() (dots int, ok bool) {
	if w.hides(w.path) {
		return 0, false
	}
	for seg := range bytes.SplitSeq(w.path, []byte{'.'}) {
		if !lexeme.IsKey(seg) || bytes.IndexByte(seg, w.tags.Open[0]) >= 0 || bytes.IndexByte(seg, w.tags.Close[0]) >= 0 {
			return 0, false
		}
		dots++
	}
	dots--
	rest, t := w.path, w.args
	for i, key := range w.keys {
		n := keyLen(t, rest)
		if !bytes.Equal(rest[:n], key) || (n == len(rest)) != (i == len(w.keys)-1) {
			return 0, false
		}
		t, _, _ = t.Property(key)
		rest = rest[min(n+1, len(rest)):]
	}
	return dots, dots <= w.o.Limits.Depth
}

// json writes compact JSON text, its strings without tags in them.
//
// Rule: write.json.
func (w *writer) json(text []byte) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		w.out = append(w.out, text[:i]...)
		text = text[i+1:]
		end := 0
		for text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		w.decode = lexeme.AppendJSONUnquoted(w.decode[:0], text[:end], -1)
		w.string('"')
		text = text[end+1:]
	}
	w.out = append(w.out, text...)
}

// string writes the string in w.decode.
func (w *writer) string(quote byte) {
	from := len(w.out)
	if w.out = w.tags.AppendString(w.out, w.decode, quote); w.hides(w.decode) {
		w.out = append(w.out[:from], sig.Visible(string(w.out[from:]))...)
	}
}

// hides reports whether text holds anything that must be escaped.
func (w *writer) hides(text []byte) bool {
	return w.o.Visible && bytes.ContainsFunc(text, sig.Invisible)
}
