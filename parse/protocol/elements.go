package protocol

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// elements reads the body of a call that is an XML element:
//
//	call    = "<" TOOL [ws] ( "/>" | ">" members "</" TOOL [ws] ">" )
//	members = { [ws] ( element | comment ) } [ws]
//	element = "<" KEY [ws] ( "/>" | ">" content "</" KEY [ws] ">" )
//	content = TEXT | members
//
// If the schema allows only a string, content is all text up to the first end tag that
// another tag follows. If the schema makes elements the members of an object, or the
// items of an array, for certain, they are written as they come. Otherwise a tag that
// can begin an element does, and an element is written once its value is certain: at
// its end, or, if it may be one of an array, when an element of another name follows.
//
// Consecutive elements of one key are an array, if the schema allows one, and so is an
// element that holds only elements called item. In a list of objects, a declared
// element is a property of one; for others see [elements.list].
type elements struct {
	tags *toolTags

	next    elementState
	back    elementState // after a comment or CDATA section
	stack   []element    // open elements, the tool's first
	nodes   []node       // members of the innermost object that are not written yet
	streams bool         // the text is a string, written piece by piece
	first   bool         // nothing of it is written yet
	odd     bool         // the text contains tags
	looked  int          // how many bytes after a tag were looked at
	text    []byte
	texts   [][]byte
	name    []byte // of the element whose text holds the fault
}

// elementState says what is read next.
type elementState uint8

const (
	atTool    elementState = iota
	inMembers              // of the call, or of an element whose members are written as they come
	inContent              // of an element that is not written yet
	inString               // in a string, whatever it contains
	inCDATA
	inRemark
)

// element is an open element.
type element struct {
	from, to int // offsets of its name
	content  int // offset
	typ      *sig.Type
	holds    holding

	// The members that are not written yet: consecutive elements of one key.
	key, keyEnd int // offsets of the key, 0 for none
	keyType     *sig.Type
	count       int
	list        bool // an array of them is open
}

// holding says what an element contains.
type holding uint8

const (
	ofValue   holding = iota // not known yet
	ofMembers                // of an object that is open
	ofItems                  // of an array that is open
)

// text reports whether the content can only be a string.
func (e *element) text() bool { return e.typ.Says() && e.typ.Kinds == sig.String }

// repeats reports whether a value of the type may be an array.
func repeats(typ *sig.Type) bool { return !typ.Says() || typ.Kinds&sig.Array != 0 }

// composed are the kinds that elements can be, with String for their source text.
const composed = sig.Object | sig.Array | sig.String

// onlyA reports whether elements of this type can only be of that kind.
func onlyA(kind sig.Kinds, typ *sig.Type) bool { return typ.Says() && typ.Kinds&composed == kind }

func (b *elements) takes([]byte) bool { return true }

func (b *elements) quotes() string { return "" }

func (b *elements) quote() (byte, int) { return 0, 0 }

func (b *elements) begin(r *reader) {
	r.asm.Begin(r.start, false)
	b.tags.begin(r)
	b.next = atTool
	b.stack = append(b.stack[:0], element{typ: r.catalog.Lookup(b.tags.tool).Args, holds: ofMembers})
	b.nodes, b.looked, b.back = b.nodes[:0], 0, atTool
}

func (b *elements) read(r *reader, bound int) (part parse.Part, more bool) {
	w := r.win[:bound]
	switch b.next {
	case atTool:
		if r.spoken > 0 {
			from := r.pos
			r.pos = lexeme.SkipSpace(w, r.pos)
			r.steps += r.pos - from + 1
			switch {
			case r.pos == len(w):
				return parse.NoPart, false
			case w[r.pos] != '<':
				return b.tags.speaks(r, lexer.ExpectedKey, r.pos), true
			}
		}
		part, failed := b.tags.name(r)
		if failed {
			return part, true
		}
		b.next = inMembers
		b.open(r, true, r.start+1)
		return part, true
	case inMembers:
		part, more = b.readMembers(r, w)
	case inContent:
		part, more = b.readContent(r, w)
	case inString:
		part, more = b.readString(r, w)
	case inCDATA:
		part, more = b.readCDATA(r, w)
	case inRemark:
		part, more = b.readComment(r, w)
	}
	if p, failed := r.asm.Failed(); failed {
		part = p
	}
	return part, more
}

// live reports whether what is read is written.
func (b *elements) live(r *reader) bool { return !r.asm.Dead() && !r.asm.Broken() }

func (b *elements) open(r *reader, object bool, at int) {
	if b.live(r) {
		r.asm.Open(object, at)
	}
}

func (b *elements) close(r *reader, at int) {
	if b.live(r) {
		r.asm.Close(at)
	}
}

