package sig

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// This file writes the notation that grammar/signature.go defines.
//
// A type is a set of pieces with | between them. The union of its alternatives
// is written where it has some, else its literals, then its kinds. Types form a
// graph, which may have cycles and in which one type may be reached on many
// ways. So each is looked at first (usage), and one that is used twice and is
// not short is given a name where it is first written: @name{…}, then @name.

// maxSignatureDepth is how deep signatures nest: no call nests deeper under the
// default limits.
const maxSignatureDepth = 64

// maxRootAlternatives is how many alternatives of the arguments as a whole are
// written one by one.
const maxRootAlternatives = 12

// signer writes one signature.
type signer struct {
	o     SignatureOptions
	guard lexeme.Guard

	longest int   // characters of a parameter's description
	lengths []int // if not nil, those of all that were written

	commented map[*Type]bool      // what was said of them need not be said again
	shown     map[*Constraint]int // how often a constraint was told

	written  []*Type           // the arguments, or their alternatives
	sections map[string]string // what the tool's description says of its parameters
	whole    map[string]bool   // descriptions that were told whole

	usage map[*Type]*usage
	taken map[string]bool // names of types
	depth int
}

func (w *signer) signature(dst []byte, p Plan) []byte {
	t := p.Tool
	roots := w.roots(t.Args)
	w.begin(roots...)
	var prose string
	prose, w.sections = readSections(t.Description, func(name string) bool { return hasField(roots, name) })
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
	return w.description(dst, prose)
}

// begin forgets what was written and looks at the types that will be.
func (w *signer) begin(roots ...*Type) {
	w.usage = make(map[*Type]*usage)
	w.commented, w.shown, w.whole = make(map[*Type]bool), make(map[*Constraint]int), make(map[string]bool)
	w.written = roots
	for _, r := range roots {
		w.lookBelow(r, 0)
	}
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
	whole := oneLine(text)
	part := cut(whole, n)
	w.whole[text] = part == whole
	if text = part; text == "" {
		return dst
	}
	dash := " - "
	if w.o.Style == Classic {
		dash = " — "
	}
	dst = append(dst, dash...)
	return append(dst, w.guard.Neutralize(text)...)
}

// piece is one alternative of a union, as it is written.
type piece struct {
	text string
	word bool // a string literal that could be written without quotes
}

// typeText returns the type in the notation. In a group it can be followed by
// brackets or stand before a |.
func (w *signer) typeText(t *Type, group bool) string {
	return w.unionText(distinctPieces(w.pieces(nil, t)), group)
}

// optionalText returns the type of what may be left out: null, which would say
// the same, is not told.
func (w *signer) optionalText(t *Type) string {
	pieces := distinctPieces(w.pieces(nil, t))
	if len(pieces) > 1 {
		pieces = slices.DeleteFunc(pieces, func(p piece) bool { return p == piece{text: nullWord} })
	}
	return w.unionText(pieces, false)
}

func (w *signer) unionText(pieces []piece, group bool) string {
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
	needs := w.needs(t)
	root := slices.Contains(w.written, t)
	next := func() {
		if len(dst) > start {
			dst = append(dst, w.separator()...)
		}
	}
	for _, required := range [...]bool{true, false} {
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Required == required {
				next()
				said := ""
				if root {
					said = w.sections[f.Name]
				}
				dst = w.member(dst, f, needs[f.Name], said)
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
		dst = w.comment(dst, nil, p.typ, "")
	}
	if !t.Closed && (t.Extra != nil || len(t.patterns) == 0) {
		next()
		dst = append(append(dst, "*:"...), w.typeText(t.Extra, false)...)
		dst = w.comment(dst, nil, t.Extra, "")
	}
	return dst
}

// hasDefault reports whether there is a default that says more than that the value
// may be left out, as null does.
func (t *Type) hasDefault() bool {
	return t != nil && len(t.Default) > 0 && string(t.Default) != nullWord
}

// member writes one property, what else it needs, and what is said of it elsewhere.
func (w *signer) member(dst []byte, f *Field, needs []remark, said string) []byte {
	if isWord(strings.TrimPrefix(f.Name, "@")) && IsPathKey(f.Name) && !w.guard.In(f.Name) {
		dst = append(dst, f.Name...)
	} else {
		dst = w.quoted(dst, f.Name)
	}
	if !f.Required {
		dst = append(dst, '?')
	}
	text := ""
	if f.Required {
		text = w.typeText(f.Type, false)
	} else {
		text = w.optionalText(f.Type)
	}
	if text != stringWord || w.o.Style == Classic {
		dst = append(append(dst, ':'), text...)
	}
	if !w.o.HideDefaults && f.Type.hasDefault() {
		dst = w.value(append(dst, '='), f.Type.Default)
	}
	return w.comment(dst, needs, f.Type, said)
}
