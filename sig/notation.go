package sig

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/lexeme"
)

// This file writes the notation that grammar/signature.go defines.
//
// A type is written as pieces with | between them: its alternatives if it has any,
// otherwise its literals, then its kinds. Types form a graph, which may have
// cycles and many paths to one type. So uses are counted first, and a type
// that is used twice and is not short gets a name where it is first written:
// @name{…}, then @name.

const (
	// maxSignatureDepth bounds the nesting of signatures: under the default limits no
	// call nests deeper.
	maxSignatureDepth = 64

	// maxRootAlternatives bounds the alternatives of the whole arguments that are
	// written one by one.
	maxRootAlternatives = 12

	// maxInline is how long a type may be, in bytes, to be written out wherever it is
	// used.
	maxInline = 24
)

// writer writes one signature.
type writer struct {
	o     SignatureOptions
	guard guard.Guard

	lengths   []int          // of the descriptions in each comment so far, in characters
	dropped   map[int]bool   // comments without their descriptions, see tooLong
	commented map[*Type]bool // types whose comment is not repeated
	omitted   []Keyword
	path      []string // of the place being written

	counting bool // the signature is only written to count, see count
	uses     map[*Type]*use
	taken    map[string]bool // names of types in use
	depth    int
}

// again writes from the start, with what is known about the types.
func (w *writer) again(text func(*writer) string) string {
	w.lengths, w.omitted = nil, nil
	w.commented = make(map[*Type]bool)
	w.taken = make(map[string]bool)
	for _, u := range w.uses {
		u.name = ""
	}
	return text(w)
}

func (w *writer) signature(p Plan) string {
	t := p.Tool
	if t == nil {
		t = new(Tool)
	}
	roots := rootsOf(t.Args)
	var prose string
	var entries map[string][]string
	if !w.counting {
		prose, entries = t.sections()
	}
	line := t.Name
	if !t.showsName() || w.guard.In(line) {
		line = w.quoted(line)
	}
	var lists []string
	for _, r := range roots {
		text := "*:" + anyWord
		if r != nil {
			text = w.members(r, entries)
		}
		if p.JSON {
			text = "{" + text + "}"
		}
		if text != "" {
			text = " " + text
		}
		if !slices.Contains(lists, text) {
			lists = append(lists, text)
		}
	}
	arguments := strings.Join(lists, " |")
	if w.o.Classic && arguments != "" {
		line += ":"
	}
	for _, above := range append(slices.Clip(roots), t.Args) { // no comment shows it
		w.omitRemarks(above)
	}
	return line + arguments + w.description(prose)
}

// rootsOf returns the types whose members are the arguments: the alternatives of
// args if all are objects and there are few, otherwise args.
func rootsOf(args *Type) []*Type {
	if args == nil || len(args.Alts) == 0 || len(args.Alts) > maxRootAlternatives {
		return []*Type{args}
	}
	if slices.ContainsFunc(args.Alts, func(t *Type) bool { return t.Kinds&Object == 0 }) {
		return []*Type{args}
	}
	return args.Alts
}

// description returns the tool's description, after a dash.
func (w *writer) description(text string) string {
	n := w.o.Description
	if n == 0 {
		n = DefaultDescription
	}
	whole := oneLine(text)
	part := cut(whole, max(n, 0))
	if part != whole {
		w.omitDescription(text)
	}
	if part == "" || n < 0 {
		return ""
	}
	dash := " - "
	if w.o.Classic {
		dash = " — "
	}
	return dash + w.guard.Neutralize(part)
}

// use is what is known about a type after the signature was written once.
type use struct {
	again  bool   // it is reached more than once
	text   string // the begin of the type as written; "" while it is being written
	cyclic bool   // it contains itself
	name   string // once it has been written with a name
}

// isNamed reports whether the type is written only once, with a name.
func (u *use) isNamed() bool { return u.again && (u.cyclic || len(u.text) > maxInline) }

