package yaml

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// quoted are the styles of scalars that are always strings.
const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// Read implements [protocol.YAMLCodec].
func (codec) Read(a *parse.Assembler, text []byte, at int) (code lexer.Code, offset int) {
	w := walker{a: a, text: text, at: at, line: 1, column: 1}
	for _, end := range [...]string{"\u0085", "\u2028", "\u2029", "\ufeff"} { // YAML 1.1 and 1.2 read these differently
		if i := bytes.Index(text, []byte(end)); i >= 0 {
			return lexer.InvalidYAML, at + i
		}
	}
	root, code, offset := w.load()
	switch {
	case code != "":
		return code, offset
	case root == nil || root.Kind == yaml.ScalarNode && root.Value == "" && root.Style == 0 && root.Anchor == "":
		a.Open(true, at)
		a.Close(at + len(text))
		return "", 0
	case root.Kind != yaml.MappingNode && !refused(root):
		return lexer.NotAnObject, w.offset(root.Line, root.Column)
	}
	w.value(root)
	return w.code, w.fault
}

// walker writes nodes.
type walker struct {
	a    *parse.Assembler
	text []byte
	at   int // offset of the text

	line, start int // a line, from 1 on, and its index in the text
	column, i   int // a column of that line, from 1 on, and its index
	steps       int // characters passed

	code  lexer.Code
	fault int
}

// load returns the root of the only document in the text, nil if there is none.
func (w *walker) load() (root *yaml.Node, code lexer.Code, offset int) {
	loader, err := yaml.NewLoader(bytes.NewReader(w.text))
	if err != nil {
		return nil, lexer.InvalidYAML, w.at
	}
	var first, second yaml.Node
	if err = loader.Load(&first); err == nil {
		if err = loader.Load(&second); err == nil {
			return nil, lexer.InvalidYAML, w.offset(second.Line, second.Column)
		}
	}
	var wrong *yaml.LoadError
	switch {
	case err == io.EOF && len(first.Content) > 0:
		return first.Content[0], "", 0
	case err == io.EOF:
		return nil, "", 0
	case errors.As(err, &wrong):
		return nil, lexer.InvalidYAML, w.offset(wrong.Mark.Line, wrong.Mark.Column)
	}
	return nil, lexer.InvalidYAML, w.at
}

// offset returns the offset in the message of a line and column, both from 1 on. It
// continues from the last one, since one line may hold a thousand values.
func (w *walker) offset(line, column int) int {
	if line < w.line {
		w.line, w.start, w.column, w.i = 1, 0, 1, 0
	}
	for ; w.line < line; w.line++ {
		n := bytes.IndexAny(w.text[w.start:], "\r\n")
		if n < 0 {
			return w.at + len(w.text)
		}
		w.start += n + 1
		if rest := w.text[w.start:]; w.text[w.start-1] == '\r' && len(rest) > 0 && rest[0] == '\n' {
			w.start++
		}
		w.column, w.i = 1, w.start
	}
	if column < w.column {
		w.column, w.i = 1, w.start
	}
	for ; w.column < column && w.i < len(w.text); w.column++ {
		_, n := utf8.DecodeRune(w.text[w.i:])
		w.i += n
		w.steps++
	}
	return w.at + w.i
}

// refused reports whether a node has what calls do not need: an alias, an anchor, or a
// tag.
func refused(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.Tag == "!"
}

// value writes a node, and reports whether it could.
func (w *walker) value(n *yaml.Node) bool {
	at := w.offset(n.Line, n.Column)
	if refused(n) {
		w.code, w.fault = lexer.InvalidYAML, at
		return false
	}
	switch n.Kind {
	case yaml.MappingNode:
		return w.mapping(n, at)
	case yaml.SequenceNode:
		w.a.Open(false, at)
		for _, item := range n.Content {
			if w.a.Broken() || !w.value(item) {
				return false
			}
		}
		w.a.Close(at)
	default:
		w.scalar(n, at)
	}
	return !w.a.Broken()
}

// mapping writes the mapping that begins at offset at.
func (w *walker) mapping(n *yaml.Node, at int) bool {
	end := at
	if w.a.Depth() == 0 {
		end = w.at + len(w.text)
	}
	w.a.Open(true, at)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if w.a.Broken() {
			return false
		}
		key := n.Content[i]
		at := w.offset(key.Line, key.Column)
		if refused(key) || key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			w.code, w.fault = lexer.InvalidYAML, at
			return false
		}
		if w.a.Key([]byte(key.Value), at); w.a.Broken() || !w.value(n.Content[i+1]) {
			return false
		}
	}
	w.a.Close(end)
	return !w.a.Broken()
}

// scalar writes the scalar that begins at offset at.
func (w *walker) scalar(n *yaml.Node, at int) {
	if n.Style&quoted != 0 {
		w.a.String([]byte(n.Value), at)
		return
	}
	text := n.Value
	t := w.a.Type()
	switch literal, kind := core(text); {
	case kind == 0:
	case !t.Says() || t.Kinds&kind != 0:
		text = literal
	case kind == sig.Null && t.Kinds&sig.String == 0: // not an element of a list
		w.a.JSON([]byte(literal), at, false)
		return
	}
	w.a.Raw([]byte(text), at)
}
