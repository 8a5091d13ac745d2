package sig

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/guard"
)

// This file writes the notation that grammar/signature.go defines.
//
// A type is a set of pieces with | between them. The union of its alternatives
// is written where it has some, else its literals, then its kinds. Types form a
// graph, which may have cycles and in which one type may be reached on many
// ways. So each is looked at first (usage), and one that is used twice and is
// not short is given a name where it is first written: @name{…}, then @name.

// The words of the notation. A bare literal is never one of them.
const (
	anyWord    = "any"
	neverWord  = "never"
	stringWord = "string"
	objectWord = "object"
)

// typeWords are the words that stand for types.
var typeWords = map[string]bool{
	anyWord: true, neverWord: true, stringWord: true, objectWord: true,
	"number": true, "int": true, "bool": true, "null": true,
}

// maxSignatureDepth is how deep signatures nest: no call nests deeper under the
// default limits.
const maxSignatureDepth = 64

// maxInline is how many bytes a type may have that is written out wherever it
// is used.
const maxInline = 24

// maxRootAlternatives is how many alternatives of the arguments as a whole are
// written one by one.
const maxRootAlternatives = 12

// signer writes one signature.
type signer struct {
	o     SignatureOptions
	guard guard.Guard

	longest int   // characters of a parameter's description
	lengths []int // if not nil, those of all that were written

	usage map[*Type]*usage
	taken map[string]bool // names of types
	depth int
}

// usage is what is known of a type before it is written.
type usage struct {
	uses   int
	weight int  // about how many bytes it takes to write
	open   bool // being looked at: met again, it contains itself
	cyclic bool
	name   string // once it is written under a name
}

func (w *signer) signature(dst []byte, p Plan) []byte {
	t := p.Tool
	w.usage = make(map[*Type]*usage)
	roots := w.roots(t.Args)
	for _, r := range roots {
		w.lookBelow(r, 0)
	}
	if showsName(t.Name) && !w.guard.In(t.Name) {
		dst = append(dst, t.Name...)
	} else {
		dst = w.quoted(dst, t.Name)
	}
	if w.o.Style == Classic {
		dst = append(dst, ':')
	}
	start := len(dst)
	seen := make(map[string]bool, len(roots))
	for _, r := range roots {
		text := w.arguments(nil, r, p.Syntax)
		if seen[string(text)] {
			continue
		}
		if len(seen) > 0 {
			dst = append(dst, " |"...)
		}
		if len(text) > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, text...)
		seen[string(text)] = true
	}
	if w.o.Style == Classic && len(dst) == start {
		dst = dst[:start-1]
	}
	return w.description(dst, t.Description)
}

// showsName reports whether a name is one that calls can have and that shows for
// what it is.
func showsName(name string) bool {
	if !callable(name) {
		return false
	}
	for part := range strings.SplitSeq(name, ":") {
		if !isWord(strings.ReplaceAll(part, "@", "_")) {
			return false
		}
	}
	return true
}

// roots returns the types whose members are the arguments: args, or its
// alternatives where these differ in more than their names.
func (w *signer) roots(args *Type) []*Type {
	roots := flatten(nil, args, 0)
	for _, r := range roots {
		if r == nil || r.Kinds&Object == 0 {
			return []*Type{args}
		}
	}
	if len(roots) > maxRootAlternatives {
		return []*Type{args}
	}
	return roots
}

// flatten appends the alternatives of t and of its alternatives, or t. It stops
// when there are too many.
func flatten(list []*Type, t *Type, depth int) []*Type {
	if t == nil || len(t.Alts) == 0 || len(list) > maxRootAlternatives || depth > maxRootAlternatives {
		return append(list, t)
	}
	for _, alt := range t.Alts {
		list = flatten(list, alt, depth+1)
	}
	return list
}

// arguments writes the members of the arguments object, in braces where calls
// are JSON.
func (w *signer) arguments(dst []byte, t *Type, syntax Syntax) []byte {
	if syntax == JSON {
		dst = append(dst, '{')
	}
	if t == nil {
		dst = append(dst, "*:any"...)
	} else {
		dst = w.members(dst, t)
	}
	if syntax == JSON {
		dst = append(dst, '}')
	}
	return dst
}

// description writes the tool's description.
func (w *signer) description(dst []byte, text string) []byte {
	n := w.o.Description
	if n == 0 {
		n = DefaultDescription
	}
	if n < 0 {
		return dst
	}
	if text = cut(oneLine(text), n); text == "" {
		return dst
	}
	dash := " - "
	if w.o.Style == Classic {
		dash = " — "
	}
	dst = append(dst, dash...)
	return append(dst, w.guard.Neutralize(text)...)
}

