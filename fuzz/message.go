package fuzz

import (
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// spaces are whitespace between the parts of a call, most often one space.
var spaces = []string{" ", " ", " ", "\n  ", "\t", "\r\n", "   "}

// Wire returns the text of a call as a model might write it: in the wide syntax
// that readers accept, mostly valid.
func Wire(s Source) string {
	var b strings.Builder
	b.WriteString("<call>")
	if chance(s, 6) {
		b.WriteString(oneOf(s, spaces...))
	}
	b.WriteString(oneOf(s, toolNames...))
	if chance(s, 5) {
		b.WriteString(oneOf(s, spaces...) + wireValue(s, 3, "{"))
	} else {
		for range s.IntN(5) {
			b.WriteString(oneOf(s, spaces...))
			b.WriteString(oneOf(s, wireKeys...))
			for chance(s, 4) {
				b.WriteString("." + oneOf(s, wireKeys...))
			}
			b.WriteString("=" + wireValue(s, 3, ""))
		}
	}
	if chance(s, 6) {
		b.WriteString(oneOf(s, spaces...))
	}
	b.WriteString("</call>")
	return b.String()
}

var wireKeys = tokens["wire keys"]

// wireValue returns a value as written in a call; kind is its first byte, or empty for any.
func wireValue(s Source, depth int, kind string) string {
	if kind == "" {
		kinds := []string{"bare", `"`, "'", "bare", `"`}
		if depth > 0 {
			kinds = append(kinds, "[", "{")
		}
		kind = oneOf(s, kinds...)
	}
	gap := func() string {
		if chance(s, 3) {
			return oneOf(s, spaces...)
		}
		return ""
	}
	switch kind {
	case `"`, "'":
		text := Text(s)
		if chance(s, 60) {
			text += strings.Repeat(oneOf(s, "long ", "é", "abc\n", "x"), s.IntN(300)) + Text(s)
		}
		if !chance(s, 8) {
			text = strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), kind, `\`+kind)
		}
		return kind + text + kind
	case "[", "{":
		var b strings.Builder
		b.WriteString(kind + gap())
		for i := range s.IntN(4) {
			if i > 0 {
				b.WriteString("," + gap())
			}
			if kind == "{" {
				if chance(s, 3) {
					b.WriteString(oneOf(s, wireKeys...))
				} else {
					b.WriteString(wireValue(s, 0, `"`))
				}
				b.WriteString(gap() + ":" + gap())
			}
			b.WriteString(wireValue(s, depth-1, "") + gap())
		}
		if chance(s, 6) {
			b.WriteString(",")
		}
		b.WriteString(map[string]string{"[": "]", "{": "}"}[kind])
		return b.String()
	}
	return oneOf(s, tokens["bare values"]...)
}

// Damage returns text with one change: a byte or a piece of soup inserted, a mistake at the end of
// an object, or bytes removed.
func Damage(s Source, text string) string {
	at := s.IntN(len(text) + 1)
	switch s.IntN(4) {
	case 0:
		return text[:at] + oneOf(s, nearMisses...) + text[at:]
	case 1:
		return text[:at] + string([]byte{byte(s.IntN(256))}) + text[at:]
	case 2:
		at = max(0, strings.LastIndexByte(text, '}'))
		return text[:at] + oneOf(s, ",", " x", `,"s":q`, `"s":"q"`) + text[at:]
	}
	return text[:at] + text[min(at+1+s.IntN(3), len(text)):]
}

// Prose returns what a model writes between calls: mostly words, rarely halves of tags.
func Prose(s Source) string {
	var b strings.Builder
	if chance(s, 20) {
		b.WriteString(strings.Repeat(oneOf(s, "é", "Let me. ", "日本語"), s.IntN(400)))
	}
	for range s.IntN(5) {
		b.WriteString(oneOf(s, tokens["prose"]...))
	}
	return b.String()
}

// Orderly returns the text of a call as models usually write it: the arguments of a tool in order,
// most of them of the right type. Rarely one is late, unknown or repeated. It is independent of the
// writer, which reads what it writes and so avoids what is read wrong.
func Orderly(s Source, tool *sig.Tool) string {
	words := arguments(s, tool.Args, "")
	if chance(s, 6) {
		words = append(words, "key.b"[:oneOf(s, 1, 3, 5)]+"="+wireValue(s, 1, ""))
	}
	words = append([]string{"<call>" + tool.Name}, words...)
	i, k := s.IntN(len(words)), s.IntN(len(words))
	if chance(s, 4) {
		words[i], words[k] = words[k], words[i]
	}
	if chance(s, 8) {
		words = append(words, words[k])
	}
	return strings.Join(words, " ") + oneOf(s, "", "", "", "\n") + "</call>"
}

