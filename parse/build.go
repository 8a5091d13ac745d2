package parse

import (
	"bytes"
	"math/bits"
	"strconv"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// builder writes the JSON of one value after another, typed by a schema. It is
// driven by the tokens of a call, and by JSON text where arguments are repaired
// or written.
//
// Its output is append-only up to sure, so that it can be handed out while the
// call is still read. What is uncertain (a string that may be JSON,
// an array that may become a string) is written when it is known, or
// holds sure back.
type builder struct {
	out   []byte
	sure  int // out[:sure] will not change
	holds int // open values that may still be rewritten

	exact    bool // values keep the type that they are written in
	repair   bool // literals are JSON values, not words: see Repair
	maxDepth int

	slot    *sig.Type // what the schema says about the next value
	level   int       // how deep the dots of the argument being read nest
	frames  []frame   // open arrays and objects, outermost first
	keys    keyset
	judging int // open arrays and objects that may still fail to match their enum: an issue before those in them
	issues  []Issue
	memory  []Issue // empty, with the memory in which issues are
	left    int     // of the allowance for issues; less than none where a first one took more

	fault   lexer.Code // the first one that is not of syntax
	faultAt int

	lex                *lexer.Lexer // of the call, or nil
	pathStart, pathEnd int          // the path of the argument being read, in the input of lex

	scratch []byte
	scan    lexeme.Scanner // of JSON text in a value
	probe   *builder       // of holdsJSON
	place   []byte         // memory of paths
}

// frame is an open array or object.
type frame struct {
	typ    *sig.Type
	object bool
	source bool      // becomes a string that holds its source text
	judged bool      // must be listed by the enum of typ
	as     *sig.Type // the type of that string
	n      int       // items begun
	seen   uint64    // the declared fields met, by index
	late   bool      // one was met that seen is too small for
	keys   int       // len(keys.keys) when it began
	key    int       // out[key:keyEnd] is the key of the current member
	keyEnd int
	out    int // len(out) when it began
	at     int // offset of its bracket, for issues
	src    int // where its source text begins
}

// reset prepares for new arguments. Earlier output is kept in place.
func (b *builder) reset() {
	b.exact = false
	b.holds = 0
	b.slot = nil
	b.level = 0
	b.pathStart, b.pathEnd = 0, 0
	b.frames = b.frames[:0]
	b.judging = 0
	b.keys.truncate(0)
	b.issues = b.issues[len(b.issues):] // those before are still in the hands of the caller
	b.fault = ""
}

// shift moves all places in the output by n bytes.
func (b *builder) shift(n int) {
	for i := range b.frames {
		f := &b.frames[i]
		f.out, f.key, f.keyEnd = f.out+n, f.key+n, f.keyEnd+n
	}
	for i := range b.keys.keys {
		k := &b.keys.keys[i]
		k.start, k.end = k.start+n, k.end+n
	}
}

// commit says that all output so far is final, unless something is held back.
func (b *builder) commit() {
	if b.holds == 0 {
		b.sure = len(b.out)
	}
}

// fail records a fault; the first one stands.
func (b *builder) fail(code lexer.Code, at int) {
	if b.fault == "" {
		b.fault, b.faultAt = code, at
	}
}

// issue records an issue with the value being read.
func (b *builder) issue(code lexer.Code, at int) { b.misfit(code, nil, at) }

// misfit records an issue with the value being read, which is not what t says.
func (b *builder) misfit(code lexer.Code, t *sig.Type, at int) {
	if !b.full() {
		b.report(Issue{Code: code, Path: string(b.where()), At: at, Type: t})
	}
}

// report records an issue, while there is room.
func (b *builder) report(i Issue) {
	if b.full() {
		return
	}
	if b.left -= issueCost + len(i.Path); b.left < 0 && len(b.issues) > 0 {
		b.left = 0 // and no later issue finds room, be it as short as it may
		return
	}
	if len(b.issues) == cap(b.issues) { // so much that a chunk like this one finds room
		b.memory = make([]Issue, 0, 4+2*cap(b.memory))
		b.forget()
	}
	b.issues = append(b.issues, i)
}

// full reports whether the call can have no more issues.
func (b *builder) full() bool {
	return len(b.issues) == maxIssues || b.left <= 0 && len(b.issues) > 0
}

// forget says that nobody uses the issues of earlier calls any more.
func (b *builder) forget() { b.issues = append(b.memory, b.issues...) }

// where returns the path of the value being read. It holds until the next one is
// asked for.
func (b *builder) where() []byte {
	p := b.place[:0]
	if b.pathEnd > 0 {
		p = append(p, shorten(b.lex.Slice(b.pathStart, b.pathEnd))...)
	}
	for i := range b.frames {
		if len(p) > maxPath {
			break
		}
		f := &b.frames[i]
		if !f.object {
			p = append(p, '[')
			p = strconv.AppendInt(p, int64(f.n-1), 10)
			p = append(p, ']')
		} else if f.key < f.keyEnd {
			if len(p) > 0 {
				p = append(p, '.')
			}
			p = appendStart(p, b.out[f.key:f.keyEnd])
		}
	}
	b.place = shorten(p)
	return b.place
}

// top returns the innermost open frame, or nil.
func (b *builder) top() *frame {
	if len(b.frames) == 0 {
		return nil
	}
	return &b.frames[len(b.frames)-1]
}

// next returns what the schema says about the value to come.
func (b *builder) next() *sig.Type {
	if f := b.top(); f != nil && !f.object {
		return f.typ.Item(f.n)
	}
	return b.slot
}

// streams reports whether a quoted string that comes next stays a string, so it can be
// written piece by piece.
func (b *builder) streams() bool {
	t := b.next()
	return t == nil || t.Free&sig.String != 0 || b.exact // what says nothing is free to be a string
}

// begin prepares for a value: in an array it writes the comma and finds the
// element's type.
func (b *builder) begin() {
	if f := b.top(); f != nil && !f.object {
		if f.n > 0 {
			b.out = append(b.out, ',')
		}
		b.slot = f.typ.Item(f.n)
		f.n++
	}
}

// bare writes the value of a bare word or item.
func (b *builder) bare(text []byte, flags lexer.Flags, at int) {
	b.begin()
	if flags&lexer.Opened != 0 {
		b.issue(lexer.OpenQuote, at)
	}
	b.bareAs(b.slot, text, at)
	b.commit()
}

// bareAs writes a bare word under t.
func (b *builder) bareAs(t *sig.Type, text []byte, at int) {
	kind, ok := simpleKind(t, text)
	if ok || b.exact || !t.Says() {
		b.checkExact(t, kind, text, at)
		b.untyped(kind, text)
		return
	}
	r := readBare(t, text, b.room())
	if b.repair && kind != sig.String && r.kind == sig.String { // a literal is no string
		r.coerced = true
	}
	if b.repair && kind == sig.Null && r.kind != sig.Null {
		r = reading{}
	}
	if r.kind == 0 && kind == sig.String { // untyped, a word is a string
		r.kind = sig.String
	}
	b.write(t, r, text, lexer.Bare, at)
}

// rawAs writes unquoted text that is a whole value: it may hold whitespace, and JSON is
// text too. If no string is allowed, whitespace around it means nothing.
func (b *builder) rawAs(t *sig.Type, text []byte, at int) {
	word := text
	if t.Says() && t.Kinds&sig.String == 0 {
		word = bytes.TrimSpace(text)
	}
	if string(word) == "None" && t.Says() && t.Kinds&(sig.Null|sig.String) == sig.Null { // as Python's templates print it
		b.misfit(lexer.Coerced, t, at)
		b.out = append(b.out, "null"...)
		return
	}
	k := jsonTextKind(word)
	if k == sig.Array { // as most often
		if out, end := appendPlain(b.out, t, word, lexeme.SkipSpace(word, 0), b.room()); end > 0 && lexeme.SkipSpace(word, end) == len(word) {
			b.out = out
			return
		}
	}
	switch {
	case k == 0 || t.Says() && t.Kinds&k == 0 || !b.holdsJSON(word, b.room()):
		b.bareAs(t, word, at)
	default:
		b.jsonAs(t, word, at)
	}
}

// room returns how many levels deeper the arguments may nest here.
func (b *builder) room() int { return b.maxDepth - b.level - len(b.frames) }

// untyped writes text as what it says.
func (b *builder) untyped(kind sig.Kinds, text []byte) { b.out = appendUntyped(b.out, kind, text) }

func appendUntyped(dst []byte, kind sig.Kinds, text []byte) []byte {
	if kind == sig.String {
		return lexeme.AppendQuoted(dst, text)
	}
	return append(dst, text...)
}

// write writes a scalar in the reading r, with its issues.
func (b *builder) write(t *sig.Type, r reading, text []byte, written lexer.Kind, at int) {
	if r.fit == fitsNot {
		b.misfit(lexer.TypeMismatch, t, at)
	}
	if r.coerced {
		b.misfit(lexer.Coerced, t, at)
	}
	if r.fit == fitsType {
		b.misfit(lexer.NotInEnum, t, at)
	}
	switch {
	case r.wrapped:
		b.out = append(b.out, '[')
		b.frames = append(b.frames, frame{n: 1})
		if written == lexer.Bare {
			b.bareAs(t.Item(0), text, at)
		} else {
			b.quotedAs(t.Item(0), text, at)
		}
		b.frames = b.frames[:len(b.frames)-1]
		b.out = append(b.out, ']')
	case r.literal != "":
		b.out = append(b.out, r.literal...)
	case r.kind&(sig.Array|sig.Object) != 0:
		b.jsonAs(t, text, at)
	default:
		b.untyped(r.kind, text)
	}
}

// piece writes a piece of a quoted string that streams; strFlags are those of
// all its pieces so far, content and flags those of this one.
func (b *builder) piece(content []byte, flags lexer.Flags, quote byte) {
	if flags&lexer.First != 0 {
		b.begin()
		b.out = append(b.out, '"')
	}
	b.out = lexeme.AppendContent(b.out, content, flags, quote)
	if flags&lexer.Last != 0 {
		b.out = append(b.out, '"')
	}
	b.commit()
}

// endPieces records the issues of a string that was written in pieces. Content
// is all of it, flags those of all pieces.
func (b *builder) endPieces(content []byte, flags lexer.Flags, at int) {
	b.ambiguous(flags, at)
	if !b.exact || !b.slot.Says() {
		return
	}
	if flags&lexer.Escaped != 0 && b.slot.Kinds&sig.String != 0 && b.slot.Free&sig.String == 0 {
		content = lexeme.AppendUnescaped(nil, content)
	}
	b.checkExact(b.slot, sig.String, content, at)
}

// quoted writes the value of a quoted string that does not stream. Content is
// what stands between the quotes.
func (b *builder) quoted(content []byte, flags lexer.Flags, at int) {
	b.begin()
	b.ambiguous(flags, at)
	if flags&lexer.Escaped != 0 {
		// The buffer is given away: text that is JSON comes back here.
		text := lexeme.AppendUnescaped(b.scratch[:0], content)
		b.scratch = nil
		b.quotedAs(b.slot, text, at)
		b.scratch = text
	} else {
		b.quotedAs(b.slot, content, at)
	}
	b.commit()
}

// ambiguous records the issue of that name.
//
// Rule: issue.ambiguous-escape.
func (b *builder) ambiguous(flags lexer.Flags, at int) {
	const both = lexer.Literal | lexer.QuoteEsc
	if flags&both == both {
		b.issue(lexer.AmbiguousEscape, at)
	}
}

// quotedAs writes the text of a quoted string under t.
func (b *builder) quotedAs(t *sig.Type, text []byte, at int) {
	if b.exact || !t.Says() {
		b.checkExact(t, sig.String, text, at)
		b.out = lexeme.AppendQuoted(b.out, text)
		return
	}
	r := b.readQuoted(t, text, b.room())
	if r.kind == 0 {
		r.kind = sig.String
	}
	b.write(t, r, text, lexer.String, at)
}

// checkExact records how a value that keeps its type misfits.
func (b *builder) checkExact(t *sig.Type, kind sig.Kinds, text []byte, at int) {
	if !b.exact || !t.Says() {
		return
	}
	b.misfits(t, kind, text, at)
}

// misfits records how a scalar misfits t.
func (b *builder) misfits(t *sig.Type, kind sig.Kinds, text []byte, at int) {
	switch fits(t, kind, text) {
	case fitsNot:
		b.misfit(lexer.TypeMismatch, t, at)
	case fitsType:
		b.misfit(lexer.NotInEnum, t, at)
	}
}

// open begins an array or object: its bracket is at offset at, and src is where
// its source text begins for close.
//
// Rule: typing.source-text, typing.misfit.
func (b *builder) open(object bool, at, src int) {
	b.begin()
	b.openAs(b.slot, object, at, src)
}

func (b *builder) openAs(t *sig.Type, object bool, at, src int) {
	f := frame{object: object, typ: t, keys: len(b.keys.keys), out: len(b.out), at: at, src: src}
	if t.Says() && t.Kinds&f.kind() == 0 {
		f.typ = nil
		if !b.exact && t.Kinds&sig.String != 0 {
			f.source, f.as = true, t
			b.holds++
			b.misfit(lexer.Coerced, t, at)
		} else {
			b.misfit(lexer.TypeMismatch, t, at)
		}
	} else if t.Says() && t.Free&f.kind() == 0 {
		f.judged = true
		b.judging++
	}
	if object {
		b.out = append(b.out, '{')
	} else {
		b.out = append(b.out, '[')
	}
	b.frames = append(double(b.frames), f)
	b.commit()
}

// close ends the innermost array or object, whose closing bracket is at offset
// at. Source is its text, brackets included.
//
// Rule: typing.enum.
func (b *builder) close(at int, source []byte) {
	f := b.top()
	if f.object {
		f.key, f.keyEnd = 0, 0
		if lacks(f.typ, f.seen) {
			var has func(*sig.Field) bool
			if owner := int32(-len(b.frames)); f.late {
				has = func(d *sig.Field) bool {
					return b.keys.find(b.out, owner, d.JSONKey[:len(d.JSONKey)-1], f.keys) != nil
				}
			}
			b.missing(f.typ, f.seen, at, has)
		}
		b.out = append(b.out, '}')
		b.keys.truncate(f.keys)
	} else {
		b.out = append(b.out, ']')
	}
	b.frames = b.frames[:len(b.frames)-1] // f holds until the next open
	if f.source {
		b.holds--
		b.out = lexeme.AppendQuoted(b.out[:f.out], source)
		if fits(f.as, sig.String, source) == fitsType {
			b.misfit(lexer.NotInEnum, f.as, f.at)
		}
	} else if f.judged {
		b.judging--
		if f.typ.Member(f.kind(), b.out[f.out:]) == nil {
			b.misfit(lexer.NotInEnum, f.typ, f.at)
		}
	}
	b.commit()
}

func (f *frame) kind() sig.Kinds {
	if f.object {
		return sig.Object
	}
	return sig.Array
}

// member begins a member of the innermost object, and reports whether the schema
// declares it. Content and flags are those of the key's lexeme, quote is the quote around
// it or 0; at is its offset.
func (b *builder) member(content []byte, flags lexer.Flags, quote byte, at int) (declared bool) {
	f := b.top()
	if f.n > 0 {
		b.out = append(b.out, ',')
	}
	f.n++
	f.key = len(b.out)
	b.out = append(b.out, '"')
	if quote == 0 {
		b.out = lexeme.AppendText(b.out, content)
	} else {
		b.out = lexeme.AppendContent(b.out, content, flags, quote)
	}
	b.out = append(b.out, '"')
	f.keyEnd = len(b.out)
	key := b.out[f.key:f.keyEnd]
	b.ambiguous(flags, at)
	name := content
	if f.typ != nil && flags&lexer.Escaped != 0 {
		name = lexeme.AppendJSONUnquoted(nil, key[1:len(key)-1], -1)
	}
	typ, field, known := f.typ.Property(name)
	if !b.meet(f, field, key) {
		b.fail(lexer.DuplicateKey, at)
		return false
	}
	b.slot = typ
	if !known {
		b.issue(lexer.UnknownArgument, at)
	}
	b.out = append(b.out, ':')
	b.commit()
	return field != nil
}

// meet notes the current member of f, the innermost object, and reports whether there was
// none of its key. Field is what the schema declares of it, or nil.
func (b *builder) meet(f *frame, field *sig.Field, key []byte) (fresh bool) {
	if field != nil && field.Index < 64 {
		bit := uint64(1) << field.Index
		fresh = f.seen&bit == 0
		f.seen |= bit
		return fresh
	}
	f.late = f.late || field != nil
	owner := int32(-len(b.frames))
	if b.keys.find(b.out, owner, key, f.keys) != nil {
		return false
	}
	b.keys.add(f.key, f.keyEnd, owner, -1)
	return true
}

// lacks reports whether an object of type t, of which the fields in seen are
// there, may lack a required one.
func lacks(t *sig.Type, seen uint64) bool {
	return t != nil && (t.Required&^seen != 0 || len(t.AlsoRequired) > 0)
}

// missing records the required fields of t that are not in seen, at the end of
// the object that is being read; has answers for the fields that seen is too
// small for, and is nil where none of them is there.
//
// Rule: issue.missing-argument.
func (b *builder) missing(t *sig.Type, seen uint64, at int, has func(*sig.Field) bool) {
	if b.full() {
		return
	}
	where := b.where()
	if len(where) > 0 {
		where = append(where, '.')
	}
	report := func(f *sig.Field) {
		path := f.Name
		if len(where) > 0 {
			path = string(append(where, path...))
		}
		b.report(Issue{Code: lexer.MissingArgument, Path: path, At: at})
	}
	for rest := t.Required &^ seen; rest != 0 && !b.full(); rest &= rest - 1 {
		report(&t.Fields[bits.TrailingZeros64(rest)])
	}
	for _, f := range t.AlsoRequired {
		if b.full() {
			return
		}
		if has == nil || !has(f) {
			report(f)
		}
	}
}

// appendStart appends what the JSON string s means, or as much of it as a path can hold, and at least a byte more, if there is more.
func appendStart(dst, s []byte) []byte {
	n := 1
	for units := 0; n < len(s)-1 && units <= maxPath; units++ {
		switch {
		case s[n] != '\\':
			n++
		case s[n+1] == 'u':
			n += 6
		default:
			n += 2
		}
	}
	return lexeme.AppendJSONUnquoted(dst, s[1:n], -1)
}
