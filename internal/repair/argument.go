package repair

import (
	"bytes"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// arguments reads arguments up to the end, or up to the byte that closes the tag or the
// parentheses around them, which it leaves.
func (r *reader) arguments(closer byte) {
	for r.space(); !r.endsAt(r.i, closer); r.space() {
		r.argument(closer)
	}
	if r.separators > 0 && closer != ')' {
		r.note("commas", r.firstSep)
		// Text without quotes may end with a comma. It is a separator only if all arguments but
		// the last have one.
		r.refuseIf(r.mayEndSo && (r.count == 1 || r.separators < r.count-1))
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
	if !ok || !apart || r.count == r.MaxArguments {
		r.refuse()
		return
	}
	if h.fix != "" {
		r.note(h.fix, h.fixAt)
		next, isHead := r.head(h.value)
		r.refuseIf(isHead && r.declares(next.key)) // not the value, as in to: bcc=x
	}
	at := r.i
	r.i, r.isSeparated = h.value, false
	r.count++
	f := r.field(h.key)
	v := r.value(fieldType(f), closer)
	if v.IsNull() && IsDroppable(f) {
		r.note("null", at)
	} else {
		r.call.Args = append(r.call.Args, Member{h.key, at, v})
	}
	i := r.skip(r.i)
	switch c := r.at(i); {
	case r.isSeparated:
	case c == ',' || c == ';':
		r.separateAt(i)
		r.i = i + 1
	case i == r.i && i < r.end:
		r.refuseIf(c != ')' && c != '>' && c != '/')
	}
	r.mayEndSo = r.mayEndSo || r.isSeparated && !r.hasEnded(v, fieldType(f))
}

// hasEnded reports whether a value of type t cannot go on: it ends with a quote or bracket, or t
// allows no text.
func (r *reader) hasEnded(v *Value, t *sig.Type) bool {
	switch v.Kind {
	case Word:
		return t.Restricts() && t.Kinds&sig.String == 0
	case String: // or several words, which end with no quote
		return r.Text[v.End-1] == '"' || r.Text[v.End-1] == '\''
	}
	return true
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
	key   []byte
	value int    // where the value begins
	fix   string // the repair that reads the sign, or empty
	fixAt int
}

// head returns the beginning of the argument at an index, if there is one. It changes nothing,
// so it also decides where a value without quotes ends.
func (r *reader) head(i int) (h head, ok bool) {
	end := r.keyEnd(i)
	h.key = r.Text[i:end]
	colon := bytes.IndexByte(h.key, ':')
	isKey := r.declares(h.key) || r.untyped() && r.at(end) == '=' && colon < len(h.key)-1 // a:b=x
	if colon > 0 && !isKey {
		h.key, end = h.key[:colon], i+colon
	}
	sign := r.skip(end)
	h.value = r.skip(sign + 1)
	switch r.at(sign) {
	case ':':
		h.fix, h.fixAt = "colon", sign
	case '=':
		key := r.keyEnd(h.value)
		isEmpty := key > h.value && r.at(key) == '=' // the next argument follows
		switch {
		case sign == end && (isEmpty || h.value == r.end):
			h.value = sign + 1
			return h, lexeme.IsPath(string(h.key))
		case sign > end:
			h.fix, h.fixAt = "spaced-equals", end
		case h.value > sign+1:
			h.fix, h.fixAt = "spaced-equals", sign+1
		}
	default:
		return h, false
	}
	next := r.at(sign + 1)
	isArrow := h.fix != "" && (next == '>' || next == '=') // or two signs
	return h, h.value < r.end && !isArrow && lexeme.IsPath(string(h.key))
}

// keyEnd returns the index after the bytes of a path that begins at an index.
func (r *reader) keyEnd(i int) int {
	from := i
	for hasClass(r.at(i), lexeme.Key) || r.at(i) == '.' {
		i++
	}
	r.steps += i - from
	return i
}

// startsArgument reports whether an argument clearly begins at an index. A colon directly before
// a word may be part of a URL or a time.
func (r *reader) startsArgument(i int) bool {
	h, ok := r.head(i)
	isTight := h.fix == "colon" && h.fixAt+1 == h.value && hasClass(r.at(h.value), lexeme.Key)
	return ok && (r.declares(h.key) || r.untyped() && !isTight)
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
		n := FirstKey(t, path)
		f := t.Field(path[:n])
		if f == nil || n == len(path) {
			return f
		}
		t, path = f.Type, path[n+1:]
	}
}

// FirstKey returns the length of the first key of a path in an object of type t. It is the
// longest declared key that the path begins with, if that contains a dot, and otherwise
// everything before the first dot.
func FirstKey(t *sig.Type, path []byte) int {
	dot := bytes.IndexByte(path, '.')
	if dot < 0 {
		return len(path)
	}
	for n := len(path); n > dot; n = bytes.LastIndexByte(path[:n], '.') {
		if t.Field(path[:n]) != nil {
			return n
		}
	}
	return dot
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
	if f == nil || f.Required || !f.Type.Restricts() {
		return false
	}
	return f.Type.Kinds&sig.Null == 0 && f.Type.Member(sig.String, []byte("null")) == nil
}

// JoinsArguments reports whether a word contains a comma, a key that t declares, and an equals
// sign or colon. If t is nil, every key with an equals sign counts.
func JoinsArguments(t *sig.Type, word []byte) bool {
	for {
		comma := bytes.IndexAny(word, ",;")
		if comma < 0 {
			return false
		}
		word = word[comma+1:]
		n := bytes.IndexAny(word, "=:,;")
		if n <= 0 || word[n] == ',' || word[n] == ';' {
			continue
		}
		if t == nil && word[n] == '=' && lexeme.IsKey(word[:n]) || t.Field(word[:n]) != nil {
			return true
		}
	}
}

// words reads a word, or several where the schema allows no other reading.
func (r *reader) words(t *sig.Type, closer byte) *Value {
	from, isSeveral := r.i, false
	for {
		word := r.word(closer)
		r.refuseIf(isSeveral && (bytes.IndexByte(word, '=') >= 0 || r.isKey(word)))
		r.refuseIf(!r.untyped() && JoinsArguments(r.argumentsType(), word))
		next := r.skip(r.i)
		isApart := next > r.i && !r.endsAt(next, closer)
		if !isApart || isSeparator(r.at(next)) || r.startsArgument(next) {
			break
		}
		r.i, isSeveral = next, true
	}
	if r.refused {
		return r.refuse()
	}
	text := r.trimSeparator(r.Text[from:r.i], from)
	r.refuseIf(len(text) == 0 && (closer == ')' || r.isSeparated))
	if !isSeveral {
		return r.newValue(Word, r.literal(text, from), from)
	}
	r.note("unquoted-spaces", from)
	r.refuseIf(!takesWords(t, text))
	return r.newValue(String, text, from)
}

// word reads up to whitespace or a byte that ends a value.
func (r *reader) word(closer byte) []byte {
	from := r.i
	for !r.endsAt(r.i, closer) && !lexeme.IsSpace(r.Text[r.i]) {
		if closer == ')' && strings.IndexByte(",;(", r.Text[r.i]) >= 0 {
			break
		}
		r.i++
	}
	text := r.Text[from:r.i]
	r.steps += len(text)
	r.refuseIf(hasQuote(text) || bytes.ContainsAny(text, "<`"))
	return text
}

func isSeparator(c byte) bool { return c == ',' || c == ';' }

// isKey reports whether a word is a key that the schema declares.
func (r *reader) isKey(word []byte) bool {
	return len(word) > 0 && r.argumentsType().Field(bytes.TrimRight(word, ",;:?")) != nil
}

// trimSeparator removes a separator from the end of a value without quotes, which begins at an
// index. A semicolon at the end of the call is part of the value.
func (r *reader) trimSeparator(text []byte, from int) []byte {
	n := len(text) - 1
	if n < 0 || text[n] != ',' && (text[n] != ';' || r.skip(r.i) == r.end) {
		return text
	}
	r.separateAt(from + n)
	return text[:n]
}

// takesWords reports whether words without quotes can only be a string under t. A mark that
// begins a block or a list item in YAML isn't part of a string.
func takesWords(t *sig.Type, words []byte) bool {
	if t == nil || t.Free&sig.String == 0 || t.Kinds&(sig.Array|sig.Object) != 0 {
		return false
	}
	isItem := words[0] == '-' && lexeme.IsSpace(words[1])
	return words[0] != '|' && words[0] != '>' && !isItem
}
