package parse

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// opener reads the opener and returns what reads the rest; nil if nothing can. Openers
// of other formats are read only under the default tags: custom tags are chosen because
// those are known to everybody.
func (r *rescue) opener() (rest func() bool) {
	open := r.parser.tags.Open
	n := len(open)
	if lexeme.MatchTag(r.src, open) == n {
		r.i = n
		return r.body
	}
	r.near = true
	if len(r.src) > n && strings.EqualFold(string(r.src[:n-1]), open[:n-1]) {
		r.i = n - 1
		spaced := false
		if c := r.at(r.i); c == ':' || c == '=' {
			r.i++
			spaced = true
		}
		spaced = r.space() || spaced
		if r.at(r.i) == '>' {
			r.note(fixOpener, 0)
			r.i++
			return r.body
		}
		r.note(fixAttributes, n-1)
		if spaced {
			return r.attributes
		}
		return nil
	}
	if !r.parser.opts.Delims.IsDefault() || !r.closed {
		return nil
	}
	r.strange = true
	r.note(fixOtherProtocol, 0)
	return r.stranger
}

// attributes reads <call t a="x"/>, <call name="t">…</call> and their like.
func (r *rescue) attributes() bool {
	from := r.i
	for r.i < r.end && lexeme.ClassOf(r.src[r.i])&lexeme.Name != 0 && !r.has(r.i, "/>") {
		r.i++
	}
	name := string(r.src[from:r.i])
	if r.at(r.i) == '=' {
		if !slices.Contains(nameWords, name) {
			return false
		}
		r.i++
		if name, from = r.nameValue(); name == "" {
			return false
		}
	}
	if !r.called(name, from) || !r.arguments('>') {
		return false
	}
	if r.has(r.i, "/>") {
		r.i += len("/>")
		return true
	}
	r.i++
	r.last = true // what follows may do so directly
	if r.space(); r.at(r.i) == '{' {
		return r.count == 0 && r.object()
	}
	return r.arguments(0)
}

// nameValue reads a name, between marks or not, and returns it and where it begins.
func (r *rescue) nameValue() (name string, from int) {
	start := r.i
	for r.marked() {
		r.i++
	}
	marks := r.src[start:r.i]
	from = r.i
	for r.i < r.end && lexeme.ClassOf(r.src[r.i])&lexeme.Name != 0 && !r.marked() && !r.has(r.i, "/>") {
		r.i++
	}
	name = string(r.src[from:r.i])
	if !r.has(r.i, string(marks)) {
		return "", from
	}
	r.i += len(marks)
	return name, from
}

// marked reports whether a quote, a backquote or a star comes next.
func (r *rescue) marked() bool { return strings.IndexByte("\"'`*", r.at(r.i)) >= 0 }

// stranger reads a call of another format: a JSON envelope between its tags, or a
// name in the tag and an element for each argument.
func (r *rescue) stranger() bool {
	end := bytes.TrimRight(r.src[:r.end], lexeme.Whitespace)
	r.end = len(end)
	n := bytes.IndexByte(r.src[:r.end], '>')
	if n < 0 {
		return false
	}
	tag := string(r.src[1:n])
	word := tag[:len(tag)-len(strings.TrimLeft(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:"))]
	closer := "</" + word + ">"
	if !bytes.HasSuffix(end, []byte(closer)) {
		return false
	}
	r.end -= len(closer)
	r.i = n + 1
	name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(tag[len(word):]), "name"), "=")
	name = strings.Trim(name, `"'`)
	r.space()
	switch c := r.at(r.i); {
	case name == "" && (c == '{' || c == '['):
		return r.envelope(r.src[r.i:r.end], "")
	case name == "" && c == '<' && !r.inner:
		r.inner = true
		r.src = r.src[:r.end]
		inner := rescue{parser: r.parser, src: bytes.TrimRight(r.src[r.i:r.end], lexeme.Whitespace), closed: true, inner: true, near: true}
		inner.end = len(inner.src)
		if !inner.stranger() {
			return false
		}
		for _, m := range inner.marks {
			r.marks = append(r.marks, mark{m.at + len(r.out), m.from + r.i, m.copied})
		}
		for _, is := range inner.repairs {
			r.note(is.Path, is.At+r.i)
		}
		r.out = append(r.out, inner.out...)
		r.i = r.end
		return true
	case name == "" || !lexeme.IsName(name):
		return false
	}
	if !r.called(name, n-len(name)) {
		return false
	}
	if c := r.at(r.i); c == '{' {
		return r.object()
	}
	return r.arguments(0)
}
