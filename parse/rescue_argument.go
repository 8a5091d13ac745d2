package parse

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// arguments reads arguments up to the end, or up to the byte stop, which it leaves.
func (r *rescue) arguments(stop byte) bool {
	for {
		r.space()
		c := r.at(r.i)
		switch {
		case r.i == r.end, stop != 0 && (c == stop || stop == '>' && r.has(r.i, "/>")):
			if r.commas > 0 && stop != ')' {
				r.note(fixCommas, r.first)
				// A lone value may end with a comma, and of several each does.
				return r.count > 1 && r.commas >= r.count-1
			}
			return true
		case c == '<' && stop == 0:
			if !r.element() {
				return false
			}
		case !r.argument(stop):
			return false
		}
	}
}

// argument reads one argument.
func (r *rescue) argument(stop byte) bool {
	if r.count > 0 && !r.last && !isSpace(r.src[r.i-1]) {
		return false
	}
	if r.json || r.count == r.parser.limits.Arguments { // nothing follows a JSON body
		return false
	}
	key, from, ok := r.key()
	if !ok {
		return false
	}
	if r.count == 0 && r.tool != nil && !r.declares(key) && slices.Contains(argumentWords, string(key)) {
		return r.wrapped(from)
	}
	r.count++
	r.last = false
	f := r.field(key)
	if droppable(f) && r.null(stop) {
		r.note(fixNull, from)
		return r.comma()
	}
	r.write(" ")
	r.marks = append(r.marks, mark{at: len(r.out), from: from})
	r.out = append(append(r.out, key...), '=')
	var t *sig.Type
	if f != nil {
		t = f.Type
	}
	if !r.value(t, stop) {
		return false
	}
	return r.comma()
}

// null reads a null, or between parentheses Python's, if it is all of the value.
func (r *rescue) null(stop byte) bool {
	for _, word := range [...]string{"null", "None"} {
		if c := r.at(r.i + len(word)); r.has(r.i, word) && (c == 0 || isSpace(c) || c == ',' || c == ';' || c == stop) && (word == "null" || stop == ')') {
			r.i += len(word)
			return true
		}
	}
	return false
}

// comma reads a comma or a semicolon after a value, and reports whether what comes next
// can follow a value.
func (r *rescue) comma() bool {
	if r.last { // it ended a bare word
		return true
	}
	i := r.i
	for i < r.end && isSpace(r.src[i]) {
		i++
	}
	if c := r.at(i); c == ',' || c == ';' {
		r.separate(i)
		r.i = i + 1
		return true
	}
	switch c := r.at(r.i); {
	case r.i == r.end, isSpace(c), c == ')', c == '>', c == '/', c == '<':
		return true
	}
	return false
}

// separate records the comma at src[i].
func (r *rescue) separate(i int) {
	if r.commas == 0 {
		r.first = i
	}
	r.commas++
	r.last = true
}

// wrapped reads the value of arguments={…}, which is all arguments.
func (r *rescue) wrapped(at int) bool {
	text := []byte(nil)
	switch c := r.at(r.i); c {
	case '{':
		end := r.bracket(r.i)
		if end < 0 {
			return false
		}
		text, r.i = r.src[r.i:end], end
	case '"', '\'':
		end := r.string(r.i)
		if end == 0 {
			return false
		}
		text = lexeme.AppendUnescaped(nil, r.src[r.i+1:end-1])
		r.i = end
	}
	if jsonTextKind(text) != sig.Object || !r.parser.b.holdsJSON(text, r.parser.limits.Depth+1) {
		return false
	}
	r.note(fixWrapper, at)
	r.arg(text, at)
	return true
}

// key reads a key and what stands between it and its value, and returns the key.
func (r *rescue) key() (key []byte, from int, ok bool) {
	from = r.i
	dashed := false
	if q := r.at(r.i); q == '"' || q == '\'' {
		end := r.string(r.i)
		if end == 0 || !lexeme.IsPath(string(r.src[r.i+1:end-1])) {
			return nil, 0, false
		}
		key, r.i = r.src[r.i+1:end-1], end
		r.note(fixQuotedKey, from)
	} else {
		for r.i < r.end && (lexeme.ClassOf(r.src[r.i])&lexeme.Key != 0 || r.src[r.i] == '.') {
			r.i++
		}
		key = r.src[from:r.i]
		if n := bytes.IndexByte(key, ':'); n > 0 && !r.declares(key) && !(r.tool == nil && r.at(r.i) == '=' && n < len(key)-1) {
			r.i, key = from+n, key[:n]
		}
		if bare := bytes.TrimLeft(key, "-"); len(bare) < len(key) && r.declares(bare) && !r.declares(key) {
			r.note(fixDashes, from)
			from, key, dashed = from+len(key)-len(bare), bare, true
		}
		if n := len(key) - 1; n > 0 && key[n] == '?' && r.declares(key[:n]) && !r.declares(key) {
			r.note(fixQuestionMark, from+n)
			key = key[:n]
		}
	}
	if !lexeme.IsPath(string(key)) {
		return nil, 0, false
	}
	return key, from, r.equals(dashed)
}

