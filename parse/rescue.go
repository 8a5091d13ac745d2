package parse

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// rescue reads the source text of one damaged call and writes the call that was meant,
// by the rules of the language. Each method reads one form from src[i:end], appends to
// out, and returns false if something else could be meant. It decides no types: what it
// has written is read by a parser.
//
// Where a string begins and ends is decided as recovery does: a quote opens one
// after whitespace or punctuation that introduces a value, and a backslash in it
// takes the next byte. A quote that is none of these ends the attempt.
type rescue struct {
	parser *Parser
	tool   *sig.Tool // of the call, if it is known

	src    []byte
	i, end int  // what is still to be read
	closed bool // src ends with a close tag
	atEnd  bool // if not: with the message, and not with the next opener
	cut    bool // the message broke off

	out     []byte
	marks   []mark
	repairs []Issue // offsets are those of src
	guessed bool    // one of guesses
	near    bool    // the opener is not ours
	strange bool    // it is that of another format
	inner   bool    // src stands in a wrapper
	looked  int     // bytes read ahead in src, to find a key

	count  int  // arguments read
	commas int  // of them with a comma after them
	first  int  // offset of the first such comma
	last   bool // the last one has one
	json   bool // the body is one JSON object
}

// mark says that out[at:] was copied from src[from:], or stands for what is there.
type mark struct {
	at, from int
	copied   bool
}

// note records that the repair was made at src[at], once for each repair.
func (r *rescue) note(name string, at int) {
	for _, is := range r.repairs {
		if is.Path == name {
			return
		}
	}
	r.repairs = append(r.repairs, Issue{Code: lexer.Repaired, Path: name, At: at})
	r.guessed = r.guessed || guesses[name]
}

// write appends text that stands for what is at r.i.
func (r *rescue) write(text string) {
	r.marks = append(r.marks, mark{at: len(r.out), from: r.i})
	r.out = append(r.out, text...)
}

// copy appends src[from:to] as it is.
func (r *rescue) copy(from, to int) {
	r.marks = append(r.marks, mark{len(r.out), from, true})
	r.out = append(r.out, r.src[from:to]...)
}

// quote appends text, of which src[from:] is the source, as a string.
func (r *rescue) quote(text []byte, from int) {
	r.marks = append(r.marks, mark{at: len(r.out), from: from})
	r.out = r.parser.tags.AppendString(r.out, text, '"')
}

// offset returns the place in src of what stands at out[at].
func (r *rescue) offset(at int) int {
	n, _ := slices.BinarySearchFunc(r.marks, at+1, func(m mark, at int) int { return m.at - at })
	if n == 0 {
		return 0
	}
	m := r.marks[n-1]
	if m.copied {
		return m.from + at - m.at
	}
	return m.from
}

// read reads the call.
func (r *rescue) read() bool {
	t := &r.parser.tags
	r.write(t.Open)
	read := r.opener()
	if read == nil {
		return false
	}
	missing := !r.strange && !r.closer()
	if r.cut && r.atEnd && !r.closed || missing && r.near || !read() {
		return false
	}
	r.space()
	if r.i < r.end || missing && !r.complete() || len(r.repairs) == 0 {
		return false
	}
	r.write(t.Close)
	return true
}

