package repair

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
)

// value reads a value of type t. The closer is the byte that ends what is around it: 0 for the
// body, > for a tag, ) for parentheses, and ] or } for brackets.
func (r *reader) value(t *sig.Type, closer byte) *Value {
	switch r.at(r.i) {
	case '"', '\'':
		return r.quoted(closer)
	case '[', '{':
		return r.brackets()
	}
	if m := marksAt(r.Text[r.i:r.end]); m != nil {
		return r.marked(m)
	}
	return r.words(t, closer)
}

// quotedText returns the text of the string whose quote is at an index, and the index after
// it, or 0 if no string begins there. Where it begins and ends is what the lexer sees when it
// skips damage.
func (r *reader) quotedText(i int) (text []byte, end int) {
	before := r.Text[i-1]
	if !lexeme.IsSpace(before) && !lexeme.Introduces(before) {
		return nil, 0
	}
	n, flags, _ := lexeme.ConsumeStringResumable(r.Text[:r.end], i+1, r.Text[i])
	r.steps += n - i
	if n >= r.end || r.Text[n] != r.Text[i] {
		return nil, 0
	}
	const ambiguous = lexeme.Literal | lexeme.QuoteEsc // which quote was meant to end it?
	if flags&ambiguous == ambiguous && !r.JSON {
		return nil, 0
	}
	text = r.Text[i+1 : n]
	if flags&lexeme.Escaped != 0 {
		text = lexeme.AppendUnescaped(nil, text)
	}
	if r.JSON {
		r.noteString(i, n, flags)
	}
	return text, n + 1
}

// noteString records how the string from one quote to another deviates from JSON.
func (r *reader) noteString(open, end int, flags lexeme.Flags) {
	if r.Text[open] == '\'' {
		r.noteJSON("single-quotes", open)
	} else if bytes.Contains(r.Text[open:end], []byte(`\'`)) {
		r.noteJSON("loose-escapes", open)
	}
	if flags&lexeme.Control != 0 {
		r.noteJSON("raw-controls", open)
	}
	if flags&lexeme.Literal != 0 {
		r.noteJSON("loose-escapes", open)
	}
}

// quoted reads a string in quotes, one on each side or three.
func (r *reader) quoted(closer byte) *Value {
	from := r.i
	triple := strings.Repeat(string(r.Text[from]), 3)
	switch {
	case r.JSON:
	case r.has(from, triple):
		return r.marked(&marks{triple, triple, "triple-quotes"})
	case r.has(from, triple[:2]) && !r.endsValue(from+2):
		return r.marked(&marks{triple[:2], triple[:2], "doubled-quotes"})
	}
	text, end := r.quotedText(from)
	if end == 0 {
		return r.refuse()
	}
	r.i = end
	if closer == '>' {
		text = r.decoded(text, from)
	}
	return r.newValue(String, text, from)
}

// decoded returns the text of an attribute, which begins at an index, with its entities
// replaced by characters.
func (r *reader) decoded(text []byte, at int) []byte {
	plain := lexeme.AppendDecoded(nil, text)
	if len(plain) < len(text) {
		r.note("entities", at)
		r.refuseIf(bytes.IndexByte(r.Text[at:r.i], '\\') >= 0) // two kinds of escapes
	}
	return plain
}

// endsValue reports whether a value can end before an index.
func (r *reader) endsValue(i int) bool {
	return i >= r.end || strings.IndexByte(lexeme.Whitespace+",;)]}>/<", r.Text[i]) >= 0
}

// marks are what models write in place of quotes, and the name of the repair.
type marks struct{ open, close, name string }

var otherQuotes = [...]marks{
	{"“", "”", "other-quotes"}, {"‘", "’", "other-quotes"}, {"«", "»", "other-quotes"},
	{"`", "`", "other-quotes"}, {"&quot;", "&quot;", "entities"}, {"&#34;", "&#34;", "entities"},
	{"&apos;", "&apos;", "entities"}, {"&#39;", "&#39;", "entities"},
	{`\"`, `\"`, "escaped-quotes"}, {`\'`, `\'`, "escaped-quotes"},
}

