package sig

import (
	"math"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Lister finds out which arrays and objects an enum lists, in JSON text that is
// still growing: the caller asks about each array or object when it ends, and one
// inside another is read once. All questions together take time linear in the
// text, whatever the enums list. The zero Lister is ready to use.
type Lister struct {
	Steps int // bytes read

	numbers []numbered // of the values asked about, in order
	scanner lexeme.Scanner
	builder structureBuilder
	text    []byte // reused for the text of a string
}

// numbered is the array or object text[from:to] with its number, 0 if it has none.
type numbered struct {
	from, to int
	number   int32
}

// Lists reports whether the enum of t lists the array or object text[from:]. inside
// says that the caller will ask about a larger one around it too. A type without an
// enum lists nothing, and nothing is listed that is no array or object.
func (l *Lister) Lists(t *Type, text []byte, from int, inside bool) bool {
	if t == nil || t.structures == nil || from < 0 || from >= len(text) || text[from] != '[' && text[from] != '{' {
		return false
	}
	kind := Array
	if text[from] == '{' {
		kind = Object
	}
	number := l.number(t.structures, text, from)
	l.Drop(from)
	if inside {
		l.numbers = append(l.numbers, numbered{from, len(text), number})
	}
	return number != 0 && t.members.find(kind, number, nil) != nil
}

// Drop forgets the values in text[from:].
func (l *Lister) Drop(from int) { l.numbers = l.numbers[:l.after(from)] }

// Shift adjusts to text that has moved by n bytes.
func (l *Lister) Shift(n int) {
	for i := range l.numbers {
		l.numbers[i].from += n
		l.numbers[i].to += n
	}
}

// after returns the index of the first of the numbers in text[from:].
func (l *Lister) after(from int) int {
	i := len(l.numbers)
	for i > 0 && l.numbers[i-1].from >= from {
		i--
	}
	return i
}

// number returns the number of the array or object text[from:], 0 if it has none.
func (l *Lister) number(s *structures, text []byte, from int) (number int32) {
	known := l.numbers[l.after(from):]
	l.scanner.Depth, l.scanner.Unpaired = math.MaxInt, true
	l.scanner.Reset(text[from:])
	b := &l.builder
	b.structures, b.opened, b.inside = s, b.opened[:0], b.inside[:0]
	for ok := true; ok; {
		t := l.scanner.Next()
		l.Steps += t.End - t.Start
		switch t.Kind {
		case '[', '{':
			if len(b.opened) > 0 && len(known) > 0 && known[0].from == from+t.Start {
				l.scanner.Leap(known[0].to - from)
				ok = b.add(known[0].number)
				known = known[1:]
				break
			}
			b.open(t.Kind == '{')
		case ']', '}':
			number = b.close()
			if ok = number != 0; ok && len(b.opened) > 0 {
				ok = b.add(number)
			}
		case 'k', 's':
			ok = len(b.opened) > 0 && b.scalar(l.stringKey(text[from+t.Start:from+t.End], t.Escaped))
		case 'l':
			b.key = appendScalarKey(b.key[:0], text[from+t.Start:from+t.End])
			ok = len(b.opened) > 0 && b.scalar(b.key)
		default:
			if fault, _ := l.scanner.Fault(); fault != lexeme.NoFault {
				return 0
			}
			return number
		}
	}
	return 0
}

// stringKey returns the key of a string: " followed by its text.
func (l *Lister) stringKey(quoted []byte, escaped bool) []byte {
	key := quoted[:len(quoted)-1]
	if escaped {
		l.text = lexeme.AppendJSONUnquoted(l.text[:0], key, utf8.RuneError)
		key = l.text
	}
	return key
}

// appendScalarKey appends the key of a literal: a number, null, true or false.
func appendScalarKey(dst, literal []byte) []byte {
	if c := literal[0]; c == '-' || '0' <= c && c <= '9' {
		return lexeme.AppendNumber(dst, literal)
	}
	return append(dst, literal...)
}
