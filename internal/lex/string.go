package lex

import (
	"bytes"

	"github.com/callwire/callwire/internal/lexeme"
)

// beginString begins the string at win[pos], whose quote is c. The state is inString for a
// value or inQuotedKey for a key.
func (l *Lexer) beginString(c byte, s state) {
	l.state = s
	l.call.quote = c
	l.call.string = l.offset(l.pos)
	l.call.part = First
	if c == '\'' {
		l.call.part |= Single
	}
	l.scan++
	if s == inString {
		l.pos++
	}
}

// readString reads a string, in pieces if the window ends. A piece contains whole characters
// and whole escapes, so that each piece can be decoded by itself.
func (l *Lexer) readString() {
	w := l.win[:l.bound]
	i := l.scan
	if l.call.quote == '"' {
		i = lexeme.SkipPlainBlocks(w, i)
	}
	i = lexeme.SkipPlainASCII(w, i)
	switch {
	case i < len(w) && w[i] == l.call.quote && l.scan == l.pos:
		l.steps += i - l.pos + 1 // most strings
		l.endString(i, l.call.part)
		return
	case i == len(l.win) && l.pos < i:
		l.steps += i - l.scan + 1 // most pieces
		l.pushPiece(i, l.call.part)
		l.starved = true
		return
	}
	i, seen, high := lexeme.ConsumeStringResumable(w, i, l.call.quote)
	l.steps += i - l.scan + 1
	if l.call.strict && !l.isJSON(w, l.scan, i, Flags(seen)) {
		return
	}
	flags := l.stringFlags(seen)
	switch {
	case i == len(w) || w[i] != l.call.quote:
		l.cutString(i, flags, high)
	case !high || l.validPiece(i):
		l.endString(i, flags)
	}
}

// endString pushes the last piece of a string that is a value, before its closing quote at win[i].
func (l *Lexer) endString(i int, flags Flags) {
	l.h.String(l.win[l.pos:i], flags|Last, l.call.string)
	l.call.quote = 0
	l.moveTo(i + 1)
	l.state = l.afterAny()
}

// cutString pushes the whole units before win[i]. The window or the limit ends there, or after
// the backslash at win[i].
func (l *Lexer) cutString(i int, flags Flags, high bool) {
	cut := i
	if high {
		cut -= lexeme.PartialRune(l.win[l.pos:i])
		if !l.validPiece(cut) {
			return
		}
	}
	if cut > l.pos {
		l.pushPiece(cut, flags)
	}
	if cut == i || i == l.bound {
		l.wait(cut)
	} else { // a backslash inside a character
		l.fail(InvalidUTF8, i)
	}
}

// pushPiece pushes a piece of a string that ends before win[to] and is not the last one.
func (l *Lexer) pushPiece(to int, flags Flags) {
	l.h.String(l.win[l.pos:to], flags, l.call.string)
	l.call.part &^= First
	l.moveTo(to)
}

// validPiece checks win[scan:to], a piece of a string, like valid.
func (l *Lexer) validPiece(to int) bool {
	l.steps += to - l.scan
	bad := lexeme.IllFormed(l.win[l.scan:to])
	if bad < 0 {
		return true
	}
	l.failInString(InvalidUTF8, l.scan+bad)
	return false
}

// failInString makes the call malformed at win[bad], inside a string. It pushes what precedes
// the fault, so that the lexemes are the same at any split.
func (l *Lexer) failInString(code Code, bad int) {
	cut := bad - lexeme.PartialRune(l.win[l.pos:bad])
	switch {
	case cut == l.pos:
	case l.state == inTaggedText:
		l.pushPiece(cut, l.call.part)
	case l.state == inString:
		_, seen, _ := lexeme.ConsumeStringResumable(l.win[:cut], l.pos, l.call.quote)
		if bytes.IndexByte(l.win[l.pos:cut], '\\') >= 0 {
			seen |= lexeme.Escaped | lexeme.Differs // also of half a surrogate pair at the end
		}
		l.pushPiece(cut, l.stringFlags(seen))
	}
	l.failAt(code, bad, bad)
}

// stringFlags returns the flags of a piece of a string. In strict JSON a backslash is never
// ambiguous.
func (l *Lexer) stringFlags(seen lexeme.Flags) Flags {
	f := l.call.part | Flags(seen)
	if l.call.strict {
		f &^= Literal | QuoteEsc
	}
	return f
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