// look counts the uses of t and of the types below it.
func (w *signer) look(t *Type, depth int) int {
	if t == nil || depth > maxSignatureDepth+2 { // the writer begins to count one below
		return len(anyWord)
	}
	u := w.usage[t]
	if u != nil {
		u.uses++
		u.cyclic = u.cyclic || u.open
		return u.weight
	}
	u = &usage{uses: 1, open: true}
	w.usage[t] = u
	u.weight = w.lookBelow(t, depth)
	u.open = false
	return u.weight
}

// lookBelow is look for the types below t only.
func (w *signer) lookBelow(t *Type, depth int) (weight int) {
	if t == nil {
		return len(anyWord)
	}
	if len(t.Alts) > 0 && depth > 0 {
		for _, alt := range t.Alts {
			weight += w.look(alt, depth+1)
		}
		return weight
	}
	weight = len(stringWord)
	for i := range t.Enum {
		weight += len(t.Enum[i].Text)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		weight += len(f.Name) + w.look(f.Type, depth+1)
	}
	for i := range t.patterns {
		weight += maxInline + w.look(t.patterns[i].typ, depth+1)
	}
	if t.Extra != nil && !t.Closed {
		weight += w.look(t.Extra, depth+1)
	}
	for _, e := range t.Prefix {
		weight += w.look(e, depth+1)
	}
	if t.Items != nil {
		weight += w.look(t.Items, depth+1)
	}
	return weight
}

// piece is one alternative of a union, as it is written.
type piece struct {
	text string
	word bool // a string literal that could be written without quotes
}

// typeText returns the type in the notation. In a group it can be followed by
// brackets or stand before a |.
func (w *signer) typeText(t *Type, group bool) string {
	pieces := distinctPieces(w.pieces(nil, t))
	if len(pieces) == 1 {
		return w.pieceText(pieces[0], false)
	}
	var b strings.Builder
	if group {
		b.WriteByte('(')
	}
	for i, p := range pieces {
		if i > 0 {
			b.WriteByte('|')
		}
		b.WriteString(w.pieceText(p, w.o.Style == Compact))
	}
	if group {
		b.WriteByte(')')
	}
	return b.String()
}

func (w *signer) pieceText(p piece, bare bool) string {
	if p.word && !bare {
		return `"` + p.text + `"`
	}
	return p.text
}

// distinctPieces removes repetitions.
func distinctPieces(pieces []piece) []piece {
	if len(pieces) < 2 {
		return pieces
	}
	seen := make(map[piece]bool, len(pieces))
	kept := pieces[:0]
	for _, p := range pieces {
		if !seen[p] {
			seen[p] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// pieces appends what t is the union of.
func (w *signer) pieces(list []piece, t *Type) []piece {
	if t == nil || w.depth > maxSignatureDepth {
		return append(list, piece{text: anyWord})
	}
	u := w.usage[t]
	if u == nil || u.uses < 2 || !u.cyclic && u.weight <= maxInline {
		return w.ownPieces(list, t)
	}
	if u.name != "" {
		return append(list, piece{text: "@" + u.name})
	}
	u.name = w.nameFor(t)
	text := w.union(w.ownPieces(nil, t))
	if text[0] != '{' || text[len(text)-1] != '}' || !isObjectText(t) {
		text = "(" + text + ")"
	}
	return append(list, piece{text: "@" + u.name + text})
}

// isObjectText reports whether t is written as one object in braces.
func isObjectText(t *Type) bool { return len(t.Alts) == 0 && t.Kinds == Object && len(t.Enum) == 0 }

// union joins pieces to one text.
func (w *signer) union(pieces []piece) string {
	pieces = distinctPieces(pieces)
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = w.pieceText(p, len(pieces) > 1 && w.o.Style == Compact)
	}
	return strings.Join(texts, "|")
}

// nameFor returns a name for t that no other type of the signature has: that of
// the definition it refers to, as far as it is a word.
func (w *signer) nameFor(t *Type) string {
	name := t.Ref[strings.LastIndexAny(t.Ref, "/#.")+1:]
	name = strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
			return r
		}
		return -1
	}, name[:min(len(name), 40)])
	if name == "" {
		name = "type"
	}
	if w.taken == nil {
		w.taken = make(map[string]bool)
	}
	unique := name
	for n := 2; w.taken[unique]; n++ {
		unique = name + "_" + strconv.Itoa(n)
	}
	w.taken[unique] = true
	return unique
}

