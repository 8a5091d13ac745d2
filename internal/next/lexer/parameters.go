package lexer

import (
	"bytes"

	"github.com/callwire/callwire/internal/next/lexeme"
)

// Tagged parameters:
//
//	body      = Function.Open NAME ">" { [ws] parameter } [ws] Function.Close
//	parameter = Parameter.Open KEY ">" [LF] TEXT [LF] Parameter.Close
//
// A text has no quotes and no escapes. It ends at the first closer that structure follows:
// whitespace, then the opener of a parameter or the closer of the function.

// beginFunction begins a body at win[j], with its first mark.
func (l *Lexer) beginFunction(j int) {
	l.call.hasArguments = true
	l.at(j + len(l.syntax.format.Function.Open))
	if l.state = inFunction; l.pos > l.bound {
		l.failAt(CallTooLong, l.bound, l.bound)
	}
}

// readTagWord reads a name or key and the > after it.
func (l *Lexer) readTagWord() (more bool) {
	w, i := l.win[:l.bound], l.scan
	for i < len(w) && !endsTagWord(w[i]) {
		l.call.high = l.call.high || w[i] >= 0x80
		i++
	}
	l.steps += i - l.scan + 1
	if l.state == inFunction {
		return l.readFunction(w, i)
	}
	switch {
	case i == len(w):
		return l.wait(i)
	case i == l.pos || w[i] != '>':
		l.fail(ExpectedKey, i)
	case l.valid(i):
		l.h.Key(w[l.pos:i], 0, l.offset(l.pos))
		l.at(i + 1)
		l.state = beforeText
	}
	return true
}

// readFunction reads the name of the tool, which is scanned up to w[i].
func (l *Lexer) readFunction(w []byte, i int) (more bool) {
	limit := l.pos + l.syntax.limits.Name
	switch {
	case i > limit:
		l.fail(NameTooLong, limit)
	case i == len(w):
		return l.wait(i)
	case i == l.pos:
		l.fail(ExpectedName, i)
	case w[i] != '>':
		l.fail(BadName, i)
	case l.valid(i):
		l.h.Name(w[l.pos:i], l.offset(l.pos))
		l.at(i + 1)
		l.state = betweenParameters
	}
	return true
}

// endsTagWord reports whether c cannot be in a name or key.
func endsTagWord(c byte) bool { return c <= ' ' || c == 0x7f || c == '<' || c == '>' }

// readBetweenParameters reads whitespace, then the opener of a parameter or the end of the
// body.
func (l *Lexer) readBetweenParameters() (more bool) {
	i, ok, more := l.skipSpace()
	if !ok {
		return more
	}
	w, f := l.win[:l.bound], l.syntax.format
	if matchAny(w, i, f.Parameter.Open) == lexeme.OpenTag {
		l.at(i + len(f.Parameter.Open))
		l.state = inParameter
		return true
	}
	switch l.structureAt(w, i) {
	case lexeme.OpenTag:
		l.h.End(l.offset(i), nil)
		l.at(i + len(f.Function.Close))
		l.state = afterBody
	case lexeme.SomeTag:
		if l.bound == len(l.win) {
			return l.hold(i)
		}
		l.failFrom(CallTooLong, l.bound, i)
	default:
		l.fail(ExpectedKey, i)
	}
	return true
}

// structureAt looks for the opener of a parameter or the closer of the function at w[i].
func (l *Lexer) structureAt(w []byte, i int) lexeme.Tag {
	return matchAny(w, i, l.syntax.format.Parameter.Open, l.syntax.format.Function.Close)
}

// readBeforeText reads the line end before a text.
func (l *Lexer) readBeforeText() (more bool) {
	i := l.pos
	if i == l.bound {
		return l.wait(i)
	}
	c := &l.call
	c.string, c.part = l.offset(i), First|Raw
	c.inTagged, c.lookahead = true, 0
	if l.win[i] == '\n' {
		i++
	}
	l.at(i)
	l.state = inTaggedText
	return true
}

// readTaggedText reads a text, in pieces if the window ends.
func (l *Lexer) readTaggedText() (more bool) {
	w := l.win[:l.bound]
	end, after := l.scanText(w)
	to := end
	if after >= 0 && l.pos < to && w[to-1] == '\n' {
		to--
	}
	if bad := lexeme.IllFormed(w[l.pos:to]); bad >= 0 {
		bad += l.pos
		if cut := bad - lexeme.PartialRune(w[l.pos:bad]); cut > l.pos {
			l.pushPiece(cut, l.call.part)
		}
		l.failAt(InvalidUTF8, bad, bad)
		return true
	}
	if after >= 0 {
		l.h.String(w[l.pos:to], l.call.part|Last, l.call.string)
		l.call.inTagged = false
		l.at(after)
		l.state = betweenParameters
		return true
	}
	if to > l.pos {
		l.pushPiece(to, l.call.part)
	}
	if l.scan = len(w); l.bound < len(l.win) {
		l.failFrom(CallTooLong, l.bound, end)
		return true
	}
	return false
}

// scanText returns the index up to which the text at w[pos] is certain. If the text ends
// there, after is the index after its closer, otherwise it is -1.
func (l *Lexer) scanText(w []byte) (end, after int) {
	param := &l.syntax.format.Parameter
	for i := l.pos; ; i++ {
		n := bytes.IndexByte(w[i:], param.Close[0])
		if n < 0 {
			l.steps += len(w) - i + 1
			return l.beforeNewline(w, len(w)-lexeme.PartialRune(w[i:]), len(w)), -1
		}
		l.steps += n + 1
		i += n
		switch matchAny(w, i, param.Close) {
		case lexeme.OpenTag:
			after = i + len(param.Close)
			j := lexeme.SkipSpace(w, after+l.call.lookahead)
			l.steps += j - after - l.call.lookahead + 1
			l.call.lookahead = 0
			switch l.structureAt(w, j) {
			case lexeme.OpenTag:
				return i, after
			case lexeme.SomeTag:
				l.call.lookahead = j - after
				return l.beforeNewline(w, i, i), -1
			}
			l.call.part |= Tagged
			continue
		case lexeme.SomeTag:
			return l.beforeNewline(w, i, i), -1
		}
		switch matchAny(w, i, param.Open) {
		case lexeme.OpenTag:
			l.call.part |= Tagged
		case lexeme.SomeTag:
			return l.beforeNewline(w, i, i), -1
		}
	}
}

// beforeNewline returns i, or the index before a newline that ends at w[i] and may belong to
// the closer. Only a newline directly before limit can.
func (l *Lexer) beforeNewline(w []byte, i, limit int) int {
	if i == limit && i > l.pos && w[i-1] == '\n' {
		i--
	}
	return i
}

// skipTaggedText skips damage up to the end of the text that contains the fault. It returns
// false if the text does not end in the window.
func (l *Lexer) skipTaggedText() bool {
	end, after := l.scanText(l.win)
	l.at(end)
	if after < 0 {
		l.scan = len(l.win)
		return false
	}
	l.call.inTagged = false
	return true
}