// closer takes the close tag off the end, and reports whether there is one.
func (r *rescue) closer() bool {
	t := &r.parser.tags
	if r.closed && bytes.HasSuffix(r.src, []byte(t.Close)) {
		r.end -= len(t.Close)
	}
	end := r.end
	for end > 0 && isSpace(r.src[end-1]) {
		end--
	}
	for _, tag := range [...]string{t.Close, "</tool_call>", "</function_call>", "</function>", "</invoke>", "</tool>", "</calls>", t.Open[:1] + `\` + t.Close[1:]} {
		if from := end - len(tag); from > len(t.Open) && strings.EqualFold(string(r.src[from:end]), tag) {
			if !r.near {
				r.note(fixWrongClose, from)
			}
			r.end = from
			return true
		}
	}
	return r.closed
}

// complete reports whether a call without its close tag is whole: no argument can
// follow, or the next call begins on a new line after it.
func (r *rescue) complete() bool {
	tail := r.src[:r.end]
	blank := len(tail) - len(bytes.TrimRight(tail, lexeme.Whitespace))
	if !r.atEnd {
		r.note(fixMissingClose, r.end)
		return bytes.IndexByte(tail[len(tail)-blank:], '\n') >= 0
	}
	whole := r.json
	if a := r.args(); !whole && a != nil && a.Closed && r.count == len(a.Fields) {
		switch tail[len(tail)-1] {
		case '"', '\'', ']', '}':
			whole = true
		default:
			whole = blank > 0
		}
	}
	r.note(fixMissingClose, r.end)
	return whole
}

// args returns what is known of the arguments.
func (r *rescue) args() *sig.Type {
	if r.tool == nil {
		return nil
	}
	return r.tool.Args
}

// declares reports whether the schema names that key or its first segment.
func (r *rescue) declares(key []byte) bool {
	a := r.args()
	first, _, _ := bytes.Cut(key, []byte("."))
	return a.Field(key) != nil || a.Field(first) != nil
}

// field returns the property that a path leads to, nil if none is declared.
func (r *rescue) field(path []byte) *sig.Field {
	for t := r.args(); ; {
		if _, f, _ := t.Property(path); f != nil {
			return f
		}
		first, rest, dotted := bytes.Cut(path, []byte("."))
		_, f, _ := t.Property(first)
		if !dotted || f == nil {
			return nil
		}
		t, path = f.Type, rest
	}
}

func isSpace(c byte) bool { return lexeme.ClassOf(c)&lexeme.Space != 0 }

// space reads whitespace and reports whether there was any.
func (r *rescue) space() bool {
	from := r.i
	for r.i < r.end && isSpace(r.src[r.i]) {
		r.i++
	}
	return r.i > from
}

// at returns the byte at src[i], 0 at the end.
func (r *rescue) at(i int) byte {
	if i < r.end {
		return r.src[i]
	}
	return 0
}

// has reports whether src[i:end] begins with text.
func (r *rescue) has(i int, text string) bool {
	return i+len(text) <= r.end && string(r.src[i:i+len(text)]) == text
}

// body reads what stands between the tags.
func (r *rescue) body() bool {
	r.space()
	if c := r.at(r.i); c == '{' || c == '[' {
		r.note(fixEnvelope, r.i)
		return r.envelope(r.src[r.i:r.end], "")
	}
	if !r.name() {
		return false
	}
	if r.at(r.i) == '(' {
		return r.parentheses()
	}
	blank := r.space()
	switch c := r.at(r.i); {
	case c == '{':
		return r.object()
	case c == '`':
		return r.fenced()
	case c == '(' && blank:
		return r.parentheses()
	}
	return r.arguments(0)
}

// nameWords are the keys under which models write a tool's name.
var nameWords = []string{"name", "tool", "tool_name", "function", "function_name"}

// name reads the tool's name.
func (r *rescue) name() bool {
	from := r.i
	if r.marked() {
		name, at := r.nameValue()
		r.note(fixName, from)
		r.guessed = true
		return name != "" && r.called(name, at)
	}
	for r.i < r.end && lexeme.ClassOf(r.src[r.i])&lexeme.Name != 0 {
		r.i++
	}
	name := string(r.src[from:r.i])
	catalog := r.parser.catalog
	if word := strings.TrimSuffix(name, ":"); catalog != nil && slices.Contains(nameWords, word) && catalog.Lookup([]byte(word)) == nil {
		back := r.i
		if word == name {
			r.space()
		}
		if word != name || r.at(r.i) == '=' {
			if word == name {
				r.i++
			}
			r.space()
			if name, from = r.nameValue(); name == "" {
				return false
			}
			if r.at(r.i) == ',' {
				r.i++
			}
			r.note(fixNameAttribute, from)
		} else {
			r.i = back
		}
	} else if r.at(r.i) == ',' && catalog != nil { // t, a=x
		r.i++
		r.note(fixName, r.i-1)
	}
	return r.called(name, from)
}

