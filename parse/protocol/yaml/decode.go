package yaml

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/callwire/callwire/internal/format"
)

// The codes of faults.
const (
	invalidYAML = "invalid-yaml"
	notAnObject = "not-an-object"
)

// quoted are the styles of scalars that are always strings.
const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle |
	yaml.LiteralStyle | yaml.FoldedStyle

// oldBreaks end a line in YAML 1.1 but not in YAML 1.2, and a byte order mark may hide anywhere.
const oldBreaks = "\u0085\u2028\u2029\ufeff"

// Decode implements [format.Codec].
func (codec) Decode(text []byte, v format.Values) (code string, at int) {
	d := decoder{Values: v, text: text, line: 1, column: 1}
	if i := bytes.IndexAny(text, oldBreaks); i >= 0 {
		return invalidYAML, i
	}
	root := d.load()
	switch {
	case d.code != "":
	case root == nil || isEmpty(root):
		v.Begin(true, 0)
		v.End(len(text))
	case root.Kind != yaml.MappingNode && !isRefused(root):
		d.fail(notAnObject, root)
	default:
		d.value(root, len(text))
	}
	return d.code, d.fault
}

// decoder pushes nodes.
type decoder struct {
	format.Values
	text []byte

	line, column, i int // a place, both from 1 on, and its offset
	steps           int // characters passed

	code  string
	fault int
}

// load returns the root of the only document in the text, or nil if there is none.
func (d *decoder) load() *yaml.Node {
	var first, second yaml.Node
	loader, err := yaml.NewLoader(bytes.NewReader(d.text))
	if err == nil {
		err = loader.Load(&first)
	}
	if err == nil {
		err = loader.Load(&second)
	}
	var wrong *yaml.LoadError
	switch {
	case err == nil:
		d.fail(invalidYAML, &second)
	case errors.As(err, &wrong):
		d.code, d.fault = invalidYAML, d.offset(wrong.Mark.Line, wrong.Mark.Column)
	case err != io.EOF:
		d.code = invalidYAML
	case len(first.Content) > 0:
		return first.Content[0]
	}
	return nil
}

// fail records the fault that a node is.
func (d *decoder) fail(code string, n *yaml.Node) { d.code, d.fault = code, d.at(n) }

// at returns the offset of a node.
func (d *decoder) at(n *yaml.Node) int { return d.offset(n.Line, n.Column) }

// offset returns the offset of a line and column. It continues from the last one, because a text
// may have a thousand values.
func (d *decoder) offset(line, column int) int {
	if line < d.line || line == d.line && column < d.column {
		d.line, d.column, d.i = 1, 1, 0
	}
	for d.i < len(d.text) && (d.line < line || d.column < column) {
		c, n := utf8.DecodeRune(d.text[d.i:])
		d.i += n
		d.steps++
		d.column++
		isBreak := c == '\n' || c == '\r' && !bytes.HasPrefix(d.text[d.i:], []byte("\n"))
		if isBreak && d.line < line {
			d.line, d.column = d.line+1, 1
		}
	}
	return d.i
}

// isEmpty reports whether a document contains nothing.
func isEmpty(n *yaml.Node) bool {
	isPlain := n.Kind == yaml.ScalarNode && n.Style == 0
	return isPlain && n.Value == "" && n.Anchor == ""
}

// isRefused reports whether a node has what calls do not need: an alias, an anchor or a tag.
func isRefused(n *yaml.Node) bool {
	hasTag := n.Style&yaml.TaggedStyle != 0 || n.Tag == "!"
	return n.Kind == yaml.AliasNode || n.Anchor != "" || hasTag
}

// value pushes a node, and reports whether it could. An object ends at an offset, for what it
// lacks.
func (d *decoder) value(n *yaml.Node, end int) bool {
	if isRefused(n) {
		d.fail(invalidYAML, n)
		return false
	}
	at := d.at(n)
	switch {
	case n.Kind == yaml.MappingNode:
		if d.Begin(true, at); !d.members(n) {
			return false
		}
		d.End(end)
	case n.Kind == yaml.SequenceNode:
		d.Begin(false, at)
		for _, item := range n.Content {
			if d.Failed() || !d.value(item, d.at(item)) {
				return false
			}
		}
		d.End(at)
	case n.Style&quoted != 0:
		d.String([]byte(n.Value), at)
	default:
		d.Scalar([]byte(n.Value), core(n.Value), at)
	}
	return !d.Failed()
}

// members pushes the members of a mapping.
func (d *decoder) members(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content) && !d.Failed(); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isRefused(key) || key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			d.fail(invalidYAML, key)
			return false
		}
		d.Key([]byte(key.Value), d.at(key))
		if d.Failed() || !d.value(value, d.at(value)) {
			return false
		}
	}
	return !d.Failed()
}

// numbers matches a decimal number of the core schema: its sign, its digits before and after the
// dot, and its exponent.
var numbers = regexp.MustCompile(`^([-+]?)([0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)

// maxDigits is how many digits a hexadecimal or octal number may have: the time to convert it grows
// with their square. A hash of 512 bits has 128.
const maxDigits = 128

// core returns the JSON literal that an unquoted scalar means under the core schema of YAML 1.2,
// or "" if it is a string. Digits are kept. A number with a leading zero is a string, as in
// the wire format.
func core(text string) (literal string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return "null"
	case "true", "True", "TRUE":
		return "true"
	case "false", "False", "FALSE":
		return "false"
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0o") {
		return integer(text)
	}
	m := numbers.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	sign, whole, fraction, exponent := strings.TrimPrefix(m[1], "+"), m[2], m[3], m[4]
	if whole == "" && len(fraction) < 2 || len(whole) > 1 && whole[0] == '0' {
		return ""
	}
	if fraction == "." {
		fraction = ".0"
	}
	return sign + cmp.Or(whole, "0") + fraction + exponent
}

// integer returns a hexadecimal or octal number in decimal, or "" if text is not one.
func integer(text string) string {
	n, ok := new(big.Int), false
	if len(text) <= len("0x")+maxDigits && !strings.ContainsAny(text, "_+-") {
		_, ok = n.SetString(text, 0)
	}
	if !ok {
		return ""
	}
	return n.String()
}
