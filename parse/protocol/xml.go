package protocol

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// elements reads the body of a call that is an XML element:
//
//	call    = "<" TOOL [ws] ( "/>" | ">" { [ws] element } [ws] "</" TOOL [ws] ">" )
//	element = "<" KEY [ws] ( "/>" | ">" content "</" KEY [ws] ">" )
//	content = TEXT | { [ws] element } [ws]
//
// Where the schema allows a string and nothing else, content is text up to the first
// end tag after which another tag follows, whatever is in it. Elsewhere a tag that
// could begin an element does. Elements of one key, one after the other, are an
// array, where the schema allows one, and so are elements that hold nothing but
// elements called item.
//
// The values of an argument are written when it is certain whether there are more of
// its key; a string is written while it is read.
type elements struct {
	tags *toolTags
	args *sig.Type // of the tool

	next    elementState
	stack   []element // that are open, the argument first
	key     []byte    // of the argument
	nodes   []node    // what is not written yet of arguments of the key
	count   int       // of these arguments
	streams bool      // the argument is a string that is written piece by piece
	first   bool      // nothing of it was written yet
	odd     bool      // the text holds tags
	looked  int       // bytes after a tag that were looked at
	text    []byte
}

// cdata begins a section in which tags and entities mean nothing.
const cdata = "<![CDATA["

// elementState says what is read next.
type elementState uint8

const (
	atTool elementState = iota
	atElement
	inContent // of elements
	inString  // whatever is in it
	inCDATA
)

// element is one that is open.
type element struct {
	from, to int // offsets of its name
	content  int // offset
	typ      *sig.Type
}

// text reports whether its content is a string in any case.
func (e *element) text() bool { return e.typ.Says() && e.typ.Kinds == sig.String }

// node is a part of what was read: an element of the name from offset from to offset to
// begins, or ends, or text. Content of an element that ends is from offset at on.
type node struct {
	kind     byte // < > t, c for the text of a CDATA section
	from, to int
	at       int
}

func (b *elements) quote() (byte, int) { return 0, 0 }

func (b *elements) begin(r *reader) {
	r.asm.Begin(r.start, false)
	b.tags.begin(r)
	b.args = r.catalog.Lookup(b.tags.tool).Args
	b.next = atTool
	b.stack, b.nodes, b.key = b.stack[:0], b.nodes[:0], b.key[:0]
	b.count, b.looked = 0, 0
}

func (b *elements) read(r *reader, bound int) (part parse.Part, more bool) {
	w := r.win[:bound]
	switch b.next {
	case atTool:
		return b.readTool(r, w)
	case atElement:
		return b.readElement(r, w)
	case inContent:
		return b.readContent(r, w)
	case inCDATA:
		return b.readCDATA(r, w)
	}
	return b.readString(r, w)
}

func (b *elements) readTool(r *reader, w []byte) (part parse.Part, more bool) {
	part, failed := b.tags.name(r)
	if failed {
		return part, true
	}
	b.next = atElement
	if !r.asm.Dead() {
		r.asm.Open(true, r.start+1)
	}
	return part, true
}

// readElement reads, between the arguments, an argument's tag or the end of the call.
func (b *elements) readElement(r *reader, w []byte) (part parse.Part, more bool) {
	from := r.pos
	r.pos = skipSpace(w, r.pos)
	r.steps += r.pos - from + 1
	if r.pos == len(w) {
		return parse.NoPart, false
	}
	i := r.pos
	switch n := min(len(w)-i, 2); {
	case b.tags.self:
		return b.complete(r)
	case w[i] != '<':
		code := lexer.ExpectedKey
		if lexeme.BeginsNone(w[i]) {
			code = lexer.InvalidUTF8
		}
		return r.fail(code, i), true
	case n < 2:
		return parse.NoPart, false
	case w[i+1] == '/':
		return b.complete(r)
	}
	name, end, closed, code, at := b.tag(r, w, i)
	switch {
	case code != "":
		return r.fail(code, at), true
	case end == 0:
		return parse.NoPart, false
	}
	key := w[i+1 : name]
	r.pos = end
	part = b.argument(r, key, r.offset(i+1))
	b.nodes = append(b.nodes, node{'<', r.offset(i + 1), r.offset(name), r.offset(end)})
	typ, _, _ := b.args.Property(key)
	b.push(r, i+1, name, typ)
	if closed {
		b.pop(r, end)
	}
	if p, failed := r.asm.Failed(); failed {
		part = p
	}
	return part, true
}