// marksAt returns the marks that a word begins with, or nil.
func marksAt(word []byte) *marks {
	if len(word) == 0 || word[0] < utf8.RuneSelf && strings.IndexByte("\\`&", word[0]) < 0 {
		return nil
	}
	for i := range otherQuotes {
		if m := &otherQuotes[i]; bytes.HasPrefix(word, []byte(m.open)) {
			return m
		}
	}
	return nil
}

// LooksQuoted reports whether a word begins with marks that models write in place of quotes,
// and whether it ends with them. If it doesn't, the closing tag after it may have been meant
// to be inside the string.
func LooksQuoted(word []byte) (opened, closed bool) {
	m := marksAt(word)
	if m == nil {
		return false, false
	}
	rest := word[len(m.open):]
	return true, bytes.HasSuffix(rest, []byte(m.close))
}

// marked reads text between marks. It contains no other quote, no backslash, and no tag, so no
// string begins or ends in it.
func (r *reader) marked(m *marks) *Value {
	from := r.i
	rest := r.Text[from+len(m.open) : r.end]
	r.steps += len(rest)
	text, _, closed := bytes.Cut(rest, []byte(m.close))
	if !closed || r.JSON || bytes.ContainsAny(text, "`\\<“”«»") || hasQuote(text) {
		return r.refuse()
	}
	r.note(m.name, from)
	r.i = from + len(m.open) + len(text) + len(m.close)
	if m.name == "entities" {
		text = lexeme.AppendDecoded(nil, text)
	}
	return r.newValue(String, text, from)
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

// words reads a word. In the body and in parentheses it may be several, where the schema
// allows only one reading; in brackets, words up to the next comma are one element.
func (r *reader) words(t *sig.Type, closer byte) *Value {
	from := r.i
	inBrackets := closer == ']' || closer == '}'
	several := r.readWords(closer, inBrackets)
	if r.refused {
		return r.refuse()
	}
	text := r.Text[from:r.i]
	if !inBrackets {
		text = r.trimSeparator(text, from)
	}
	switch {
	case len(text) == 0 && (inBrackets || closer == ')' || r.isSeparated):
		return r.refuse()
	case several && !inBrackets:
		r.refuseIf(!takesWords(t, text))
		r.note("unquoted-spaces", from)
		return r.newValue(String, text, from)
	}
	return r.newValue(Word, r.literal(text, from), from)
}

// readWords reads words up to the end of a value, and reports whether they are several.
func (r *reader) readWords(closer byte, inBrackets bool) (several bool) {
	for !r.refused {
		word := r.i
		r.oneWord(closer)
		text := r.Text[word:r.i]
		r.steps += len(text)
		r.refuseIf(hasQuote(text))
		if !inBrackets {
			r.refuseIf(several && (bytes.IndexByte(text, '=') >= 0 || r.isKey(text)))
			r.refuseIf(r.joinsArguments(text))
		}
		next := r.skip(r.i)
		if next == r.i || r.endsAt(next, closer) {
			break
		}
		if c := r.at(next); c == ',' || c == ';' || !inBrackets && r.startsArgument(next) {
			break
		}
		r.i, several = next, true
	}
	return several
}

// oneWord reads up to whitespace or a byte that ends a value.
func (r *reader) oneWord(closer byte) {
	stops := ""
	switch closer {
	case ')':
		stops = ",;()"
	case ']', '}':
		stops = ",]}"
	}
	for ; !r.endsAt(r.i, closer) && !lexeme.IsSpace(r.Text[r.i]); r.i++ {
		c := r.Text[r.i]
		if strings.IndexByte(stops, c) >= 0 {
			return
		}
		if c == '<' || c == '"' || c == '`' {
			r.refuse()
			return
		}
	}
}

// isKey reports whether a word is a key that the schema declares.
func (r *reader) isKey(word []byte) bool {
	return len(word) > 0 && r.argumentsType().Field(bytes.TrimRight(word, ",;:")) != nil
}

// joinsArguments reports whether a word looks like several arguments: x,b=y where b is
// declared.
func (r *reader) joinsArguments(word []byte) bool {
	return !r.untyped() && JoinsArguments(r.argumentsType(), word)
}

// JoinsArguments reports whether a word contains a comma, a key that t declares, and an equals
// sign or colon. If t is nil, every key with an equals sign counts.
func JoinsArguments(t *sig.Type, word []byte) bool {
	for {
		comma := bytes.IndexAny(word, ",;")
		if comma < 0 {
			return false
		}
		word = word[comma+1:]
		n := bytes.IndexAny(word, "=:,;")
		if n <= 0 || word[n] == ',' || word[n] == ';' {
			continue
		}
		if t == nil && word[n] == '=' && lexeme.IsKey(word[:n]) || t.Field(word[:n]) != nil {
			return true
		}
	}
}

// trimSeparator removes a separator from the end of a value without quotes, which begins at an
// index. A semicolon at the end of the call is part of the value.
func (r *reader) trimSeparator(text []byte, from int) []byte {
	n := len(text) - 1
	if n < 0 || text[n] != ',' && (text[n] != ';' || r.skip(r.i) == r.end) {
		return text
	}
	r.separateAt(from + n)
	return text[:n]
}

// literal returns a word, or the JSON literal that a Python literal means.
func (r *reader) literal(text []byte, at int) []byte {
	json, ok := pythonLiterals[string(text)]
	if ok && (r.python || r.JSON) {
		text = []byte(json)
		switch {
		case r.JSON:
			r.noteJSON("python-literals", at)
		case json != "null":
			r.note("python-literal", at)
		}
	}
	r.refuseIf(r.JSON && sig.LiteralKind(text) == 0)
	return text
}

var pythonLiterals = map[string]string{"True": "true", "False": "false", "None": "null"}

// takesWords reports whether words without quotes can only be a string under t. A mark that
// begins a block or a list item in YAML isn't part of a string.
func takesWords(t *sig.Type, words []byte) bool {
	if t == nil || t.Free&sig.String == 0 || t.Kinds&(sig.Array|sig.Object) != 0 {
		return false
	}
	mark := string(bytes.Fields(words)[0])
	if mark[0] == '|' || mark[0] == '>' {
		return strings.Trim(mark[1:], "+-123456789") != ""
	}
	return mark != "-"
}

// brackets reads an array or object as JSON, the wire format, Python, or JavaScript has it.
func (r *reader) brackets() *Value {
	v := r.newValue(Array, nil, r.i)
	closer := byte(']')
	if r.at(r.i) == '{' {
		v.Kind, closer = Object, '}'
	}
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > r.MaxDepth+maxEnvelope {
		return r.refuse()
	}
	r.i++
	for r.space(); !r.refused && r.at(r.i) != closer; r.space() {
		if r.isMissingBrace() {
			break
		}
		v.Members = append(v.Members, r.member(closer))
		r.space()
		if r.isMissingBrace() || r.at(r.i) == closer {
			continue
		}
		r.expect(",")
		if r.space(); r.at(r.i) == closer {
			r.noteJSON("trailing-commas", r.i)
		}
	}
	if r.i < r.end || !r.isMissingBrace() {
		r.expect(string(closer))
	}
	v.End = r.place(r.i)
	return v
}

// isMissingBrace reports whether the span ends in the outermost object, and records that as a
// missing brace. Only a call in JSON that has its closing tag may lack one.
func (r *reader) isMissingBrace() bool {
	if !r.JSON || !r.Closed || r.depth > 1 || r.i < r.end || r.refused {
		return false
	}
	r.note("missing-brace", r.end)
	return true
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

// maxEnvelope is how many levels an envelope has around the arguments.
const maxEnvelope = 3

// memberKey reads the key of a member.
func (r *reader) memberKey() []byte {
	from := r.i
	if c := r.at(from); c == '"' || c == '\'' {
		key, end := r.quotedText(from)
		if end == 0 {
			r.refuse()
			return nil
		}
		r.i = end
		return key
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
	return nested(text, 0, Span{JSON: true, MaxDepth: maxDepth})
}

// nested reads text, the content of a string at an offset, as one array or object. The span
// says how.
func nested(text []byte, at int, s Span) (v *Value, notes []Note, ok bool) {
	s.Text = append([]byte{' '}, text...) // a quote must follow something
	r := &reader{Span: s, end: len(s.Text), inString: at, python: true}
	r.space()
	if c := r.at(r.i); c != '[' && c != '{' || !utf8.Valid(text) {
		return nil, nil, false
	}
	v = r.brackets()
	r.space()
	return v, r.call.Notes, !r.refused && r.i == r.end
}
