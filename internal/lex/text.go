package lex

import (
	"bytes"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// readText reads text up to the next call, or reasoning up to its closing tag.
func (l *Lexer) readText() {
	for i := l.scan; ; {
		// Fast path: a wire opener directly followed by a name.
		tags := &l.syntax.Tags
		j := i + len(tags.Open)
		isCall := j < len(l.win) && l.syntax.nameFirst && tags.Opener.Begins(l.win[i:])
		if isCall && l.classes[l.win[j]]&lexeme.NameStart != 0 && l.state == inText {
			if i > l.pos {
				l.pushText(i)
			}
			l.enter()
			l.openCall()
			l.moveTo(j)
			l.state = inName
			l.readName()
			return
		}
		next := l.nextStart(i)
		switch {
		case next == len(l.win):
			l.pushText(next - lexeme.PartialRune(l.win[l.pos:]))
			l.hold(next)
			return
		case next > i:
			i = next
			continue
		}
		l.steps++
		if l.syntax.starts.at(l.win[i:]) {
			var f found
			switch l.find(i, &f) {
			case lexeme.Yes:
				l.pushText(i)
				l.begin(&f)
				return
			case lexeme.Partial:
				l.pushText(i)
				l.hold(i)
				return
			}
		}
		i++
	}
}

// inCode reports whether win[i] is in Markdown code, if that matters.
func (l *Lexer) inCode(i int) bool {
	l.readCode(i)
	return l.home.Code && l.code.Inside()
}

// readCode follows the code in the text before win[to].
func (l *Lexer) readCode(to int) {
	if from := l.coded - l.base; l.home.Code && from < to {
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
	l.h, l.envelope, l.schema = l.user, nil, nil
	l.fresh = true
	l.coded = l.offset(i)
	l.moveTo(i)
}

// pushText pushes the text or reasoning before win[to].
func (l *Lexer) pushText(to int) {
	switch text := l.win[l.pos:to:to]; {
	case len(text) == 0:
	case l.state == inReasoning:
		l.h.Reasoning(text, 0)
	default:
		l.readCode(to)
		l.fresh = false
		l.spoken = l.spoken || lexeme.SkipSpace(text, 0) < len(text)
		l.h.Text(text)
	}
	l.moveTo(to)
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

// enter begins the call at win[pos].
func (l *Lexer) enter() {
	if l.call == nil {
		l.acquire()
	}
	c := l.call
	c.start, c.nest, c.frozen, c.body = l.offset(l.pos), c.nest[:0], nil, body{}
	l.stop = c.start + l.syntax.Limits.Bytes
	l.rebound()
}

// beginBody begins the body at win[j].
func (l *Lexer) beginBody(j int, isWrong bool) {
	c, f := l.call, l.syntax.format
	l.moveTo(j)
	switch {
	case j >= l.bound:
		l.failAt(CallTooLong, l.bound, l.bound)
	case isWrong:
		l.fail(ExpectedName, j)
	case f.Body == format.Arguments:
		l.state = inName
	case len(f.NameKeys) > 0:
		c.isObject, c.strict, c.uncounted = true, true, 2
		l.state = beforeElement
	case j+len(f.Function.Open) > l.bound:
		l.failAt(CallTooLong, l.bound, l.bound)
	default:
		l.moveTo(j + len(f.Function.Open))
		l.state = inFunction
	}
}

// openCall pushes the beginning of the call at offset start.
func (l *Lexer) openCall() {
	at := l.call.start
	l.spoken = true
	inCode := l.home.Code && l.code.Call()
	if l.syntax.newFilter != nil {
		l.useFilter()
	}
	l.h.Open(at, l.syntax)
	if inCode {
		l.h.Fault(InCode, at)
	}
}

// closeCall ends the call with the closing tag win[i:end].
func (l *Lexer) closeCall(i, end int) {
	switch {
	case end > l.bound:
		l.failFrom(CallTooLong, l.bound, i)
	case l.call.isBare:
		l.moveTo(i)
		l.state = afterFunctionEnd
	default:
		l.finish(i, end)
	}
}

// finish ends the call with the closing tag win[i:end].
func (l *Lexer) finish(i, end int) {
	l.h.CloseCall(l.offset(i), l.offset(end), l.source(end))
	l.beginText(end)
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
