package lex

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// readText reads text up to the next call.
func (l *Lexer) readText() {
	w := l.win
	for i := l.scan; ; i++ {
		if l.namesTool(i) { // after another call, often
			l.beginName(i)
			return
		}
		i = l.nextStart(i)
		if i == len(w) {
			l.pushText(i - lexeme.PartialRune(w[l.pos:]))
			l.scan = i
			l.starved = true
			return
		}
		l.steps++
		if !l.syntax.starts.at(w[i:]) {
			continue
		}
		if l.syntax.sections != nil {
			if l.readSection(i) {
				return
			}
		}
		if l.namesTool(i) { // the common case
			l.beginName(i)
			return
		}
		switch j, t := l.opener(i); t {
		case lexeme.OpenTag:
			l.pushText(i)
			l.begin(j)
			return
		case lexeme.SomeTag:
			l.pushText(i)
			l.starved = true
			return
		}
		if l.readStart(i) {
			return
		}
	}
}

// namesTool reports whether a call of the wire format begins at win[i], with a name directly after
// its opener.
func (l *Lexer) namesTool(i int) bool {
	s := l.syntax
	j := i + len(s.tags.Open)
	if !s.nameFirst || j >= len(l.win) {
		return false
	}
	return l.class(j)&lexeme.NameStart != 0 && s.tags.OpensAt(l.win, i)
}

// beginName begins the call at win[i] and reads its name.
func (l *Lexer) beginName(i int) {
	l.pushText(i)
	l.enter()
	l.openCall()
	l.at(i + len(l.syntax.tags.Open))
	l.state = inName
	l.readName()
}

// readStart reads the opening tag of reasoning, or a near miss, if one begins at win[i] or may.
// In Markdown code neither begins.
func (l *Lexer) readStart(i int) bool {
	k, n, t := l.beginsReasoning(i)
	var near nearMiss
	if t != lexeme.OpenTag {
		some := t
		near, t = l.beginsNear(i)
		if t == lexeme.NoTag {
			t = some
		}
	}
	if t == lexeme.NoTag || l.inCode(i) {
		return false
	}
	l.pushText(i)
	switch {
	case t == lexeme.SomeTag:
		l.starved = true
	case near.syntax != nil:
		l.beginForeign(near)
	case near.size > 0:
		l.beginDamaged(near)
	default:
		l.beginReasoning(k, n)
	}
	return true
}

// inCode reports whether win[i] is in Markdown code, if that matters.
func (l *Lexer) inCode(i int) bool {
	l.readCode(i)
	return l.home.code && l.code.Inside()
}

// readCode follows the code in the text before win[to].
func (l *Lexer) readCode(to int) {
	if from := l.coded - l.base; l.home.code && from < to {
		l.steps += to - from
		l.code.Text(l.win[from:to])
		l.coded = l.offset(to)
	}
}

// beginText returns to text at win[i].
func (l *Lexer) beginText(i int) {
	l.state = inText
	if l.syntax != l.home {
		l.use(l.home)
	}
	l.useUser()
	l.fresh = true
	l.coded = l.offset(i)
	l.at(i)
}

// readSection reads a tag around several calls, if one begins at win[i] or may.
func (l *Lexer) readSection(i int) bool {
	switch n, t := l.sectionAt(i); t {
	case lexeme.OpenTag:
		l.pushText(i)
		l.h.Section(l.win[i : i+n : i+n])
		l.beginText(i + n)
		return true
	case lexeme.SomeTag:
		l.pushText(i)
		l.starved = true
		return true
	}
	return false
}

// sectionAt returns OpenTag and its length if a tag around several calls begins at win[i], and
// SomeTag if one may.
func (l *Lexer) sectionAt(i int) (n int, t lexeme.Tag) {
	l.steps++
	for _, tag := range l.syntax.sections {
		switch n := lexeme.MatchTag(l.win[i:], tag); n {
		case len(tag):
			return n, lexeme.OpenTag
		case len(l.win) - i:
			t = lexeme.SomeTag
		}
	}
	return 0, t
}

// pushText pushes the text before win[to].
func (l *Lexer) pushText(to int) {
	if l.pos < to {
		l.readCode(to)
		l.fresh = false
		l.spoken = l.spoken || lexeme.SkipSpace(l.win[:to], l.pos) < to
		l.h.Text(l.win[l.pos:to:to])
	}
	l.at(to)
}

// opener looks at the opener at win[i] and the whitespace after it, as far as that was not looked
// at before. It returns OpenTag and the index of the body if a call begins, NoTag if none does,
// SomeTag if more input decides.
func (l *Lexer) opener(i int) (int, lexeme.Tag) {
	if l.syntax.members != nil {
		return l.anyOpener(i)
	}
	return l.openerOf(l.syntax, i)
}

