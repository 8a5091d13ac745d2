package engine

import (
	"bytes"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
)

// elements is a Handler between a Lexer that reads XML elements and the Assembler. It decides by
// the schema what the elements are.
//
// If the schema makes an element a string, an object or a list for certain, its content is written
// as it comes. Any other element is kept as parts until its value is certain: until its end, or if
// it may be one of a list, until an element of another name follows; see part.go.
//
// A slash too many makes an empty tag of the tag before a string, whose text may begin with the end
// tag of the call. So after a call that ends with an empty tag, later calls are marked.
//
// Consecutive elements of one key are a list if the schema allows one, and so is an element that
// contains only elements called item.
type elements struct {
	values
	lexer *lexer.Lexer // pushes to this Handler

	// For a call.
	stack   []element
	parts   []part // what is read but not written
	streams bool   // the current text is written in pieces
	odd     bool   // it contains tags
	empty   bool   // the last element was an empty tag, where a string could be

	// Of the last Key.
	childType *sig.Type
	from, to  int // its offsets

	text []byte
}

// element is an open element.
type element struct {
	typ     *sig.Type
	content int // offset
	holds   holding
	part    int32 // 0 if it is not kept

	// The run of consecutive members with one key that ends with the last one. It is not written
	// yet, or it is a list that is open.
	from, to int // offsets of the key; 0 if there is none
	runType  *sig.Type
	count    int
	isList   bool
}

// holding is what an element contains.
type holding uint8

const (
	holdsValue   holding = iota // unknown yet, or a string
	holdsMembers                // members of an object that is open
	holdsItems                  // items of a list that is open
)

// isString reports whether a value of type t is a string for certain.
func isString(t *sig.Type) bool { return t.Says() && t.Kinds == sig.String }

// repeats reports whether a value of type t may be an array.
func repeats(t *sig.Type) bool { return !t.Says() || t.Kinds&sig.Array != 0 }

// isOnly reports whether elements of type t can only be of that kind. The source text of elements
// can be a string too.
func isOnly(kind sig.Kinds, t *sig.Type) bool {
	return t.Says() && t.Kinds&(sig.Object|sig.Array|sig.String) == kind
}

func (e *elements) top() *element { return &e.stack[len(e.stack)-1] }

// source returns the text of the call between two offsets.
func (e *elements) source(from, to int) []byte { return e.lexer.Source(from, to) }

// IsText implements [lexer.Schema].
func (e *elements) IsText() bool { return isString(e.top().typ) }

// IsMembers implements [lexer.Schema].
func (e *elements) IsMembers() bool { return e.top().holds != holdsValue }

// Name implements [lexer.Handler].
func (e *elements) Name(b []byte, at int) {
	e.Assembler.Name(b, at)
	e.dropParts()
	e.streams, e.empty = false, false
	e.stack = append(e.stack[:0], element{typ: e.argumentsType(), holds: holdsMembers})
}

// Key implements [lexer.Handler]. It begins an element.
func (e *elements) Key(b []byte, _ lexer.Flags, at int) {
	top := e.top()
	e.from, e.to, e.empty = at, at+len(b), false
	switch {
	case top.holds != holdsValue || e.decide(b):
		e.childType = e.member(b)
	default:
		e.childType = typeOf(top.typ, b)
	}
	e.settled()
}

// Begin implements [lexer.Handler]. The content of the element begins at an offset.
func (e *elements) Begin(_ bool, at int) {
	parent, text := e.top(), isString(e.childType)
	e.streams = parent.holds != holdsValue && text && e.childType.Free&sig.String != 0
	i := e.addPart(parent.part, at, text)
	e.stack = append(e.stack, element{typ: e.childType, content: at, part: i})
	e.odd = false
	if e.streams && e.live() {
		e.beginValue()
		e.out = append(e.out, '"')
	}
}

// String implements [lexer.Handler].
func (e *elements) String(b []byte, f lexer.Flags, _ int) {
	e.odd = e.odd || f&lexer.Tagged != 0
	p := &e.parts[e.top().part]
	isEmpty := len(b) == 0 || f&lexer.Entities != 0 && lexeme.SkipSpace(b, 0) == len(b)
	p.text = p.text || !isEmpty
	if !e.streams || !e.live() {
		return
	}
	if f&lexer.Entities != 0 && bytes.IndexByte(b, '&') >= 0 {
		e.text = lexeme.AppendDecoded(e.text[:0], b)
		b = e.text
	}
	e.out = lexeme.AppendText(e.out, b)
	e.commit()
}