// top returns the innermost element.
func (b *elements) top() *element { return &b.stack[len(b.stack)-1] }

// readMembers reads the tag of a member, a comment, or the end tag.
func (b *elements) readMembers(r *reader, w []byte) (part parse.Part, more bool) {
	for b.whole(r, w) {
	}
	from := r.pos
	r.pos = lexeme.SkipSpace(w, r.pos)
	r.steps += r.pos - from + 1
	i := r.pos
	root := len(b.stack) == 1
	switch {
	case i == len(w):
		return parse.NoPart, false
	case root && b.tags.self:
		return b.complete(r)
	case w[i] != '<':
		return r.fail(worse(w, i, lexer.ExpectedKey), i), true
	case i+1 == len(w):
		return parse.NoPart, false
	case w[i+1] == '/' && root:
		return b.complete(r)
	case w[i+1] == '/':
		end, more := endTag(w, i, r.slice(b.top().from, b.top().to))
		switch {
		case more:
			return parse.NoPart, false
		case end == 0:
			return r.fail(lexer.ExpectedClose, i), true
		}
		b.endRun(r, i)
		b.close(r, r.offset(i))
		b.pop(r, i, end)
		return parse.NoPart, true
	}
	if w[i+1] == '!' {
		switch n := lexeme.MatchTag(w[i:], commentOpen); {
		case n == len(commentOpen):
			b.section(r, i+n, inRemark)
			return parse.NoPart, true
		case n == len(w)-i:
			return parse.NoPart, false
		}
	}
	name, end, closed, code, at := b.tag(r, w, i)
	switch {
	case code != "":
		return r.fail(code, at), true
	case end == 0:
		return parse.NoPart, false
	}
	b.push(r, i, name, end, b.member(r, w[i+1:name], i))
	if closed {
		b.streams = false
		b.pop(r, end, end)
	}
	return parse.NoPart, true
}

// whole reads a member in one go if all of it and what follows is there, and it is just
// text that fits the schema, or a run of such elements that form an array. Without it a
// call takes half as long again.
func (b *elements) whole(r *reader, w []byte) bool {
	top, at := b.top(), lexeme.SkipSpace(w, r.pos)
	if top.holds != ofMembers || top.list {
		return false
	}
	key, text, end := plainElement(w, at)
	if end == 0 || top.key > 0 && bytes.Equal(key, r.slice(top.key, top.keyEnd)) {
		return false
	}
	r.steps += end - r.pos
	b.endRun(r, at)
	if !follows(w, lexeme.SkipSpace(w, end)) || !r.asm.Member(key, text) {
		end = b.run(r, w, at)
	}
	if end == 0 {
		return false
	}
	r.pos, b.looked = end, 0
	return true
}

// run does what whole does for consecutive elements of one key, from win[at] on, that
// can only be an array. It returns the index after them, or 0 if it writes nothing.
func (b *elements) run(r *reader, w []byte, at int) (end int) {
	key, text, next := plainElement(w, at)
	i := lexeme.SkipSpace(text, 0)
	if f := b.top().typ.Field(key); f == nil || !onlyA(sig.Array, f.Type) || i == len(text) || text[i] == '[' {
		return 0
	}
	texts := b.texts[:0]
	for other := key; next > 0 && bytes.Equal(other, key); {
		texts = append(texts, text)
		end = next
		i = lexeme.SkipSpace(w, end)
		other, text, next = plainElement(w, i)
	}
	b.texts = texts
	r.steps += end - at
	if !b.ends(r, w, i) || bytes.HasPrefix(w[i+1:], key) || !r.asm.List(key, texts) {
		return 0
	}
	return end
}

// ends reports whether a whole tag that ends a run stands at w[i].
func (b *elements) ends(r *reader, w []byte, i int) bool {
	switch {
	case !follows(w, i) || w[i+1] == '!':
		return false
	case w[i+1] == '/' && len(b.stack) == 1:
		return true
	case w[i+1] == '/':
		end, _ := endTag(w, i, r.slice(b.top().from, b.top().to))
		return end > 0
	}
	name, _ := tagName(w, i+1)
	end, _, _ := tagEnd(w, name)
	return end > 0 && utf8.Valid(w[i+1:name])
}

