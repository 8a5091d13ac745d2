package corpus_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/callwire/callwire/internal/golden"

	"github.com/callwire/callwire/corpus"
)

// This file makes cases/bytes.json: for each class of bytes and each place where
// the class decides, one text in which every ASCII byte stands there once. What
// must come out is worked out here from the classes as the specification lists
// them, and from nothing else. go test -update writes the file anew.

// The classes, as the specification lists them.
const (
	letters    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	digits     = "0123456789"
	nameStarts = letters + "_$@"
	nameBytes  = nameStarts + digits + "-./:"
	noKeyBytes = "=.<>\"'[]{},"
	spaces     = " \t\r\n"
	opening    = spaces + "=[{(,:" // bytes after which a quote opens a string in damage
	escapes    = `"\/bfnrt'`
)

func isIn(class string, b byte) bool { return strings.IndexByte(class, b) >= 0 }

func isControl(b byte) bool { return b < ' ' || b == 0x7f }

func isKeyByte(b byte) bool { return !isIn(noKeyBytes+spaces, b) && !isControl(b) }

// A table is a case in the making. Its events follow each other.
type table struct {
	text    strings.Builder
	events  []corpus.Event
	damaged bool
}

// prose adds text.
func (t *table) prose(s string) {
	if n := len(t.events); n > 0 && t.events[n-1].Type == corpus.TextEvent {
		t.events[n-1].Text = append(t.events[n-1].Text, s...)
		t.events[n-1].End += len(s)
	} else {
		at := t.text.Len()
		t.events = append(t.events, corpus.Event{Type: corpus.TextEvent, Start: at, End: at + len(s), Text: corpus.Bytes(s)})
	}
	t.text.WriteString(s)
}

// call adds a sound call. The input is that of one argument, or of none.
func (t *table) call(s, name string, argument ...string) {
	input := "{}"
	if len(argument) > 0 {
		input = "{" + quoted(argument[0]) + ":" + argument[1] + "}"
	}
	at := t.text.Len()
	t.events = append(t.events, corpus.Event{
		Type: corpus.ToolCallEvent, Start: at, End: at + len(s), Name: name, Input: input, AfterMalformed: t.damaged,
	})
	t.text.WriteString(s)
}

