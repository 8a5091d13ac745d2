package engine

import (
	"bytes"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

type scanner = lexeme.Scanner

// try calls write, and undoes what it wrote if that has a fault, which it returns. It does not
// restore the arguments. Only rebuild changes them in a try, and after that only hasAll reads them,
// of Parameters, which are never rebuilt.
func (d *draft) try(write func()) lexer.Code {
	before, issues, budget := d.call, d.issues.list, *d.issues.budget
	out, frames, keys := len(d.out), len(d.frames), len(d.keys.keys)
	d.uncertain++
	write()
	code := d.fault
	if code == "" {
		d.uncertain--
		return ""
	}
	d.call, d.issues.list, *d.issues.budget = before, issues, budget
	d.out, d.frames = d.out[:out], d.frames[:frames]
	d.keys.truncate(keys)
	return code
}

// writeJSON writes the array or object whose JSON text is given under t. All of it is at offset at.
func (d *draft) writeJSON(t *sig.Type, text []byte, depth, at int) {
	s := d.scanner
	d.scanner = scanner{} // a string in the text may be JSON text too
	s.Depth, s.Unpaired = depth, true
	s.Reset(text)
	root := s.Next()
	d.begin(t, root.Kind == '{', at, root.Start)
	d.writeTokens(&s, at)
	if f, _ := s.Fault(); f != lexeme.NoFault {
		d.fail(faultCodes[f], at)
	}
	s.Text = nil // may be memory of the caller
	d.scanner = s
}

// encodedArguments writes the arguments, an object of type d.typ whose JSON text is given.
func (d *draft) encodedArguments(text []byte, at int) {
	if lexeme.SkipSpace(text, 0) == len(text) {
		text = []byte("{}")
	}
	code := lexer.NotAnObject
	if jsonKind(text) == sig.Object {
		code = d.try(func() {
			d.report(lexer.Coerced, "", at, d.typ)
			d.writeJSON(d.typ, text, d.config.limits.Depth+1, at)
		})
	}
	if code != "" && code != lexer.DuplicateKey {
		code = lexer.NotAnObject
	}
	if code != "" {
		d.fail(code, at)
	}
}

// writeInput writes JSON text of its own, and returns the code and the index of the first fault.
func (d *draft) writeInput(text []byte, depth int) (lexer.Code, int) {
	s := scanner{Text: text, Depth: depth}
	d.writeTokens(&s, none)
	if f, at := s.Fault(); f != lexeme.NoFault {
		return faultCodes[f], at
	}
	return d.fault, d.faultAt
}

// writeTokens writes what s reads, up to the first fault. All of it is at offset at, or if that is
// none, at its offset in the text.
func (d *draft) writeTokens(s *scanner, at int) {
	for t := s.Next(); t.Kind != 0 && d.fault == ""; t = s.Next() {
		if at == none {
			d.writeToken(s, t, t.Start)
		} else {
			d.writeToken(s, t, at)
		}
	}
}

// writeToken writes the token t of s, which is at offset at.
func (d *draft) writeToken(s *scanner, t lexeme.JSONToken, at int) {
	switch t.Kind {
	case '{', '[':
		d.beginValue()
		d.begin(d.typ, t.Kind == '{', at, t.Start)
	case '}', ']':
		d.end(at, s.Text[d.top().src:t.End])
	case 'k':
		d.scratch = s.AppendUnquoted(d.scratch[:0], t)
		d.member(d.scratch, 0, at)
	case 's':
		d.beginValue()
		text := s.AppendUnquoted(d.content[:0], t)
		d.content = nil // the string may be JSON text with strings in it
		d.scalar(d.typ, text, true, at)
		d.content = text
	case 'l':
		word := s.Text[t.Start:t.End]
		if string(word) != "null" || !d.dropNull(at) {
			d.beginValue()
			d.scalar(d.typ, word, false, at)
		}
	}
}

// newDraft returns a draft for JSON text of its own, outside of messages.
func newDraft(limits lexer.Limits) *draft {
	d := pool.Get().(*draft)
	d.config = &Config{limits: limits}
	d.out, d.call = d.out[:0], call{}
	d.resetBuilder()
	d.budget = maxBudget
	d.issues = issues{budget: &d.budget}
	return d
}

// faultCodes are the codes of what is wrong with a JSON text.
var faultCodes = [...]lexer.Code{
	lexeme.NotJSON: lexer.InvalidJSON, lexeme.TooDeep: lexer.TooDeep,
	lexeme.NotUTF8: lexer.InvalidUTF8, lexeme.Unpaired: lexer.UnpairedSurrogate,
}

// compact returns JSON text without whitespace and with the fewest escapes, and otherwise as
// written. If it is not JSON or repeats a key, it returns the code and the index of the fault.
func compact(text []byte, depth int) (out []byte, code lexer.Code, at int) {
	d := newDraft(lexer.Limits{Depth: depth})
	defer d.free()
	d.exact = true
	code, at = d.writeInput(text, depth)
	out, d.out = d.out, nil
	return out, code, at
}

// Raw values come from between tags, without quotes and escapes. If the schema allows an array,
// adjacent values with the same key become its elements, so such a value waits for the next key.

// rawValue is a raw value that waits: pendingText[from:to], at an offset in the message.
type rawValue struct{ from, to, at int }

// rawKey begins the argument with that key, unless its value joins those that wait.
func (d *draft) rawKey(key []byte, at int) {
	if repair.Unquote(d.written) != d.written { // keys are in quotes as the name is
		key = repair.Unquote(key)
	}
	if len(d.pending) > 0 {
		d.scratch = lexeme.AppendQuoted(d.scratch[:0], key)
		if bytes.Equal(d.scratch, d.out[d.key:d.keyEnd]) {
			return
		}
		d.writePending()
	}
	d.argument(key, at, -1)
}

// raw takes the raw value d.text.
func (d *draft) raw(at int) {
	if t := d.typ; t.Restricts() && t.Kinds&sig.Array == 0 {
		d.writeRaw(t, d.text, at)
		return
	}
	if len(d.pending) == 0 {
		d.pendingText = d.pendingText[:0]
	}
	from := len(d.pendingText)
	d.pendingText = append(d.pendingText, d.text...)
	d.pending = append(d.pending, rawValue{from, len(d.pendingText), at})
}

// writePending writes the values that wait.
func (d *draft) writePending() {
	list := d.pending
	d.pending = d.pending[:0]
	if len(list) == 1 {
		d.writeRaw(d.typ, d.pendingText[list[0].from:list[0].to], list[0].at)
	} else {
		d.begin(d.typ, false, list[0].at, none)
		for _, v := range list {
			d.beginValue()
			d.writeRaw(d.typ, d.pendingText[v.from:v.to], v.at)
		}
		d.end(list[len(list)-1].at, nil)
	}
	d.commit()
}

// writeRaw writes a raw value under t. It may contain whitespace, and JSON. Whitespace around it
// has no meaning unless a string is allowed.
func (d *draft) writeRaw(t *sig.Type, text []byte, at int) {
	word := text
	if t.Restricts() && t.Kinds&sig.String == 0 {
		word = bytes.TrimSpace(text)
	}
	literal := repair.PythonLiteral(word)
	isPython := literal != nil && d.syntax.Format().Python
	if isPython && t.Restricts() && t.Kinds&repair.LiteralKind(literal) != 0 {
		d.scalar(t, literal, false, at)
		return
	}
	if string(word) == "None" && t.Restricts() && t.Kinds&(sig.Null|sig.String) == sig.Null {
		d.issue(lexer.Coerced, t, at) // Python templates print null like this
		d.out = append(d.out, "null"...)
		return
	}
	isText := t.Restricts() && t.Free&sig.String != 0 && d.syntax.Format().Body != format.Block
	isNull := string(word) == "null" && !isText ||
		string(word) == "None" && fits(t, sig.String, word) != fitsAll
	if isNull && d.dropNull(at) {
		return
	}
	k := jsonKind(word)
	isValue := k != 0 && (!t.Restricts() || t.Kinds&k != 0)
	write := func() { d.writeJSON(t, word, d.room(), at) }
	if isValue && d.try(write) == "" || k != 0 && d.rawJSON(t, word, at) {
		return
	}
	isBroken := k == sig.Array && t.Restricts() && isList(word)
	if isBroken && t.Kinds&(sig.Array|sig.String) == sig.Array {
		d.issue(lexer.TypeMismatch, t, at) // rather than a list of one string
		d.out = lexeme.AppendQuoted(d.out, word)
		return
	}
	d.scalar(t, word, false, at)
}

// isList reports whether text that begins with a bracket but isn't JSON is meant as a list: it has
// a closing bracket, or begins as a list of strings, objects or lists does.
func isList(text []byte) bool {
	first := bytes.TrimLeft(text[1:], " \t\r\n")
	return text[len(text)-1] == ']' || len(first) > 0 && bytes.IndexByte([]byte(`"'{[`), first[0]) >= 0
}

// Coerce converts the JSON arguments of a call to the types of its tool: JSON text in a string
// where an array or object is wanted, also for the arguments as a whole; a literal in a string; a
// literal where a string is wanted; one value where an array is wanted. It leaves out a null for
// an optional property that allows none. What fits stays as it is.
//
// It returns the arguments without whitespace, and what it noticed, at offsets in input. However
// short the input, that can be a thousand issues. If input is not one JSON object, or the catalog
// does not have the tool, it returns the code and the offset of the fault.
func Coerce(catalog *sig.Catalog, name string, input []byte) (
	out []byte, issues []Issue, code lexer.Code, at int,
) {
	tool := catalog.Lookup([]byte(name))
	if tool == nil {
		return nil, nil, lexer.UnknownTool, 0
	}
	limits := lexer.Limits{}.OrDefault()
	d := newDraft(limits)
	d.coerces, d.level = true, -1 // the arguments object does not count as a level
	d.typ = tool.Args
	first := lexeme.SkipSpace(input, 0)
	if first < len(input) && input[first] == '"' {
		var text []byte
		text, code, at = compact(input, limits.Depth+1)
		if code == "" {
			d.encodedArguments(lexeme.AppendUnescaped(nil, text[1:len(text)-1]), first)
			code, at = d.fault, d.faultAt
		}
	} else {
		code, at = d.writeInput(input, limits.Depth+1)
		if code == "" && d.out[0] != '{' {
			code, at = lexer.NotAnObject, first
		}
	}
	if code != "" {
		return nil, nil, code, at
	}
	d.issues.sort()
	return d.out, d.issues.list, "", 0
}
