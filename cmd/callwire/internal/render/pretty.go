package render

import (
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/sig"
)

// pretty lays compact JSON out for reading: a value that fits in a line stays
// in a line, digits and escapes stay as they are.
type pretty struct {
	terminal.Screen
	out  strings.Builder
	text string // the JSON that is still to be written
}

// prettyJSON returns text, one compact JSON value, on a screen, for a place at column col
// whose further lines begin at column indent.
func prettyJSON(s terminal.Screen, text []byte, indent, col int) string {
	p := pretty{Screen: s, text: sig.Visible(string(text))}
	p.value(indent, col)
	return p.out.String()
}

// value writes the next value.
func (p *pretty) value(indent, col int) {
	n, fits := p.inline(p.Width - 1 - col) // a comma may follow
	if open := p.text[0]; fits || open != '{' && open != '[' {
		p.flat(n)
		return
	}
	p.take(1)
	for p.text[0] != '}' && p.text[0] != ']' {
		p.newLine(indent + 2)
		at := indent + 2
		if k := stringLen(p.text); k > 0 && k < len(p.text) && p.text[k] == ':' {
			at += terminal.Cells(p.text[:k]) + 2
			p.flat(k + 1)
		}
		p.value(indent+2, at)
		if p.text[0] == ',' {
			p.take(1)
		}
	}
	p.newLine(indent)
	p.take(1)
}

// take writes the next n bytes as they are.
func (p *pretty) take(n int) {
	p.out.WriteString(p.text[:n])
	p.text = p.text[n:]
}

func (p *pretty) newLine(indent int) {
	p.out.WriteByte('\n')
	p.out.WriteString(strings.Repeat(" ", indent))
}

// inline returns the length of the next value, if it fits in room columns when
// it is written in one line. If not, the length is right for scalars only.
func (p *pretty) inline(room int) (n int, fits bool) {
	depth := 0
	for {
		switch p.text[n] {
		case '"':
			k := stringLen(p.text[n:])
			room -= terminal.Cells(p.text[n : n+k])
			n += k
		case '{', '[':
			depth++
			room--
			n++
		case '}', ']':
			depth--
			room--
			n++
		case ',', ':':
			room -= 2
			n++
		default:
			k := strings.IndexAny(p.text[n:], ",]}")
			if k < 0 {
				k = len(p.text) - n
			}
			room -= k
			n += k
		}
		if depth == 0 || room < 0 {
			return n, room >= 0
		}
	}
}

// flat writes the next n bytes in one line.
func (p *pretty) flat(n int) {
	rest := p.text[n:]
	for len(p.text) > len(rest) {
		switch p.text[0] {
		case '"':
			n := stringLen(p.text)
			st := terminal.Plain
			if n < len(p.text) && p.text[n] == ':' {
				st = terminal.Key
			}
			p.out.WriteString(p.Paint(st, p.text[:n]))
			p.text = p.text[n:]
		case ',', ':':
			p.out.WriteString(p.text[:1] + " ")
			p.text = p.text[1:]
		default:
			p.take(1)
		}
	}
}

// stringLen returns the length of the JSON string that text begins with, 0 if
// it begins with none.
func stringLen(text string) int {
	if text[0] != '"' {
		return 0
	}
	n := 1
	for text[n] != '"' {
		if text[n] == '\\' {
			n++
		}
		n++
	}
	return n + 1
}