// arguments returns arguments for the fields of t, whose path is given.
func arguments(s Source, t *sig.Type, path string) (words []string) {
	if t == nil {
		return nil
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		nested := f.Type != nil && len(f.Type.Fields) > 0 && len(path) < 10
		list := f.Type != nil && f.Type.Free&sig.Array != 0 // the value would become its item
		switch {
		case chance(s, 3):
		case nested && !chance(s, 12):
			words = append(words, arguments(s, f.Type, path+f.Name+".")...)
		case !list && chance(s, 4):
			words = append(words, path+f.Name+"="+wireValue(s, 1, ""))
		default:
			words = append(words, path+f.Name+"="+Fit(s, f.Type, 1))
		}
	}
	return words
}

// Message returns a whole message: prose, calls, damaged calls and soup, in any order,
// sometimes truncated.
func (setup Setup) Message(s Source) []byte {
	list := setup.pieces()
	var b strings.Builder
	for range 1 + s.IntN(5) {
		switch s.IntN(5) {
		case 0:
			b.WriteString(Prose(s))
		case 1, 2:
			b.WriteString(setup.call(s))
		case 3:
			b.WriteString(Damage(s, setup.call(s)))
		case 4:
			for range s.IntN(10) {
				b.WriteString(Retag(oneOf(s, list...), setup.Tags))
			}
		}
	}
	text := b.String()
	if chance(s, 4) {
		text = text[:s.IntN(len(text)+1)]
	}
	return []byte(text)
}

// call returns the text of a call: written by the writer of the format or, in the wire format,
// as a model may write it.
func (setup Setup) call(s Source) string {
	tool := oneOf(s, setup.tools()...)
	if setup.firstFormat() == protocol.Wire && !chance(s, 4) {
		if chance(s, 3) {
			return Retag(Wire(s), setup.Tags)
		}
		return Retag(Orderly(s, tool), setup.Tags)
	}
	if f := setup.firstFormat(); f.ToolTags() && chance(s, 2) {
		inner := elements(s, 3)
		if f.Body == format.Block {
			inner = "\n" + block(s, s.IntN(3), 2)
		}
		return "<" + tool.Name + ">" + inner + "</" + tool.Name + ">"
	}
	input := Object(s, 3)
	switch s.IntN(4) {
	case 0:
		input = FitObject(s, tool.Args, 3)
	case 1:
		input = MisfitObject(s, tool.Args, 3)
	case 2: // it quotes another call
		input = "{" + Quote(s, Key(s)) + ":" + Quote(s, setup.tags().Close+setup.call(s)) + "}"
	}
	o := setup.writer()
	o.JSON = chance(s, 4)
	call, err := parse.FormatCall(setup.Catalog, tool.Name, []byte(input), o)
	if err != nil {
		call = setup.tags().Open + tool.Name + " " + input + setup.tags().Close
	}
	return call
}

// elements returns elements of random names, as a model may write arguments.
func elements(s Source, depth int) string {
	var b strings.Builder
	key := oneOf(s, wireKeys...)
	for range 1 + s.IntN(4) {
		if chance(s, 3) {
			key = oneOf(s, "item", "x", oneOf(s, wireKeys...))
		}
		if chance(s, 12) {
			b.WriteString("<" + key + "/>")
			continue
		}
		b.WriteString("<" + key + ">")
		if depth > 0 && chance(s, 3) {
			b.WriteString(elements(s, depth-1))
		}
		b.WriteString(oneOf(s, tokens["texts of elements"]...))
		b.WriteString("</" + key + ">" + oneOf(s, "", "\n", " "))
	}
	return b.String()
}

// block returns lines of YAML, as a model may write arguments.
func block(s Source, indent, depth int) string {
	var b strings.Builder
	pad, scalars := strings.Repeat(" ", indent), tokens["scalars of YAML"]
	for range 1 + s.IntN(4) {
		key := oneOf(s, wireKeys...)
		if chance(s, 12) {
			key = oneOf(s, `"s"`, "'s'", "a b", "<<", "? s", "<x>")
		}
		b.WriteString(pad + key + ":")
		switch k := s.IntN(8); {
		case k == 7 && depth > 0:
			b.WriteString("\n" + block(s, indent+1+s.IntN(3), depth-1))
		case k == 6:
			b.WriteString("\n")
			for range 1 + s.IntN(3) {
				b.WriteString(pad + oneOf(s, "", " ", "  ") + "- " + oneOf(s, scalars...) + "\n")
			}
		case k == 5:
			b.WriteString(" " + oneOf(s, "|", ">", "|-", ">-", "|+", "| # x") + "\n")
			for range 1 + s.IntN(3) {
				line := oneOf(s, "text", "</t>", "<t>", "", "a: b", "# no")
				b.WriteString(pad + oneOf(s, "  ", "   ", " ") + line + "\n")
			}
		default:
			b.WriteString(" " + oneOf(s, scalars...))
			b.WriteString(oneOf(s, "\n", "\r\n", "\n\n", "\n  more\n"))
		}
	}
	return b.String()
}
