package engine

import (
	"bytes"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
)

// part is an element that was read but not written. The parts of an argument are a tree: parts[0]
// contains its elements.
type part struct {
	from, to     int   // offsets of its name
	content, end int   // offsets of its content
	first, last  int32 // elements in it; 0 if there are none
	next         int32 // the element after it
	count        int   // how many elements are in it
	others       bool  // some of them are not called item
	text         bool  // it contains text that is not blank
	isString     bool  // it is text, even if it looks like JSON
	isOdd        bool  // its text contains tags
}

// addPart adds the element that the last Key began to a part, and returns its index.
func (e *elements) addPart(parent int32, content int, isString bool) int32 {
	i := int32(len(e.parts))
	e.parts = append(e.parts, part{from: e.from, to: e.to, content: content, isString: isString})
	p := &e.parts[parent]
	if p.count++; p.first == 0 {
		p.first = i
	} else {
		e.parts[p.last].next = i
	}
	p.last = i
	p.others = p.others || string(e.name(i)) != "item"
	return i
}

// dropParts drops the argument.
func (e *elements) dropParts() { e.parts = append(e.parts[:0], part{}) }

// name returns the name of an element.
func (e *elements) name(i int32) []byte { return e.source(e.parts[i].from, e.parts[i].to) }

// writeRun writes count elements as the value of their key. It returns the element after them.
func (e *elements) writeRun(first int32, count int) (after int32) {
	if count > 1 {
		e.beginFrame(false, e.parts[first].content)
	}
	after = e.writeItems(first, count)
	if count > 1 {
		e.endFrame(0)
	}
	return after
}

// writeItems writes the values of count elements, or of all if count is negative.
func (e *elements) writeItems(first int32, count int) (after int32) {
	for ; first != 0 && count != 0 && e.live(); count-- {
		e.writePart(first)
		first = e.parts[first].next
	}
	return first
}

// writePart writes the value of an element.
func (e *elements) writePart(i int32) {
	p := &e.parts[i]
	t := e.nextType()
	if p.isOdd {
		e.ambiguousText(p.content)
	}
	const composed = sig.Object | sig.Array
	onlyList := isOnly(sig.Array, t)
	canBeEmpty := t.Says() && t.Kinds&sig.String == 0 && t.Kinds&composed != 0
	switch hasElements := p.count > 0; {
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
	case p.text || t.Says() && t.Kinds&(composed|sig.String) == sig.String:
		e.ambiguousText(p.content)
		e.writeText(e.source(p.content, p.end), p.content)
	case repeats(t) && !p.others || onlyList && e.isList(p, t):
		e.beginFrame(false, p.content)
		e.writeItems(p.first, -1)
		e.endFrame(p.end)
	case onlyList: // the only item of a list, without a tag of its own
		e.beginFrame(false, p.content)
		e.writeObject(p)
		e.endFrame(p.end)
	default:
		e.writeObject(p)
	}
}

// writeObject writes the elements in p as an object.
func (e *elements) writeObject(p *part) {
	e.beginFrame(true, p.content)
	for i := p.first; i != 0 && e.live(); {
		name, count := e.name(i), 1
		e.beginMember(name, e.parts[i].from)
		if !e.live() {
			return
		}
		next := e.parts[i].next
		for repeats(e.nextType()) && next != 0 && bytes.Equal(e.name(next), name) {
			count++
			next = e.parts[next].next
		}
		i = e.writeRun(i, count)
	}
	e.endFrame(p.end)
}

// isList reports whether the elements in p are the items of a list of type t, and not the
// properties of its only item. If properties may have any name, elements with different names are
// properties, and so is an element of text if no item can be text.
func (e *elements) isList(p *part, t *sig.Type) bool {
	item := t.Item(0)
	if item.Says() && item.Kinds&sig.Object == 0 {
		return true
	}
	first := e.name(p.first)
	switch {
	case item.Field(first) != nil:
		return false
	case item != nil && item.Closed || string(first) == "item":
		return true
	}
	objects := item.Says() && item.Kinds&^sig.Null == sig.Object
	for i := p.first; i != 0; i = e.parts[i].next {
		if !bytes.Equal(e.name(i), first) || objects && e.isPlainText(&e.parts[i]) {
			return false
		}
	}
	return true
}

// isPlainText reports whether an element contains nothing but text that is not an object.
func (e *elements) isPlainText(p *part) bool {
	if p.count > 0 {
		return false
	}
	text := e.textOf(p)
	i := lexeme.SkipSpace(text, 0)
	return i < len(text) && text[i] != '{'
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