// equals reads what stands between a key and its value: = above all.
func (r *rescue) equals(dashed bool) bool {
	after := r.i
	spaced := r.space()
	switch c := r.at(r.i); {
	case c == ':':
		r.note(fixColon, r.i)
		r.i++
		if r.at(r.i) == '=' {
			r.i++
		}
	case c == '=' && (r.at(r.i+1) == '>' || r.at(r.i+1) == '=') && (spaced || strings.IndexByte("\"' ", r.at(r.i+2)) >= 0):
		r.note(fixArrow, r.i)
		r.i += 2
	case c == '=':
		r.i++
		if !spaced {
			after = r.i
			if !isSpace(r.at(r.i)) {
				return true
			}
			if r.space(); r.i == r.end || r.pathAt(r.i) {
				r.i = after // nothing at all is the empty value
				return true
			}
		}
		r.note(fixSpacedEquals, after)
	case !dashed || !spaced || r.i == r.end:
		return false
	}
	r.space()
	return r.i < r.end
}

// mostLooked is how many bytes may be read ahead to find keys, even in a short call.
const mostLooked = 12 << 10

// keyAt reports whether an argument begins at src[i]: a key that the schema names,
// where there is one, and an equals sign or a colon.
func (r *rescue) keyAt(i int) bool {
	from, q := i, r.at(i)
	defer func() { r.looked, r.parser.asked = r.looked+i-from, r.parser.asked+i-from }()
	if q == '"' || q == '\'' {
		i++
	}
	for i < r.end && (lexeme.ClassOf(r.src[i])&lexeme.Key != 0 && r.src[i] != ':' || r.src[i] == '.') {
		i++
	}
	key := r.src[from:i]
	if q == '"' || q == '\'' {
		if key = key[1:]; r.at(i) != q {
			return false
		}
		i++
	}
	if len(key) == 0 {
		return false
	}
	dashed := bytes.TrimLeft(key, "-")
	if r.tool != nil && !r.declares(key) && !r.declares(bytes.TrimSuffix(key, []byte("?"))) {
		if !r.declares(dashed) {
			return false
		}
		if isSpace(r.at(i)) {
			return true
		}
	}
	for i < r.end && isSpace(r.src[i]) {
		i++
	}
	return r.at(i) == '=' || r.at(i) == ':' && (r.tool != nil || isSpace(r.at(i+1)) || strings.IndexByte(`"'[{`, r.at(i+1)) >= 0)
}

// pathAt reports whether a path and an equals sign stand at src[i], whatever the
// schema names.
func (r *rescue) pathAt(i int) bool {
	from := i
	for i < r.end && (lexeme.ClassOf(r.src[i])&lexeme.Key != 0 || r.src[i] == '.') {
		i++
	}
	return i > from && r.at(i) == '='
}

// otherQuotes are pairs of what models take for quotes.
var otherQuotes = [...]struct{ open, close, name string }{
	{`\"`, `\"`, fixEscapedQuotes}, {`\'`, `\'`, fixEscapedQuotes},
	{"“", "”", fixOtherQuotes}, {"‘", "’", fixOtherQuotes}, {"«", "»", fixOtherQuotes}, {"`", "`", fixOtherQuotes},
	{"&quot;", "&quot;", fixEntities}, {"&#34;", "&#34;", fixEntities}, {"&apos;", "&apos;", fixEntities}, {"&#39;", "&#39;", fixEntities},
}

// value reads a value of the type t.
func (r *rescue) value(t *sig.Type, stop byte) bool {
	switch c := r.at(r.i); c {
	case '"', '\'':
		return r.quoted(stop == '>')
	case '[', '{':
		end := r.bracket(r.i)
		if end < 0 {
			return false
		}
		r.copy(r.i, end)
		r.i = end
		return true
	}
	for _, q := range otherQuotes {
		if r.has(r.i, q.open) {
			return r.between(q.open, q.close, q.name)
		}
	}
	if stop == ')' {
		return r.argumentWord()
	}
	return r.bare(t, stop)
}

