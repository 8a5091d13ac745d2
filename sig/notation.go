package sig

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/lexeme"
)

// This file writes the notation that grammar/signature.go defines.
//
// A type is written as pieces with | between them: its alternatives if it has any,
// otherwise its literals, then its kinds. Types form a graph, which may have
// cycles and many paths to one type. So uses are counted first (usage), and a type
// that is used twice and is not short gets a name where it is first written:
// @name{…}, then @name.

// maxSignatureDepth bounds the nesting of signatures: under the default limits no
// call nests deeper.
const maxSignatureDepth = 64

// maxRootAlternatives bounds the alternatives of the whole arguments that are
// written one by one.
const maxRootAlternatives = 12

// writer writes one signature.
type writer struct {
	o     SignatureOptions
	guard guard.Guard

	lengths   []int          // of the descriptions in each comment so far, in characters
	dropped   map[int]bool   // comments without their descriptions, see tooLong
	commented map[*Type]bool // types whose comment is not repeated
	omitted   *omissions     // nil: not asked for
	path      []string       // of the place being written

	written  []*Type           // the arguments, or their alternatives
	sections map[string]string // entries on parameters in the tool's description

	usage map[*Type]*usage
	taken map[string]bool // names of types in use
	depth int
}

func (w *writer) signature(dst []byte, p Plan) []byte {
	t := p.tool()
	roots := w.roots(t.Args)
	w.begin(roots...)
	var prose string
	isProperty := func(name string) bool { return hasField(roots, name) }
	prose, w.sections = readSections(t.Description, isProperty)
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
	w.omitAbove(append(slices.Clip(roots), t.Args))
	return w.description(dst, prose)
}

// begin resets the writer and counts the uses of the types that it will write.
func (w *writer) begin(roots ...*Type) {
	w.usage = make(map[*Type]*usage)
	w.commented = make(map[*Type]bool)
	w.written = roots
	for _, r := range roots {
		w.lookBelow(r, 0)
	}
}

// showsName reports whether a call can have the name, and nothing in it has to be
// escaped.
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

// roots returns the types whose members are the arguments: the alternatives of
// args if all are objects and there are few, otherwise args.
func (w *writer) roots(args *Type) []*Type {
	if args == nil || len(args.Alts) == 0 || len(args.Alts) > maxRootAlternatives {
		return []*Type{args}
	}
	if slices.ContainsFunc(args.Alts, func(t *Type) bool { return t.Kinds&Object == 0 }) {
		return []*Type{args}
	}
	return args.Alts
}

// arguments writes the members of the arguments object, in braces if calls are
// announced in JSON.
func (w *writer) arguments(dst []byte, t *Type, syntax Syntax) []byte {
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
func (w *writer) description(dst []byte, text string) []byte {
	n := w.o.Description
	if n == 0 {
		n = DefaultDescription
	}
	whole := oneLine(text)
	part := cut(whole, max(n, 0))
	if part != whole {
		w.omit(describedAt(nil, text))
	}
	if part == "" || n < 0 {
		return dst
	}
	dash := " - "
	if w.o.Style == Classic {
		dash = " — "
	}
	dst = append(dst, dash...)
	return append(dst, w.guard.Neutralize(part)...)
}

// omitAbove reports what applies to the arguments as a whole, which no comment shows.
func (w *writer) omitAbove(arguments []*Type) {
	for _, t := range arguments {
		if w.omitted == nil || t == nil {
			continue
		}
		for _, f := range t.facts() {
			w.omitFact(f, nil)
		}
		for _, d := range t.descriptions() {
			w.omit(describedAt(nil, d))
		}
	}
}

// piece is one alternative of a union as text.
type piece struct {
	text string
	word bool // a string literal that could be written without quotes
}

// where a type is written.
type where uint8

const (
	alone    where = iota
	grouped        // brackets or a | can follow, so a union is in parentheses
	optional       // null would be redundant
)

// typeText returns the type in the notation.
func (w *writer) typeText(t *Type, in where) string {
	pieces := distinctPieces(w.pieces(nil, t))
	if in == optional && len(pieces) > 1 {
		pieces = slices.DeleteFunc(pieces, func(p piece) bool { return p == piece{text: nullWord} })
	}
	text := w.union(pieces)
	if in == grouped && len(pieces) > 1 {
		return "(" + text + ")"
	}
	return text
}

// union joins pieces with |.
func (w *writer) union(pieces []piece) string {
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.text
		if p.word && (len(pieces) == 1 || w.o.Style != Compact) {
			texts[i] = `"` + p.text + `"`
		}
	}
	return strings.Join(texts, "|")
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

// pieces appends the pieces of t, or its name once it has one.
func (w *writer) pieces(list []piece, t *Type) []piece {
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
	text := w.union(distinctPieces(w.ownPieces(nil, t)))
	if text[0] != '{' || text[len(text)-1] != '}' || !isObjectText(t) {
		text = "(" + text + ")"
	}
	return append(list, piece{text: "@" + u.name + text})
}

// isObjectText reports whether t is written as one object in braces.
func isObjectText(t *Type) bool { return len(t.Alts) == 0 && t.Kinds == Object && len(t.Enum) == 0 }

// ownPieces appends the pieces of t, written out even if t has a name.
func (w *writer) ownPieces(list []piece, t *Type) []piece {
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
	}{{String, stringWord}, {Boolean, "bool"}, {Null, nullWord}} {
		if free&k.kind != 0 {
			list = append(list, piece{text: k.word})
		}
	}
	if len(list) == before {
		list = append(list, piece{text: neverWord})
	}
	return list
}

