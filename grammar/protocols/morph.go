package protocols

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"

	"github.com/callwire/callwire/grammar"
)

// A Tool is an element that has the name of one, with an element for each argument.
//
//	<f>
//	<k>v</k>
//	</f>
//
// Comments between elements mean nothing.
//
// Rule: protocol.morph-xml
type Tool struct {
	Open      Token      `parser:"@Open"`
	Arguments []*Element `parser:"( Lt @@ )*"`
	Close     Token      `parser:"@Close"`
}

// An Element holds text, or other elements.
type Element struct {
	Name  Token  `parser:"@Name"`
	Parts []Part `parser:"( EmptyEnd | End @@*"`
	Close *Token `parser:"  @EndTag )"`
}

// A Part of an element is a *Text, or a *Child.
type Part interface{}

// A Text is what stands between tags; in a CDATA section, neither tags nor entities mean
// anything.
//
// Rule: protocol.xml-text
type Text struct {
	Plain   *Token `parser:"  @Text"`
	Section *Token `parser:"| @Section"`
}

// A Child is an element in another one.
type Child struct {
	Element *Element `parser:"Lt @@"`
}

// The patterns of tags. Whitespace in them is bounded, so that what is held back is.
const (
	patTagSpace = `[ \t\r\n]{0,63}`
	patTagName  = `([^\x00-\x20\x7F<>/!?](?:[^\x00-\x20\x7F<>])*?)(?:/>|[\x00-\x20\x7F<>]|$)`
)

// The patterns of what stands in an element, each with what it may become if the text goes
// on.
var (
	toolTag   = regexp.MustCompile(`^<([^\x00-\x20\x7F<>]+?)` + patTagSpace + `(/?>)`)
	endTag    = regexp.MustCompile(`^</([^\x00-\x20\x7F<>]+)` + patTagSpace + `>`)
	endTagCut = regexp.MustCompile(`^<(?:/([^\x00-\x20\x7F<>]*)(` + patTagSpace + `))?$`)
	childTag  = regexp.MustCompile(`^<[A-Za-z_\x{80}-\x{10FFFF}](?:[^\x00-\x20\x7F<>])*?` + patTagSpace + `/?>`)
	childCut  = regexp.MustCompile(`^<(?:!(?:-|\[C?D?A?T?A?)?|[A-Za-z_\x{80}-\x{10FFFF}](?:[^\x00-\x20\x7F<>])*` + patTagSpace + `/?)?$`)
	structure = regexp.MustCompile(`^[ \t\r\n]*<[/!A-Za-z_\x{80}-\x{10FFFF}]`)
	section   = regexp.MustCompile(`^<!\[CDATA\[((?s:.*?))\]\]>`)
	spoken    = regexp.MustCompile(`^[ \t\r\n]*(?:[^ \t\r\n<]|$)`)
	comment   = regexp.MustCompile(`^<!--(?s:.*?)-->`)
)

// morph is the protocol of elements.
var morph = func() *Protocol {
	arguments := []rule{
		on("", patSpace, "members"), on(hidden, `<!--(?s:.*?)-->`, "members"), on(unclosed, `<!--(?s:.*)`, "members"),
		on("", `()</`, "close"), on(cut, `<!?-?$`, "members"), on("Lt", `<`, "name")}
	all := states{
		"body":       {grammar.ExpectedKey, arguments},
		"members":    {grammar.ExpectedKey, arguments},
		"name":       {grammar.ExpectedKey, []rule{on("Name", patTagName, "after-name")}},
		"after-name": {grammar.ExpectedEquals, []rule{on("", `[ \t\r\n]{1,63}`, "tag-end"), on(cut, `/$`, ""), on("EmptyEnd", `/>`, ""), on("End", `>`, "")}},
		"tag-end":    {grammar.ExpectedEquals, []rule{on(cut, `/$`, ""), on("EmptyEnd", `/>`, ""), on("End", `>`, "")}},

		// Told by the judge:
		"content":    {grammar.ExpectedClose, nil},
		"text":       {grammar.ExpectedClose, nil},
		"after-text": {grammar.ExpectedClose, nil},
		"close":      {grammar.ExpectedClose, nil},
	}
	symbols := symbolsOf(all, "Open", "EndTag", "Text", "Section", "Close")
	parts := participle.Union[Part](&Child{}, &Text{})
	parser := participle.MustBuild[Tool](participle.Lexer(definition{symbols}), parts, participle.UseLookahead(0))
	return &Protocol{
		Name: "morph-xml",
		opens: func(rest string, o grammar.Options) (n, body int, ok bool) {
			m := toolTag.FindStringSubmatchIndex(rest)
			if m == nil || o.Known == nil || !o.Known(rest[m[2]:m[3]]) {
				return 0, 0, false
			}
			if rest[m[4]:m[5]] == "/>" {
				return m[4], m[4], true
			}
			return m[5], m[5], true
		},
		closes: func(open, rest string) int {
			if !strings.HasSuffix(open, ">") {
				return lenOf("/>", rest)
			}
			if m := endTag.FindStringSubmatch(rest); m != nil && m[1] == toolName(open) {
				return len(m[0])
			}
			return 0
		},
		spoken:      func(open, rest string) bool { return strings.HasSuffix(open, ">") && spoken.MatchString(rest) },
		productions: parser.String(),
		states:      all,
		symbols:     symbols,
		tree:        treeOf(parser),
		newChecker:  func(r *reader) checker { return &elementChecker{r: r, keys: map[string]bool{}} },
	}
}()

