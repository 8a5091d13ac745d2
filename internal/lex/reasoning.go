package lex

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// region is a region of reasoning, prepared for comparison.
type region struct {
	open, close string // of a tolerant one: in lower case, and without their >
	tolerant    bool
	first       bool // it counts only if it opens the message
}

// addRegions prepares regions.
func (s *Syntax) addRegions(regions []format.Region) {
	for _, r := range regions {
		p := region{open: r.Open, close: r.Close, tolerant: r.Tolerant(), first: r.First}
		if p.tolerant {
			p.open = strings.ToLower(strings.TrimSuffix(r.Open, ">"))
			p.close = strings.ToLower(strings.TrimSuffix(r.Close, ">"))
		}
		if !slices.Contains(s.regions, p) {
			s.regions = append(s.regions, p)
			s.starts.add(p.open)
			s.starts.add(p.close)
		}
	}
}

// reasoningTag looks for the opening tag of reasoning, or for the closing tag of that being read.
// After a backquote an opening tag is only mentioned.
func (l *Lexer) reasoningTag(i int, closing bool, f *found) (m lexeme.Match) {
	if len(l.syntax.regions) == 0 || !closing && l.before(i) == '`' {
		return m
	}
	for k := range l.syntax.regions {
		r := &l.syntax.regions[k]
		tag, other := r.open, r.first && !l.first(i)
		if closing {
			tag, other = r.close, l.region >= 0 && l.region != int32(k)
		}
		if other {
			continue
		}
		p := peeker{w: l.win, i: i}
		if r.reads(&p, tag, !closing) {
			*f = found{kind: aRegion, region: k, next: p.i}
			return lexeme.Yes
		}
		if p.short {
			m = lexeme.Partial
		}
	}
	return m
}

// first reports whether only whitespace comes before win[i] in the message.
func (l *Lexer) first(i int) bool {
	l.spoken = l.spoken || lexeme.SkipSpace(l.win[:i], l.pos) < i
	return !l.spoken
}

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
		if p.peek() == '>' {
			p.i++
			return true
		}
		if p.i == from || !attributes || !p.word(lexeme.Name, '/') {
			return false
		}
		switch c := p.peek(); {
		case c == '=':
			p.i++
			if !p.value() {
				return false
			}
		case c != '>' && !lexeme.IsSpace(c) || words > 0:
			return false
		default:
			words++
		}
	}
}

// value reads the value of an attribute.
func (p *peeker) value() bool {
	quote := p.peek()
	if quote != '"' && quote != '\'' {
		for c := quote; c != '>' && c != '<' && !lexeme.IsSpace(c) && !p.short; c = p.peek() {
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

// beginRegion reads the tag of a region at win[pos].
func (l *Lexer) beginRegion(f *found) {
	if l.state != inReasoning {
		l.beginReasoning(f.region, f.next)
		return
	}
	l.h.Reasoning(l.win[l.pos:f.next:f.next], Last)
	l.beginText(f.next)
}

// beginReasoning reads the opening tag of region k, which ends before win[end]; of a message that
// starts in reasoning it is empty, and k is -1.
func (l *Lexer) beginReasoning(k, end int) {
	l.state, l.region, l.thoughtCall = inReasoning, int32(k), -1
	l.spoken = true
	l.h.Reasoning(l.win[l.pos:end:end], First)
	l.moveTo(end)
}

// findEnd is find in reasoning, which it ends. A call in it, or a near miss, is remembered.
func (l *Lexer) findEnd(i int, f *found) lexeme.Match {
	m := l.reasoningTag(i, true, f)
	if m != lexeme.No {
		return m
	}
	m = l.opener(l.syntax, i, f)
	if m == lexeme.No {
		m = l.nearMiss(i, f)
	}
	if m == lexeme.Yes {
		l.thoughtCall = l.offset(i)
		m = lexeme.No
	}
	return m
}

// endMessageInReasoning ends reasoning that the message does not end. A call in it was not
// executed, but may have been meant.
func (l *Lexer) endMessageInReasoning() {
	l.h.Reasoning(nil, Last)
	l.beginText(0)
	if l.thoughtCall >= 0 {
		l.h.Open(l.base, l.syntax)
		l.h.Fault(InReasoning, l.thoughtCall)
		l.h.Damaged(l.base, false, nil)
	}
}
