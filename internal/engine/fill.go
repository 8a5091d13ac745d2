package engine

import (
	"bytes"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
)

// A required property that allows null besides other types is optional to a model: where it is
// missing, it is null.

// isNullable reports whether a missing field is null.
func isNullable(f *sig.Field) bool {
	t := f.Type
	return t.Says() && t.Kinds&sig.Null != 0 && t.Kinds != sig.Null &&
		fits(t, sig.Null, jsonNull) == fitsAll
}

// fillFrame writes the missing nullable fields of the innermost object, which is about to end.
func (d *draft) fillFrame(f *frame) {
	for i := range f.typ.Fields {
		field := &f.typ.Fields[i]
		if !field.Required || !isNullable(field) || d.frameContains(f, field) {
			continue
		}
		if f.n > 0 {
			d.out = append(d.out, ',')
		}
		f.n++
		d.out = append(append(d.out, field.JSONKey...), jsonNull...)
	}
}

// frameContains reports whether the innermost object has a field.
func (d *draft) frameContains(f *frame, field *sig.Field) bool {
	if field.Index < 64 {
		return f.present>>field.Index&1 != 0
	}
	key := field.JSONKey[:len(field.JSONKey)-1]
	return f.overflow && d.keys.find(d.out, int32(-len(d.frames)), key, f.keys) != nil
}

// fillGroup writes the missing nullable fields of a group, as arguments at offset at.
func (d *draft) fillGroup(id int32, at int) {
	t := d.groups[id].typ
	for i := range t.Fields {
		field := &t.Fields[i]
		if !field.Required || !isNullable(field) || d.fault != "" {
			continue
		}
		if _, seen := d.find(id, field, []byte(field.Name)); seen {
			continue
		}
		path := d.groupPath(nil, id)
		dots := bytes.Count(path, []byte{'.'})
		d.resolve(append(path, field.Name...), at, dots)
		d.out = append(d.out, jsonNull...)
	}
}

// groupPath appends the path of a group, with a dot at its end.
func (d *draft) groupPath(dst []byte, id int32) []byte {
	if id == 0 {
		return dst
	}
	g := &d.groups[id]
	dst = d.groupPath(dst, g.parent)
	return append(lexeme.AppendJSONUnquoted(dst, d.out[g.key+1:g.keyEnd-1], -1), '.')
}
