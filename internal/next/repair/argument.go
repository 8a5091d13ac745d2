package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
)

// arguments reads arguments up to the end, or up to the byte that closes the tag or the
// parentheses around them, which it leaves.
func (r *reader) arguments(closer byte) {
	for r.space(); !r.endsAt(r.i, closer); r.space() {
		r.argument(closer)
	}
	if r.separators > 0 && closer != ')' {
		r.note("commas", r.firstSep)
		// A value may end with a comma. It is a separator only if all arguments but the last
		// have one.
		r.refuseIf(r.count == 1 || r.separators < r.count-1)
	}
}

// endsAt reports whether the arguments end at an index.
func (r *reader) endsAt(i int, closer byte) bool {
	switch {
	case i >= r.end:
		return true
	case closer == 0:
		return false
	}
	return r.Text[i] == closer || closer == '>' && r.has(i, "/>")
}

// argument reads one argument and the separator after it.
func (r *reader) argument(closer byte) {
	h, ok := r.head(r.i)
	apart := r.count == 0 || r.isSeparated || lexeme.IsSpace(r.Text[r.i-1])
	if !ok || h.value == none || !apart || r.call.Object != nil || r.count == r.MaxArguments {
		r.refuse()
		return
	}
	for _, n := range h.notes {
		r.note(n.Name, n.At)
	}
	r.i, r.isSeparated = h.value, false
	if r.wrapsAll(&h) {
		r.note("wrapper", h.at)
		r.object()
		return
	}
	r.count++
	f := r.field(h.key)
	v := r.value(fieldType(f), closer)
	if v.IsNull() && IsDroppable(f) {
		r.note("null", h.at)
	} else {
		r.call.Args = append(r.call.Args, Member{h.key, h.at, v})
	}
	r.separator()
}

// wrapsAll reports whether the first argument looks like all of them: arguments={…}.
func (r *reader) wrapsAll(h *head) bool {
	return r.count == 0 && !r.untyped() && !h.declared &&
		slices.Contains(argumentKeys, string(h.key))
}

// separator reads a comma or semicolon after a value, unless the value ended with one.
func (r *reader) separator() {
	i := r.skip(r.i)
	switch c := r.at(i); {
	case r.isSeparated:
	case c == ',' || c == ';':
		r.separateAt(i)
		r.i = i + 1
	case i == r.i && i < r.end:
		r.refuseIf(strings.IndexByte(")>/", c) < 0)
	}
}

// separateAt records the separator at an index.
func (r *reader) separateAt(i int) {
	if r.separators == 0 {
		r.firstSep = i
	}
	r.separators++
	r.isSeparated = true
}

// head is the beginning of an argument: its key and the sign before its value.
type head struct {
	key      []byte
	at       int // where the key begins
	declared bool
	tight    bool // a colon directly before a word: maybe part of a URL or a time
	value    int  // where the value begins, or none
	notes    []Note
}

func (h *head) note(name string, at int) { h.notes = append(h.notes, Note{name, at}) }

// head returns the beginning of the argument at an index, if there is one. It changes nothing,
// so it also decides where a value without quotes ends.
func (r *reader) head(i int) (h head, ok bool) {
	h.at = i
	if q := r.at(i); q == '"' || q == '\'' {
		_, end := r.quotedText(i)
		if end == 0 {
			return h, false
		}
		h.note("quoted-key", i)
		h.at, h.key, i = i+1, r.Text[i+1:end-1], end
	} else {
		for hasClass(r.at(i), lexeme.Key) || r.at(i) == '.' {
			i++
		}
		h.key = r.Text[h.at:i]
		r.steps += len(h.key)
		if !r.declares(h.key) {
			i = r.bareKey(&h, i)
		}
	}
	h.declared = r.declares(h.key)
	return h, lexeme.IsPath(string(h.key)) && r.sign(&h, i)
}

// bareKey removes a colon from the end of a key that ends at an index, with what follows the
// colon, and the ? of a signature. It returns where the key ends then.
func (r *reader) bareKey(h *head, end int) int {
	colon := bytes.IndexByte(h.key, ':')
	isKey := r.untyped() && r.at(end) == '=' && colon < len(h.key)-1 // a:b=x
	if colon > 0 && !isKey {
		h.key, end = h.key[:colon], h.at+colon
	}
	n := len(h.key) - 1
	if n > 0 && h.key[n] == '?' && r.declares(h.key[:n]) {
		h.note("question-mark", h.at+n)
		h.key = h.key[:n]
	}
	return end
}

// sign reads what is between a key, which ends at an index, and its value: = or a colon.
func (r *reader) sign(h *head, keyEnd int) bool {
	i := r.skip(keyEnd)
	switch r.at(i) {
	case ':':
		h.note("colon", i)
		i++
		h.tight = hasClass(r.at(i), lexeme.Key)
		if r.at(i) == '=' {
			i++
		}
	case '=':
		h.value = i + 1
		if i == keyEnd && r.isValueAt(i+1) {
			return true
		}
		at := keyEnd
		if i == keyEnd {
			at = i + 1
		}
		h.note("spaced-equals", at)
		if i++; r.at(i) == '>' || r.at(i) == '=' {
			return false // an arrow, or two signs
		}
	default:
		return false
	}
	if h.value = r.skip(i); h.value == r.end {
		h.value = none
	}
	return true
}

// isValueAt reports whether the value after an equals sign begins at an index, without
// whitespace before it. It may be empty, at the end or before the next argument.
func (r *reader) isValueAt(i int) bool {
	next := r.skip(i)
	if next == i || next == r.end {
		return true
	}
	end := next
	for hasClass(r.at(end), lexeme.Key) || r.at(end) == '.' {
		end++
	}
	r.steps += end - next
	return end > next && r.at(end) == '='
}

// startsArgument reports whether an argument clearly begins at an index.
func (r *reader) startsArgument(i int) bool {
	h, ok := r.head(i)
	return ok && (h.declared || r.untyped() && !h.tight)
}

// declares reports whether the schema declares a path or its first key.
func (r *reader) declares(path []byte) bool {
	t := r.argumentsType()
	first, _, _ := bytes.Cut(path, []byte("."))
	return t.Field(path) != nil || t.Field(first) != nil
}

// field returns the property that a path leads to, or nil if it isn't declared.
func (r *reader) field(path []byte) *sig.Field {
	for t := r.argumentsType(); ; {
		n := t.FirstKey(path)
		f := t.Field(path[:n])
		if f == nil || n == len(path) {
			return f
		}
		t, path = f.Type, path[n+1:]
	}
}

func fieldType(f *sig.Field) *sig.Type {
	if f == nil {
		return nil
	}
	return f.Type
}

// IsDroppable reports whether null for a field means that it is absent: the field is optional,
// and neither null nor the string "null" is one of its values.
func IsDroppable(f *sig.Field) bool {
	if f == nil || f.Required || !f.Type.Says() {
		return false
	}
	return f.Type.Kinds&sig.Null == 0 && f.Type.Member(sig.String, []byte("null")) == nil
}