// complete ends the arguments: the end of the call stands at win[pos].
func (b *elements) complete(r *reader) (part parse.Part, more bool) {
	part = b.flush(r)
	if !r.asm.Dead() {
		r.asm.Close(r.offset(r.pos))
		part, _ = r.asm.Failed()
	}
	r.complete()
	return part, true
}

// tag reads the tag at w[i], which begins with < and another byte. It returns the index
// after its name, and that after it, 0 if more of it is needed; a code and its index if
// it is none.
func (b *elements) tag(r *reader, w []byte, i int) (name, end int, closed bool, code lexer.Code, at int) {
	name, more := tagName(w, i+1+b.looked)
	r.steps += name - i - b.looked
	switch {
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
		at = skipSpace(w, name)
		return 0, 0, false, worse(w, at, lexer.ExpectedEquals), at
	}
	return name, end, closed, "", 0
}

// worse returns the code for w[i], where a byte with which no UTF-8 begins is at fault
// in any case.
func worse(w []byte, i int, code lexer.Code) lexer.Code {
	if i < len(w) && lexeme.BeginsNone(w[i]) {
		return lexer.InvalidUTF8
	}
	return code
}

// argument begins an argument, or another one of the same key.
func (b *elements) argument(r *reader, key []byte, at int) (part parse.Part) {
	if b.count > 0 && bytes.Equal(key, b.key) && r.asm.Repeats() {
		b.count++
		return parse.NoPart
	}
	part = b.flush(r)
	b.key = append(b.key[:0], key...)
	b.count = 1
	if !r.asm.Dead() {
		r.asm.Key(key, at)
	}
	return part
}

// push opens an element, whose name is win[from:to].
func (b *elements) push(r *reader, from, to int, typ *sig.Type) {
	e := element{r.offset(from), r.offset(to), r.offset(r.pos), typ}
	b.stack = append(b.stack, e)
	b.odd = false
	b.next = inContent
	if e.text() {
		b.next = inString
	}
	b.streams = b.next == inString && len(b.stack) == 1
	b.first = true
}

// pop closes the innermost element, whose content ends, with its tag, at win[end].
func (b *elements) pop(r *reader, end int) {
	r.pos = end
	b.stack = b.stack[:len(b.stack)-1]
	b.nodes = append(b.nodes, node{'>', r.offset(end), r.offset(end), 0})
	b.next = inContent
	if len(b.stack) == 0 {
		b.next = atElement
	}
}

// readContent reads, inside an element, text up to the next tag, and that.
func (b *elements) readContent(r *reader, w []byte) (part parse.Part, more bool) {
	i := r.pos
	if n := bytes.IndexByte(w[i:], '<'); n < 0 {
		r.steps += len(w) - i + 1
		return b.plain(r, len(w)-lexeme.PartialRune(w[i:]), false)
	} else if n > 0 {
		r.steps += n
		return b.plain(r, i+n, true)
	}
	top := b.stack[len(b.stack)-1]
	name := r.slice(top.from, top.to)
	switch end, more := endTag(w, i, name); {
	case more:
		return parse.NoPart, false
	case end > 0:
		b.pop(r, end)
		return parse.NoPart, true
	}
	switch n := lexeme.MatchTag(w[i:], cdata); {
	case n == len(cdata):
		r.pos += n
		b.next = inCDATA
		return parse.NoPart, true
	case n == len(w)-i:
		return parse.NoPart, false
	}
	if w[i+1] == '/' {
		return r.fail(lexer.ExpectedClose, i), true
	}
	if !beginsName(w[i+1]) {
		return b.plain(r, i+1, true)
	}
	to, end, closed, code, _ := b.tag(r, w, i)
	switch {
	case code == lexer.InvalidUTF8:
		_, _, _, _, at := b.tag(r, w, i)
		return r.fail(code, at), true
	case code != "": // no tag, so it is text
		return b.plain(r, i+1, true)
	case end == 0:
		return parse.NoPart, false
	case len(b.stack) > r.asm.Limits().Depth:
		return r.fail(lexer.TooDeep, i), true
	}
	b.nodes = append(b.nodes, node{'<', r.offset(i + 1), r.offset(to), r.offset(end)})
	typ := child(top.typ, w[i+1:to])
	r.pos = end
	b.push(r, i+1, to, typ)
	if closed {
		b.pop(r, end)
	}
	return parse.NoPart, true
}