// toolName returns the name in the tag of a call.
func toolName(open string) string { return strings.TrimRight(open[1:], "> \t\r\n") }

// runs are arguments, for what is certain of them when another one follows.
type runs struct {
	Arguments []*Element `parser:"( Lt @@ )*"`
}

var runParser = func() func(tokens []placed) []*Element {
	p := participle.MustBuild[runs](participle.Lexer(definition{morph.symbols}), participle.Union[Part](&Child{}, &Text{}), participle.UseLookahead(0))
	return func(tokens []placed) []*Element {
		tree, _ := parse(p, tokens)
		if tree == nil {
			return nil
		}
		return tree.Arguments
	}
}()

// An elementChecker checks the elements of a call, and tells what stands in them.
type elementChecker struct {
	r     *reader
	open  string   // the call's tag
	start int      // its offset
	names []string // of the elements that are open
	level int      // how many there are, with that whose tag is read
	word  placed   // the name that was read last
	last  string   // the argument before
	text  bool     // it is a string and nothing else
	keys  map[string]bool
	run   []placed // the tokens of arguments of one name
}

// judge follows the elements.
func (c *elementChecker) judge(t *placed) (name, next string) {
	switch {
	case t.name == "Name":
		c.names = append(c.names, t.Value)
		c.level = len(c.names)
	case t.name == "End":
		if len(c.names) == 1 && c.isText(c.names[0]) {
			return "", "text"
		}
		return "", "content"
	case t.name == "EmptyEnd" || t.name == "EndTag":
		c.names = c.names[:len(c.names)-1]
		if len(c.names) == 0 {
			return "", "members"
		}
		return "", "content"
	}
	return "", ""
}

func (c *elementChecker) isText(argument string) bool {
	return c.r.options.Text != nil && c.r.options.Text(toolName(c.open), argument)
}

// special implements special: what a token is depends on the element that is open.
func (c *elementChecker) special(state, rest string) (r rule, n int, ok bool) {
	take := func(token, next string, n int) (rule, int, bool) { return rule{token: token, next: next}, n, true }
	name := toolName(c.open)
	if len(c.names) > 0 {
		name = c.names[len(c.names)-1]
	}
	switch state {
	case "name":
		if rest[0] == '!' {
			return take(other, "name", min(len(rest), 1+common(rest, "!--")))
		}
	case "body":
		if !strings.HasSuffix(c.open, ">") {
			return take("Close", "close", len("/>"))
		}
	case "close":
		if m := endTag.FindStringSubmatch(rest); m != nil && m[1] == name {
			return take("Close", "close", len(m[0]))
		}
		if endsCut(rest, name) {
			return take(cut, "close", len(rest))
		}
		return take(other, "close", len("</"))
	case "after-text":
		return take("EndTag", "members", len(endTag.FindString(rest)))
	case "text":
		n, ended := textLen(rest, name)
		switch {
		case !ended:
			return take(unclosed, "text", n)
		case n == 0:
			return take("EndTag", "members", len(endTag.FindString(rest)))
		}
		return take("Text", "after-text", n)
	case "content":
		m := endTag.FindStringSubmatch(rest)
		switch {
		case m != nil && m[1] == name:
			return take("EndTag", "content", len(m[0]))
		case endsCut(rest, name), childCut.MatchString(rest):
			return take(cut, "content", len(rest))
		case section.MatchString(rest):
			return take("Section", "content", len(section.FindString(rest)))
		case comment.MatchString(rest):
			return take(hidden, "content", len(comment.FindString(rest)))
		case strings.HasPrefix(rest, "<!--"), strings.HasPrefix(rest, "<![CDATA["):
			return take(unclosed, "content", len(rest))
		case strings.HasPrefix(rest, "</"):
			return take(other, "content", min(len(rest), 1+common(rest, "</"+name)))
		case childTag.MatchString(rest):
			return take("Lt", "name", 1)
		case rest[0] == '<':
			return take("Text", "content", 1)
		}
		n := strings.IndexByte(rest, '<')
		if n < 0 {
			n = len(rest)
		}
		return take("Text", "content", n)
	}
	return rule{}, 0, false
}

