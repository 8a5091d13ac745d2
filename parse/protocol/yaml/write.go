package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// Append implements [protocol.YAMLCodec].
func (codec) Append(dst []byte, tool string, args []byte, flat, visible bool) []byte {
	w := writer{out: dst, args: args, closer: "</" + tool, flat: flat, escaped: unprintable}
	if visible {
		w.escaped = func(c rune) bool { return unprintable(c) || c >= ' ' && sig.Invisible(c) }
	}
	w.scan = relaxed.Scanner{Depth: len(args), Last: true}
	w.next()
	w.mapping(0)
	return w.out
}

// writer writes arguments that are JSON in compact form.
type writer struct {
	out     []byte
	args    []byte
	pos     int
	scan    relaxed.Scanner
	text    []byte
	closer  string          // beginning of the end tag, which must not occur in a block
	escaped func(rune) bool // says which characters are escaped besides ASCII control characters
	flat    bool            // values are in brackets, strings in quotes
}

// next reads the next token.
func (w *writer) next() relaxed.Token {
	t, next := w.scan.Next(w.args, w.pos)
	w.pos = next
	return t
}

// mapping writes the members of the object whose brace was read, and reads its end.
func (w *writer) mapping(indent int) {
	for t := w.next(); t.Kind == 'k'; t = w.next() {
		w.out = append(w.out, strings.Repeat(" ", indent)...)
		w.string(t)
		w.out = append(w.out, ':')
		w.value(w.next(), indent)
	}
}

// value writes the value that begins with t, of a key at this indent.
func (w *writer) value(t relaxed.Token, indent int) {
	if t.Kind == '{' && !w.flat && w.args[w.pos] != '}' {
		w.out = append(w.out, '\n')
		w.mapping(indent + 2)
		return
	}
	w.out = append(w.out, ' ')
	if t.Kind != 's' || !w.block(t, indent+2) {
		w.inline(t)
		w.out = append(w.out, '\n')
	}
}

// inline writes the value that begins with t on one line.
func (w *writer) inline(t relaxed.Token) {
	switch t.Kind {
	case 's', 'k':
		w.string(t)
	case 'l':
		w.out = append(w.out, t.Literal(w.args)...)
	default:
		flat := w.flat
		w.flat = true
		w.brackets(t.Kind)
		w.flat = flat
	}
}

// brackets writes the object or array whose bracket was read.
func (w *writer) brackets(open byte) {
	w.out = append(w.out, open)
	for first := true; ; first = false {
		t := w.next()
		if t.Kind == '}' || t.Kind == ']' {
			w.out = append(w.out, t.Kind)
			return
		}
		if !first {
			w.out = append(w.out, ", "...)
		}
		w.inline(t)
		if t.Kind == 'k' {
			w.out = append(w.out, ": "...)
			w.inline(w.next())
		}
	}
}

// block writes a string of several lines as a block, if it can.
func (w *writer) block(t relaxed.Token, indent int) bool {
	w.text = t.AppendText(w.text[:0], w.args)
	text := string(w.text)
	body := strings.TrimRight(text, "\n")
	if w.flat || !strings.Contains(text, "\n") || body == "" || strings.Contains(text, w.closer) || strings.ContainsFunc(text, w.hidden) {
		return false
	}
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if i == 0 && line == "" || line != "" && strings.Trim(line, " \t") == "" {
			return false
		}
	}
	if strings.HasPrefix(lines[0], " ") || strings.HasPrefix(lines[0], "\t") {
		return false
	}
	ends := len(text) - len(body)
	w.out = append(w.out, '|')
	switch {
	case ends == 0:
		w.out = append(w.out, '-')
	case ends > 1:
		w.out = append(w.out, '+')
	}
	w.out = append(w.out, '\n')
	for _, line := range lines {
		if line != "" {
			w.out = append(append(w.out, strings.Repeat(" ", indent)...), line...)
		}
		w.out = append(w.out, '\n')
	}
	for ; ends > 1; ends-- {
		w.out = append(w.out, '\n')
	}
	return true
}

// hidden reports whether c cannot stand in a block.
func (w *writer) hidden(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || w.escaped(c)
}

// unprintable reports whether c, which is not an ASCII control, is escaped.
func unprintable(c rune) bool {
	return 0x7f <= c && c < 0xa0 || c == '\u2028' || c == '\u2029' || c == '\ufeff' || c == '\ufffe' || c == '\uffff'
}

// string writes a string or a key on one line.
func (w *writer) string(t relaxed.Token) {
	w.text = t.AppendText(w.text[:0], w.args)
	if !w.flat && bare(w.text) {
		w.out = append(w.out, w.text...)
		return
	}
	w.out = append(w.out, '"')
	for i := 0; i < len(w.text); {
		c, n := utf8.DecodeRune(w.text[i:])
		switch {
		case c == '"' || c == '\\':
			w.out = append(w.out, '\\', byte(c))
		case c == '\n':
			w.out = append(w.out, `\n`...)
		case c == '\t':
			w.out = append(w.out, `\t`...)
		case c == '/' && i > 0 && w.text[i-1] == '<':
			w.out = append(w.out, `\/`...)
		case c > 0xffff && w.escaped(c): // YAML has no surrogate pairs
			w.out = fmt.Appendf(w.out, `\U%08x`, c)
		case c < ' ' || w.escaped(c):
			w.out = sig.AppendEscape(w.out, c)
		default:
			w.out = append(w.out, w.text[i:i+n]...)
		}
		i += n
	}
	w.out = append(w.out, '"')
}

// words lists the words that some YAML readers do not take for strings.
var words = map[string]bool{"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true, "none": true}

// bare reports whether text can stand without quotes: it begins with a letter or a
// slash, and holds nothing special to any YAML.
func bare(text []byte) bool {
	for i, c := range text {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || c == '/':
		case i > 0 && ('0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == '(' || c == ')' || c == '@'):
		case i > 0 && i < len(text)-1 && c == ' ':
		default:
			return false
		}
	}
	return len(text) > 0 && !words[strings.ToLower(string(text))]
}
