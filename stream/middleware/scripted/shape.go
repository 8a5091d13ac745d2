package scripted

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/rawjson"
)

// Shape is how answers look on the network. The zero value is a stream of words
// whose events arrive one by one.
type Shape struct {
	// Delta is the number of characters in each event of a stream; 0 means a word in each.
	Delta int

	// Write is the number of bytes that arrive at once; 0 means an event, or for an answer that is
	// not a stream. With 1, the network cuts inside runes and inside "data:".
	Write int

	// The rest is about streams. All of it is legal, and out there.
	CRLF     bool // lines end by CR LF
	Tight    bool // no space after the colon: data:{…}
	Comments bool // comments between events, to keep connections alive
	Names    bool // lines with event, id and retry, also where the interface has none
	Fold     bool // the data of an event in two lines
	ASCII    bool // escapes for every other character
	NoDone   bool // no [DONE] at the end
}

// cut returns pieces as they arrive.
func (s Shape) cut(pieces ...[]byte) [][]byte {
	if s.Write == 0 {
		return pieces
	}
	return slices.Collect(slices.Chunk(bytes.Join(pieces, nil), s.Write))
}

// lay returns the bytes of the event i, whose data is JSON, or [DONE].
func (s Shape) lay(i int, a *api, data string) []byte {
	name := ""
	switch {
	case a.named:
		name = rawjson.ParseObject([]byte(data)).Text("type")
	case s.Names:
		name = "message"
	}
	if s.ASCII {
		data = escape(data)
	}
	if a.lines {
		return []byte(data + "\n")
	}
	end, space := "\n", " "
	if s.CRLF {
		end = "\r\n"
	}
	if s.Tight {
		space = ""
	}
	var b bytes.Buffer
	line := func(field, value string) { b.WriteString(field + ":" + space + value + end) }
	if s.Comments {
		b.WriteString(": keep-alive" + end + end)
	}
	if name != "" {
		line("event", name)
	}
	if s.Names {
		line("id", strconv.Itoa(i))
		line("retry", "3000")
	}
	if s.Fold && data[0] == '{' {
		line("data", "{")
		data = data[1:]
	}
	line("data", data)
	b.WriteString(end)
	return b.Bytes()
}

// escape writes the characters beyond ASCII of a JSON text as escapes.
func escape(text string) string {
	var b bytes.Buffer
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.String()
}

// words matches words, each with the whitespace before it.
var words = regexp.MustCompile(`\s*\S+|\s+`)

// deltas returns text as a model writes it.
func (s Shape) deltas(text string) (deltas []string) {
	if s.Delta == 0 {
		return words.FindAllString(text, -1)
	}
	for delta := range slices.Chunk([]rune(text), s.Delta) {
		deltas = append(deltas, string(delta))
	}
	return deltas
}