// malformed adds a span that ends with its close tag and is wrong at an offset
// within it.
func (t *table) malformed(s, code string, at int) {
	start := t.text.Len()
	t.events = append(t.events, corpus.Event{
		Type: corpus.MalformedEvent, Start: start, End: start + len(s), Code: code, At: start + at, Closed: true,
	})
	t.damaged = true
	t.text.WriteString(s)
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// The tables. Each function adds what the byte b makes of its place.
var tables = []struct {
	slug, level, note string
	rules             []string
	add               func(t *table, b byte)
}{
	{"after-opener", corpus.Core, "Each ASCII byte stands after an opener, before a close tag.", []string{"framing.open", "framing.not-a-call", "framing.envelope"},
		func(t *table, b byte) {
			s := "<call>" + string(b) + "</call>"
			switch {
			case isIn(nameStarts, b):
				t.call(s, string(b))
			case b == '{' || b == '[':
				t.malformed(s, "expected-name", 6)
			default:
				t.prose(s)
			}
		}},
	{"before-name", corpus.Core, "Each ASCII byte stands between an opener and a letter: whitespace may, and no other byte that begins no name.", []string{"body.whitespace", "framing.open"},
		func(t *table, b byte) {
			s := "<call>" + string(b) + "t</call>"
			switch {
			case isIn(nameStarts, b):
				t.call(s, string(b)+"t")
			case isIn(spaces, b):
				t.call(s, "t")
			case b == '{' || b == '[':
				t.malformed(s, "expected-name", 6)
			default:
				t.prose(s)
			}
		}},
	{"in-name", corpus.Core, "Each ASCII byte but the brace stands after the first letter of a name.", []string{"body.name", "error.bad-name"},
		func(t *table, b byte) {
			s := "<call>t" + string(b) + "u</call>"
			switch {
			case isIn(nameBytes, b):
				t.call(s, "t"+string(b)+"u")
			case isIn(spaces, b):
				t.malformed(s, "expected-equals", 9)
			case b != '{':
				t.malformed(s, "bad-name", 7)
			}
		}},
	{"key", corpus.Core, "Each ASCII byte stands where a key begins.", []string{"body.key", "error.expected-key"},
		func(t *table, b byte) {
			s := "<call>t " + string(b) + "=1</call>"
			switch {
			case isKeyByte(b):
				t.call(s, "t", string(b), "1")
			case isIn(spaces+"{", b):
				t.malformed(s, "expected-key", 9)
			case b == '"' || b == '\'':
				t.malformed(s+string(b)+"</call>", "expected-key", 8) // the close tag before is in a string
			default:
				t.malformed(s, "expected-key", 8)
			}
		}},
	{"in-key", corpus.Core, "Each ASCII byte stands after the first letter of a key.", []string{"body.key", "error.expected-equals"},
		func(t *table, b byte) {
			s := "<call>t a" + string(b) + "=1</call>"
			switch {
			case isKeyByte(b):
				t.call(s, "t", "a"+string(b), "1")
			case b == '=':
				t.call(s, "t", "a", `"=1"`)
			case b == '.':
				t.malformed(s, "expected-key", 10)
			default:
				t.malformed(s, "expected-equals", 9)
			}
		}},
	{"in-word", corpus.Core, "Each ASCII byte but the double quote stands within a bare word.", []string{"value.bare"},
		func(t *table, b byte) {
			s := "<call>t a=x" + string(b) + "y</call>"
			switch {
			case isIn(spaces, b):
				t.malformed(s, "expected-equals", 13)
			case b != '"':
				t.call(s, "t", "a", quoted("x"+string(b)+"y"))
			}
		}},
	{"word", corpus.Core, "Each ASCII byte that begins no other value stands where a bare word begins.", []string{"value.bare", "value.empty"},
		func(t *table, b byte) {
			s := "<call>t a=" + string(b) + "y</call>"
			switch {
			case isIn(spaces, b):
				t.malformed(s, "expected-equals", 12)
			case !isIn("\"'[{", b):
				t.call(s, "t", "a", quoted(string(b)+"y"))
			}
		}},
	{"in-double-quotes", corpus.Core, "Each ASCII byte but the quote and the backslash stands in a string in double quotes.", []string{"value.string"},
		func(t *table, b byte) {
			if s := `<call>t a="` + string(b) + `"</call>`; b != '"' && b != '\\' {
				t.call(s, "t", "a", quoted(string(b)))
			}
		}},
	{"in-single-quotes", corpus.Core, "Each ASCII byte but the quote and the backslash stands in a string in single quotes.", []string{"value.string"},
		func(t *table, b byte) {
			if s := `<call>t a='` + string(b) + `'</call>`; b != '\'' && b != '\\' {
				t.call(s, "t", "a", quoted(string(b)))
			}
		}},
	{"after-backslash", corpus.Core, "Each ASCII byte stands after a backslash in a string.", []string{"value.escape", "value.literal-backslash"},
		func(t *table, b byte) {
			s := `<call>t a="\` + string(b) + `"</call>`
			at := strings.IndexByte(escapes, b)
			if at < 0 {
				t.call(s, "t", "a", quoted(`\`+string(b)))
			} else {
				t.call(s, "t", "a", quoted("\"\\/\b\f\n\r\t'"[at:at+1]))
			}
		}},
	{"hex-digit-1", corpus.Core, "Each ASCII byte but the quote and the backslash is the first digit of an escape.", []string{"value.escape", "value.literal-backslash"}, hexDigit(0)},
	{"hex-digit-2", corpus.Core, "Each ASCII byte but the quote and the backslash is the second digit of an escape.", []string{"value.escape", "value.literal-backslash"}, hexDigit(1)},
	{"hex-digit-3", corpus.Core, "Each ASCII byte but the quote and the backslash is the third digit of an escape.", []string{"value.escape", "value.literal-backslash"}, hexDigit(2)},
	{"hex-digit-4", corpus.Core, "Each ASCII byte but the quote and the backslash is the last digit of an escape.", []string{"value.escape", "value.literal-backslash"}, hexDigit(3)},
	{"surrogate-digit", corpus.Core, "Each hexadecimal digit stands after the d of an escape, in small and in capital letters: from 8 on it is half a pair, and literal alone.", []string{"value.surrogates"},
		func(t *table, b byte) {
			for _, d := range []string{"d", "D"} {
				if isIn(hexDigits, b) {
					source := `\u` + d + string(b) + "3f"
					t.call(`<call>t a="`+source+`"</call>`, "t", "a", quoted(decoded(source)))
				}
			}
		}},
	{"second-surrogate-digit", corpus.Core, "Each hexadecimal digit stands after the d of an escape that follows the first half of a pair: from c on it completes the pair.", []string{"value.surrogates"},
		func(t *table, b byte) {
			for _, first := range []string{`\ud8`, `\uD9`, `\udA`, `\uDb`} {
				if isIn(hexDigits, b) {
					high, low := first+"3d", `\uD`+string(b)+"00"
					value := high + decoded(low)
					if isIn("cdefCDEF", b) {
						value = string(utf16.DecodeRune(unit(high), unit(low)))
					}
					t.call(`<call>t a="`+high+low+`"</call>`, "t", "a", quoted(value))
				}
			}
		}},
	{"after-string", corpus.Core, "Each ASCII byte stands between a closing quote and the close tag.", []string{"value.string-end", "error.expected-space"},
		func(t *table, b byte) {
			if s := `<call>t a="x"` + string(b) + `</call>`; isIn(spaces, b) {
				t.call(s, "t", "a", `"x"`)
			} else {
				t.malformed(s, "expected-space", 13)
			}
		}},
	{"after-array", corpus.Core, "Each ASCII byte stands between a closing bracket and the close tag.", []string{"value.array", "error.expected-space"},
		func(t *table, b byte) {
			if s := `<call>t a=[1]` + string(b) + `</call>`; isIn(spaces, b) {
				t.call(s, "t", "a", `[1]`)
			} else {
				t.malformed(s, "expected-space", 13)
			}
		}},
	{"after-element", corpus.Core, "Each ASCII byte but the comma stands after an element of an array.", []string{"value.array", "error.expected-comma"},
		func(t *table, b byte) {
			s := `<call>t a=["x"` + string(b) + `]</call>`
			switch {
			case isIn(spaces, b):
				t.call(s, "t", "a", `["x"]`)
			case b == ']':
				t.malformed(s, "expected-space", 15)
			case b != ',':
				t.malformed(s, "expected-comma", 14)
			}
		}},
	{"after-member-key", corpus.Core, "Each ASCII byte stands after a key of an object, where the colon should.", []string{"value.object", "error.expected-colon"},
		func(t *table, b byte) {
			s := `<call>t a={"k"` + string(b) + `1}</call>`
			switch {
			case b == ':':
				t.call(s, "t", "a", `{"k":1}`)
			case isIn(spaces, b):
				t.malformed(s, "expected-colon", 15)
			default:
				t.malformed(s, "expected-colon", 14)
			}
		}},
	{"after-body", corpus.Core, "Each ASCII byte stands between a JSON body and the close tag.", []string{"body.json", "error.expected-close"},
		func(t *table, b byte) {
			if s := `<call>t {"k":1}` + string(b) + `</call>`; isIn(spaces, b) {
				t.call(s, "t", "k", "1")
			} else {
				t.malformed(s, "expected-close", 15)
			}
		}},
	{"before-double-quote-in-damage", corpus.Core, "Each ASCII byte stands before a double quote in damage: after some of them it opens a string, after the others it does not.", []string{"recovery.quotes"}, beforeQuote('"')},
	{"before-single-quote-in-damage", corpus.Core, "Each ASCII byte stands before a single quote in damage: after some of them it opens a string, after the others it does not.", []string{"recovery.quotes"}, beforeQuote('\'')},
	{"in-item", corpus.Extended, "Each ASCII byte but quotes, digits and what numbers are made of stands within a bare item.", []string{"value.bare-item", "error.expected-comma"},
		func(t *table, b byte) {
			s := `<call>t a=[x` + string(b) + `y]</call>`
			switch {
			case b == ',':
				t.call(s, "t", "a", `["x","y"]`)
			case b == '\r' || b == '\n':
				t.malformed(s, "expected-comma", 13)
			case b == '}':
				t.malformed(s, "expected-comma", 12)
			case b == ']':
				t.malformed(s, "expected-space", 13)
			case b != '"' && b != '\'':
				t.call(s, "t", "a", "["+quoted("x"+string(b)+"y")+"]")
			}
		}},
	{"in-member-key", corpus.Extended, "Each ASCII byte stands within a bare key of an object.", []string{"value.bare-key", "error.expected-colon"},
		func(t *table, b byte) {
			s := `<call>t a={x` + string(b) + `y:1}</call>`
			switch {
			case isKeyByte(b) && b != ':':
				t.call(s, "t", "a", "{"+quoted("x"+string(b)+"y")+":1}")
			case b == ':':
				t.call(s, "t", "a", `{"x":"y:1"}`)
			case isIn(spaces, b):
				t.malformed(s, "expected-colon", 13)
			default:
				t.malformed(s, "expected-colon", 12)
			}
		}},
	{"number", corpus.Core, "Each ASCII byte but the quotes and whitespace stands in each part of a number, which is one only if it is one of JSON.", []string{"value.number"},
		func(t *table, b byte) {
			if isIn(spaces+"\"'", b) {
				return
			}
			for _, around := range [][2]string{{"1", "5"}, {"1e", "5"}, {"1e+", "5"}, {"1.", "5"}, {"-", "5"}} {
				word := around[0] + string(b) + around[1]
				t.call("<call>t a="+word+"</call>", "t", "a", untyped(word))
			}
		}},
	{"pair-digit", corpus.Core, "Digits and their neighbors stand in each place of a pair of surrogate escapes; where it is no pair, its halves are literal.", []string{"value.surrogates", "value.literal-backslash"},
		func(t *table, b byte) {
			if !isIn(hexDigits+"/:@G`g~\x1f", b) {
				return
			}
			for _, at := range []int{2, 3, 4, 5, 8, 9, 10, 11} {
				pair := []byte(`\ud83d\uDe0A`)
				pair[at] = b
				t.call(`<call>t a="`+string(pair)+`"</call>`, "t", "a", quoted(decodedPair(string(pair))))
			}
		}},
	{"after-colon", corpus.Extended, "Each ASCII byte that begins no other value stands after the colon of a member.", []string{"value.object", "value.bare-item", "body.whitespace"},
		func(t *table, b byte) {
			s := `<call>t {"a":` + string(b) + `1}</call>`
			switch {
			case isIn(spaces, b):
				t.call(s, "t", "a", "1")
			case isIn(",]}", b):
				t.malformed(s, "expected-value", 13)
			case !isIn("\"'[{", b):
				t.call(s, "t", "a", untyped(string(b)+"1"))
			}
		}},
	{"item", corpus.Extended, "Each ASCII byte that begins no other value stands where an element of an array begins.", []string{"value.array", "value.bare-item", "body.whitespace"},
		func(t *table, b byte) {
			for _, before := range []string{"", "1,"} {
				s := `<call>t a=[` + before + string(b) + `2]</call>`
				switch at := 11 + len(before); {
				case isIn(spaces, b):
					t.call(s, "t", "a", "["+before+"2]")
				case isIn(",}", b):
					t.malformed(s, "expected-value", at)
				case b == ']':
					t.malformed(s, "expected-space", at+1)
				case !isIn("\"'[{", b):
					t.call(s, "t", "a", "["+before+untyped(string(b)+"2")+"]")
				}
			}
		}},
	{"end-of-item", corpus.Extended, "Each ASCII byte but quotes and closing brackets is the last of a bare item, with blanks after it: only blanks are trimmed.", []string{"value.bare-item"},
		func(t *table, b byte) {
			s := `<call>t a=[x` + string(b) + " \t,1]</call>"
			switch {
			case b == ',':
				t.malformed(s, "expected-value", 15)
			case isIn(spaces, b):
				t.call(s, "t", "a", `["x",1]`)
			case !isIn("\"']}", b):
				t.call(s, "t", "a", "["+quoted("x"+string(b))+",1]")
			}
		}},
}

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// untyped is what a bare word without a schema is, if it is none of the other literals.
func untyped(word string) string {
	if number.MatchString(word) {
		return word
	}
	return quoted(word)
}

// decodedPair is what two escapes stand for, if they are such: the character of a
// pair, or each by itself.
func decodedPair(pair string) string {
	isEscape := func(s string) bool { return strings.Trim(s[2:], hexDigits) == "" }
	high, low := pair[:6], pair[6:]
	if isEscape(high) && isEscape(low) {
		if r := utf16.DecodeRune(unit(high), unit(low)); r != unicode.ReplacementChar {
			return string(r)
		}
	}
	value := ""
	for _, s := range []string{high, low} {
		if isEscape(s) {
			s = decoded(s)
		}
		value += s
	}
	return value
}

const hexDigits = digits + "abcdefABCDEF"

// unit is the code unit that an escape names.
func unit(escape string) rune {
	n, err := strconv.ParseUint(escape[2:], 16, 16)
	if err != nil {
		panic(err)
	}
	return rune(n)
}

// decoded is what one escape of four digits stands for: its character, or itself
// where it is half a pair.
func decoded(escape string) string {
	if r := unit(escape); r < 0xd800 || r > 0xdfff {
		return string(r)
	}
	return escape
}

// hexDigit adds an escape with a byte in the place of one of its digits.
func hexDigit(at int) func(t *table, b byte) {
	return func(t *table, b byte) {
		if b == '"' || b == '\\' {
			return
		}
		four := []byte("0041")
		four[at] = b
		value := `\u` + string(four)
		if isIn(hexDigits, b) {
			value = decoded(value)
		}
		t.call(`<call>t a="\u`+string(four)+`"</call>`, "t", "a", quoted(value))
	}
}

// beforeQuote adds damage with a byte, a quote, and a close tag, which ends the
// damage if the quote opens no string.
func beforeQuote(quote byte) func(t *table, b byte) {
	return func(t *table, b byte) {
		s, rest := "<call>t =."+string(b)+string(quote)+"</call>", string(quote)+"</call>"
		if b == quote {
			return
		}
		if isIn(opening, b) {
			t.malformed(s+rest, "expected-key", 8)
		} else {
			t.malformed(s, "expected-key", 8)
			t.prose(rest)
		}
	}
}

// bytesFile returns the file of the tables.
func bytesFile() []byte {
	var out bytes.Buffer
	line := func(v any) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	fmt.Fprintf(&out, "{\n  \"version\": %s,\n  \"topic\": \"bytes\",\n  \"cases\": [\n", line(corpus.Version))
	for i, c := range tables {
		var t table
		for b := range byte(0x80) {
			c.add(&t, b)
		}
		fmt.Fprintf(&out, "    {\n      \"id\": %s,\n      \"op\": \"parse\",\n      \"level\": %s,\n      \"rules\": %s,\n      \"note\": %s,\n      \"text\": %s,\n      \"want\": {\n        \"events\": [\n",
			line("bytes/"+c.slug), line(c.level), line(c.rules), line(c.note), line(t.text.String()))
		for j, e := range t.events {
			end := ",\n"
			if j == len(t.events)-1 {
				end = "\n"
			}
			out.WriteString("          " + line(e) + end)
		}
		end := "    },\n"
		if i == len(tables)-1 {
			end = "    }\n"
		}
		out.WriteString("        ]\n      }\n" + end)
	}
	out.WriteString("  ]\n}\n")
	return out.Bytes()
}

// TestByteTables holds the file of the tables against what the classes make of it.
func TestByteTables(t *testing.T) {
	golden.Assert(t, string(bytesFile()), "../cases/bytes.json")
}
