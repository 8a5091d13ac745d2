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

// prettyJSON lays out text, one compact JSON value, for a screen. The first line begins at column
// col, the others at column indent.
func prettyJSON(s terminal.Screen, text []byte, indent, col int) string {
	p := pretty{Screen: s, text: sig.Visible(string(text))}
	p.value(indent, col)
	return p.out.String()
}

// value writes the next value.
func (p *pretty) value(indent, col int) {
	if line, n := p.oneLine(p.Width - 1 - col); n > 0 { // a comma may follow
		p.out.WriteString(line)
		p.text = p.text[n:]
		return
	}
	p.take(1)
	for p.text[0] != '}' && p.text[0] != ']' {
		p.newLine(indent + 2)
		at := indent + 2
		if key := firstToken(p.text); key[0] == '"' && p.text[len(key)] == ':' {
			at += terminal.Cells(key) + 2
			p.out.WriteString(p.Paint(terminal.Key, key) + ": ")
			p.text = p.text[len(key)+1:]
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

func (p *pretty) newLine(indent int) { p.out.WriteString("\n" + strings.Repeat(" ", indent)) }

// oneLine returns the next value in one line, and its length, which is 0 if the value is an
// array or object that takes more than room columns.
func (p *pretty) oneLine(room int) (line string, n int) {
	var out strings.Builder
	for depth := 0; ; {
		token := firstToken(p.text[n:])
		n += len(token)
		style := terminal.Plain
		switch {
		case token == "{" || token == "[":
			depth++
		case token == "}" || token == "]":
			depth--
		case token == "," || token == ":":
			token += " "
		case token[0] == '"' && strings.HasPrefix(p.text[n:], ":"):
			style = terminal.Key
		}
		out.WriteString(p.Paint(style, token))
		room -= terminal.Cells(token)
		isScalar := depth == 0 && out.Len() == len(token)
		if room < 0 && !isScalar {
			return "", 0
		}
		if depth == 0 {
			return out.String(), n
		}
	}
}

// firstToken returns the token of JSON that text begins with.
func firstToken(text string) string {
	n := 1
	switch {
	case text[0] == '"':
		for text[n] != '"' {
			if text[n] == '\\' {
				n++
			}
			n++
		}
		n++
	case !strings.Contains("{}[],:", text[:1]):
		n = strings.IndexAny(text, ",]}")
		if n < 0 {
			n = len(text)
		}
	}
	return text[:n]
}