// endsCut reports whether rest is the beginning of the end tag of that name.
func endsCut(rest, name string) bool {
	m := endTagCut.FindStringSubmatch(rest)
	return m != nil && (m[1] == name || m[2] == "" && strings.HasPrefix(name, m[1]))
}

// common returns how many bytes a and b begin with in common.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// textLen returns how long a string in an element of that name is: up to the first end tag
// after which structure follows, whatever is in it but CDATA sections.
func textLen(rest, name string) (n int, ended bool) {
	for n < len(rest) {
		if strings.HasPrefix(rest[n:], "<![CDATA[") {
			m := section.FindString(rest[n:])
			if m == "" {
				break
			}
			n += len(m)
			continue
		}
		if m := endTag.FindStringSubmatch(rest[n:]); m != nil && m[1] == name && structure.MatchString(rest[n+len(m[0]):]) {
			return n, true
		}
		n++
	}
	return len(rest), false
}

// check implements checker.
//
// Rule: protocol.repeated
func (c *elementChecker) check(t *placed) (says, stop *fault) {
	switch {
	case t.name == "Open":
		c.open, c.start = t.Value, t.start()
		if limit := c.r.limits.Name; len(toolName(c.open)) > limit {
			return nil, &fault{code: grammar.NameTooLong, at: t.start() + 1 + limit}
		}
		return nil, nil
	case t.name == "Name":
		c.word = *t
	case (t.name == "End" || t.name == "EmptyEnd") && c.level > c.r.limits.Depth+1 && utf8.ValidString(c.r.text[c.start:c.word.end()]):
		return nil, &fault{code: grammar.TooDeep, at: c.word.start() - 1}
	case (t.name == "End" || t.name == "EmptyEnd") && (len(c.names) == 0 || len(c.names) == 1 && t.name == "End"):
		says = c.argument(t)
	case t.state == "close", t.name == "Close":
		says = c.flush(t.start())
	}
	c.run = append(c.run, *t)
	return says, nil
}

// argument checks the name of an argument, whose tag t ends.
func (c *elementChecker) argument(t *placed) *fault {
	key := c.word.Value
	if key == c.last && !c.text {
		return nil
	}
	tag := c.run[len(c.run)-2:] // < and the name
	c.run = c.run[:len(c.run)-2]
	says := c.flush(t.end())
	c.run = append(c.run, tag...)
	c.last, c.text = key, c.isText(key)
	switch {
	case len(c.keys) >= c.r.limits.Arguments:
		return first(says, &fault{code: grammar.TooManyArguments, at: c.word.start(), from: t.end()})
	case c.keys[key]:
		return first(says, &fault{code: grammar.DuplicateKey, at: c.word.start(), from: t.end()})
	}
	c.keys[key] = true
	return says
}

// flush says what is wrong with the arguments of a name, which have ended at offset from.
func (c *elementChecker) flush(from int) *fault {
	v := &elementValues{r: c.r, from: from}
	if all := runParser(c.run); len(all) > 0 && !c.text {
		v.values(nil, all, c.r.limits.Depth)
	}
	c.run = nil
	return v.wrong
}

// elementValues writes elements as JSON, read without a schema.
type elementValues struct {
	r      *reader
	from   int
	wrong  *fault // the first one
	issues []grammar.Issue
}

func (v *elementValues) fail(code grammar.Code, at int) {
	if v.wrong == nil {
		v.wrong = &fault{code: code, at: at, from: v.from}
	}
}

// content returns the offsets of what stands in e.
func (v *elementValues) content(e *Element) (start, end int) {
	start = e.Name.Pos.Offset + len(e.Name.Value)
	start += strings.IndexByte(v.r.text[start:], '>') + 1
	if e.Close == nil {
		return start, start
	}
	return start, e.Close.Pos.Offset
}

// values appends the elements of one name, one after the other, as the value of their key:
// several are an array. Depth is how many levels are left.
//
// Rule: protocol.xml-elements
func (v *elementValues) values(b []byte, all []*Element, depth int) []byte {
	if len(all) == 1 {
		return v.value(b, all[0], depth)
	}
	if start, _ := v.content(all[0]); depth == 0 {
		v.fail(grammar.TooDeep, start)
		return b
	}
	return v.list(b, all, depth-1)
}

