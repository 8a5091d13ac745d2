package middleware

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/callwire/callwire/internal/rawjson"
)

// A shape is how the answers of one server look. We wrote those in testdata/shapes after
// servers and their documentation: a line with a description, the path, the type, the end
// and the usage, and then the stream. In its events $TEXT is a piece of the model's text,
// $ALL all of it, $N the number of the event and $BOM a byte order mark. An event with
// $TEXT is repeated for each piece. The answer without streaming follows a line
// "=== whole".
type shape struct {
	name, path, kind string
	ends             string // the reason of a message without calls
	usage            string // all tokens; "" where that is not looked at
	before           string // what the model writes before the text
	lists            bool   // contents may be lists
	constrain        string // the engine that the request is made for
	events           []string
	whole            string
}

func readShapes(t testing.TB) (shapes []*shape) {
	t.Helper()
	files, err := filepath.Glob("testdata/shapes/*.txt")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d shapes, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := strings.Cut(string(data), "\n\n")
		stream, whole, _ := strings.Cut(body, "=== whole\n")
		s := &shape{name: strings.TrimSuffix(filepath.Base(file), ".txt"), ends: "stop", whole: strings.TrimSpace(whole)}
		for line := range strings.Lines(head) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch key {
			case "path":
				s.path = value
			case "type":
				s.kind = value
			case "ends":
				s.ends = strings.TrimPrefix(value, "-")
			case "usage":
				s.usage = value
			case "before":
				s.before = strings.ReplaceAll(value, `\n`, "\n")
			case "lists":
				s.lists = true
			case "constrain":
				s.constrain = value
			case "#":
			default:
				t.Fatalf("%s: a line with %q", file, key)
			}
		}
		end := "\n\n"
		if s.lines() {
			end = "\n"
		}
		s.events = strings.Split(strings.TrimSpace(stream), end)
		shapes = append(shapes, s)
	}
	return shapes
}

func (s *shape) lines() bool { return s.kind == "application/x-ndjson" }

// shapeForm is how the bytes of a stream look on the wire, beside what the server says.
type shapeForm struct {
	name  string
	end   string // of lines
	cuts  []byte // sizes of what arrives at once
	tight bool   // no space after a colon
	talk  bool   // comments between the events
	fold  bool   // the data of an event in two lines
	ascii bool   // escapes for all that is not ASCII
	odd   bool   // members in another order, and unknown ones
}

var forms = []shapeForm{
	{name: "as it is", end: "\n"},
	{name: "CRLF", end: "\r\n", cuts: []byte{6}},
	{name: "talk", end: "\n", talk: true},
	{name: "tight", end: "\n", tight: true, cuts: []byte{0, 2, 200}},
	{name: "folded", end: "\n", fold: true, talk: true},
	{name: "ASCII", end: "\n", ascii: true, cuts: []byte{30}},
	{name: "bytes", end: "\r\n", cuts: []byte{0}},
	{name: "odd", end: "\n", odd: true, cuts: []byte{90}},
}

// escaped returns text as it stands within a JSON string.
func (f *shapeForm) escaped(text string) string {
	quoted := string(rawjson.Quote(text))
	quoted = quoted[1 : len(quoted)-1]
	if !f.ascii {
		return quoted
	}
	var b strings.Builder
	for _, r := range quoted {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.String()
}

// odd returns JSON with the members of objects from the last to the first, and unknown ones
// between them.
func odd(value []byte) []byte {
	if rawjson.IsArray(value) {
		list := rawjson.ParseArray(value)
		for i := range list {
			list[i] = odd(list[i])
		}
		return rawjson.AppendArray(nil, list)
	}
	o := rawjson.ParseObject(value)
	if o == nil {
		return value
	}
	var all object
	for _, m := range slices.Backward(o) {
		all = append(all, rawjson.Member{Key: m.Key, Value: odd(m.Value)})
		all = append(all, members("X"+m.Key, "<call>getWeather location=Oslo</call>")...)
	}
	return all.Append(nil)
}

// stream returns the stream in which the model writes these pieces.
func (s *shape) stream(f *shapeForm, pieces []string) string {
	var b strings.Builder
	all := f.escaped(strings.Join(pieces, ""))
	n := 0
	put := func(event, piece string) {
		if prefix, data, ok := strings.Cut(event, "{"); ok && f.odd {
			event = prefix + string(odd([]byte("{"+data)))
		}
		event = strings.NewReplacer("$TEXT", piece, "$ALL", all, "$N", fmt.Sprint(n), "$BOM", "\ufeff").Replace(event)
		n++
		if s.lines() {
			b.WriteString(event + strings.ReplaceAll(f.end, "\r", "\r\n")[:min(len(f.end), 2)])
			return
		}
		if f.talk && n > 1 {
			b.WriteString(": still here" + f.end + f.end)
		}
		for line := range strings.SplitSeq(event, "\n") {
			if f.tight {
				line = strings.Replace(line, "data: ", "data:", 1)
			}
			if head, rest, ok := strings.Cut(line, ": {"); f.fold && ok && head == "data" {
				line = "data: {" + f.end + "data: " + rest
			}
			b.WriteString(line + f.end)
		}
		b.WriteString(f.end)
	}
	for _, e := range s.events {
		if !strings.Contains(e, "$TEXT") {
			put(e, "")
			continue
		}
		for _, piece := range pieces {
			put(e, f.escaped(piece))
		}
	}
	return b.String()
}
