package lex

import "github.com/callwire/callwire/internal/lexeme"

// Strict JSON differs from the values of the wire format in four ways: a string has no control
// characters and only JSON escapes, a key is in double quotes, a bare value is a literal, and
// a comma needs a successor.

// checkStrict checks a strict string, which is scanned up to w[i], for its length and for what
// JSON forbids. It returns false if the call has failed.
func (l *Lexer) checkStrict(w []byte, i int, seen Flags) bool {
	if l.fits(i) {
		return l.isJSON(w, l.scan, i, seen)
	}
	limit := l.call.string + 1 + l.call.maxString - l.base
	if !l.isJSON(w, l.scan, limit, seen) {
		return false
	}
	unit := limit // skipping starts at the first byte of a unit
	for unit > 0 && w[unit-1] == '\\' {
		unit--
	}
	l.failFrom(NameTooLong, limit, limit-(limit-unit)%2)
	return false
}

// isJSON checks w[from:to] in a strict string. At the first byte that JSON forbids the call
// fails.
func (l *Lexer) isJSON(w []byte, from, to int, seen Flags) bool {
	if seen&(Control|Literal|QuoteEsc) == 0 {
		return true
	}
	l.steps += to - from
	bad, fault := lexeme.FirstInvalidJSON(w, from, to, true)
	if fault == lexeme.NoFault {
		return true
	}
	code := InvalidJSON
	if ill := lexeme.IllFormed(w[l.pos:bad]); ill >= 0 {
		code, bad = InvalidUTF8, l.pos+ill
	}
	l.failInString(code, bad)
	return false
}

// readLiteral reads null, true, false or a number.
func (l *Lexer) readLiteral() (more bool) {
	w, i := l.win[:l.bound], l.scan
	for i < len(w) && lexeme.IsLiteralByte(w[i]) {
		i++
	}
	l.steps += i - l.scan + 1
	switch {
	case i == len(w) && i > l.pos:
		return l.wait(i)
	case lexeme.LiteralOf(w[l.pos:i]) == 0:
		l.fail(ExpectedValue, l.pos)
	default:
		l.h.Word(w[l.pos:i], Plain, l.offset(l.pos))
		l.at(i)
		l.state = l.afterAny()
	}
	return true
}
