package lex

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// A near miss is a tag that is not the opener, after which a call seems to follow: the opener in
// another spelling, or that of another format. It begins a malformed call, which a repair may
// read.

// nearEnd is how such a call ends.
type nearEnd struct {
	closer string // in lower case; "" if nothing but the closing tag of the format ends it
	inTag  bool   // it is in a tag with attributes, which may close itself
}

// nearMiss looks for a near miss, or the opener of another format.
func (l *Lexer) nearMiss(i int, f *found) (m lexeme.Match) {
	s := l.syntax
	l.steps++
	if s.stem != "" && l.win[i] == '<' {
		p := peeker{w: l.win, i: i}
		end := nearEnd{closer: strings.ToLower(s.Tags.Close)}
		if l.spelledNear(&p, &end) {
			*f = found{kind: aNearMiss, syntax: s.members[0], next: p.i, near: end}
			return lexeme.Yes
		}
		m = p.miss()
	}
	isCut := i+1 == len(l.win)
	for k := range s.foreigners {
		o := &s.foreigners[k]
		if !isCut && len(o.Open) > 1 && l.win[i+1] != o.Open[1] { // most
			continue
		}
		if m == lexeme.No && !(o.OwnLine && l.before(i) != '\n') {
			m = l.openerAt(o, i, f)
		}
	}
	return m
}

// spelledNear reads the opener in another case, with whitespace before its end, or with a name
// or attributes in it; or the opener itself before an element or a name in quotes. The call begins
// at p.
func (l *Lexer) spelledNear(p *peeker, end *nearEnd) bool {
	from := *p
	if p.tag(l.syntax.Tags.Open) {
		element, name := *p, *p
		ok := l.elementFollows(&element) || !element.short && name.quotedName()
		p.short = element.short || name.short
		return ok
	}
	*p = from
	if !p.folded(l.syntax.stem) {
		return false
	}
	inner := *p
	joined := inner.peek() == ':' || inner.peek() == '='
	if joined {
		inner.i++
	}
	inner.spaces()
	ok := false
	switch {
	case inner.short || inner.i-p.i > mostSpaces:
	case inner.peek() == '>' && !joined:
		inner.i++
		p.i = inner.i
		ok = l.callFollows(&inner)
	default:
		end.inTag = true
		ok = inner.i > p.i && inner.attributes()
	}
	p.short = inner.short
	return ok
}

// callFollows reports whether a call seems to begin, after whitespace or none. Around calls of
// the formats, other tags are text.
func (l *Lexer) callFollows(p *peeker) bool {
	from := p.i
	p.spaces()
	switch c := p.peek(); {
	case p.i-from > mostSpaces:
		return false
	case c == '<':
		if l.opens(p) {
			return false
		}
		p.i++
		return p.peek() != '/' && !p.short
	default:
		return c == '{' || c == '[' || lexeme.ClassOf(c)&lexeme.NameStart != 0
	}
}

// opens reports whether the opener of a format follows, or may follow.
func (l *Lexer) opens(p *peeker) bool {
	return slices.ContainsFunc(l.syntax.members, func(m *Syntax) bool {
		return p.tag(m.Tags.Open) || p.short
	})
}

// elementFollows reports whether an element begins, after whitespace or none, that is neither a
// call nor reasoning.
func (l *Lexer) elementFollows(p *peeker) bool {
	p.spaces()
	if p.peek() != '<' {
		return false
	}
	inner := peeker{w: p.w, i: p.i + 1}
	if c := lower(inner.peek()); c < 'a' || c > 'z' {
		p.short = inner.short
		return false
	}
	// Even if nothing follows an opener: else a million openers would be read again for each.
	if l.opens(p) {
		return false
	}
	var other found
	m := l.reasoningTag(p.i, false, &other)
	if m == lexeme.No {
		m = l.nearMiss(p.i, &other)
	}
	p.short = m == lexeme.Partial
	return m == lexeme.No
}

// Limits on what a near miss, or a tag around reasoning, contains.
const (
	mostSpaces = 8   // whitespace in a near miss, or before what follows it
	mostWord   = 64  // bytes of a name or key
	mostQuotes = 3   // quotes or stars before a name
	mostInTag  = 128 // whitespace and attributes in a tag around reasoning
)

// peeker looks ahead. Once it needs more bytes than there are, it is short, and only more input
// decides.
type peeker struct {
	w     []byte
	i     int
	short bool
}

// peek returns the next byte, or 0 if there is none.
func (p *peeker) peek() byte {
	if p.i == len(p.w) {
		p.short = true
		return 0
	}
	return p.w[p.i]
}

// miss returns Partial if p is short, else No.
func (p *peeker) miss() lexeme.Match {
	if p.short {
		return lexeme.Partial
	}
	return lexeme.No
}

// tag reads a tag, if it comes next.
func (p *peeker) tag(tag string) bool {
	m := lexeme.MatchTag(p.w[p.i:], tag)
	switch m {
	case lexeme.Yes:
		p.i += len(tag)
	case lexeme.Partial:
		p.short = true
	}
	return m == lexeme.Yes
}

// folded reads a tag in any case, if it comes next.
func (p *peeker) folded(tag string) bool {
	for i := range len(tag) {
		if lower(p.peek()) != tag[i] {
			return false
		}
		p.i++
	}
	return true
}

// spaces reads whitespace.
func (p *peeker) spaces() {
	for n := 0; n <= mostSpaces && lexeme.IsSpace(p.peek()); n++ {
		p.i++
	}
}

// word reads bytes of a class, and reports whether there is at least one.
func (p *peeker) word(class lexeme.Class, end byte) bool {
	from := p.i
	for p.i-from <= mostWord && p.peek() != end && lexeme.ClassOf(p.peek())&class != 0 {
		p.i++
	}
	return !p.short && p.i > from && p.i-from <= mostWord
}

// quotedName reports whether a name in quotes, backquotes or stars follows, or a call in them.
func (p *peeker) quotedName() bool {
	p.spaces()
	quote, from := p.peek(), p.i
	if quote == 0 || strings.IndexByte("\"'`*", quote) < 0 {
		return false
	}
	for p.peek() == quote && p.i-from < mostQuotes {
		p.i++
	}
	if lexeme.ClassOf(p.peek())&lexeme.NameStart == 0 {
		return false
	}
	name := *p
	if name.word(lexeme.Name, quote) && name.peek() == quote {
		return true
	}
	if name.short {
		p.short = true
		return false
	}
	return p.attributes()
}

// attributes reports whether the attributes of a tag follow: name=…, or a name and then the end
// of the tag, an attribute or a brace.
func (p *peeker) attributes() bool {
	if lexeme.ClassOf(p.peek())&lexeme.NameStart == 0 {
		return false
	}
	for words := 0; words < 2; words++ {
		if !p.word(lexeme.Name|lexeme.Key, '/') {
			return false
		}
		c := p.peek()
		spaced := lexeme.IsSpace(c)
		if spaced {
			p.spaces()
			c = p.peek()
		}
		ends := c == '/' || c == '>' || spaced && c == '{'
		switch {
		case c == '=', words == 0 && ends:
			return true
		case !spaced:
			return false
		}
	}
	return false
}