// called writes the name of the tool that is meant by name, which stands at from.
func (r *rescue) called(name string, from int) bool {
	catalog := r.parser.catalog
	if catalog == nil {
		if name = strings.TrimSuffix(name, ":"); !lexeme.IsName(name) {
			return false
		}
	} else if r.tool = catalog.Lookup([]byte(name)); r.tool == nil {
		if r.tool = r.parser.meant(name); r.tool == nil {
			return false
		}
		r.note(fixName, from)
		name = r.tool.Name
	}
	r.marks = append(r.marks, mark{at: len(r.out), from: from})
	r.out = append(r.out, name...)
	return true
}

// namespaces are what models put before a tool's name.
var namespaces = []string{"functions", "function", "tools", "tool", "default_api", "api"}

// meant returns the only tool that an unknown name can mean.
func (p *Parser) meant(name string) *sig.Tool {
	name = strings.TrimRight(name, ":")
	if i := strings.IndexAny(name, ".:/"); i > 0 && slices.Contains(namespaces, strings.ToLower(name[:i])) {
		name = name[i+1:]
		if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
			name = name[:i] // functions.t:0
		}
		if t := p.catalog.Lookup([]byte(name)); t != nil {
			return t
		}
	}
	return p.folded(name)
}

// parentheses reads the arguments of t(a=1, b="x") and t({"a":1}).
func (r *rescue) parentheses() bool {
	r.note(fixParentheses, r.i)
	r.i++
	r.space()
	if r.at(r.i) == '{' {
		if !r.object() {
			return false
		}
	} else if !r.arguments(')') {
		return false
	}
	r.space()
	if r.at(r.i) != ')' {
		return false
	}
	r.i++
	if c := r.at(r.i); c == ';' || c == ',' {
		r.i++
	}
	return true
}

// object reads a JSON body.
func (r *rescue) object() bool {
	end := r.bracket(r.i)
	if end < 0 {
		return false
	}
	text := r.src[r.i:end]
	if a := r.args(); a != nil {
		if ms, ok := r.members(text, r.parser.limits.Depth+1); ok && !slices.ContainsFunc(ms, func(m jsonMember) bool { return a.Field(m.key) != nil }) &&
			slices.ContainsFunc(ms, func(m jsonMember) bool { return slices.Contains(argumentWords, string(m.key)) }) {
			r.note(fixEnvelope, r.i)
			return r.envelope(text, r.tool.Name)
		}
	}
	r.write(" ")
	r.copy(r.i, end)
	r.i = end
	r.json = true
	return true
}

// fenced reads a JSON body in a Markdown fence.
func (r *rescue) fenced() bool {
	const fence = "```"
	if !r.has(r.i, fence) {
		return false
	}
	r.note(fixJSONTag, r.i)
	r.i += len(fence)
	if r.has(r.i, "json") {
		r.i += len("json")
	}
	r.space()
	if r.at(r.i) != '{' || !r.object() {
		return false
	}
	r.space()
	if !r.has(r.i, fence) {
		return false
	}
	r.i += len(fence)
	return true
}

// bracket returns the index after the bracket that closes the one at src[i], -1 if
// there is none.
func (r *rescue) bracket(i int) int {
	depth := 0
	for ; i < r.end; i++ {
		switch c := r.src[i]; c {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			if p := r.src[i-1]; isSpace(p) || lexeme.Introduces(p) {
				if i = r.string(i) - 1; i < 0 {
					return -1
				}
			} else if c == '"' {
				return -1
			}
		}
	}
	return -1
}

