package render

import (
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
)

// prettyJSON lays out text, one compact JSON value, for a screen: a value that fits in a line stays
// in a line. The first line begins at column col, the others at column indent.
func prettyJSON(s terminal.Screen, text []byte, indent, col int) string {
	room := s.Width - 1 - col // a comma may follow
	if terminal.Cells(oneLine(terminal.Screen{}, text)) <= room {
		return oneLine(s, text)
	}
	line := "\n" + strings.Repeat(" ", indent)
	return compound(s, text, line+"  ", ","+line+"  ", line, func(key string, v []byte) string {
		return prettyJSON(s, v, indent+2, indent+2+terminal.Cells(key))
	})
}

// oneLine lays out a value in one line.
func oneLine(s terminal.Screen, text []byte) string {
	return compound(s, text, "", ", ", "", func(_ string, v []byte) string {
		return oneLine(s, v)
	})
}

// compound puts together the members or elements of a value, with text before them, between them
// and after them. Another value stays as it is.
func compound(
	s terminal.Screen, text []byte, before, between, after string,
	show func(key string, value []byte) string,
) string {
	var parts []string
	for _, m := range rawjson.ParseObject(text) {
		key := unseen.Escape(string(rawjson.Quote(m.Key)))
		parts = append(parts, s.Paint(terminal.Key, key)+": "+show(key+": ", m.Value))
	}
	for _, v := range rawjson.ParseArray(text) {
		parts = append(parts, show("", v))
	}
	if len(parts) == 0 {
		return unseen.Escape(string(text))
	}
	end := len(text) - 1
	return string(text[:1]) + before + strings.Join(parts, between) + after + string(text[end:])
}
