package protocol

import (
	"github.com/callwire/callwire/lexer/lexeme"
)

// tags is the frame of a call between two fixed tags.
type tags struct {
	open, close string
	bodies      []string // the body begins with one of them, after whitespace
	fenced      bool     // it may stand in a Markdown fence on lines of its own
}

func (t *tags) first() byte { return t.open[0] }

func (t *tags) opens(w []byte, i, look int) (begin int, more bool, looked int) {
	if look < len(t.open) {
		switch n := lexeme.MatchTag(w[i:], t.open); n {
		case 0:
			return 0, false, 1
		case len(t.open):
			look = n
		default:
			return 0, true, n
		}
	}
	j := lexeme.SkipSpace(w, i+look)
	if t.fenced && w[j-1] == '\n' {
		k, more := fence(w, j)
		if k > 0 {
			k = lexeme.SkipSpace(w[:min(len(w), k+mostSpace)], k)
			more = k == len(w)
		}
		switch {
		case more:
			return 0, true, j - i
		case k > 0:
			j = k
		}
	}
	for _, body := range t.bodies {
		switch n := lexeme.MatchTag(w[j:], body); {
		case n == len(body):
			return j, false, j - i
		case n == len(w)-j:
			return 0, true, j - i
		}
	}
	return 0, false, j - i
}

// fence returns the index after the line of an opening fence at w[i], 0 if there is
// none. More says that the window is too short to tell.
func fence(w []byte, i int) (end int, more bool) {
	for _, line := range [...]string{"```json\n", "```\n"} {
		switch n := lexeme.MatchTag(w[i:], line); {
		case n == len(line):
			return i + n, false
		case n > 0 && n == len(w)-i:
			more = true
		}
	}
	return 0, more
}

func (t *tags) closes(w []byte, i int) (end int, more bool) {
	switch n := lexeme.MatchTag(w[i:], t.close); n {
	case 0:
		return 0, false
	case len(t.close):
		return i + n, false
	}
	return 0, true
}
