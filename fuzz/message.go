package fuzz

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

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

// Near returns text with one ASCII character inserted, removed or replaced, or the beginning of text.
func Near(s Source, text string) string {
	r := []rune(text)
	i := s.IntN(len(r) + 1)
	next := min(i+1, len(r))
	c := rune(' ' + s.IntN(95))
	switch s.IntN(4) {
	case 0:
		r = slices.Delete(r, i, next)
	case 1:
		r = slices.Insert(r, i, c)
	case 2:
		r = r[:i]
	default:
		r = slices.Replace(r, i, next, c)
	}
	return string(r)
}

// Orderly returns the text of a call as models usually write it: the arguments of a tool in order,
// most of them of the right type. Rarely one is late, unknown or repeated. It is independent of the
// writer, which reads what it writes and so avoids what is read wrong.
func Orderly(s Source, tool *sig.Tool) string {
	words := arguments(s, tool.Args, "")
	if chance(s, 6) {
		words = append(words, "key.b"[:oneOf(s, 1, 3, 5)]+"="+grow(s, "wire-value", 1))
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
			words = append(words, path+f.Name+"="+grow(s, "wire-value", 1))
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
			b.WriteString(grow(s, "prose", 0))
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
			return Retag(grow(s, "wire-call", 3), setup.Tags)
		}
		return Retag(Orderly(s, tool), setup.Tags)
	}
	if f := setup.firstFormat(); f.ToolTags() && chance(s, 2) {
		inner := grow(s, "elements", 3)
		if f.Body == format.Block {
			inner = "\n" + grow(s, "block", 0)
		}
		return "<" + tool.Name + ">" + inner + "</" + tool.Name + ">"
	}
	input := Object(s, 3)
	switch s.IntN(4) {
	case 0:
		input = objectOf(s, tool.Args, 3, false)
	case 1:
		input = objectOf(s, tool.Args, 3, true)
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