// ownPieces appends what t is the union of, itself written out.
func (w *signer) ownPieces(list []piece, t *Type) []piece {
	w.depth++
	defer func() { w.depth-- }()
	for _, alt := range t.Alts {
		list = w.pieces(list, alt)
	}
	if len(t.Alts) > 0 {
		return list
	}
	before := len(list)
	for i := range t.Enum {
		list = append(list, w.literal(&t.Enum[i]))
	}
	free := t.Free
	if free&Array != 0 && (free != Any || t.Items != nil || t.Prefix != nil) {
		list = append(list, piece{text: w.array(t)})
		free &^= Array
	}
	if free&Object != 0 && (free|Array != Any || !t.anyObject()) {
		list = append(list, piece{text: w.object(t)})
		free &^= Object
	}
	switch {
	case t.Free == Any:
		return append(list, piece{text: anyWord})
	case free&Number != 0:
		list = append(list, piece{text: "number"})
	case free&Integer != 0:
		list = append(list, piece{text: "int"})
	}
	for _, k := range [...]struct {
		kind Kinds
		word string
	}{{String, stringWord}, {Boolean, "bool"}, {Null, "null"}} {
		if free&k.kind != 0 {
			list = append(list, piece{text: k.word})
		}
	}
	if len(list) == before {
		list = append(list, piece{text: neverWord})
	}
	return list
}

// anyObject reports whether t says nothing about objects.
func (t *Type) anyObject() bool {
	return len(t.Fields) == 0 && len(t.patterns) == 0 && t.Extra == nil && !t.Closed
}

// array writes what t says of arrays: T[] or [T T *:T].
func (w *signer) array(t *Type) string {
	if len(t.Prefix) == 0 && (t.Items == nil || t.Items.Kinds != 0) {
		return w.typeText(t.Items, true) + "[]"
	}
	elements := make([]string, 0, len(t.Prefix)+1)
	for _, e := range t.Prefix {
		elements = append(elements, w.typeText(e, false))
	}
	if t.Items == nil || t.Items.Kinds != 0 {
		elements = append(elements, "*:"+w.typeText(t.Items, false))
	}
	return "[" + strings.Join(elements, w.separator()) + "]"
}

// object writes what t says of objects: {a b?:int *:T}.
func (w *signer) object(t *Type) string {
	if t.anyObject() {
		return objectWord
	}
	b := append(make([]byte, 0, 64), '{')
	return string(append(w.members(b, t), '}'))
}

func (w *signer) separator() string {
	if w.o.Style == Classic {
		return ", "
	}
	return " "
}

// members writes the properties of t, the required ones first.
func (w *signer) members(dst []byte, t *Type) []byte {
	start := len(dst)
	next := func() {
		if len(dst) > start {
			dst = append(dst, w.separator()...)
		}
	}
	for _, required := range [...]bool{true, false} {
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Required == required {
				next()
				dst = w.member(dst, f)
			}
		}
	}
	for i := range t.patterns {
		next()
		p := &t.patterns[i]
		if p.matches == nil {
			dst = append(dst, "*"...)
		} else {
			dst = w.quoted(append(dst, '~'), p.matches.String())
		}
		dst = append(append(dst, ':'), w.typeText(p.typ, false)...)
	}
	if !t.Closed && (t.Extra != nil || len(t.patterns) == 0) {
		next()
		dst = append(append(dst, "*:"...), w.typeText(t.Extra, false)...)
	}
	return dst
}

// member writes one property.
func (w *signer) member(dst []byte, f *Field) []byte {
	if isWord(strings.TrimPrefix(f.Name, "@")) && IsPathKey(f.Name) && !w.guard.In(f.Name) {
		dst = append(dst, f.Name...)
	} else {
		dst = w.quoted(dst, f.Name)
	}
	if !f.Required {
		dst = append(dst, '?')
	}
	if text := w.typeText(f.Type, false); text != stringWord || w.o.Style == Classic {
		dst = append(append(dst, ':'), text...)
	}
	if f.Type == nil {
		return dst
	}
	if !w.o.HideDefaults && len(f.Type.Default) > 0 {
		dst = w.value(append(dst, '='), f.Type.Default)
	}
	return w.comment(dst, f.Type.Description)
}