// anyObject reports whether t allows every object.
func (t *Type) anyObject() bool {
	return len(t.Fields) == 0 && len(t.patterns) == 0 && t.Extra == nil && !t.Closed
}

// array returns the arrays of t: T[] or [T T *:T].
func (w *writer) array(t *Type) string {
	if len(t.Prefix) == 0 && (t.Items == nil || t.Items.Kinds != 0) {
		return w.typeText(t.Items, grouped) + "[]"
	}
	elements := make([]string, 0, len(t.Prefix)+1)
	for _, e := range t.Prefix {
		elements = append(elements, w.typeText(e, alone))
	}
	if t.Items == nil || t.Items.Kinds != 0 {
		elements = append(elements, "*:"+w.typeText(t.Items, alone))
	}
	return "[" + strings.Join(elements, w.separator()) + "]"
}

// object returns the objects of t: {a b?:int *:T}.
func (w *writer) object(t *Type) string {
	if t.anyObject() {
		return objectWord
	}
	b := append(make([]byte, 0, 64), '{')
	return string(append(w.members(b, t), '}'))
}

func (w *writer) separator() string {
	if w.o.Style == Classic {
		return ", "
	}
	return " "
}

// members writes the properties of t, those that must be there first.
func (w *writer) members(dst []byte, t *Type) []byte {
	start := len(dst)
	needs := t.needs()
	root := slices.Contains(w.written, t)
	next := func(name string) {
		if len(dst) > start {
			dst = append(dst, w.separator()...)
		}
		w.path = append(w.path, name)
	}
	end := func() { w.path = w.path[:len(w.path)-1] }
	for _, omissible := range [...]bool{false, true} {
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Omissible() != omissible {
				continue
			}
			next(f.Name)
			dst = w.member(dst, f)
			also := ""
			if root {
				also = w.sections[f.Name]
			}
			dst = w.comment(dst, needs[f.Name], f.Type, also)
			end()
		}
	}
	for i := range t.patterns {
		next("*")
		dst = w.pattern(dst, &t.patterns[i])
		end()
	}
	if t.open() {
		next("*")
		dst = append(append(dst, "*:"...), w.typeText(t.Extra, alone)...)
		dst = w.comment(dst, nil, t.Extra, "")
		end()
	}
	return dst
}

// open reports whether a signature names the type of undeclared properties: they are
// allowed, and the patterns leave some.
func (t *Type) open() bool {
	if t.Closed || t.Extra == nil && len(t.patterns) > 0 {
		return false
	}
	return !slices.ContainsFunc(t.patterns, func(p pattern) bool { return p.matches == nil })
}

// pattern writes the properties that match a pattern.
func (w *writer) pattern(dst []byte, p *pattern) []byte {
	if p.matches == nil {
		dst = append(dst, '*')
	} else {
		dst = w.quoted(append(dst, '~'), p.matches.String())
	}
	dst = append(append(dst, ':'), w.typeText(p.typ, alone)...)
	return w.comment(dst, nil, p.typ, "")
}

// hasDefault reports whether t has a default other than null, which only means that
// the value may be omitted.
func (t *Type) hasDefault() bool {
	return t != nil && len(t.Default) > 0 && string(t.Default) != nullWord
}

// member writes one property.
func (w *writer) member(dst []byte, f *Field) []byte {
	if isWord(strings.TrimPrefix(f.Name, "@")) && lexeme.IsPath(f.Name) && !w.guard.In(f.Name) {
		dst = append(dst, f.Name...)
	} else {
		dst = w.quoted(dst, f.Name)
	}
	in := alone
	if f.Omissible() {
		dst, in = append(dst, '?'), optional
	}
	text := w.typeText(f.Type, in)
	if text != stringWord || w.o.Style == Classic {
		dst = append(append(dst, ':'), text...)
	}
	if !w.o.HideDefaults && f.Type.hasDefault() {
		dst = w.value(append(dst, '='), f.Type.Default)
	}
	return dst
}
