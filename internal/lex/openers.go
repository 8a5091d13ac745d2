package lex

import (
	"bytes"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// found is what begins at a place in text.
type found struct {
	kind   kind
	next   int     // index after its tag: of the body, of a call
	syntax *Syntax // of the call
	region int     // of reasoning
	nearEnd

	// Of a call in another format: its fault if it turns out to be malformed.
	code      Code
	at        int
	lineStart bool
}

// kind is what begins.
type kind uint8

const (
	aCall    kind = iota
	aToolTag      // a tag that is named after a tool
	aForeign      // a call in another format, or without an opener
	aNearMiss
	aRegion // reasoning
	aSection
)

// find looks at win[i], in text. It returns OpenTag and what begins there, NoTag if nothing does,
// SomeTag if more input decides. In Markdown code, neither reasoning nor a near miss begins.
func (l *Lexer) find(i int) (f found, t lexeme.Tag) {
	if l.state == inReasoning {
		return l.findEnd(i)
	}
	f, t = l.sectionAt(i)
	if t == lexeme.NoTag {
		f, t = l.opener(i)
	}
	if t != lexeme.NoTag {
		return f, t
	}
	f, t = l.reasoningTag(i, false)
	if t != lexeme.OpenTag {
		if near, some := l.nearMiss(i); some != lexeme.NoTag {
			f, t = near, some
		}
	}
	if t != lexeme.NoTag && l.inCode(i) {
		t = lexeme.NoTag
	}
	return f, t
}

// begin begins what was found at win[pos].
func (l *Lexer) begin(f found) {
	i := l.pos
	switch f.kind {
	case aSection:
		l.h.Section(l.win[i:f.next:f.next])
		l.beginText(f.next)
		return
	case aRegion:
		if l.state != inReasoning {
			l.beginReasoning(f.region, f.next)
			return
		}
		l.h.Reasoning(l.win[i:f.next:f.next], Last)
		l.beginText(f.next)
		return
	case aToolTag:
		l.use(f.syntax)
		l.beginTool(f.next)
		return
	}
	l.use(f.syntax)
	l.enter()
	l.call.near = f.nearEnd
	l.openCall()
	switch f.kind {
	case aNearMiss:
		l.call.isNear = true
		l.failAt(WrongOpener, i, f.next)
		return
	case aForeign:
		l.call.isBare = f.code == ""
		l.h.Foreign(f.code, l.offset(f.at), f.lineStart)
	}
	l.beginBody(f.next)
}

// sectionAt looks for a tag around several calls.
func (l *Lexer) sectionAt(i int) (f found, t lexeme.Tag) {
	for _, tag := range l.syntax.sections {
		l.steps++
		switch matchMark(l.win, i, tag) {
		case lexeme.OpenTag:
			return found{kind: aSection, next: i + len(tag)}, lexeme.OpenTag
		case lexeme.SomeTag:
			t = lexeme.SomeTag
		}
	}
	return f, t
}

// opener looks for a call. If several formats share the opener, one whose body is right goes before
// one that may only be repaired. The order of the formats does not depend on that in which they
// were listed.
func (l *Lexer) opener(i int) (f found, t lexeme.Tag) {
	for _, m := range l.syntax.members {
		j, some := l.openerOf(m, i)
		isRight := some == lexeme.OpenTag && (m.names != nil || l.beginsRight(m, j))
		switch {
		case some == lexeme.SomeTag:
			return f, some
		case isRight && m.names != nil:
			return found{kind: aToolTag, syntax: m, next: j}, some
		case isRight:
			return found{syntax: m, next: j}, some
		case some == lexeme.OpenTag && t == lexeme.NoTag:
			f, t = found{syntax: m, next: j}, some
			if other, body, _ := l.bodyOf(m.others, j, ""); other != nil {
				f = found{kind: aForeign, syntax: other, next: body}
				f.code, f.at, f.lineStart = ExpectedName, j, true
			}
		}
	}
	return f, t
}

// openerOf looks at the opener of a format and the whitespace after it, as far as that was not
// looked at before. It returns OpenTag and the index of the body if a call begins.
func (l *Lexer) openerOf(s *Syntax, i int) (int, lexeme.Tag) {
	if s.names != nil {
		return l.toolOpener(s.names, l.win, i)
	}
	w, open, limit := l.win, s.tags.Open, s.limits.Bytes
	l.steps++
	switch n := lexeme.MatchTag(w[i:], open); {
	case n == 0 || n < len(open) && len(open) >= limit:
		return i, lexeme.NoTag
	case n < len(open):
		return i, lexeme.SomeTag
	}
	from := max(i+len(open), l.spaces-l.base)
	j := max(from, lexeme.SkipSpace(w[:min(len(w), i+limit)], from)) // within the limit
	l.steps += j - from + 1
	t := lexeme.SomeTag
	switch {
	case j >= i+limit:
		t = lexeme.NoTag
	case j < len(w):
		t = l.beginsBody(s, j)
	}
	l.spaces = 0
	if t == lexeme.SomeTag {
		l.spaces = l.offset(j)
	}
	return j, t
}

// beginsBody returns OpenTag if a body begins at win[i], or what may be repaired.
func (l *Lexer) beginsBody(s *Syntax, i int) lexeme.Tag {
	c, k := l.win[i], s.tags.Classes[l.win[i]]
	isWire := s.format.Body == format.Arguments
	switch {
	case !s.format.NameFirst():
	case k&lexeme.NameStart != 0:
		return lexeme.OpenTag
	case isWire && k&lexeme.BeginsTag != 0 && lexeme.ClassOf(c)&lexeme.NameStart != 0:
		l.steps++
		switch s.tags.At(l.win[i:]) {
		case lexeme.NoTag:
			return lexeme.OpenTag
		case lexeme.SomeTag:
			return lexeme.SomeTag
		}
	}
	found := lexeme.NoTag
	for _, b := range s.begins {
		if t := matchMark(l.win, i, b); t != lexeme.NoTag {
			found = t
			if t == lexeme.OpenTag {
				break
			}
		}
	}
	return found
}

// beginsRight reports whether what begins at win[j] after the opener is what a format wants there,
// not the body of another one.
func (l *Lexer) beginsRight(s *Syntax, j int) bool {
	begin, c := s.format.Begin(), l.win[j]
	if begin != "" {
		return matchMark(l.win, j, begin) == lexeme.OpenTag
	}
	return s.tags.Classes[c]&lexeme.NameStart != 0 ||
		s.format.Body == format.Arguments && c != '{' && c != '['
}

// Calls in other formats than that of the text, which only a Lexer that repairs reads:
//
//   - one that begins with a tag of another format, under the default tags of the wire format
//   - the body of another format after the opener
//   - a function of a known name without the tags around it
//
// The body of the other format reads such a call, so strings hide tags as they do there.

// foreignOpener is an opener that begins such a call, or else a near miss.
type foreignOpener struct {
	format.Opener
	syntaxes []*Syntax
	isBare   bool // the opener of a function
}

// newForeign returns the syntaxes of calls in other formats.
func newForeign(c Config, formats []*format.Format) []*Syntax {
	var list []*Syntax
	for _, f := range formats {
		s := newSyntax(f, Config{Limits: c.Limits, NoFastPath: c.NoFastPath, Repair: true})
		s.foreign = true
		list = append(list, s)
	}
	return list
}

// addNear prepares what is near the opener of the wire format. Tags that begin with another byte
// take as long again to find in prose, so they count only where prose is searched for more than
// calls. Under tags that are not the default ones, calls in other formats are not read: whoever
// agrees on tags does it because those are known to all.
func (s *Syntax) addNear(c Config) {
	searched := c.Code || c.Reasoning != format.NoReasoning
	open, wire := s.tags.Open, format.Wire.Call
	isDefault := open == wire.Open && s.tags.Close == wire.Close
	if stem, ok := strings.CutSuffix(open, ">"); ok && open[0] == '<' {
		s.stem = strings.ToLower(stem)
		s.starts.add(s.stem)
	}
	for _, o := range format.Foreign {
		if o.Open == open || !searched && o.Open[0] != open[0] {
			continue
		}
		s.starts.add(o.Open)
		o.Close = strings.ToLower(o.Close)
		opener := foreignOpener{Opener: o}
		if isDefault {
			opener.syntaxes = newForeign(c, o.Formats)
		}
		s.openers = append(s.openers, opener)
	}
}

// addOthers prepares for calls that begin with the opener of a format but have the body of another
// one, and for functions without an opener.
func (s *Syntax) addOthers(m *Syntax, c Config) {
	f := m.format
	for _, other := range newForeign(c, format.Bodies(f.Call)) {
		if other.format.Begin() != f.Begin() {
			m.others = append(m.others, other)
		}
	}
	hasFunction := f.Function.Open != "" && f.Function.Close != ""
	if f.Body == format.Parameters && hasFunction && len(c.Tools) > 0 {
		o := foreignOpener{syntaxes: []*Syntax{m}, isBare: true}
		o.Open = f.Function.Open
		s.openers = append(s.openers, o)
		s.starts.add(o.Open)
	}
}

// foreignCall looks for the call of an opener at win[i], which is there.
func (l *Lexer) foreignCall(o *foreignOpener, i int) (f found, t lexeme.Tag) {
	f = found{kind: aForeign, code: WrongOpener, at: i, lineStart: l.before(i) == '\n'}
	f.closer = o.Close
	if !o.isBare {
		f.syntax, f.next, t = l.bodyOf(o.syntaxes, i, o.Open)
		if f.syntax == nil && t == lexeme.NoTag {
			f = found{kind: aNearMiss, syntax: l.syntax.members[0], next: i + len(o.Open)}
			f.closer, t = o.Close, lexeme.OpenTag
		}
		return f, t
	}
	f.syntax, f.next, f.code = o.syntaxes[0], i, ""
	tools, p := l.syntax.tools, peeker{w: l.win, i: i + len(o.Open)}
	from := p.i
	for p.i-from < tools.longest && !lexeme.EndsTagWord(p.peek()) {
		p.i++
	}
	isTool, _ := tools.find(l.win[from:p.i])
	switch {
	case isTool && p.tag(f.syntax.format.Function.End):
		return f, lexeme.OpenTag
	case p.short:
		return f, lexeme.SomeTag
	}
	return f, lexeme.NoTag
}

// bodyOf finds the syntax whose body follows at win[i], after its opener if that does not begin
// with open, and the index of the body. It returns SomeTag if more input decides.
func (l *Lexer) bodyOf(list []*Syntax, i int, open string) (*Syntax, int, lexeme.Tag) {
	t := lexeme.NoTag
	for _, s := range list {
		p := peeker{w: l.win, i: i}
		if (open == "" || p.tag(s.tags.Open)) && s.bodyFollows(&p) {
			return s, p.i, lexeme.OpenTag
		}
		if p.short {
			t = lexeme.SomeTag
		}
	}
	return nil, 0, t
}

// bodyFollows reports whether a body begins, after whitespace or none.
func (s *Syntax) bodyFollows(p *peeker) bool {
	begin := s.format.Begin()
	if begin == "" {
		return p.peek() != 0 && !lexeme.EndsTagWord(p.peek())
	}
	p.spaces()
	if len(s.format.NameKeys) > 0 {
		return p.peek() == '{' || p.peek() == '['
	}
	inner := *p
	found := inner.tag(begin)
	p.short = inner.short
	return found
}

// starts knows the tags that may begin in text or in reasoning: of calls, of reasoning, and near
// misses. It finds the places that need a closer look.
type starts struct {
	firsts []byte       // the first bytes of the tags
	first  [256]bool    // the same
	then   [3][256]bool // their second, third and fourth bytes, in either case
}

// add adds a tag.
func (s *starts) add(tag string) {
	if !s.first[tag[0]] {
		s.first[tag[0]] = true
		s.firsts = append(s.firsts, tag[0])
	}
	for i := range s.then {
		then := &s.then[i]
		if i+1 >= len(tag) { // anything may follow
			for c := range then {
				then[c] = true
			}
			continue
		}
		c := lower(tag[i+1])
		then[c] = true
		if 'a' <= c && c <= 'z' {
			then[c&^0x20] = true
		}
	}
}

// at reports whether a tag may begin with w, whose first byte begins one.
func (s *starts) at(w []byte) bool {
	for i := range min(len(s.then), len(w)-1) {
		if !s.then[i][w[i+1]] {
			return false
		}
	}
	return true
}

// mostFirsts is how many first bytes are searched each by itself.
const mostFirsts = 4

// shortPiece is how many bytes are faster looked at one by one.
const shortPiece = 16

// nextStart returns the index from i on of the first byte of a tag, or len(win).
func (l *Lexer) nextStart(i int) int {
	w, s := l.win, &l.syntax.starts
	if len(w)-i <= shortPiece || len(s.firsts) > mostFirsts {
		from := i
		for i < len(w) && !s.first[w[i]] {
			i++
		}
		l.steps += i - from
		return i
	}
	nearest := len(w)
	for k, c := range s.firsts {
		at := l.ahead[k] - l.base
		if at < i || at < nearest && w[at] != c {
			at = max(at, i)
			n := bytes.IndexByte(w[at:nearest], c)
			if n < 0 {
				n = nearest - at
			}
			l.steps += n
			at += n
			l.ahead[k] = l.offset(at)
		}
		nearest = min(nearest, at)
	}
	return nearest
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