// comment writes the description of a parameter.
func (w *signer) comment(dst []byte, text string) []byte {
	if w.o.Parameters == Off || text == "" {
		return dst
	}
	text = oneLine(text)
	if w.o.Parameters == Short {
		text = cut(strings.TrimSuffix(firstSentence(text), "."), shortDetail)
	}
	if w.lengths != nil {
		w.lengths = append(w.lengths, utf8.RuneCountInString(text))
	}
	if text = balanced(cut(text, w.longest)); text == "" || text == ellipsis {
		return dst
	}
	dst = append(dst, " ("...)
	dst = append(dst, w.guard.Neutralize(text)...)
	return append(dst, ')')
}

// balanced returns text with brackets in the place of parentheses that have no
// partner.
func balanced(text string) string {
	if !strings.ContainsAny(text, "()") {
		return text
	}
	b := []byte(text)
	var open []int
	for i, c := range b {
		switch {
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			open = open[:len(open)-1]
		case c == ')':
			b[i] = ']'
		}
	}
	for _, i := range open {
		b[i] = '['
	}
	return string(b)
}

// literal returns a member of an enum.
func (w *signer) literal(m *Member) piece {
	switch m.Kind {
	case String:
		if isWord(m.Text) && !typeWords[m.Text] && !isLiteralWord(m.Text) && !w.guard.In(m.Text) {
			return piece{text: m.Text, word: true}
		}
		return piece{text: string(w.quoted(nil, m.Text))}
	case Array, Object:
		return piece{text: string(w.ticked(nil, m.JSON))}
	}
	return piece{text: string(m.JSON)}
}

// value writes a default value, which is JSON.
func (w *signer) value(dst []byte, text []byte) []byte {
	doc, err := decode(text)
	if err != nil {
		return w.ticked(dst, text)
	}
	m := newMember(doc.root)
	if m.Kind == String && w.o.Style == Compact && isWord(m.Text) && !isLiteralWord(m.Text) && !w.guard.In(m.Text) {
		return append(dst, m.Text...)
	}
	if m.Kind == String {
		return w.quoted(dst, m.Text)
	}
	return append(dst, w.literal(&m).text...)
}

// isLiteralWord reports whether text without quotes would be read as a JSON
// literal.
func isLiteralWord(text string) bool {
	switch text {
	case "null", "true", "false":
		return true
	}
	return text[0] == '-' || text[0] == '+' || '0' <= text[0] && text[0] <= '9'
}

// isWord reports whether text can stand in a signature without quotes.
func isWord(text string) bool {
	if text == "" || text == "-" {
		return false
	}
	for i, r := range text {
		switch {
		case 'a' <= r|0x20 && r|0x20 <= 'z', r == '_', '0' <= r && r <= '9', r == '-' && i > 0:
		case strings.ContainsRune("$#%+./;^!&", r):
		case r >= 0xa1 && r != utf8.RuneError && strconv.IsPrint(r) && r != '—':
		default:
			return false
		}
	}
	return true
}

// quoted appends text as a JSON string in which no tag occurs, nor anything that
// ends a line or does not show.
func (w *signer) quoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	dst = w.escaped(dst, text, '"', '\\')
	return append(dst, '"')
}

// ticked appends a JSON array or object, which backquotes set off from types.
// Where it holds one, that stands in a string and can be escaped.
func (w *signer) ticked(dst []byte, json []byte) []byte {
	dst = append(dst, '`')
	dst = w.escaped(dst, string(json), '`', 0)
	return append(dst, '`')
}

// escaped appends text with the bytes a and b, what does not show, and the first
// bytes of tags escaped as JSON demands.
func (w *signer) escaped(dst []byte, text string, a, b byte) []byte {
	tags := w.guard.In(text)
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf && (byte(r) == a || byte(r) == b) && r != '`':
			dst = append(dst, '\\', byte(r))
		case r == '`' && a == '`', r < ' ', r == 0x7f, r >= utf8.RuneSelf && (!strconv.IsPrint(r) || invisible(r)),
			tags && w.beginsTag(text[i:]):
			dst = appendEscape(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

func (w *signer) beginsTag(text string) bool {
	for _, tag := range w.guard.Tags() {
		if strings.HasPrefix(text, tag) {
			return true
		}
	}
	return false
}

// appendEscape appends the rune as JSON escapes it: as one unit of UTF-16 or two.
func appendEscape(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	if r > 0xffff {
		r -= 0x10000
		dst = appendEscape(dst, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