// count is pieces for a signature that is only written to count the uses of its types.
func (w *writer) count(list []piece, t *Type) []piece {
	u := w.uses[t]
	if u != nil {
		u.again = true
		u.cyclic = u.cyclic || u.text == ""
		return append(list, piece{text: u.text})
	}
	u = new(use)
	w.uses[t] = u
	own := w.ownPieces(nil, t)
	text, _ := w.union(own)
	u.text = text[:min(len(text), maxInline+1)]
	return append(list, own...)
}

// nameFor returns a name for t that no other type of the signature has, derived
// from the name of its definition.
func (w *writer) nameFor(t *Type) string {
	isOther := func(r rune) bool { return r >= utf8.RuneSelf || !isLetter(byte(r)) }
	words := strings.FieldsFunc(t.ref[:min(len(t.ref), 40)], isOther)
	name := cmp.Or(strings.Join(words, ""), "type")
	unique := name
	for n := 2; w.taken[unique]; n++ {
		unique = name + "_" + strconv.Itoa(n)
	}
	w.taken[unique] = true
	return unique
}

// piece is one alternative of a union as text.
type piece struct {
	text string
	word bool // a string literal that could be written without quotes
}

// typeText returns the type in the notation.
func (w *writer) typeText(t *Type) string {
	text, _ := w.union(w.pieces(nil, t))
	return text
}

// union joins the pieces with |, and returns how many different ones there are.
func (w *writer) union(pieces []piece) (text string, n int) {
	if len(pieces) > 1 {
		seen := make(set[piece], len(pieces))
		pieces = slices.DeleteFunc(pieces, func(p piece) bool { return !seen.add(p) })
	}
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.text
		if p.word && (len(pieces) == 1 || w.o.Classic) {
			texts[i] = `"` + p.text + `"`
		}
	}
	return strings.Join(texts, "|"), len(texts)
}

// pieces appends the pieces of t, or its name once it has one.
func (w *writer) pieces(list []piece, t *Type) []piece {
	if t == nil || w.depth > maxSignatureDepth {
		return append(list, piece{text: anyWord})
	}
	t = t.Shape()
	if w.counting {
		return w.count(list, t)
	}
	u := w.uses[t]
	if u == nil || !u.isNamed() {
		return w.ownPieces(list, t)
	}
	if u.name != "" {
		return append(list, piece{text: "@" + u.name})
	}
	u.name = w.nameFor(t)
	text, _ := w.union(w.ownPieces(nil, t))
	isObject := len(t.Alts) == 0 && t.Kinds == Object && len(t.Enum) == 0
	if !isObject || text == objectWord {
		text = "(" + text + ")"
	}
	return append(list, piece{text: "@" + u.name + text})
}

// kindWords are the words for kinds without parts, in the order in which they are written.
var kindWords = [...]struct {
	kind Kinds
	word string
}{{Number, "number"}, {Integer, "int"}, {String, stringWord}, {Boolean, "bool"}, {Null, nullWord}}

// ownPieces appends the pieces of t, written out even if t has a name.
func (w *writer) ownPieces(list []piece, t *Type) []piece {
	w.depth++
	defer func() { w.depth-- }()
	if len(t.Alts) > 0 {
		for _, alt := range t.Alts {
			list = w.pieces(list, alt)
		}
		return list
	}
	before := len(list)
	add := func(text string) { list = append(list, piece{text: text}) }
	for i := range t.Enum {
		list = append(list, w.literal(&t.Enum[i]))
	}
	free := t.Free
	if free&Array != 0 && (free != Any || t.Items != nil || t.Prefix != nil) {
		add(w.array(t))
		free &^= Array
	}
	if free&Object != 0 && (free|Array != Any || !t.anyObject()) {
		add(w.object(t))
	}
	if t.Free == Any {
		add(anyWord)
		return list
	}
	if free&Number != 0 {
		free &^= Integer
	}
	for _, k := range kindWords {
		if free&k.kind != 0 {
			add(k.word)
		}
	}
	if len(list) == before {
		add(neverWord)
	}
	return list
}

