package parse

import (
	"bytes"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
)

// part is a part of elements that are read but not written: a tag that begins an element, with
// its name between the offsets from and to, and its content at an offset; an end tag; or text.
type part struct {
	kind     byte // < > t, c for the text of a CDATA section
	from, to int
	content  int
}

// isBlank reports whether n is only whitespace.
func (e *elements) isBlank(n part) bool {
	text := e.source(n.from, n.to)
	return n.kind == 't' && lexeme.SkipSpace(text, 0) == len(text)
}

// extent returns how many parts belong to the element that parts begin with.
func extent(parts []part) int {
	depth := 0
	for i, n := range parts {
		switch n.kind {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(parts)
}

// child returns the next element in parts, and the parts after it. It is nil if there is none.
func child(parts []part) (element, rest []part) {
	for i := range parts {
		if parts[i].kind == '<' {
			n := i + extent(parts[i:])
			return parts[i:n], parts[n:]
		}
	}
	return nil, nil
}

// name returns the name of an element.
func (e *elements) name(element []part) []byte { return e.source(element[0].from, element[0].to) }

// flush writes the run of the innermost open element.
func (e *elements) flush() {
	top := e.top()
	parts, count := e.parts, top.count
	e.parts, top.count = e.parts[:0], 0
	if top.holds == holdsItems || top.isList {
		count = 1
	}
	if len(parts) > 0 && e.live() {
		e.run(parts, count)
	}
}

// run writes count consecutive elements as the value of their key.
func (e *elements) run(parts []part, count int) {
	one, rest := child(parts)
	if count > 1 {
		e.beginFrame(false, one[0].content)
	}
	for ; one != nil && e.live(); one, rest = child(rest) {
		e.value(one)
	}
	if count > 1 {
		e.endFrame(0)
	}
}

// content is what an element contains.
type content struct {
	children bool // elements
	items    bool // all of them are called item
	text     bool // text that is not blank
}

// contentOf looks at what is in an element.
func (e *elements) contentOf(parts []part) content {
	c := content{items: true}
	for i := 0; i < len(parts); i++ {
		if parts[i].kind != '<' {
			c.text = c.text || !e.isBlank(parts[i])
			continue
		}
		c.children = true
		c.items = c.items && string(e.name(parts[i:])) == "item"
		i += extent(parts[i:]) - 1
	}
	return c
}

// value writes the value of an element.
func (e *elements) value(one []part) {
	at, end := one[0].content, one[len(one)-1].from
	parts := one[1 : len(one)-1]
	t := e.nextType()
	const composed = sig.Object | sig.Array
	onlyList := isOnly(sig.Array, t)
	switch c := e.contentOf(parts); {
	case !c.children && !c.text && t.Says() && t.Kinds&sig.String == 0 && t.Kinds&composed != 0:
		e.beginFrame(t.Kinds&sig.Array == 0, at)
		e.endFrame(end)
	case !c.children:
		text := e.textOf(parts)
		alone := onlyList && !bytes.HasPrefix(text[lexeme.SkipSpace(text, 0):], []byte("["))
		if alone {
			e.beginFrame(false, at)
		}
		e.writeText(text, at)
		if alone {
			e.endFrame(end)
		}
	case c.text || t.Says() && t.Kinds&(composed|sig.String) == sig.String:
		e.ambiguousText(at)
		e.writeText(e.source(at, end), at)
	case repeats(t) && c.items || onlyList && e.isList(parts, t):
		e.beginFrame(false, at)
		for one, rest := child(parts); one != nil && e.live(); one, rest = child(rest) {
			e.value(one)
		}
		e.endFrame(end)
	case onlyList: // the only item of a list, without a tag of its own
		e.beginFrame(false, at)
		e.object(parts, at, end)
		e.endFrame(end)
	default:
		e.object(parts, at, end)
	}
}

// isList reports whether the elements in parts are the items of a list of type t, and not the
// properties of its only item. If properties may have any name, elements with different names are
// properties, and so is an element of text if no item can be text.
func (e *elements) isList(parts []part, t *sig.Type) bool {
	item := t.Item(0)
	if item.Says() && item.Kinds&sig.Object == 0 {
		return true
	}
	var first []byte
	for one, rest := child(parts); one != nil; one, rest = child(rest) {
		name := e.name(one)
		switch {
		case first == nil && item.Field(name) != nil:
			return false
		case first == nil && (item != nil && item.Closed || string(name) == "item"):
			return true
		case first != nil && !bytes.Equal(name, first):
			return false
		case item.Says() && item.Kinds&^sig.Null == sig.Object && e.isPlainText(one[1:len(one)-1]):
			return false
		}
		first = name
	}
	return true
}

// isPlainText reports whether parts are text that is not an object.
func (e *elements) isPlainText(parts []part) bool {
	if e.contentOf(parts).children {
		return false
	}
	text := e.textOf(parts)
	i := lexeme.SkipSpace(text, 0)
	return i < len(text) && text[i] != '{'
}

// object writes elements as an object between two offsets.
func (e *elements) object(parts []part, at, end int) {
	e.beginFrame(true, at)
	for one, rest := child(parts); one != nil && e.live(); {
		name, same, count := e.name(one), parts, 1
		e.beginMember(name, one[0].from)
		parts = rest
		one, rest = child(rest)
		for e.live() && repeats(e.nextType()) && one != nil && bytes.Equal(e.name(one), name) {
			count++
			parts = rest
			one, rest = child(rest)
		}
		if e.live() {
			e.run(same[:len(same)-len(parts)], count)
		}
	}
	e.endFrame(end)
}

// textOf returns the text of parts, which contain no elements.
func (e *elements) textOf(parts []part) []byte {
	if len(parts) == 1 { // the usual case
		text := e.source(parts[0].from, parts[0].to)
		if parts[0].kind == 'c' || bytes.IndexByte(text, '&') < 0 {
			return text
		}
	}
	text := e.text[:0]
	for _, n := range parts {
		if part := e.source(n.from, n.to); n.kind == 'c' {
			text = append(text, part...)
		} else {
			text = lexeme.AppendDecoded(text, part)
		}
	}
	e.text = text
	return text
}