// openerOf is opener for a format.
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
	j := max(i+len(open), l.spaces-l.base)
	l.spaces = 0
	for ; j < min(len(w), i+limit); j++ { // the body must begin within the limit
		l.steps++
		if !lexeme.IsSpace(w[j]) {
			t := l.beginsBody(s, j)
			if t == lexeme.SomeTag {
				l.spaces = l.offset(j)
			}
			return j, t
		}
	}
	if j >= i+limit {
		return i, lexeme.NoTag
	}
	l.spaces = l.offset(j)
	return j, lexeme.SomeTag
}

// beginsBody returns OpenTag if a body begins at win[i], which is not whitespace.
func (l *Lexer) beginsBody(s *Syntax, i int) lexeme.Tag {
	if !s.format.NameFirst() {
		return matchAny(l.win, i, s.begins)
	}
	c, k := l.win[i], s.tags.Classes[l.win[i]]
	switch {
	case k&lexeme.NameStart != 0 || c == '{' || c == '[':
		return lexeme.OpenTag
	case s.format.Body != format.Arguments:
		return matchAny(l.win, i, s.begins)
	case k&lexeme.BeginsTag != 0 && lexeme.ClassOf(c)&lexeme.NameStart != 0:
		l.steps++
		switch s.tags.At(l.win[i:]) {
		case lexeme.NoTag:
			return lexeme.OpenTag
		case lexeme.SomeTag:
			return lexeme.SomeTag
		}
	}
	return lexeme.NoTag
}

// enter begins the call at win[pos].
func (l *Lexer) enter() {
	l.acquire()
	c := l.call
	c.start, c.nest, c.frozen, c.body = l.offset(l.pos), c.nest[:0], nil, body{}
	l.stop = c.start + l.syntax.limits.Bytes
	l.rebound()
}

// begin begins the call whose opener is at win[pos] and whose body is at win[j].
func (l *Lexer) begin(j int) {
	if l.syntax.members != nil {
		l.use(l.found)
	}
	if l.syntax.names != nil {
		l.beginTool(j)
		return
	}
	l.enter()
	other := l.otherBody(j)
	if other == nil {
		l.openCall()
	} else {
		l.call.near = nearEnd{}
		l.use(other)
		l.openCall()
		l.h.Foreign(ExpectedName, l.offset(j), true)
	}
	l.beginBody(j)
}

// beginBody begins the body at win[j].
func (l *Lexer) beginBody(j int) {
	c := l.call
	l.at(j)
	f := l.syntax.format
	switch {
	case f.Body == format.Arguments:
		l.state = inName
		if l.win[j] == '{' || l.win[j] == '[' {
			l.fail(ExpectedName, j)
		}
	case j >= l.bound:
		l.failAt(CallTooLong, l.bound, l.bound)
	case !l.beginsRight(l.syntax, j):
		l.fail(ExpectedName, j)
	case len(f.NameKeys) > 0:
		c.isObject, c.strict, c.uncounted = true, true, 2
		l.state = beforeElement
	default:
		l.beginFunction(j)
	}
}

// beginsRight reports whether what begins at win[j] after the opener is what a format wants there,
// not the body of another one.
func (l *Lexer) beginsRight(s *Syntax, j int) bool {
	begin := s.format.Begin()
	if begin == "" {
		c := l.win[j]
		return s.tags.Classes[c]&lexeme.NameStart != 0 ||
			s.format.Body == format.Arguments && c != '{' && c != '['
	}
	return matchMark(l.win, j, begin) == lexeme.OpenTag
}

// openCall pushes the beginning of the call at offset start.
func (l *Lexer) openCall() {
	at := l.call.start
	l.spoken = true
	inCode := l.home.code && l.code.Call()
	if l.syntax.newFilter != nil {
		l.useFilter()
	}
	l.h.Open(at, l.syntax)
	if inCode {
		l.h.Fault(InCode, at)
	}
}

// close ends the call with the closing tag win[i:end].
func (l *Lexer) close(i, end int) {
	if limit := l.limit(); end > limit {
		l.failFrom(CallTooLong, limit, i)
		return
	}
	if l.syntax.outer != nil {
		l.at(i)
		l.state = afterFunctionEnd
		return
	}
	l.finish(i, end)
}

// finish ends the call with the closing tag win[i:end].
func (l *Lexer) finish(i, end int) {
	l.h.Close(l.offset(i), l.offset(end), l.source(end))
	l.beginText(end)
}
