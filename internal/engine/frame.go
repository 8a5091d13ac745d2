package engine

import (
	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// frame is an open array or object.
type frame struct {
	members
	object bool
	source bool      // it becomes a string that contains its source text
	inEnum bool      // the enum of typ must list it
	as     *sig.Type // the type of that string
	n      int       // elements or members so far
	next   int       // index of the field that is expected next
	out    int       // len(out) when it began
	at     int       // offset of its bracket
	src    int       // index of its bracket, in JSON text inside a string

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
	d.frames = append(double(d.frames), frame{object: object, out: len(d.out), at: at, src: src})
	f := &d.frames[n]
	f.typ, f.owner, f.from = t, int32(-n-1), len(d.keys.keys)
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
		if f.typ.Lacks(f.present) {
			d.complete(&f.members, d.where(), at, func(field *sig.Field) {
				if f.n > 0 {
					d.out = append(d.out, ',')
				}
				f.n++
				d.out = append(append(d.out, field.JSONKey...), "null"...)
			})
		}
		d.keys.truncate(f.from)
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
	if _, seen := d.find(&f.members, field, d.out[f.key:f.keyEnd]); seen {
		d.fail(lexer.DuplicateKey, at)
		return
	}
	d.add(&f.members, field, f.key, f.keyEnd, none)
	d.typ, d.field = typ, field
	if !known {
		d.issue(lexer.UnknownArgument, nil, at)
	}
	d.commit()
}