// child returns what typ says about an element of that name in it.
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

// plain reads text up to win[to]; more says that there is something after it.
func (b *elements) plain(r *reader, to int, more bool) (parse.Part, bool) {
	from := r.pos
	if from == to {
		return parse.NoPart, more
	}
	if bad := lexeme.IllFormed(r.win[from:to]); bad >= 0 {
		return r.fail(lexer.InvalidUTF8, from+bad), true
	}
	r.pos = to
	b.add('t', r.offset(from), r.offset(to))
	return parse.NoPart, more
}

// add adds text to what was read.
func (b *elements) add(kind byte, from, to int) {
	if n := len(b.nodes); n > 0 && b.nodes[n-1].kind == kind && b.nodes[n-1].to == from {
		b.nodes[n-1].to = to
		return
	}
	b.nodes = append(b.nodes, node{kind, from, to, 0})
}

// readCDATA reads text up to ]]>.
func (b *elements) readCDATA(r *reader, w []byte) (part parse.Part, more bool) {
	const end = "]]>"
	n := bytes.Index(w[r.pos:], []byte(end))
	to := r.pos + n
	if n < 0 {
		to = max(r.pos, len(w)-2)
		to -= lexeme.PartialRune(w[r.pos:to])
	}
	r.steps += to - r.pos + 1
	if bad := lexeme.IllFormed(w[r.pos:to]); bad >= 0 {
		return r.fail(lexer.InvalidUTF8, r.pos+bad), true
	}
	if to > r.pos {
		if b.streams {
			b.write(r, w[r.pos:to])
		} else {
			b.add('c', r.offset(r.pos), r.offset(to))
		}
		r.pos = to
	}
	if n < 0 {
		return parse.NoPart, false
	}
	r.pos += len(end)
	b.next = inContent
	if b.stack[len(b.stack)-1].text() {
		b.next = inString
	}
	part, _ = r.asm.Failed()
	return part, true
}

// write writes a piece of an argument that is a string.
func (b *elements) write(r *reader, text []byte) {
	if !r.asm.Dead() {
		r.asm.Piece(text, b.first)
	}
	b.first = false
}

// readString reads on in text up to the end tag after which another tag follows.
func (b *elements) readString(r *reader, w []byte) (part parse.Part, more bool) {
	from := r.pos
	to, end, wait := b.string(r, w)
	section := end == 0 && !wait && to < len(w) && bytes.HasPrefix(w[to:], []byte(cdata))
	if bad := lexeme.IllFormed(w[from:to]); bad >= 0 {
		at := from + bad
		to = at - lexeme.PartialRune(w[from:at])
		b.give(r, from, to)
		return r.fail(lexer.InvalidUTF8, at), true
	}
	b.give(r, from, to)
	r.pos = to
	switch {
	case section:
		r.pos += len(cdata)
		b.next = inCDATA
		return parse.NoPart, true
	case end == 0:
		part, _ = r.asm.Failed()
		return part, false
	}
	streams := b.streams
	if streams && b.first {
		b.write(r, nil)
	}
	content := b.stack[len(b.stack)-1].content
	if b.odd && !r.asm.Dead() {
		r.asm.Issue(lexer.AmbiguousText, content)
	}
	if streams && !r.asm.Dead() {
		r.asm.EndPieces(content, func() []byte { return b.decoded(r, content, r.offset(to)) })
	}
	b.pop(r, end)
	if streams {
		b.nodes, b.count = b.nodes[:0], 0
	}
	part, _ = r.asm.Failed()
	return part, true
}