// End implements [lexer.Handler]. It ends the innermost element, or the arguments.
func (e *elements) End(at int, _ []byte) {
	if len(e.stack) == 1 {
		e.lostQuote = e.lostQuote || e.empty
		e.endRun()
		e.settled()
		e.Assembler.End(at, nil)
		return
	}
	ended := *e.top()
	e.empty = (!ended.typ.Says() || ended.typ.Kinds&sig.String != 0) && ended.content == at &&
		e.source(at-2, at)[0] == '/'
	if e.odd && e.live() {
		e.ambiguousText(ended.content)
	}
	e.odd = false
	e.parts[ended.part].end = at
	e.endContent(&ended, at)
	e.stack = e.stack[:len(e.stack)-1]
	e.endMember(e.streams || ended.holds != holdsValue)
	e.streams = false
	e.settled()
}

// endContent ends what is open in an element.
func (e *elements) endContent(ended *element, at int) {
	switch {
	case ended.holds != holdsValue:
		e.endRun()
		e.endFrame(at)
	case e.streams && e.live():
		e.out = append(e.out, '"')
		e.commit()
	}
}

// endMember follows the end of an element in the innermost open one. Written reports whether its
// value is in the output.
func (e *elements) endMember(written bool) {
	top := e.top()
	switch {
	case top.holds == holdsValue:
	case written:
		e.dropParts()
		top.count = 0
		if !top.isList {
			top.from = 0 // a value that was written as it came takes no further element
		}
	case top.holds == holdsItems || top.isList || !repeats(top.runType):
		e.flush()
	}
}

// member begins a member of the innermost open element, or another one of its run. It returns the
// type of the value.
func (e *elements) member(name []byte) *sig.Type {
	top := e.top()
	switch {
	case top.holds == holdsItems:
		return top.typ.Item(0)
	case top.from > 0 && repeats(top.runType) && bytes.Equal(e.source(top.from, top.to), name):
		top.count++
		if top.isList {
			return top.runType.Item(0)
		}
		return top.runType
	}
	e.endRun()
	top.from, top.to, top.count = e.from, e.to, 1
	if e.live() {
		e.beginMember(name, e.from)
		top.runType = e.typ
	}
	if !e.live() { // the schema decides how the rest is read
		top.runType, _, _ = top.typ.Property(name)
	}
	return top.runType
}

// endRun writes the run of the innermost open element, which has ended.
func (e *elements) endRun() {
	e.flush()
	top := e.top()
	if top.isList {
		e.endFrame(0)
	}
	top.from, top.isList = 0, false
}

// decide begins to write the value of the innermost element, in which an element of that name
// begins, if it is certain what the value is. It reports whether it is.
func (e *elements) decide(name []byte) bool {
	parent, top := &e.stack[len(e.stack)-2], e.top()
	if p := &e.parts[top.part]; parent.holds == holdsValue || len(e.parts) > 2 || p.text {
		return false
	}
	if isOnly(sig.Array, top.typ) {
		item := top.typ.Item(0)
		field := item.Field(name)
		switch {
		case !item.Says() || item.Kinds&sig.Array != 0:
			return false
		case item.Kinds&sig.Object == 0, field == nil && (item.Closed || string(name) == "item"):
			top.holds = holdsItems
		case field == nil || !isOnly(sig.Object, item):
			return false
		default: // the only item, or the first one
			parent.isList = true
			top.typ = item
		}
		e.beginFrame(false, top.content)
	}
	if top.holds == holdsValue {
		if !isOnly(sig.Object, top.typ) {
			return false
		}
		top.holds = holdsMembers
		e.beginFrame(true, top.content)
	}
	e.dropParts()
	top.part, parent.count = 0, 0
	return true
}

// typeOf returns the type that t has for an element of that name in it.
func typeOf(t *sig.Type, name []byte) *sig.Type {
	if t.Says() && t.Kinds&sig.Array != 0 && t.Kinds&sig.Object == 0 {
		item := t.Item(0)
		if string(name) == "item" || item.Field(name) == nil {
			return item
		}
		t = item
	}
	typ, _, _ := t.Property(name)
	return typ
}

// ambiguousText records that the text of the value to come may have been meant differently.
func (e *elements) ambiguousText(at int) {
	if e.streams {
		e.issue(lexer.AmbiguousText, e.typ, at)
		return
	}
	t := e.nextType()
	if f := e.Assembler.top(); f != nil && !f.object {
		f.n++
		defer func() { f.n-- }()
	}
	e.issue(lexer.AmbiguousText, t, at)
}
