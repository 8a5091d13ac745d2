package render

import (
	"regexp"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/unseen"
)

// pretty lays compact JSON out for reading: a value that fits in a line stays
// in a line, digits and escapes stay as they are.
type pretty struct {
	terminal.Screen
	out    strings.Builder
	tokens []string // that are still to be written
}

// token matches a token of compact JSON.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[^]{}[,:"]+|.`)

// prettyJSON lays out text, one compact JSON value, for a screen. The first line begins at column
// col, the others at column indent.
func prettyJSON(s terminal.Screen, text []byte, indent, col int) string {
	p := pretty{Screen: s, tokens: token.FindAllString(unseen.Escape(string(text)), -1)}
	p.value(indent, col)
	return p.out.String()
}

// value writes the next value.
func (p *pretty) value(indent, col int) {
	if line, n := p.oneLine(p.Width - 1 - col); n > 0 { // a comma may follow
		p.out.WriteString(line)
		p.tokens = p.tokens[n:]
		return
	}
	p.take()
	for p.tokens[0] != "}" && p.tokens[0] != "]" {
		p.newLine(indent + 2)
		at := indent + 2
		if key := p.tokens[0]; p.tokens[1] == ":" {
			at += terminal.Cells(key) + 2
			p.out.WriteString(p.Paint(terminal.Key, key) + ": ")
			p.tokens = p.tokens[2:]
		}
		p.value(indent+2, at)
		if p.tokens[0] == "," {
			p.take()
		}
	}
	p.newLine(indent)
	p.take()
}

// take writes the next token as it is.
func (p *pretty) take() {
	p.out.WriteString(p.tokens[0])
	p.tokens = p.tokens[1:]
}

func (p *pretty) newLine(indent int) { p.out.WriteString("\n" + strings.Repeat(" ", indent)) }

// oneLine returns the next value in one line, and its number of tokens, which is 0 if the value is
// an array or object that takes more than room columns.
func (p *pretty) oneLine(room int) (line string, n int) {
	var out strings.Builder
	depth := 0
	for i, token := range p.tokens {
		style := terminal.Plain
		switch {
		case token == "{" || token == "[":
			depth++
		case token == "}" || token == "]":
			depth--
		case token == "," || token == ":":
			token += " "
		case i+1 < len(p.tokens) && p.tokens[i+1] == ":":
			style = terminal.Key
		}
		out.WriteString(p.Paint(style, token))
		room -= terminal.Cells(token)
		isDone := depth == 0
		switch {
		case room < 0 && (i > 0 || !isDone):
			return "", 0
		case isDone:
			return out.String(), i + 1
		}
	}
	return out.String(), len(p.tokens)
}
