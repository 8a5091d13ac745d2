package yaml

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/unseen"
)

// Encode implements [format.Codec].
func (codec) Encode(dst []byte, tool string, args []byte, s format.Style) []byte {
	e := encoder{out: dst, closer: "</" + tool, Style: s}
	e.scan = lexeme.Scanner{Text: args, Depth: len(args)}
	e.scan.Next()
	e.members(0)
	return e.out
}

// encoder writes arguments.
type encoder struct {
	format.Style
	out    []byte
	scan   lexeme.Scanner
	closer string // the beginning of the end tag, which a block scalar must not contain
}

// members writes the members of the object whose brace was read, and reads its end.
func (e *encoder) members(indent int) {
	for t := e.scan.Next(); t.Kind == 'k'; t = e.scan.Next() {
		e.out = append(e.out, strings.Repeat(" ", indent)...)
		e.string(t)
		e.out = append(e.out, ':')
		e.member(e.scan.Next(), indent)
	}
}

// member writes the value that begins with t, of a key with this indent.
func (e *encoder) member(t lexeme.JSONToken, indent int) {
	empty := t.Kind == '{' && e.scan.Text[t.End] == '}'
	if t.Kind == '{' && !e.Flat && !empty {
		e.out = append(e.out, '\n')
		e.members(indent + 2)
		return
	}
	e.out = append(e.out, ' ')
	if t.Kind != 's' || !e.block(t, indent+2) {
		e.inline(t)
		e.out = append(e.out, '\n')
	}
}

// inline writes the key or value that begins with t on one line.
func (e *encoder) inline(t lexeme.JSONToken) {
	switch t.Kind {
	case 's', 'k':
		e.string(t)
	case 'l':
		e.out = append(e.out, e.scan.Text[t.Start:t.End]...)
	default:
		flat := e.Flat
		e.Flat = true
		e.brackets(t.Kind)
		e.Flat = flat
	}
}

// brackets writes the object or array whose bracket was read.
func (e *encoder) brackets(open byte) {
	e.out = append(e.out, open)
	for first := true; ; first = false {
		t := e.scan.Next()
		if t.Kind == '}' || t.Kind == ']' {
			e.out = append(e.out, t.Kind)
			return
		}
		if !first {
			e.out = append(e.out, ", "...)
		}
		e.inline(t)
		if t.Kind == 'k' {
			e.out = append(e.out, ": "...)
			e.inline(e.scan.Next())
		}
	}
}

// notInBlock matches what the text of a block scalar cannot have: a line of blanks, or a first line
// that begins with a blank or is empty.
var notInBlock = regexp.MustCompile(`\A[ \t\n]|(?m:^[ \t]+$)`)

// lineStarts matches the first character of each line.
var lineStarts = regexp.MustCompile(`(?m)^[^\n]`)

// block writes a string of several lines as a block scalar, and reports whether it could.
func (e *encoder) block(t lexeme.JSONToken, indent int) bool {
	content := e.scan.AppendUnquoted(nil, t)
	text := string(content)
	body := strings.TrimRight(text, "\n")
	if e.Flat || body == "" || !strings.Contains(text, "\n") {
		return false
	}
	if strings.Contains(text, e.closer) || e.hasTag(content) ||
		strings.ContainsFunc(text, e.isEscapedInBlock) || notInBlock.MatchString(body) {
		return false
	}
	ends := len(text) - len(body)
	e.out = append(e.out, [...]string{"|-\n", "|\n", "|+\n"}[min(ends, 2)]...)
	margin := strings.Repeat(" ", indent)
	e.out = append(e.out, lineStarts.ReplaceAllString(body, margin+"$0")...)
	e.out = append(e.out, strings.Repeat("\n", max(ends, 1))...)
	return true
}

// hasTag reports whether text contains the tag of a tool.
func (e *encoder) hasTag(text []byte) bool {
	for i := range text {
		if e.beginsTag(text[i:]) {
			return true
		}
	}
	return false
}

// beginsTag reports whether text begins with the tag of a tool.
func (e *encoder) beginsTag(text []byte) bool { return e.BeginsTag != nil && e.BeginsTag(text) }

// isEscaped reports whether c, which is not an ASCII control character, must be escaped.
func (e *encoder) isEscaped(c rune) bool {
	if 0x7f <= c && c < 0xa0 || strings.ContainsRune("\u2028\u2029\ufeff\ufffe\uffff", c) {
		return true
	}
	return e.Hidden != nil && c >= ' ' && e.Hidden(c)
}

// isEscapedInBlock reports whether a block scalar cannot contain c.
func (e *encoder) isEscapedInBlock(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || e.isEscaped(c)
}

// string writes a string or a key on one line.
func (e *encoder) string(t lexeme.JSONToken) {
	text := e.scan.AppendUnquoted(nil, t)
	if !e.Flat && isBare(text) {
		e.out = append(e.out, text...)
		return
	}
	e.out = append(e.out, '"')
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		switch {
		case c == '"' || c == '\\':
			e.out = append(e.out, '\\', byte(c))
		case c == '\n':
			e.out = append(e.out, `\n`...)
		case c == '\t':
			e.out = append(e.out, `\t`...)
		case c == '/' && i > 0 && text[i-1] == '<':
			e.out = append(e.out, `\/`...)
		case c > 0xffff && e.isEscaped(c): // YAML has no surrogate pairs
			e.out = fmt.Appendf(e.out, `\U%08x`, c)
		case c < ' ' || e.isEscaped(c) || e.beginsTag(text[i:]):
			e.out = unseen.AppendEscape(e.out, c)
		default:
			e.out = append(e.out, text[i:i+n]...)
		}
		i += n
	}
	e.out = append(e.out, '"')
}

// words are strings that some readers of YAML take for something else.
var words = map[string]bool{
	"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true,
	"y": true, "n": true, "none": true,
}

// isBare reports whether text can be written without quotes: it begins with a letter or a slash,
// and contains nothing special to any version of YAML.
func isBare(text []byte) bool {
	for i, c := range text {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || c == '/':
		case i > 0 && ('0' <= c && c <= '9' || strings.IndexByte("_-.()@", c) >= 0):
		case i > 0 && i < len(text)-1 && c == ' ':
		default:
			return false
		}
	}
	return len(text) > 0 && !words[strings.ToLower(string(text))]
}