// give takes win[from:to] as text of the string.
func (b *elements) give(r *reader, from, to int) {
	if from == to {
		return
	}
	if text := r.win[from:to]; b.streams && bytes.IndexByte(text, '&') < 0 {
		b.write(r, text)
	} else if b.streams {
		b.text = appendUnescaped(b.text[:0], text)
		b.write(r, b.text)
	} else {
		b.add('t', r.offset(from), r.offset(to))
	}
}

// decoded returns the text of a string from offset from to offset to.
func (b *elements) decoded(r *reader, from, to int) []byte {
	const end = "]]>"
	var text []byte
	for w := r.slice(from, to); ; {
		before, after, found := bytes.Cut(w, []byte(cdata))
		text = appendUnescaped(text, before)
		if !found {
			return text
		}
		section, rest, _ := bytes.Cut(after, []byte(end))
		text = append(text, section...)
		w = rest
	}
}

// string returns the index up to which text from win[pos] on is certain, and if its end
// tag stands there, the index after that; wait says that more input is needed.
func (b *elements) string(r *reader, w []byte) (to, end int, wait bool) {
	top := b.stack[len(b.stack)-1]
	name := r.slice(top.from, top.to)
	i := r.pos
	for {
		n := bytes.IndexByte(w[i:], '<')
		if n < 0 {
			r.steps += len(w) - i + 1
			to = len(w) - lexeme.PartialRune(w[i:])
			return to - partialEntity(w[r.pos:to]), 0, true
		}
		r.steps += n + 1
		i += n
		end, more := endTag(w, i, name)
		if more {
			return i, 0, true
		}
		if end > 0 {
			j := skipSpace(w, max(end, i+b.looked))
			r.steps += j - max(end, i+b.looked) + 1
			b.looked = 0
			switch {
			case j == len(w) || w[j] == '<' && j+1 == len(w):
				b.looked = j - i
				return i, 0, true
			case w[j] == '<' && (w[j+1] == '/' || w[j+1] == '!' || beginsName(w[j+1])):
				return i, end, false
			}
			b.odd = true
		}
		switch n := lexeme.MatchTag(w[i:], cdata); {
		case n == len(cdata):
			return i, 0, false
		case n == len(w)-i:
			return i, 0, true
		}
		i++
	}
}

// flush writes the values of the key that are not written yet.
func (b *elements) flush(r *reader) (part parse.Part) {
	nodes := b.nodes
	count := b.count
	b.nodes, b.count = b.nodes[:0], 0
	if r.asm.Dead() || count == 0 {
		return parse.NoPart
	}
	b.values(r, nodes, count)
	part, _ = r.asm.Failed()
	return part
}

// values writes the contents of count elements, one after the other in nodes, as the
// value of their key.
func (b *elements) values(r *reader, nodes []node, count int) {
	if count > 1 {
		r.asm.Open(false, nodes[0].at)
	}
	for len(nodes) > 0 && !r.asm.Broken() {
		n := extent(nodes)
		b.value(r, nodes[1:n-1], nodes[0].at)
		nodes = nodes[n:]
	}
	if count > 1 {
		r.asm.Close(r.offset(r.pos))
	}
}