// quoted reads a string. The values of attributes are XML: entities stand for
// characters.
func (r *rescue) quoted(attribute bool) bool {
	q := r.src[r.i : r.i+1]
	three := string(q) + string(q) + string(q)
	switch {
	case r.has(r.i, three):
		return r.between(three, three, fixTripleQuotes)
	case r.has(r.i, three[:2]) && r.i+2 < r.end && !isSpace(r.src[r.i+2]) && strings.IndexByte(",;)>/<", r.src[r.i+2]) < 0:
		return r.between(three[:2], three[:2], fixDoubledQuotes)
	}
	end := r.string(r.i)
	if end == 0 {
		return false
	}
	from, to := r.i, end
	r.i = end
	if text := r.src[from+1 : to-1]; attribute && bytes.IndexByte(text, '&') >= 0 {
		plain, ok := unescapeXML(text)
		if !ok || bytes.IndexByte(text, '\\') >= 0 {
			return false
		}
		if len(plain) < len(text) {
			r.note(fixEntities, from)
		}
		r.quote(plain, from)
		return true
	}
	r.copy(from, to)
	return true
}

// between reads text between marks that are taken for quotes. It holds no other quote,
// no backslash and no tag, so it opens and closes no string.
func (r *rescue) between(open, close, name string) bool {
	from := r.i + len(open)
	n := bytes.Index(r.src[min(from, r.end):r.end], []byte(close))
	if n < 0 {
		return false
	}
	text := r.src[from : from+n]
	if bytes.ContainsAny(text, "\"`\\<“”«»") || hasQuote(text) {
		return false
	}
	if name == fixEntities {
		plain, ok := unescapeXML(text)
		if !ok {
			return false
		}
		text = plain
	}
	r.note(name, r.i)
	r.quote(text, r.i)
	r.i = from + n + len(close)
	return true
}

