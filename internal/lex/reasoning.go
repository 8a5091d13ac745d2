package lex

import (
	"slices"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// region is a region of reasoning, prepared for comparison.
type region struct {
	open, close string // of a tolerant one: in lower case, and without their >
	tolerant    bool
	first       bool // it counts only if it opens the message
}

// addRegions prepares the known regions and those of a format.
func (s *Syntax) addRegions(known, more []format.Region) {
	for _, list := range [...][]format.Region{known, more} {
		for _, r := range list {
			p := region{open: r.Open, close: r.Close, tolerant: r.Tolerant(), first: r.First}
			if p.tolerant {
				p.open, p.close = fold(r.Open[:len(r.Open)-1]), fold(r.Close[:len(r.Close)-1])
			}
			if slices.Contains(s.regions, p) {
				continue
			}
			s.regions = append(s.regions, p)
			s.starts.add(p.open)
			s.starts.add(p.close)
		}
	}
}

// beginsReasoning returns OpenTag, the index of the region and the length of its tag if
// reasoning begins at win[i], and SomeTag if it may. After a backquote a tag is only mentioned.
func (l *Lexer) beginsReasoning(i int) (k, n int, t lexeme.Tag) {
	if len(l.syntax.regions) == 0 || l.before(i) == '`' {
		return 0, 0, lexeme.NoTag
	}
	for k := range l.syntax.regions {
		r := &l.syntax.regions[k]
		if r.first && !l.first(i) {
			continue
		}
		p := peeker{w: l.win[i:]}
		if r.reads(&p, r.open, true) {
			return k, p.i, lexeme.OpenTag
		}
		if p.short {
			t = lexeme.SomeTag
		}
	}
	return 0, 0, t
}

// first reports whether only whitespace comes before win[i] in the message.
func (l *Lexer) first(i int) bool {
	l.spoken = l.spoken || lexeme.SkipSpace(l.win[:i], l.pos) < i
	return !l.spoken
}

// endsReasoning returns CloseTag and the length of the tag that ends the reasoning at win[i],
// or SomeTag if one may be there.
func (l *Lexer) endsReasoning(i int) (n int, t lexeme.Tag) {
	for k := range l.syntax.regions {
		if l.region >= 0 && l.region != int32(k) {
			continue
		}
		r := &l.syntax.regions[k]
		p := peeker{w: l.win[i:]}
		if r.reads(&p, r.close, false) {
			return p.i, lexeme.CloseTag
		}
		if p.short {
			t = lexeme.SomeTag
		}
	}
	return 0, t
}

// mostInTag is how many bytes of whitespace and attributes a tag around reasoning may contain.
const mostInTag = 128

// reads reads a tag of the region. A tolerant one may contain whitespace, and attributes too if
// that is allowed.
func (r *region) reads(p *peeker, tag string, attributes bool) bool {
	if !r.tolerant {
		return p.tag(tag)
	}
	if !p.folded(tag) {
		return false
	}
	q := peeker{w: p.w[:min(len(p.w), p.i+mostInTag)], i: p.i}
	ok := q.endOfTag(attributes)
	p.i, p.short = q.i, q.short && len(q.w) == len(p.w)
	return ok
}

// endOfTag reads whitespace, attributes if they are allowed, and the end of a tag. At most one
// attribute has no value, because several words are prose: <think about it>.
func (p *peeker) endOfTag(attributes bool) bool {
	for words := 0; ; {
		from := p.i
		p.i = lexeme.SkipSpace(p.w, p.i)
		switch {
		case p.peek() == '>':
			p.i++
			return true
		case p.i == from || !attributes:
			return false
		case p.wordAlone():
			words++
			if words > 1 {
				return false
			}
		case !p.attribute():
			return false
		}
	}
}

// wordAlone reads an attribute without a value.
func (p *peeker) wordAlone() bool {
	word := *p
	if !word.word(lexeme.Name, '/') {
		p.short = word.short
		return false
	}
	if c := word.peek(); c != '>' && !lexeme.IsSpace(c) {
		return false
	}
	p.i = word.i
	return true
}

// attribute reads key=value.
func (p *peeker) attribute() bool {
	if !p.word(lexeme.Key, '=') || p.peek() != '=' {
		return false
	}
	p.i++
	quote := p.peek()
	if quote != '"' && quote != '\'' {
		for p.peek() != '>' && p.peek() != '<' && !lexeme.IsSpace(p.peek()) && !p.short {
			p.i++
		}
		return true
	}
	for p.i++; p.peek() != quote; p.i++ {
		if c := p.peek(); c == '<' || c == '\n' || p.short {
			return false
		}
	}
	p.i++
	return true
}

// before returns the byte before win[i] in the same run of text, or a space if there is none.
// At the beginning of the message that is a line end.
func (l *Lexer) before(i int) byte {
	switch {
	case l.offset(i) == 0:
		return '\n'
	case i == l.pos && l.fresh:
		return ' '
	}
	return l.byteBefore(i)
}

// beginReasoning reads the opening tag of region k, which is the next n bytes; of a message that
// starts in reasoning these are none, and k is -1.
func (l *Lexer) beginReasoning(k, n int) {
	i := l.pos
	l.state, l.region, l.thoughtCall = inReasoning, int32(k), -1
	l.spoken = true
	l.h.Reasoning(l.win[i:i+n:i+n], First)
	l.at(i + n)
}

// readReasoning reads reasoning up to its closing tag.
func (l *Lexer) readReasoning() {
	w := l.win
	for i := l.scan; ; i++ {
		i = l.nextStart(i)
		if i == len(w) {
			l.pushReasoning(len(w) - lexeme.PartialRune(w[l.pos:]))
			l.scan = len(w)
			l.starved = true
			return
		}
		l.steps++
		switch n, t := l.endsReasoning(i); t {
		case lexeme.CloseTag:
			l.pushReasoning(i)
			l.h.Reasoning(w[i:i+n:i+n], Last)
			l.beginText(i + n)
			return
		case lexeme.SomeTag:
			l.pushReasoning(i)
			l.starved = true
			return
		}
		switch _, t := l.opener(i); t {
		case lexeme.OpenTag:
			l.thoughtCall = l.offset(i)
		case lexeme.SomeTag:
			l.pushReasoning(i)
			l.starved = true
			return
		}
	}
}

// pushReasoning pushes the reasoning before win[to].
func (l *Lexer) pushReasoning(to int) {
	if l.pos < to {
		l.h.Reasoning(l.win[l.pos:to:to], 0)
	}
	l.at(to)
}

// endMessageInReasoning ends reasoning that the message does not end. A call in it was not
// executed, but may have been meant.
func (l *Lexer) endMessageInReasoning() {
	n := len(l.win)
	l.pushReasoning(n)
	l.h.Reasoning(nil, Last)
	l.beginText(n)
	if l.thoughtCall >= 0 {
		l.h.Open(l.offset(n), l.syntax)
		l.h.Fault(InReasoning, l.thoughtCall)
		l.h.Damaged(l.offset(n), false, nil)
	}
}