// extent returns how many nodes the element that nodes begin with has.
func extent(nodes []node) int {
	depth := 0
	for i, n := range nodes {
		switch n.kind {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(nodes)
}

// value writes the content of one element, which begins at offset at.
func (b *elements) value(r *reader, nodes []node, at int) {
	a := r.asm
	if a.Broken() {
		return
	}
	typ := a.Type()
	items, children, blank := 0, 0, true
	for i := 0; i < len(nodes); {
		switch n := nodes[i]; n.kind {
		case '<':
			if string(r.slice(n.from, n.to)) == "item" {
				items++
			}
			children++
			i += extent(nodes[i:])
			continue
		case 'c':
			blank = false
		default:
			blank = blank && len(bytes.TrimSpace(r.slice(n.from, n.to))) == 0
		}
		i++
	}
	listed := !typ.Says() || typ.Kinds&sig.Array != 0
	only := typ.Says() && typ.Kinds&(sig.Object|sig.String) == 0
	switch {
	case children == 0 && blank && typ.Says() && typ.Kinds&sig.String == 0 && typ.Kinds&(sig.Array|sig.Object) != 0:
		a.Open(typ.Kinds&sig.Array == 0, at)
		a.Close(at)
	case children == 0:
		a.Raw(b.content(r, nodes), at)
	case !blank || typ.Says() && typ.Kinds&sig.String != 0 && typ.Kinds&(sig.Array|sig.Object) == 0: // text and elements
		a.Issue(lexer.AmbiguousText, at)
		a.Raw(r.slice(at, nodes[len(nodes)-1].to), at)
	case listed && items == children || listed && only && b.list(r, nodes, typ):
		a.Open(false, at)
		for i := 0; i < len(nodes) && !a.Broken(); {
			if nodes[i].kind != '<' {
				i++
				continue
			}
			n := extent(nodes[i:])
			b.value(r, nodes[i+1:i+n-1], nodes[i].at)
			i += n
		}
		a.Close(at)
	case listed && only: // its only element, without a tag of its own
		a.Open(false, at)
		b.object(r, nodes, at)
		a.Close(at)
	default:
		b.object(r, nodes, at)
	}
}

// list reports whether the elements in nodes are those of a list, not the properties of
// its only element.
func (b *elements) list(r *reader, nodes []node, typ *sig.Type) bool {
	item := typ.Item(0)
	if item.Says() && item.Kinds&sig.Object == 0 {
		return true
	}
	for _, n := range nodes {
		if n.kind == '<' {
			return item.Field(r.slice(n.from, n.to)) == nil
		}
	}
	return false
}

// object writes elements as an object.
func (b *elements) object(r *reader, nodes []node, at int) {
	a := r.asm
	a.Open(true, at)
	for i := 0; i < len(nodes) && !a.Broken(); {
		if nodes[i].kind != '<' {
			i++
			continue
		}
		name := r.slice(nodes[i].from, nodes[i].to)
		a.Key(name, nodes[i].from)
		if a.Broken() {
			return
		}
		count, n := 1, extent(nodes[i:])
		same := append([]node(nil), nodes[i:i+n]...)
		for a.Repeats() {
			j := i + n
			for j < len(nodes) && nodes[j].kind != '<' {
				j++
			}
			if j == len(nodes) || !bytes.Equal(r.slice(nodes[j].from, nodes[j].to), name) {
				break
			}
			more := extent(nodes[j:])
			same = append(same, nodes[j:j+more]...)
			n = j + more - i
			count++
		}
		b.values(r, same, count)
		i += n
	}
	if !a.Broken() {
		a.Close(at)
	}
}

// content returns the text of nodes.
func (b *elements) content(r *reader, nodes []node) []byte {
	if len(nodes) == 1 { // as nearly always
		if text := r.slice(nodes[0].from, nodes[0].to); bytes.IndexByte(text, '&') < 0 || nodes[0].kind == 'c' {
			return text
		}
	}
	var text []byte
	for _, n := range nodes {
		if n.kind == 'c' {
			text = append(text, r.slice(n.from, n.to)...)
		} else {
			text = appendUnescaped(text, r.slice(n.from, n.to))
		}
	}
	return text
}

func (b *elements) spoil(*reader) {}

func (b *elements) pass(r *reader) bool {
	if b.next != inString {
		return true
	}
	to, end, _ := b.string(r, r.win)
	if end == 0 && to < len(r.win) && bytes.HasPrefix(r.win[to:], []byte(cdata)) {
		r.pos = to + 1
		return b.pass(r)
	}
	r.pos = to
	return end > 0
}
