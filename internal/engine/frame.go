package engine

import (
	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// frame is an open array or object.
type frame struct {
	typ     *sig.Type // of its contents
	object  bool
	source  bool      // it becomes a string that contains its source text
	inEnum  bool      // the enum of typ must list it
	as      *sig.Type // the type of that string
	n       int       // elements or members so far
	next    int       // index of the field that is expected next
	present uint64    // the declared fields in it, by index
	keys    int       // len(keys.keys) when it began
	out     int       // len(out) when it began
	at      int       // offset of its bracket
	src     int       // index of its bracket, in JSON text inside a string

	key, keyEnd int // out[key:keyEnd] is the key of the current member
}

func (f *frame) kind() sig.Kinds {
	if f.object {
		return sig.Object
	}
	return sig.Array
}

// top returns the innermost open frame, or nil.
func (d *draft) top() *frame {
	if n := len(d.frames); n > 0 {
		return &d.frames[n-1]
	}
	return nil
}

// owner is what keys calls the innermost open object. Groups use positive numbers.
func (d *draft) owner() int32 { return int32(-len(d.frames)) }

// room returns how many levels deeper the arguments may nest.
func (d *draft) room() int { return d.config.limits.Depth - d.level - len(d.frames) }

// argumentsType returns the type of the arguments.
func (d *draft) argumentsType() *sig.Type {
	if d.plan == nil {
		return nil
	}
	return d.plan.args
}

// Begin implements [lex.Handler].
func (a *Assembler) Begin(object bool, at int) {
	d := a.draft
	if d.fault != "" {
		return
	}
	if d.isArguments() {
		d.exact = true
		d.typ = d.argumentsType()
	}
	d.beginValue()
	d.begin(d.typ, object, at, 0)
}

// begin begins an array or object under t. Src is the index of its bracket in the source text that
// it becomes if only a string is allowed, or none.
func (d *draft) begin(t *sig.Type, object bool, at, src int) {
	n := len(d.frames)
	d.frames = double(d.frames)[:n+1]
	f := &d.frames[n]
	*f = frame{}
	f.object, f.typ, f.keys, f.out, f.at, f.src = object, t, len(d.keys.keys), len(d.out), at, src
	switch kind := f.kind(); {
	case !t.Restricts():
	case t.Kinds&kind == 0:
		f.typ = nil
		code := lexer.TypeMismatch
		if src != none && !d.exact && t.Kinds&sig.String != 0 {
			f.source, f.as, code = true, t, lexer.Coerced
			d.uncertain++
		}
		d.frames = d.frames[:n]
		d.issue(code, t, at)
		d.frames = d.frames[:n+1]
	case t.Free&kind == 0:
		f.inEnum = true
	}
	if object {
		d.out = append(d.out, '{')
	} else {
		d.out = append(d.out, '[')
	}
	d.commit()
}

// End implements [lex.Handler].
func (a *Assembler) End(at int, source []byte) {
	d := a.draft
	switch {
	case d.fault != "":
		return
	case len(d.frames) == 0:
		a.endArguments(at)
	default:
		d.end(at, source)
	}
}

// end ends the innermost array or object.
func (d *draft) end(at int, source []byte) {
	f := d.top()
	if f.object {
		f.key, f.keyEnd = 0, 0
		if lacks(f.typ, f.present) {
			d.completeFrame(f, at)
		}
		d.keys.truncate(f.keys)
		d.out = append(d.out, '}')
	} else {
		d.out = append(d.out, ']')
	}
	d.frames = d.frames[:len(d.frames)-1] // f is valid until the next begin
	switch {
	case f.source:
		d.uncertain--
		d.out = lexeme.AppendQuoted(d.out[:f.out], source)
		if fits(f.as, sig.String, source) == fitsType {
			d.issue(lexer.NotInEnum, f.as, f.at)
		}
	case f.inEnum:
		if f.typ.Member(f.kind(), d.out[f.out:]) == nil {
			d.issue(lexer.NotInEnum, f.typ, f.at)
		}
	}
	d.commit()
}

// Key implements [lex.Handler].
func (a *Assembler) Key(b []byte, f lex.Flags, at int) {
	d := a.draft
	switch {
	case d.fault != "":
		return
	case len(d.frames) == 0:
		d.rawKey(b, at)
	case d.exact && len(d.frames) == 1 && d.frames[0].n >= a.config.limits.Arguments:
		d.fail(lexer.TooManyArguments, at)
	default:
		name := b
		if f&lex.Escaped != 0 {
			d.scratch = lexeme.AppendUnescaped(d.scratch[:0], b)
			name = d.scratch
		}
		d.member(name, f, at)
	}
}

// member begins a member of the innermost object.
func (d *draft) member(name []byte, flags lex.Flags, at int) {
	f := d.top()
	if f.n > 0 {
		d.out = append(d.out, ',')
	}
	f.n++
	f.key = len(d.out)
	typ, field, known := f.typ.Property(name)
	d.appendKey(field, name)
	f.keyEnd = len(d.out) - 1
	d.ambiguous(flags, at)
	if !d.addMember(f, field) {
		d.fail(lexer.DuplicateKey, at)
		return
	}
	d.typ = typ
	if !known {
		d.issue(lexer.UnknownArgument, nil, at)
	}
	d.commit()
}

// addMember records the current member of the innermost object, and reports whether its key is
// new.
func (d *draft) addMember(f *frame, field *sig.Field) bool {
	if field != nil && field.Index < 64 {
		bit := uint64(1) << field.Index
		fresh := f.present&bit == 0
		f.present |= bit
		return fresh
	}
	if d.keys.find(d.out, d.owner(), d.out[f.key:f.keyEnd], f.keys) != nil {
		return false
	}
	d.keys.add(f.key, f.keyEnd, d.owner(), none)
	return true
}

// completeFrame completes the innermost object, which is about to end.
func (d *draft) completeFrame(f *frame, at int) {
	has := func(field *sig.Field) bool {
		if field.Index < 64 {
			return f.present>>field.Index&1 != 0
		}
		key := field.JSONKey[:len(field.JSONKey)-1]
		return d.keys.find(d.out, d.owner(), key, f.keys) != nil
	}
	d.complete(f.typ, d.where(), at, has, func(field *sig.Field) {
		if f.n > 0 {
			d.out = append(d.out, ',')
		}
		f.n++
		d.out = append(append(d.out, field.JSONKey...), "null"...)
	})
}
