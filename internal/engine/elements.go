package engine

import (
	"bytes"

	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// elements is a Handler between a Lexer that reads XML elements and the Assembler. It decides by
// the schema what the elements are.
//
// An argument that is a string for certain is written as it comes. Any other one is kept as a tree
// of parts until it ends, or if it may be a list, until an element of another name follows.
// Consecutive elements of one key are a list if the schema allows one, and so is an element that
// contains only elements called item.
//
// A slash too many makes an empty tag of the tag before a string, whose text may begin with the end
// tag of the call. So after a call that ends with an empty tag, later calls are marked.
type elements struct {
	*Assembler
	lexer *lex.Lexer // pushes to this Handler

	// For a call.
	stack   []element // open elements; the first one is the arguments
	parts   []part    // of the current argument, which is not written yet
	run     run
	streams bool // the argument is a string that is written as it comes
	odd     bool // the current text contains tags
	empty   bool // the last element was an empty tag, where a string could be

	// Of the last Key.
	childType *sig.Type
	from, to  int // its offsets

	text []byte
}

// element is an open element.
type element struct {
	typ     *sig.Type
	part    int  // its index in parts
	members bool // it contains only elements
}

// run is the current argument: consecutive elements of one name.
type run struct {
	from, to int // offsets of the name; 0 if there is none
	typ      *sig.Type
	isList   bool // the elements are items of typ for certain
}

// isString reports whether a value of type t is a string for certain.
func isString(t *sig.Type) bool { return t.Restricts() && t.Kinds == sig.String }

// repeats reports whether a value of type t may be an array.
func repeats(t *sig.Type) bool { return !t.Restricts() || t.Kinds&sig.Array != 0 }

// isOnly reports whether elements of type t can only be of that kind. The source text of elements
// can be a string too.
func isOnly(kind sig.Kinds, t *sig.Type) bool {
	return t.Restricts() && t.Kinds&(sig.Object|sig.Array|sig.String) == kind
}

func (e *elements) top() *element { return &e.stack[len(e.stack)-1] }

// source returns the text of the call between two offsets.
func (e *elements) source(from, to int) []byte { return e.lexer.Source(from, to) }

// IsText implements [lex.Schema].
func (e *elements) IsText() bool { return isString(e.top().typ) }

// IsMembers implements [lex.Schema].
func (e *elements) IsMembers() bool { return e.top().members }

// IsArgument implements [lex.Schema].
func (e *elements) IsArgument(name []byte) bool {
	args := e.argumentsType()
	return args == nil || !args.Closed || args.Field(name) != nil
}

// Name implements [lex.Handler].
func (e *elements) Name(b []byte, at, end int) {
	e.Assembler.Name(b, at, end)
	e.dropParts()
	e.run, e.streams, e.empty = run{}, false, false
	e.stack = append(e.stack[:0], element{typ: e.argumentsType(), members: true})
}

// Key implements [lex.Handler]. It begins an element.
func (e *elements) Key(b []byte, _ lex.Flags, at int) {
	e.from, e.to, e.empty = at, at+len(b), false
	if len(e.stack) == 1 {
		e.childType = e.beginRun(b)
		return
	}
	top, parent := e.top(), &e.stack[len(e.stack)-2]
	if top.part == len(e.parts)-1 && !e.parts[top.part].text { // its first element
		isFirst := len(e.stack) > 2 || top.part == 1
		isCertain := parent.members && (isFirst || e.run.isList)
		top.members = isCertain && hasOnlyMembers(top.typ, b)
		if item := top.typ.Item(0); top.members && repeats(top.typ) && item.Field(b) != nil {
			top.typ = item // one item of a list, without a tag of its own
			e.run.isList = e.run.isList || len(e.stack) == 2
		}
	}
	e.childType = typeOf(top.typ, b)
	if top.members && repeats(top.typ) { // items of any name
		e.childType = top.typ.Item(0)
	}
}

// Begin implements [lex.Handler]. The content of the element begins at an offset.
func (e *elements) Begin(_ bool, at int) {
	text := isString(e.childType)
	e.streams = len(e.stack) == 1 && text && e.childType.Free&sig.String != 0
	e.stack = append(e.stack, element{typ: e.childType, part: len(e.parts)})
	e.parts = append(e.parts, part{from: e.from, to: e.to, content: at, isString: text})
	e.odd = false
	if e.streams && e.fault == "" {
		e.beginValue()
		e.out = append(e.out, '"')
	}
}

// String implements [lex.Handler].
func (e *elements) String(b []byte, f lex.Flags, _ int) {
	e.odd = e.odd || f&lex.Ambiguous != 0
	p := &e.parts[e.top().part]
	isEmpty := len(b) == 0 || f&lex.Entities != 0 && lexeme.SkipSpace(b, 0) == len(b)
	p.text = p.text || !isEmpty
	if !e.streams || e.fault != "" {
		return
	}
	if f&lex.Entities != 0 && bytes.IndexByte(b, '&') >= 0 {
		e.text = lexeme.AppendDecoded(e.text[:0], b)
		b = e.text
	}
	e.out = lexeme.AppendText(e.out, b)
	e.commit()
}

// End implements [lex.Handler]. It ends the innermost element, or the arguments.
func (e *elements) End(at int, _ []byte) {
	if len(e.stack) == 1 {
		e.lostQuote = e.lostQuote || e.empty
		e.endRun()
		e.Assembler.End(at, nil)
		return
	}
	ended := *e.top()
	t, p := ended.typ, &e.parts[ended.part]
	p.end, p.after, p.isOdd = at, len(e.parts), e.odd
	canBeText := !t.Restricts() || t.Kinds&sig.String != 0
	e.empty = canBeText && p.content == at && e.source(at-2, at)[0] == '/'
	e.odd = false
	e.stack = e.stack[:len(e.stack)-1]
	switch {
	case len(e.stack) > 1:
		return
	case e.streams && e.fault == "":
		if p.isOdd {
			e.issue(lexer.AmbiguousText, e.typ, p.content)
		}
		e.out = append(e.out, '"')
		e.commit()
		e.dropParts()
	case !repeats(e.run.typ) || ended.members && repeats(ended.typ):
		e.endRun() // no other element belongs to it
	}
	e.streams = false
}

// beginRun begins an argument, or another element of the current one. It returns the type of the
// value.
func (e *elements) beginRun(name []byte) *sig.Type {
	r := &e.run
	if r.from > 0 && repeats(r.typ) && bytes.Equal(e.source(r.from, r.to), name) {
		if r.isList {
			return r.typ.Item(0)
		}
		return r.typ
	}
	e.endRun()
	r.from, r.to = e.from, e.to
	if e.fault == "" {
		e.beginMember(name, e.from)
		r.typ = e.typ
	}
	if e.fault != "" { // the schema decides how the rest is read
		r.typ, _, _ = e.top().typ.Property(name)
	}
	return r.typ
}

// endRun writes the current argument.
func (e *elements) endRun() {
	if n := len(e.parts); n > 1 {
		e.writeRun(1, n)
	}
	e.dropParts()
	e.run.from, e.run.isList = 0, false
}

// hasOnlyMembers reports whether an element of type t, in which an element of that name begins,
// contains no text for certain.
func hasOnlyMembers(t *sig.Type, name []byte) bool {
	if !isOnly(sig.Array, t) {
		return isOnly(sig.Object, t)
	}
	item := t.Item(0)
	field := item.Field(name)
	switch {
	case !item.Restricts() || item.Kinds&sig.Array != 0:
		return false
	case item.Kinds&sig.Object == 0, field == nil && (item.Closed || string(name) == "item"):
		return true
	}
	return field != nil && isOnly(sig.Object, item)
}

// typeOf returns the type that t has for an element of that name in it.
func typeOf(t *sig.Type, name []byte) *sig.Type {
	if t.Restricts() && t.Kinds&sig.Array != 0 && t.Kinds&sig.Object == 0 {
		item := t.Item(0)
		if string(name) == "item" || item.Field(name) == nil {
			return item
		}
		t = item
	}
	typ, _, _ := t.Property(name)
	return typ
}

// part is an element that was read but not written. The parts of an argument are a tree, in the
// order of the text: those of an element follow it, and parts[0] is around all.
type part struct {
	from, to     int  // offsets of its name
	content, end int  // offsets of its content
	after        int  // index after the parts in it
	text         bool // it contains text that is not blank
	isString     bool // it is text, even if it looks like JSON
	isOdd        bool // its text contains tags
}

// dropParts drops the argument.
func (e *elements) dropParts() { e.parts = append(e.parts[:0], part{}) }

// name returns the name of an element.
func (e *elements) name(i int) []byte { return e.source(e.parts[i].from, e.parts[i].to) }

// writeRun writes the elements parts[i:end] as the value of their key.
func (e *elements) writeRun(i, end int) {
	isList := e.parts[i].after < end
	if isList {
		e.beginFrame(false, e.parts[i].content)
	}
	e.writeItems(i, end)
	if isList {
		e.endFrame(0)
	}
}

// writeItems writes the values of the elements parts[i:end].
func (e *elements) writeItems(i, end int) {
	for ; i < end && e.fault == ""; i = e.parts[i].after {
		e.writePart(i)
	}
}

// writePart writes the value of an element.
func (e *elements) writePart(i int) {
	p := &e.parts[i]
	t := e.nextType()
	if p.isOdd {
		e.ambiguousText(p.content)
	}
	const composed = sig.Object | sig.Array
	onlyList := isOnly(sig.Array, t)
	canBeEmpty := t.Restricts() && t.Kinds&sig.String == 0 && t.Kinds&composed != 0
	switch hasElements := p.after > i+1; {
	case !hasElements && !p.text && canBeEmpty:
		e.beginFrame(t.Kinds&sig.Array == 0, p.content)
		e.endFrame(p.end)
	case !hasElements:
		text := e.textOf(p)
		alone := onlyList && !bytes.HasPrefix(text[lexeme.SkipSpace(text, 0):], []byte("["))
		if alone {
			e.beginFrame(false, p.content)
		}
		e.writeText(text, p.content)
		if alone {
			e.endFrame(p.end)
		}
	case p.text || t.Restricts() && t.Kinds&(composed|sig.String) == sig.String:
		e.ambiguousText(p.content)
		e.writeText(e.source(p.content, p.end), p.content)
	case repeats(t) && e.hasOnlyItems(i) || onlyList && e.isList(i, t):
		e.beginFrame(false, p.content)
		e.writeItems(i+1, p.after)
		e.endFrame(p.end)
	case onlyList: // the only item of a list, without a tag of its own
		e.beginFrame(false, p.content)
		e.writeObject(i)
		e.endFrame(p.end)
	default:
		e.writeObject(i)
	}
}

// writeObject writes the elements in an element as an object.
func (e *elements) writeObject(i int) {
	p := e.parts[i]
	e.beginFrame(true, p.content)
	for i++; i < p.after && e.fault == ""; {
		name, next := e.name(i), e.parts[i].after
		e.beginMember(name, e.parts[i].from)
		for next < p.after && repeats(e.nextType()) && bytes.Equal(e.name(next), name) {
			next = e.parts[next].after
		}
		e.writeRun(i, next)
		i = next
	}
	e.endFrame(p.end)
}

// hasOnlyItems reports whether all elements in an element are called item.
func (e *elements) hasOnlyItems(i int) bool {
	end := e.parts[i].after
	for i++; i < end && string(e.name(i)) == "item"; {
		i = e.parts[i].after
	}
	return i == end
}

// isList reports whether the elements in p are the items of a list of type t, and not the
// properties of its only item. If properties may have any name, elements with different names are
// properties, and so is an element of text if no item can be text.
func (e *elements) isList(i int, t *sig.Type) bool {
	item := t.Item(0)
	if item.Restricts() && item.Kinds&sig.Object == 0 {
		return true
	}
	end := e.parts[i].after
	i++
	first := e.name(i)
	switch {
	case item.Field(first) != nil:
		return false
	case item != nil && item.Closed || string(first) == "item":
		return true
	}
	objects := item.Restricts() && item.Kinds&^sig.Null == sig.Object
	for ; i < end; i = e.parts[i].after {
		if !bytes.Equal(e.name(i), first) || objects && e.isPlainText(i) {
			return false
		}
	}
	return true
}

// isPlainText reports whether an element contains nothing but text that is not an object.
func (e *elements) isPlainText(i int) bool {
	if e.parts[i].after > i+1 {
		return false
	}
	text := e.textOf(&e.parts[i])
	n := lexeme.SkipSpace(text, 0)
	return n < len(text) && text[n] != '{'
}

// textOf returns the text of an element without elements.
func (e *elements) textOf(p *part) []byte {
	source := e.source(p.content, p.end)
	if !bytes.ContainsAny(source, "<&") {
		return source
	}
	e.text = lexeme.AppendXMLText(e.text[:0], source, !p.isString)
	return e.text
}

// ambiguousText records that the text of the value to come may have been meant differently.
func (e *elements) ambiguousText(at int) {
	t := e.nextType()
	if f := e.Assembler.top(); f != nil && !f.object {
		f.n++
		defer func() { f.n-- }()
	}
	e.issue(lexer.AmbiguousText, t, at)
}
