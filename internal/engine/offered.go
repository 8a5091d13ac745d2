package engine

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
)

// Offer implements [lexer.Handler]. It reads members that are nothing but text, which cannot be one
// of a list, and which a tag follows.
func (e *elements) Offer(w []byte, at int) (n, dots int) {
	for e.live() {
		i := lexeme.SkipSpace(w, n)
		name, text, end := plainElement(w, i)
		if end == 0 {
			break
		}
		next := lexeme.SkipSpace(w, end)
		if next+1 >= len(w) || !lexeme.IsTag(w[next:]) {
			break
		}
		t, _, _ := e.top().typ.Property(name)
		if !t.Says() || t.Kinds&(sig.Array|sig.Object) != 0 {
			break
		}
		e.from, e.to, e.empty = at+i+1, at+i+1+len(name), false
		e.member(name)
		e.settled()
		e.writeOffered(text, e.to+1)
		e.settled()
		n = end
	}
	return n, -1
}

// writeOffered writes the text of an element as its value.
func (e *elements) writeOffered(text []byte, at int) {
	switch {
	case !e.live():
	case isString(e.typ) && e.typ.Free&sig.String != 0:
		e.beginValue()
		e.out = append(lexeme.AppendText(append(e.out, '"'), text), '"')
		e.commit()
	default:
		e.writeText(text, at)
	}
	e.top().count = 0
}

// plainElement returns the name and the text of the element that w[i:] begins with, and the index
// after it, or 0 if it contains anything else or does not end in w.
func plainElement(w []byte, i int) (name, text []byte, end int) {
	if i+1 >= len(w) || w[i] != '<' || !lexeme.BeginsElement(w[i+1]) {
		return nil, nil, 0
	}
	i++
	to := i
	for to < len(w) && (lexeme.BeginsElement(w[to]) || '0' <= w[to] && w[to] <= '9') {
		to++
	}
	if to == len(w) || w[to] != '>' {
		return nil, nil, 0
	}
	name, i = w[i:to], to+1
	n := bytes.IndexByte(w[i:], '<')
	if n < 0 {
		return nil, nil, 0
	}
	text = w[i : i+n]
	end, _ = lexeme.EndTag(w, i+n, name)
	if end == 0 {
		return nil, nil, 0
	}
	if bytes.IndexByte(text, '&') >= 0 || !utf8.Valid(text) {
		return nil, nil, 0
	}
	return name, text, end
}
