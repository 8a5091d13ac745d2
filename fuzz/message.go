package fuzz

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
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

// Damage returns text with one change: a byte or a piece of soup inserted, or bytes
// removed.
func Damage(s Source, text string) string {
	at := s.IntN(len(text) + 1)
	switch s.IntN(3) {
	case 0:
		return text[:at] + oneOf(s, nearMisses...) + text[at:]
	case 1:
		return text[:at] + string([]byte{byte(s.IntN(256))}) + text[at:]
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

// Shuffled returns a call with words of it repeated, exchanged and added, as models may write it:
// late, unknown and repeated arguments.
func Shuffled(s Source, call string) string {
	words := strings.Split(call, " ")
	if chance(s, 6) {
		another := "key.b"[:oneOf(s, 1, 3, 5)] + "=" + wireValue(s, 1, "")
		words = slices.Insert(words, len(words)-1, another)
	}
	i, k := s.IntN(len(words)), s.IntN(len(words))
	if chance(s, 4) {
		words[i], words[k] = words[k], words[i]
	}
	if chance(s, 8) {
		words = slices.Insert(words, i, words[k])
	}
	return strings.Join(words, oneOf(s, spaces...))
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
	if setup.wire() && chance(s, 3) {
		return Retag(Wire(s), setup.Tags)
	}
	tool := oneOf(s, setup.tools()...)
	if f := setup.firstFormat(); f.ToolTags() && chance(s, 2) {
		inner := elements(s, 3)
		if f.Body == format.Block {
			inner = "\n" + block(s, s.IntN(3), 2)
		}
		return "<" + tool.Name + ">" + inner + "</" + tool.Name + ">"
	}
	input := Object(s, 3)
	switch s.IntN(3) {
	case 0:
		input = FitObject(s, tool.Args, 3)
	case 1:
		input = MisfitObject(s, tool.Args, 3)
	}
	o := setup.writer()
	o.JSON = chance(s, 4)
	call, err := parse.FormatCall(setup.Catalog, tool.Name, []byte(input), o)
	if err != nil {
		call = setup.tags().Open + tool.Name + " " + input + setup.tags().Close
	}
	if setup.wire() && chance(s, 3) {
		return Shuffled(s, call)
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