// hasQuote reports whether text holds a quote that is no apostrophe.
func hasQuote(text []byte) bool {
	for i, c := range text {
		if c == '"' || c == '\'' && (i == 0 || i+1 == len(text) || !isLetter(text[i-1]) || !isLetter(text[i+1])) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf }

// argumentWord reads a word between parentheses, as in Python.
func (r *rescue) argumentWord() bool {
	from := r.i
	for r.i < r.end && !isSpace(r.src[r.i]) && strings.IndexByte(",;()\"'<`", r.src[r.i]) < 0 {
		r.i++
	}
	switch word := string(r.src[from:r.i]); word {
	case "":
		return false
	case "True", "False":
		r.note(fixPythonLiteral, from)
		r.write(strings.ToLower(word))
	case "None":
		r.note(fixPythonLiteral, from)
		r.write("null")
	default:
		r.copy(from, r.i)
	}
	return true
}

// bare reads a bare word, or several where the schema leaves one reading. A key may
// follow each separator in a word, and finding out reads on to its end: long words with
// many separators are given up.
func (r *rescue) bare(t *sig.Type, stop byte) bool {
	from := r.i
	to, several := from, false // of the value
	for {
		word := r.i
		for r.i < r.end && !isSpace(r.src[r.i]) && (stop == 0 || r.src[r.i] != stop && !r.has(r.i, "/>")) {
			c := r.src[r.i]
			if c == '<' || c == '"' || c == '`' || r.looked > mostLooked+2*len(r.src) {
				return false
			}
			if (c == ',' || c == ';') && r.i > from && r.tool != nil && r.i+1 < r.end && !isSpace(r.src[r.i+1]) && r.keyAt(r.i+1) {
				return r.ends(t, from, r.i, r.i+1, several)
			}
			if several && c == '=' {
				return false
			}
			r.i++
		}
		if hasQuote(r.src[word:r.i]) {
			return false
		}
		to = r.i
		for r.i < r.end && isSpace(r.src[r.i]) {
			r.i++
		}
		c := r.at(r.i)
		if r.i == r.end || r.keyAt(r.i) || c == ',' || c == ';' || stop != 0 && (c == stop || r.has(r.i, "/>")) {
			break
		}
		several = true
	}
	end := to
	if c := r.src[to-1]; to > from && (c == ',' || c == ';') && (c == ',' || r.i < r.end) {
		end--
	}
	return r.ends(t, from, end, to, several)
}

// ends ends the bare value src[from:to], after which a separator may stand up to
// next.
func (r *rescue) ends(t *sig.Type, from, to, next int, several bool) bool {
	r.i = next
	if next > to {
		if to == from {
			return false
		}
		r.separate(to)
	}
	if !several {
		r.copy(from, to)
		return true
	}
	if r.tool == nil || t == nil || t.Free&sig.String == 0 || t.Kinds&(sig.Array|sig.Object) != 0 || isBlock(r.src[from:to]) {
		return false
	}
	r.note(fixUnquotedSpaces, from)
	r.quote(r.src[from:to], from)
	return true
}

// isBlock reports whether words begin as a block or a list item in YAML does: with a
// mark that is not part of the value.
func isBlock(words []byte) bool {
	mark := words
	if i := bytes.IndexAny(words, lexeme.Whitespace); i > 0 {
		mark = words[:i]
	}
	switch mark[0] {
	case '-':
		return len(mark) == 1
	case '|', '>':
		return len(bytes.Trim(mark[1:], "+-123456789")) == 0
	}
	return false
}

// element reads <json>{…}</json>, all arguments, or <key>value</key>, one of them.
func (r *rescue) element() bool {
	from := r.i
	n := bytes.IndexByte(r.src[from:r.end], '>')
	if n < 0 {
		return false
	}
	tag := string(r.src[from+1 : from+n])
	r.i = from + n + 1
	closer := "</" + tag + ">"
	if tag == "json" || slices.Contains(argumentWords, tag) && !r.declares([]byte(tag)) {
		r.note(fixJSONTag, from)
		if r.space(); r.at(r.i) != '{' || r.count > 0 || !r.object() {
			return false
		}
		r.space()
	} else {
		key := tag
		for _, lead := range [...]string{"parameter", "param", "arg", "argument"} {
			rest, ok := strings.CutPrefix(tag, lead)
			if name, named := strings.CutPrefix(rest, " name="); ok && named {
				key, closer = strings.Trim(name, `"'`), "</"+lead+">"
			} else if name, named := strings.CutPrefix(rest, "="); ok && named {
				key, closer = strings.Trim(name, `"'`), "</"+lead+">"
			}
		}
		f := r.args().Field([]byte(key))
		if f == nil || !lexeme.IsKey(key) {
			return false
		}
		n := bytes.Index(r.src[r.i:r.end], []byte(closer))
		if n < 0 {
			return false
		}
		text := bytes.Trim(r.src[r.i:r.i+n], lexeme.Whitespace)
		if bytes.ContainsAny(text, "<\\") || hasQuote(text) {
			return false
		}
		text, ok := unescapeXML(text)
		if !ok {
			return false
		}
		r.note(fixElements, from)
		r.count++
		r.write(" " + key + "=")
		if t := f.Type; t != nil && t.Free&sig.String == 0 && len(text) > 0 && !bytes.ContainsAny(text, lexeme.Whitespace+"[{") {
			r.marks = append(r.marks, mark{at: len(r.out), from: r.i})
			r.out = append(r.out, text...)
		} else {
			r.quote(text, r.i)
		}
		r.i += n
	}
	if !r.has(r.i, closer) {
		return false
	}
	r.i += len(closer)
	return true
}

// unescapeXML returns text with its entities replaced, and false if an ampersand begins
// none.
func unescapeXML(text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '&') < 0 {
		return text, true
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '&' {
			out = append(out, text[i])
			continue
		}
		n := bytes.IndexByte(text[i:min(len(text), i+12)], ';')
		if n < 0 {
			return nil, false
		}
		switch name := string(text[i+1 : i+n]); name {
		case "amp":
			out = append(out, '&')
		case "lt":
			out = append(out, '<')
		case "gt":
			out = append(out, '>')
		case "quot":
			out = append(out, '"')
		case "apos":
			out = append(out, '\'')
		default:
			digits, ok := strings.CutPrefix(name, "#")
			base := 10
			if hex, found := strings.CutPrefix(digits, "x"); found {
				digits, base = hex, 16
			}
			c, err := strconv.ParseUint(digits, base, 32)
			if !ok || err != nil || !utf8.ValidRune(rune(c)) || c == 0 {
				return nil, false
			}
			out = utf8.AppendRune(out, rune(c))
		}
		i += n
	}
	return out, true
}