// plainElement returns the key and the text of the element at w[i], and the index after it, 0
// if some of it is missing, or it holds more than text.
func plainElement(w []byte, i int) (key, text []byte, end int) {
	if i++; i >= len(w) || w[i-1] != '<' || !beginsName(w[i]) {
		return nil, nil, 0
	}
	to, more := tagName(w[:min(len(w), i+shortKey)], i)
	if more || w[to] != '>' {
		return nil, nil, 0
	}
	key, i = w[i:to], to+1
	to = i + bytes.IndexByte(w[i:], '<')
	if end = to + 3 + len(key); to < i || end > len(w) || w[to+1] != '/' || w[end-1] != '>' || !bytes.Equal(w[to+2:end-1], key) {
		return nil, nil, 0
	}
	if text = w[i:to]; bytes.IndexByte(text, '&') >= 0 || !utf8.Valid(text) {
		return nil, nil, 0
	}
	return key, text, end
}

// complete ends the arguments: the call ends at win[pos].
func (b *elements) complete(r *reader) (part parse.Part, more bool) {
	b.endRun(r, r.pos)
	b.close(r, r.offset(r.pos))
	part, _ = r.asm.Failed()
	r.complete()
	return part, true
}

// tag reads the tag at w[i], which begins with < and another byte. It returns the index
// after its name and the one after the tag, 0 if more input is needed, and a code and
// its index if it is not a tag.
func (b *elements) tag(r *reader, w []byte, i int) (name, end int, closed bool, code lexer.Code, at int) {
	name, more := tagName(w, i+1+b.looked)
	r.steps += name - i - b.looked
	switch {
	case w[i+1] == '!' || w[i+1] == '?':
		b.looked = 0
		return 0, 0, false, lexer.ExpectedKey, i + 1
	case more:
		b.looked = name - i - 1
		return 0, 0, false, "", 0
	case name == i+1:
		return 0, 0, false, worse(w, i+1, lexer.ExpectedKey), i + 1
	}
	b.looked = 0
	if bad := lexeme.IllFormed(w[i+1 : name]); bad >= 0 {
		return 0, 0, false, lexer.InvalidUTF8, i + 1 + bad
	}
	end, closed, more = tagEnd(w, name)
	if end == 0 && !more {
		at = lexeme.SkipSpace(w[:min(len(w), name+mostSpace-1)], name)
		return 0, 0, false, worse(w, at, lexer.ExpectedEquals), at
	}
	return name, end, closed, "", 0
}

// worse returns the code for w[i]: invalid UTF-8 if the byte cannot begin a sequence,
// otherwise code.
func worse(w []byte, i int, code lexer.Code) lexer.Code {
	if i < len(w) && lexeme.BeginsNone(w[i]) {
		return lexer.InvalidUTF8
	}
	return code
}

// member begins a member of that name, or another one of the same name, with its tag at
// win[i]. It returns its type.
func (b *elements) member(r *reader, name []byte, i int) *sig.Type {
	top := b.top()
	switch {
	case top.holds == ofItems:
		return top.typ.Item(0)
	case top.key > 0 && bytes.Equal(r.slice(top.key, top.keyEnd), name) && repeats(top.keyType):
		top.count++
		if top.list {
			return top.keyType.Item(0)
		}
		return top.keyType
	}
	b.endRun(r, i)
	top.key, top.keyEnd = r.offset(i+1), r.offset(i+1+len(name))
	top.count = 1
	if b.live(r) {
		r.asm.Key(name, top.key)
		top.keyType = r.asm.Type()
	}
	if !b.live(r) {
		top.keyType, _, _ = top.typ.Property(name)
	}
	return top.keyType
}

// endRun writes the members that are not written yet; they end at win[i].
func (b *elements) endRun(r *reader, i int) {
	top := b.top()
	b.flush(r)
	if top.list {
		b.close(r, r.offset(i))
	}
	top.key, top.list = 0, false
}

// push opens an element, whose tag is at win[i] and whose name ends at win[name].
func (b *elements) push(r *reader, i, name, end int, typ *sig.Type) {
	direct := b.top().holds != ofValue
	e := element{from: r.offset(i + 1), to: r.offset(name), content: r.offset(end), typ: typ}
	b.stack = append(b.stack, e)
	b.nodes = append(b.nodes, node{'<', e.from, e.to, e.content})
	r.pos = end
	b.odd, b.first = false, true
	b.next = inContent
	if e.text() {
		b.next = inString
	}
	b.streams = b.next == inString && direct && b.live(r) && r.asm.Streams()
}

// pop closes the innermost element, whose end tag reaches from win[i] to win[end].
func (b *elements) pop(r *reader, i, end int) {
	r.pos = end
	written := b.streams || b.top().holds != ofValue
	b.streams = false
	b.stack = b.stack[:len(b.stack)-1]
	top := b.top()
	b.next = inContent
	if top.holds == ofValue {
		b.nodes = append(b.nodes, node{'>', r.offset(i), r.offset(end), 0})
		return
	}
	b.next = inMembers
	switch {
	case written:
		b.nodes, top.count = b.nodes[:0], 0
		if !top.list {
			top.key = 0 // a value written whole takes no further element
		}
	default:
		b.nodes = append(b.nodes, node{'>', r.offset(i), r.offset(end), 0})
		if top.holds == ofItems || top.list || !repeats(top.keyType) {
			b.flush(r)
		}
	}
}

