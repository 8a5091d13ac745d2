package repair

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// value reads a value of type t. The closer is the byte that ends what is around it: 0 for the
// body, > for a tag, ) for parentheses, and ] or } for brackets.
func (r *reader) value(t *sig.Type, closer byte) Value {
	v := Value{Kind: String, At: r.i}
	mark := markOf(r.Text[r.i:r.end])
	switch c := r.at(r.i); {
	case c == '"' || c == '\'':
		v.Text = r.quoted()
		hasEntity := len(lexeme.AppendDecoded(nil, v.Text)) < len(v.Text)
		r.refuseIf(closer == '>' && hasEntity) // text in a call, a character in a tag
	case c == '[' || c == '{':
		from := len(r.out)
		r.brackets()
		v.Kind, v.Text = JSON, r.out[from:len(r.out):len(r.out)]
	case mark != nil:
		v.Text = r.marked(mark)
	case closer == ']' || closer == '}':
		v.Kind, v.Text = Word, r.literal(r.item(), v.At, true)
	default:
		v.Kind, v.Text = r.words(t, closer)
	}
	v.Source = r.Text[v.At:max(v.At, r.i)]
	return v
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

// A mark may be meant as a quote. Typographic ones are.
type mark struct {
	open, close string
	isQuote     bool
}

var marks = []mark{
	{"“", "”", true}, {"‘", "’", true}, {"«", "»", true},
	{"`", "`", false}, {`\"`, `\"`, false}, {`\'`, `\'`, false}, {"&quot;", "&quot;", false},
	{"&#34;", "&#34;", false}, {"&apos;", "&apos;", false}, {"&#39;", "&#39;", false},
}

// markOf returns the mark that a word begins with, or nil.
func markOf(word []byte) *mark {
	for i := range marks {
		if m := &marks[i]; bytes.HasPrefix(word, []byte(m.open)) {
			return m
		}
	}
	return nil
}

// LooksQuoted reports whether a word begins with something that may be meant as a quote, and
// whether it ends with it. If it doesn't, the closing tag after it may have been meant to be
// inside the string.
func LooksQuoted(word []byte) (opened, closed bool) {
	m := markOf(word)
	return m != nil, m != nil && bytes.HasSuffix(word[len(m.open):], []byte(m.close))
}

// marked reads text between typographic quotes. It contains no other quote, no backslash, and no
// tag, so no string begins or ends in it.
func (r *reader) marked(m *mark) []byte {
	text, _, isClosed := bytes.Cut(r.Text[r.i+len(m.open):r.end], []byte(m.close))
	r.steps += len(text)
	isOdd := bytes.ContainsAny(text, "`\\<“”«»") || hasQuote(text)
	if !m.isQuote || !isClosed || isOdd || r.json {
		r.refuse()
		return nil
	}
	r.note("other-quotes", r.i)
	r.i += len(m.open) + len(text) + len(m.close)
	return text
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
func (r *reader) item() []byte {
	n := bytes.IndexAny(r.Text[r.i:r.end], ",]}")
	text := bytes.TrimRight(r.Text[r.i:r.i+max(n, 0)], lexeme.Whitespace)
	r.steps += len(text)
	r.refuseIf(len(text) == 0 || hasQuote(text) || bytes.ContainsAny(text, "<`\r\n"))
	if !r.refused {
		r.i += len(text)
	}
	return text
}

var pythonLiterals = map[string][]byte{
	"True": []byte("true"), "False": []byte("false"), "None": []byte("null"),
}

// PythonLiteral returns the JSON literal for a literal of Python, or nil.
func PythonLiteral(word []byte) []byte { return pythonLiterals[string(word)] }

// literal returns a word, or the JSON literal that a Python literal means in Python.
func (r *reader) literal(text []byte, at int, isPython bool) []byte {
	json := PythonLiteral(text)
	switch {
	case json == nil || !isPython:
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

// brackets reads an array or object as JSON, the wire format, Python, or JavaScript has it, and
// appends it to out as JSON.
func (r *reader) brackets() {
	open := r.Text[r.i]
	closer := open + 2 // in ASCII, for both kinds
	r.out = append(r.out, open)
	r.depth++
	r.refuseIf(r.depth > r.MaxDepth+maxEnvelope)
	r.i = min(r.i+1, r.end)
	n := 0
	for r.space(); !r.refused && r.at(r.i) != closer; r.space() {
		if n > 0 {
			r.out = append(r.out, ',')
		}
		n++
		r.member(closer)
		if r.space(); r.at(r.i) == closer || r.lacksBrace(n) {
			break
		}
		r.expect(",")
		if r.space(); r.at(r.i) == closer {
			r.noteJSON("trailing-commas", r.i)
		}
	}
	if r.lacksBrace(n) {
		r.note("missing-brace", r.i)
	} else {
		r.expect(string(closer))
	}
	r.depth--
	r.out = append(r.out, closer)
}

// lacksBrace reports whether only the brace of a complete envelope, with n members, is missing.
func (r *reader) lacksBrace(n int) bool {
	isOutermost := r.json && r.Closed && r.depth == 1 && r.Format.Function.End == ""
	return isOutermost && r.i == r.end && n > 1
}

// member reads a member of an object, or an element of an array.
func (r *reader) member(closer byte) {
	if closer == '}' {
		r.out = append(lexeme.AppendQuoted(r.out, r.memberKey()), ':')
		r.space()
		r.expect(":")
		r.space()
	}
	v := r.value(nil, closer)
	switch {
	case v.Kind == Word && LiteralKind(v.Text) != 0:
		r.out = append(r.out, v.Text...)
	case v.Kind != JSON: // that is appended
		r.out = lexeme.AppendQuoted(r.out, v.Text)
	}
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
	return r.Text[from:max(from, r.i)]
}

// ReadJSON reads text as one array or object with the usual deviations from JSON, and returns it
// as JSON in compact form. The offsets of the notes mean nothing.
func ReadJSON(text []byte, maxDepth int) (json []byte, notes []Note, ok bool) {
	s := Span{Text: slices.Concat([]byte{' '}, text), MaxDepth: maxDepth} // a quote follows it
	r := &reader{Span: s, end: len(s.Text), json: true}
	r.space()
	if c := r.at(r.i); c != '[' && c != '{' || !utf8.Valid(text) {
		return nil, nil, false
	}
	r.brackets()
	r.space()
	return r.out, r.call.Notes, !r.refused && r.i == r.end
}

// LiteralKind returns the kind of the JSON literal b: null, boolean or number, and 0 if b is none
// of these.
func LiteralKind(b []byte) sig.Kinds { return literalKinds[lexeme.LiteralOf(b)] }

var literalKinds = [256]sig.Kinds{'n': sig.Null, 'b': sig.Boolean, '0': sig.Number}