// string returns the index after the string whose quote is src[i], 0 if it does not
// end.
func (r *rescue) string(i int) int {
	q := r.src[i]
	for i++; i < r.end; {
		i, _, _ = lexeme.SkipPlain(r.src[:r.end], i, q)
		switch {
		case i == r.end:
			return 0
		case r.src[i] == q:
			return i + 1
		}
		i += 2
	}
	return 0
}

// jsonMember is a member of a JSON object.
type jsonMember struct {
	key  []byte
	text []byte // the value's
}

// members returns the members of the JSON object text, and whether it is one,
// without repeated keys.
func (r *rescue) members(text []byte, depth int) (list []jsonMember, ok bool) {
	if !r.parser.b.holdsJSON(text, depth) {
		return nil, false
	}
	s := lexeme.Scanner{Text: text, Depth: depth, Unpaired: true}
	if s.Next().Kind != '{' {
		return nil, false
	}
	from := -1
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		switch {
		case t.Kind == 'k' && s.Nesting() == 1:
			list = append(list, jsonMember{key: s.AppendUnquoted(nil, t)})
			from = -1
			continue
		case from < 0:
			from = t.Start
		}
		if n := len(list); n > 0 && s.Nesting() == 1 {
			list[n-1].text = text[from:t.End]
		}
	}
	return list, true
}

// argumentWords are the keys under which models write all arguments.
var argumentWords = []string{"arguments", "args", "parameters", "params", "input", "tool_input", "kwargs"}

// plainWords are keys of an envelope that mean nothing.
var plainWords = []string{"id", "type", "call_id", "tool_call_id", "index"}

// envelope reads {"name":…,"arguments":{…}}, alone in an array or in a member
// function too. The name may be missing if it was read before.
func (r *rescue) envelope(text []byte, name string) bool {
	at := r.i
	r.i = r.end
	if name != "" {
		r.i = at + len(text)
	}
	depth := r.parser.limits.Depth + 3
	text = bytes.Trim(text, lexeme.Whitespace)
	if n := len(text) - 1; n > 0 && text[0] == '[' && text[n] == ']' {
		text = bytes.Trim(text[1:n], lexeme.Whitespace)
	}
	ms, ok := r.members(text, depth)
	if !ok {
		return false
	}
	if len(ms) <= 3 {
		for _, m := range ms {
			if string(m.key) == "function" && m.text[0] == '{' {
				if ms, ok = r.members(m.text, depth); !ok {
					return false
				}
				break
			}
		}
	}
	called := name
	args := []byte(nil)
	for _, m := range ms {
		switch key := string(m.key); {
		case slices.Contains(nameWords, key) && m.text[0] == '"' && (called == "" || name != ""):
			called = string(lexeme.AppendJSONUnquoted(nil, m.text[1:len(m.text)-1], -1))
		case slices.Contains(argumentWords, key) && args == nil:
			args = m.text
			if args[0] == '"' {
				args = lexeme.AppendJSONUnquoted(nil, args[1:len(args)-1], -1)
			}
			if jsonTextKind(args) != sig.Object || !r.parser.b.holdsJSON(args, depth) {
				return false
			}
		case slices.Contains(plainWords, key) && m.text[0] != '{' && m.text[0] != '[':
		default:
			return false
		}
	}
	if called == "" {
		return false
	}
	if name == "" {
		if !r.called(called, at) {
			return false
		}
	} else if t := r.parser.catalog.Lookup([]byte(called)); t != r.tool && r.parser.meant(called) != r.tool {
		return false
	}
	r.arg(args, at)
	return true
}

// arg writes a JSON body that stands at src[at], if there is one.
func (r *rescue) arg(text []byte, at int) {
	r.json = true
	if text == nil {
		return
	}
	r.marks = append(r.marks, mark{at: len(r.out), from: at})
	r.out = append(append(r.out, ' '), text...)
}