// settle begins to write the value of the innermost element, in which an element of
// that name begins, if it is certain what the value is.
func (b *elements) settle(r *reader, name []byte) bool {
	parent, e := &b.stack[len(b.stack)-2], b.top()
	if parent.holds == ofValue || len(b.nodes) > 2 || len(b.nodes) == 2 && !b.nodes[1].blank(r) {
		return false
	}
	if onlyA(sig.Array, e.typ) {
		item := e.typ.Item(0)
		switch {
		case !item.Says() || item.Kinds&sig.Array != 0:
			return false
		case item.Kinds&sig.Object == 0, item.Field(name) == nil && (item.Closed || string(name) == "item"):
			e.holds = ofItems
		case item.Field(name) == nil || !onlyA(sig.Object, item):
			return false
		default: // the only element, or the first one
			parent.list = true
			e.typ = item
		}
		b.open(r, false, e.content)
	}
	if e.holds == ofValue {
		if !onlyA(sig.Object, e.typ) {
			return false
		}
		e.holds = ofMembers
		b.open(r, true, e.content)
	}
	b.nodes, parent.count = b.nodes[:0], 0
	b.next = inMembers
	return true
}

// readContent reads, inside an element, text up to the next tag, and the tag.
func (b *elements) readContent(r *reader, w []byte) (part parse.Part, more bool) {
	i := r.pos
	if n := bytes.IndexByte(w[i:], '<'); n < 0 {
		r.steps += len(w) - i + 1
		return b.plain(r, len(w)-lexeme.PartialRune(w[i:]), false)
	} else if n > 0 {
		r.steps += n
		return b.plain(r, i+n, true)
	}
	top := b.top()
	switch end, more := endTag(w, i, r.slice(top.from, top.to)); {
	case more:
		return parse.NoPart, false
	case end > 0:
		b.pop(r, i, end)
		return parse.NoPart, true
	}
	for _, s := range [...]struct {
		open string
		next elementState
	}{{cdataOpen, inCDATA}, {commentOpen, inRemark}} {
		switch n := lexeme.MatchTag(w[i:], s.open); {
		case n == len(s.open):
			b.section(r, i+n, s.next)
			return parse.NoPart, true
		case n == len(w)-i:
			return parse.NoPart, false
		}
	}
	if w[i+1] == '/' {
		return r.fail(lexer.ExpectedClose, i), true
	}
	if !beginsName(w[i+1]) {
		return b.plain(r, i+1, true)
	}
	name, end, closed, code, at := b.tag(r, w, i)
	switch {
	case code == lexer.InvalidUTF8:
		return r.fail(code, at), true
	case code != "": // not a tag, so text
		return b.plain(r, i+1, true)
	case end == 0:
		return parse.NoPart, false
	case len(b.stack)-1 > r.asm.Limits().Depth:
		return r.fail(lexer.TooDeep, i), true
	case b.settle(r, w[i+1:name]):
		return parse.NoPart, true // the tag is read again, as a member's
	}
	b.push(r, i, name, end, child(top.typ, w[i+1:name]))
	if closed {
		b.streams = false
		b.pop(r, end, end)
	}
	return parse.NoPart, true
}

// child returns the type that typ has for an element of that name in it.
func child(typ *sig.Type, name []byte) *sig.Type {
	if typ.Says() && typ.Kinds&sig.Array != 0 && typ.Kinds&sig.Object == 0 {
		item := typ.Item(0)
		if string(name) == "item" || item.Field(name) == nil {
			return item
		}
		typ = item
	}
	t, _, _ := typ.Property(name)
	return t
}

func beginsName(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// spoil keeps the name for later, since the damage may outgrow the window.
func (b *elements) spoil(r *reader) {
	if b.next == inString || b.back == inString {
		b.name = append(b.name[:0], r.slice(b.top().from, b.top().to)...)
	}
}

func (b *elements) pass(r *reader) bool {
	for {
		switch b.next {
		case inString:
			to, end, _, section := b.string(r, r.win, b.name)
			if r.pos = to; !section {
				return end > 0
			}
			b.section(r, to+len(cdataOpen), inCDATA)
		case inCDATA, inRemark:
			to, end := b.sectionEnd(r.win, r.pos)
			if r.pos = to; end == 0 {
				return false
			}
			r.pos, b.next = end, b.back
		default:
			return true
		}
	}
}
