package repair

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// value reads a value of type t. The closer is the byte that ends what is around it: 0 for the
// body, > for a tag, ) for parentheses, and ] or } for brackets.
func (r *reader) value(t *sig.Type, closer byte) *Value {
	from := r.i
	switch r.at(from) {
	case '"', '\'':
		text := r.quoted()
		hasEntity := len(lexeme.AppendDecoded(nil, text)) < len(text)
		r.refuseIf(closer == '>' && hasEntity) // text in a call, a character in a tag
		return r.newValue(String, text, from)
	case '[', '{':
		return r.brackets()
	}
	for _, q := range typographic {
		if r.has(from, q[0]) {
			return r.marked(q)
		}
	}
	opened, _ := LooksQuoted(r.Text[from:r.end])
	switch {
	case opened:
		return r.refuse()
	case closer == ']' || closer == '}':
		return r.item()
	}
	return r.words(t, closer)
}

// quoted reads a string in quotes. Where it begins and ends is what the lexer sees when it
// skips damage.
func (r *reader) quoted() (text []byte) {
	from, quote := r.i, r.Text[r.i]
	before := r.Text[from-1]
	n, flags, _ := lexeme.ConsumeStringResumable(r.Text[:r.end], from+1, quote)
	r.steps += n - from
	isOpen := n >= r.end || r.Text[n] != quote
	// With both, it is open which quote was meant to end the string.
	isAmbiguous := !r.json && flags&lexeme.Literal != 0 && flags&lexeme.QuoteEsc != 0
	if isOpen || isAmbiguous || !lexeme.IsSpace(before) && !lexeme.Introduces(before) {
		r.refuse()
		return nil
	}
	text = r.Text[from+1 : n]
	hasQuoteEsc := bytes.Contains(text, []byte(`\'`))
	if flags&lexeme.Escaped != 0 {
		text = lexeme.AppendUnescaped(nil, text)
	}
	if quote == '\'' {
		r.noteJSON("single-quotes", from)
	}
	if flags&lexeme.Control != 0 {
		r.noteJSON("raw-controls", from)
	}
	if flags&lexeme.Literal != 0 || quote == '"' && hasQuoteEsc {
		r.noteJSON("loose-escapes", from)
	}
	r.i = n + 1
	return text
}

// typographic are the quotes that models write in place of straight ones: the one that opens, and
// those that close.
var typographic = [...][2]string{{"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“”"}, {"”", "”"}}

// marked reads text between typographic quotes. It contains no other quote, no backslash, and no
// tag, so no string begins or ends in it.
func (r *reader) marked(quotes [2]string) *Value {
	from := r.i
	rest := r.Text[from+len(quotes[0]) : r.end]
	r.steps += len(rest)
	n := bytes.IndexAny(rest, quotes[1])
	if n < 0 || r.json || bytes.ContainsAny(rest[:n], "`\\<“”„«»") || hasQuote(rest[:n]) {
		return r.refuse()
	}
	r.note("other-quotes", from)
	text := rest[:n]
	_, size := utf8.DecodeRune(rest[n:])
	r.i = from + len(quotes[0]) + n + size
	return r.newValue(String, text, from)
}

// otherQuotes may be meant as quotes on both sides of a word.
var otherQuotes = [...]string{"`", "&quot;", "&#34;", "&apos;", "&#39;", `\"`, `\'`}

// LooksQuoted reports whether a word begins with something that may be meant as a quote, and
// whether it ends with it. If it doesn't, the closing tag after it may have been meant to be
// inside the string.
func LooksQuoted(word []byte) (opened, closed bool) {
	for _, q := range typographic {
		if rest, found := bytes.CutPrefix(word, []byte(q[0])); found {
			last, _ := utf8.DecodeLastRune(rest)
			return true, strings.ContainsRune(q[1], last)
		}
	}
	for _, q := range otherQuotes {
		if rest, found := bytes.CutPrefix(word, []byte(q)); found {
			return true, bytes.HasSuffix(rest, []byte(q))
		}
	}
	return false, false
}

// hasQuote reports whether text contains a quote that isn't an apostrophe.
func hasQuote(text []byte) bool {
	for i, c := range text {
		if c == '"' || c == '\'' && !isApostrophe(text, i) {
			return true
		}
	}
	return false
}

// isApostrophe reports whether the single quote text[i] is between letters.
func isApostrophe(text []byte, i int) bool {
	return 0 < i && i < len(text)-1 && isLetter(text[i-1]) && isLetter(text[i+1])
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf }

// item reads a value without quotes in brackets, up to a comma or closing bracket.
func (r *reader) item() *Value {
	from := r.i
	n := bytes.IndexAny(r.Text[from:r.end], ",]}")
	if n < 0 {
		return r.refuse()
	}
	text := bytes.TrimRight(r.Text[from:from+n], lexeme.Whitespace)
	r.steps += n
	if len(text) == 0 || hasQuote(text) || bytes.ContainsAny(text, "<`\r\n") {
		return r.refuse()
	}
	r.i = from + len(text)
	return r.newValue(Word, r.literal(text, from), from)
}

// PythonLiteral returns the JSON literal for a literal of Python, or nil.
func PythonLiteral(word []byte) []byte {
	switch string(word) {
	case "True":
		return jsonTrue
	case "False":
		return jsonFalse
	case "None":
		return jsonNull
	}
	return nil
}

var jsonTrue, jsonFalse, jsonNull = []byte("true"), []byte("false"), []byte("null")

// literal returns a word, or the JSON literal that a Python literal means.
func (r *reader) literal(text []byte, at int) []byte {
	json := PythonLiteral(text)
	switch {
	case json == nil || !r.json && !r.python:
		r.refuseIf(r.json && LiteralKind(text) == 0)
		return text
	case r.json:
		r.noteJSON("python-literals", at)
	case string(json) != "null":
		r.note("python-literal", at)
	}
	return json
}

// maxEnvelope is how many levels an envelope has around the arguments.
const maxEnvelope = 3

// brackets reads an array or object as JSON, the wire format, Python, or JavaScript has it.
func (r *reader) brackets() *Value {
	v := r.newValue(Array, nil, r.i)
	closer := byte(']')
	if r.at(r.i) == '{' {
		v.Kind, closer = Object, '}'
	}
	r.depth++
	r.refuseIf(r.depth > r.MaxDepth+maxEnvelope)
	r.i++
	for r.space(); !r.refused && r.at(r.i) != closer; r.space() {
		v.Members = append(v.Members, r.member(closer))
		if r.space(); r.at(r.i) == closer || r.lacksBrace(v) {
			break
		}
		r.expect(",")
		if r.space(); r.at(r.i) == closer {
			r.noteJSON("trailing-commas", r.i)
		}
	}
	if r.lacksBrace(v) {
		r.note("missing-brace", r.i)
	} else {
		r.expect(string(closer))
	}
	r.depth--
	v.End = r.place(r.i)
	return v
}

// lacksBrace reports whether only the brace of a complete envelope is missing.
func (r *reader) lacksBrace(v *Value) bool {
	return r.mayLackBrace && r.depth == 1 && r.i == r.end && len(v.Members) > 1
}

// member reads a member of an object, or an element of an array.
func (r *reader) member(closer byte) Member {
	m := Member{At: r.place(r.i)}
	if closer == '}' {
		m.Key = r.memberKey()
		r.space()
		r.expect(":")
		r.space()
	}
	m.Value = r.value(nil, closer)
	return m
}

// memberKey reads the key of a member.
func (r *reader) memberKey() []byte {
	from := r.i
	if c := r.at(from); c == '"' || c == '\'' {
		return r.quoted()
	}
	for hasClass(r.at(r.i), lexeme.Key) && r.Text[r.i] != ':' {
		r.i++
	}
	r.refuseIf(r.i == from)
	r.noteJSON("bare-keys", from)
	return r.Text[from:r.i]
}

// JSON reads text as one array or object with the usual deviations from JSON. All offsets are 0.
func JSON(text []byte, maxDepth int) (v *Value, notes []Note, ok bool) {
	return nested(text, 0, true, maxDepth)
}

// nested reads text, the content of a string at an offset, as one array or object.
func nested(text []byte, at int, json bool, maxDepth int) (v *Value, notes []Note, ok bool) {
	spaced := slices.Concat([]byte{' '}, text) // a quote must follow something
	s := Span{Text: spaced, MaxDepth: maxDepth}
	r := &reader{Span: s, end: len(s.Text), inString: at, json: json, python: true}
	r.space()
	if c := r.at(r.i); c != '[' && c != '{' || !utf8.Valid(text) {
		return nil, nil, false
	}
	v = r.brackets()
	r.space()
	return v, r.call.Notes, !r.refused && r.i == r.end
}

// LiteralKind returns the kind of the JSON literal b: null, boolean or number, and 0 if b is none
// of these.
func LiteralKind(b []byte) sig.Kinds { return literalKinds[lexeme.LiteralOf(b)] }

var literalKinds = [256]sig.Kinds{'n': sig.Null, 'b': sig.Boolean, '0': sig.Number}