func (v *elementValues) list(b []byte, all []*Element, depth int) []byte {
	for i, e := range all {
		b = v.value(append(b, "[,"[min(i, 1)]), e, depth)
	}
	return append(b, ']')
}

// value appends what an element says.
func (v *elementValues) value(b []byte, e *Element, depth int) []byte {
	start, end := v.content(e)
	text, blank := "", true
	var children []*Element
	for _, p := range e.Parts {
		switch p := p.(type) {
		case *Child:
			children = append(children, p.Element)
		case *Text:
			said := p.string()
			text += said
			blank = blank && (said == "" || p.Plain != nil && space.MatchString(p.Plain.Value))
		}
	}
	switch {
	case len(children) == 0:
		return append(b, untyped(text, depth)...)
	case !blank:
		v.issues = append(v.issues, grammar.Issue{Code: AmbiguousText, At: start})
		return append(b, untyped(v.r.text[start:end], depth)...)
	case depth == 0:
		v.fail(grammar.TooDeep, start)
		return b
	case !slices.ContainsFunc(children, func(e *Element) bool { return e.Name.Value != "item" }):
		return v.list(b, children, depth-1)
	}
	return v.object(b, children, depth-1)
}

// object appends elements as an object.
func (v *elementValues) object(b []byte, children []*Element, depth int) []byte {
	seen := map[string]bool{}
	b = append(b, '{')
	for i := 0; i < len(children) && v.wrong == nil; {
		name := children[i].Name
		if seen[name.Value] {
			v.fail(grammar.DuplicateKey, name.Pos.Offset)
			return b
		}
		seen[name.Value] = true
		n := 1
		for i+n < len(children) && children[i+n].Name.Value == name.Value {
			n++
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(grammar.Quote(b, name.Value), ':')
		b = v.values(b, children[i:i+n], depth)
		i += n
	}
	return append(b, '}')
}

// said implements call.
func (t *Tool) said(r *reader) (name string, input []byte, issues []grammar.Issue) {
	name = toolName(t.Open.Value)
	v := &elementValues{r: r}
	input = []byte("{")
	for i := 0; i < len(t.Arguments); {
		e := t.Arguments[i]
		n := 1
		for i+n < len(t.Arguments) && t.Arguments[i+n].Name.Value == e.Name.Value {
			n++
		}
		if i > 0 {
			input = append(input, ',')
		}
		input = append(grammar.Quote(input, e.Name.Value), ':')
		if r.options.Text != nil && r.options.Text(name, e.Name.Value) {
			input = grammar.Quote(input, v.text(e))
		} else {
			input = v.values(input, t.Arguments[i:i+n], r.limits.Depth)
		}
		i += n
	}
	return name, append(input, '}'), v.issues
}

// text returns the string that e is.
func (v *elementValues) text(e *Element) string {
	if len(e.Parts) == 0 {
		return ""
	}
	start, end := v.content(e)
	text, odd := "", false
	for rest := v.r.text[start:end]; rest != ""; {
		if m := section.FindStringSubmatch(rest); m != nil {
			text += m[1]
			rest = rest[len(m[0]):]
			continue
		}
		n := 1 + strings.IndexByte(rest[1:], '<')
		if n == 0 {
			n = len(rest)
		}
		m := endTag.FindStringSubmatch(rest)
		odd = odd || m != nil && m[1] == e.Name.Value
		text += unescapeEntities(rest[:n])
		rest = rest[n:]
	}
	if odd {
		v.issues = append(v.issues, grammar.Issue{Code: AmbiguousText, At: start})
	}
	return text
}

func (t *Text) string() string {
	if t.Section != nil {
		return section.FindStringSubmatch(t.Section.Value)[1]
	}
	return unescapeEntities(t.Plain.Value)
}

// entity matches the entities: those that XML names, and characters by their number.
var entity = regexp.MustCompile(`&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,9})|#x([0-9A-Fa-f]{1,8}));`)

// unescapeEntities returns text with its entities as characters, and all else as it is.
func unescapeEntities(text string) string {
	return entity.ReplaceAllStringFunc(text, func(e string) string {
		m := entity.FindStringSubmatch(e)
		if m[1] != "" {
			return map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}[m[1]]
		}
		digits, base := m[2], 10
		if digits == "" {
			digits, base = m[3], 16
		}
		c, _ := strconv.ParseUint(digits, base, 32)
		if c > unicode.MaxRune || !utf8.ValidRune(rune(c)) {
			return e
		}
		return string(rune(c))
	})
}
