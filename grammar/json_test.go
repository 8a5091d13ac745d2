package grammar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{``, `""`},
		{`a"b\c/d'e`, `"a\"b\\c/d'e"`},
		{"\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"\x00\x01\x1f\x7f", "\"\\u0000\\u0001\\u001f\x7f\""},
		{"<&>é😀\u2028", "\"<&>é😀\u2028\""},
	} {
		if got := quote(test.text); got != test.want {
			t.Errorf("%q is quoted as %s, want %s", test.text, got, test.want)
		}
	}
}

// Quote writes compact JSON that encoding/json reads back.
func TestQuoteReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var got string
		if err := json.Unmarshal([]byte(quote(text)), &got); err != nil || got != text {
			t.Fatalf("%q reads back as %q, %v", text, got, err)
		}
	})
}

// Every JSON object without repeated keys is a body, with the same content.
func TestJSONIsABody(t *testing.T) {
	g := standard
	rapid.Check(t, func(t *rapid.T) {
		object := drawObject(t, 3)
		text := "<call>t " + object + "</call>"
		segments := g.Read([]byte(text), Options{})
		if len(segments) != 1 || segments[0].Call == nil {
			t.Fatalf("%q: %s", text, describe(segments))
		}
		got := []byte(segments[0].Input)
		if !bytes.Equal(canonical(t, got), canonical(t, []byte(object))) {
			t.Fatalf("%s is read as %s", object, got)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, got); err != nil || !bytes.Equal(compact.Bytes(), got) {
			t.Fatalf("%s is not compact: %v", got, err)
		}
	})
}

// The members of an object can also be arguments.
func TestJSONIsAValue(t *testing.T) {
	g := standard
	rapid.Check(t, func(t *rapid.T) {
		value := drawValue(t, 3)
		text := "<call>t a=" + value + " b=[" + value + "] c={k:" + value + "}</call>"
		segments := g.Read([]byte(text), Options{})
		if len(segments) != 1 || segments[0].Call == nil {
			t.Fatalf("%q: %s", text, describe(segments))
		}
		got := []byte(segments[0].Input)
		want := fmt.Sprintf(`{"a":%s,"b":[%[1]s],"c":{"k":%[1]s}}`, value)
		if !bytes.Equal(canonical(t, got), canonical(t, []byte(want))) {
			t.Fatalf("%s is read as %s", text, got)
		}
	})
}

// canonical keeps the order of keys and the digits of numbers, and normalizes
// everything else.
func canonical(t *rapid.T, text []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var out bytes.Buffer
	for {
		token, err := decoder.Token()
		if err != nil {
			return out.Bytes()
		}
		if number, ok := token.(json.Number); ok {
			fmt.Fprintf(&out, "number %s\n", number)
		} else {
			fmt.Fprintf(&out, "%T %q\n", token, fmt.Sprint(token))
		}
	}
}

func drawObject(t *rapid.T, depth int) string {
	keys := rapid.SliceOfNDistinct(rapid.String(), 0, 4, rapid.ID[string]).Draw(t, "keys")
	var members []string
	for _, key := range keys {
		members = append(members, drawSpace(t)+drawString(t, key)+drawSpace(t)+":"+drawSpace(t)+drawValue(t, depth-1)+drawSpace(t))
	}
	return "{" + strings.Join(members, ",") + drawSpace(t) + "}"
}

func drawValue(t *rapid.T, depth int) string {
	kinds := 4
	if depth <= 0 {
		kinds = 2
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return drawString(t, rapid.String().Draw(t, "string"))
	case 1:
		return rapid.StringMatching(`null|true|false|-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "literal")
	case 2:
		return drawObject(t, depth)
	}
	var items []string
	for range rapid.IntRange(0, 3).Draw(t, "items") {
		items = append(items, drawSpace(t)+drawValue(t, depth-1)+drawSpace(t))
	}
	return "[" + strings.Join(items, ",") + drawSpace(t) + "]"
}

func drawSpace(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n", "\t", "\r\n  "}).Draw(t, "space")
}

// drawString writes a string with one of its JSON spellings.
func drawString(t *rapid.T, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case rapid.IntRange(0, 3).Draw(t, "escaped") == 0 && r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		case r == '/':
			b.WriteString(`\/`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		case r >= 0x10000 && utf8.ValidRune(r):
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
