package lex

import "github.com/callwire/callwire/internal/lexeme"

// Several formats at once. In text the syntax is home, which knows the tags of all. At an opener
// the formats are asked in an order that does not depend on that in which they were listed, and
// the one whose call begins there reads it to its end.

// anyOpener is opener for several formats. The one whose call begins is found afterwards. A call
// whose body is right goes before one that may only be repaired.
func (l *Lexer) anyOpener(i int) (int, lexeme.Tag) {
	wrong := -1
	for _, m := range l.syntax.members {
		j, t := l.openerOf(m, i)
		switch {
		case t == lexeme.SomeTag:
			return j, t
		case t == lexeme.NoTag:
		case m.names != nil || l.beginsRight(m, j):
			l.found = m
			return j, t
		case wrong < 0:
			l.found, wrong = m, j
		}
	}
	if wrong >= 0 {
		return wrong, lexeme.OpenTag
	}
	return i, lexeme.NoTag
}