// anyObject reports whether t allows every object.
func (t *Type) anyObject() bool {
	return len(t.Fields)+len(t.patterns) == 0 && t.Extra == nil && !t.Closed
}

// array returns the arrays of t: T[] or [T T *:T].
func (w *writer) array(t *Type) string {
	isOpen := t.Items == nil || t.Items.Kinds != 0
	if len(t.Prefix) == 0 && isOpen {
		text, n := w.union(w.pieces(nil, t.Items))
		if n > 1 {
			text = "(" + text + ")"
		}
		return text + "[]"
	}
	var elements []string
	for _, e := range t.Prefix {
		elements = append(elements, w.typeText(e))
	}
	if isOpen {
		elements = append(elements, "*:"+w.typeText(t.Items))
	}
	return "[" + strings.Join(elements, w.separator()) + "]"
}

// object returns the objects of t: {a b?:int *:T}.
func (w *writer) object(t *Type) string {
	if t.anyObject() {
		return objectWord
	}
	return "{" + w.members(t, nil) + "}"
}

func (w *writer) separator() string {
	if w.o.Classic {
		return ", "
	}
	return " "
}

// members returns the properties of t, those that must be there first. entries are
// their entries in the tool's description.
func (w *writer) members(t *Type, entries map[string][]string) string {
	var all []string
	for _, omissible := range [...]bool{false, true} {
		for i := range t.Fields {
			if f := &t.Fields[i]; f.isOmissible() == omissible {
				all = append(all, w.member(f, entries[f.Name]))
			}
		}
	}
	for _, p := range t.patterns {
		if p.isAny() {
			all = append(all, w.others("*", p.typ))
			break
		}
		all = append(all, w.others("~"+w.quoted(p.source), p.typ))
	}
	if t.open() {
		all = append(all, w.others("*", t.Extra))
	}
	return strings.Join(all, w.separator())
}

// enter goes to a place below the current one, and leave back.
func (w *writer) enter(name string) (leave func()) {
	w.path = append(w.path, name)
	return func() { w.path = w.path[:len(w.path)-1] }
}

// open reports whether a signature names the type of undeclared properties: they are
// allowed, and the patterns leave some.
func (t *Type) open() bool {
	hasRest := len(t.patterns) == 0 || t.Extra != nil
	return !t.Closed && hasRest && !slices.ContainsFunc(t.patterns, pattern.isAny)
}

// others returns undeclared properties.
func (w *writer) others(key string, t *Type) string {
	defer w.enter("*")()
	return key + ":" + w.typeText(t) + w.comment(&Field{Type: t}, nil)
}

// hasDefault reports whether t has a default other than null, which only means that
// the value may be omitted.
func (t *Type) hasDefault() bool {
	return t != nil && len(t.Default) > 0 && string(t.Default) != nullWord
}

// showsDefault reports whether the default, if there is one, is short enough for a signature.
func (t *Type) showsDefault() bool { return len(t.Default) <= maxFact }

// member returns one property with its comment.
func (w *writer) member(f *Field, also []string) string {
	defer w.enter(f.Name)()
	text := f.Name
	if !isWord(strings.TrimPrefix(text, "@")) || !lexeme.IsPath(text) || w.guard.In(text) {
		text = w.quoted(text)
	}
	pieces := w.pieces(nil, f.Type)
	if f.isOmissible() {
		text += "?"
		isNull := func(p piece) bool { return p == piece{text: nullWord} }
		if slices.ContainsFunc(pieces, func(p piece) bool { return !isNull(p) }) {
			pieces = slices.DeleteFunc(pieces, isNull) // redundant
		}
	}
	if typ, _ := w.union(pieces); typ != stringWord || w.o.Classic {
		text += ":" + typ
	}
	if !w.o.HideDefaults && f.Type.hasDefault() && f.Type.showsDefault() {
		text += "=" + w.value(f.Type.Default)
	}
	return text + w.comment(f, also)
}
