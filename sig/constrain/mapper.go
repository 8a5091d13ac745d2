package constrain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain/internal/bnf"
)

// mapper maps the tools of a catalog to rules of a grammar.
type mapper struct {
	b        *bnf.Builder
	o        Options // complete
	tags     lexeme.Tags
	tagFirst bnf.Charset // the first bytes of the tags

	marks     string // a pattern of what could be a mark in a tagged value; "" if there is none
	markFirst bnf.Charset

	known    map[any]*bnf.Node // what was mapped before, see once
	patterns map[string]compiled
	states   int // how many more states the patterns may have in total

	notes []Note
	noted map[noteKey]bool
	added int // notes on the tool

	// The place in the tool.
	tool    string
	path    []string
	nesting int
	untyped int         // enclosing untyped places; nothing is noted inside them
	entered []*sig.Type // the objects on the path
	leaves  int         // how many more arguments the tool may have
	inJSON  bool        // the writer may write the tool's arguments as JSON
}

// ruleOf identifies what a type was mapped to.
type ruleOf struct {
	hint   string
	typ    *sig.Type
	inJSON bool
}

// once returns what make returned when it was first called for the key.
func (m *mapper) once(key any, make func() *bnf.Node) *bnf.Node {
	e, known := m.known[key]
	if !known {
		e = make()
		m.known[key] = e
	}
	return e
}

// rule returns the rule of a type, which body may refer to; too deep, it derives nothing.
func (m *mapper) rule(of ruleOf, nests bool, body func() *bnf.Node) *bnf.Node {
	if e, known := m.known[of]; known {
		return e
	}
	if m.nesting > maxNesting {
		return bnf.Never
	}
	r := m.b.Declare(of.hint)
	r.Nests = nests
	m.known[of] = m.b.Ref(r)
	r.Body = body()
	return m.known[of]
}

// The bounds of a tool. They are within the default limits of a reader.
const (
	maxLeaves        = 1024 // arguments
	maxNesting       = 60   // objects and arrays
	maxMember        = 1 << 16
	maxNotes         = 100
	maxPatternStates = 3000 // of a catalog
)

func newMapper(o Options) *mapper {
	m := &mapper{
		b:        bnf.NewBuilder(),
		o:        o,
		tags:     lexeme.NewTags(o.Tags.Open, o.Tags.Close),
		tagFirst: bnf.Chars(o.Tags.Open[:1] + o.Tags.Close[:1]),
		known:    make(map[any]*bnf.Node),
		patterns: make(map[string]compiled),
		states:   maxPatternStates,
		noted:    make(map[noteKey]bool),
	}
	m.marks, m.markFirst = markPattern(o.Format)
	return m
}

// wire reports whether calls are in the wire format.
func (m *mapper) wire() bool { return m.o.Format.Body == format.Arguments }

// at runs f one level down, at the property with that name or at "[]" for elements.
func (m *mapper) at(name string, f func()) {
	m.path = append(m.path, name)
	m.nesting++
	f()
	m.nesting--
	m.path = m.path[:len(m.path)-1]
}

// begin starts the tool with that name.
func (m *mapper) begin(tool string) {
	m.tool, m.path, m.added = tool, nil, 0
	m.nesting, m.entered, m.inJSON = 0, nil, false
}

// within returns the result of f. Below an untyped place nothing is noted, since it
// would be the same everywhere.
func (m *mapper) within(t *sig.Type, f func() *bnf.Node) *bnf.Node {
	if t == nil {
		m.untyped++
		defer func() { m.untyped-- }()
	}
	return f()
}

// call is how a tool is called.
type call struct {
	tool string
	head string // what follows the opener
	rest *bnf.Rule
}

// call returns how a tool is called. ok is false if no call can have its name or all of
// its required arguments.
func (m *mapper) call(p sig.Plan) (c call, ok bool) {
	head, ok := m.head(p)
	if !ok {
		m.note(LeftOut, "name", "no call can have this name")
		return call{}, false
	}
	args := p.Tool.Args
	if args != nil && requiredIn(args) > maxLeaves {
		m.note(LeftOut, "required", "a call has no more than "+strconv.Itoa(maxLeaves)+" arguments")
		return call{}, false
	}
	rest := m.b.Declare("call-" + p.Tool.Name)
	switch m.o.Format.Body {
	case format.Arguments:
		rest.Body = m.wireArguments(p)
	case format.Parameters:
		rest.Body = m.parameters(args)
	default:
		rest.Body = m.b.Seq(m.index(), m.object(args), m.b.Literal(m.tail()))
	}
	return call{p.Tool.Name, head, rest}, true
}

// head returns what follows the opener of a call up to the arguments, without the index of
// an ID. ok is false if no call can have the name.
func (m *mapper) head(p sig.Plan) (head string, ok bool) {
	f, name := m.o.Format, p.Tool.Name
	switch {
	case f.Body == format.Arguments:
		open, end := m.o.Tags.Open, m.o.Tags.Close
		whole := name + end
		ok = !strings.Contains(whole, open) && strings.Index(whole, end) == len(name)
		return name, ok && p.Callable()
	case len(f.NameKeys) > 0:
		head = m.key(f.NameKeys[0]) + m.quoteText(name, asJSON) + ", " + m.key(f.ArgumentKeys[0])
		return f.Layout.Lead + "{" + head, true
	}
	head = f.Layout.Lead + f.Function.Open
	if f.NameIsID {
		head += "functions." + name + ":"
	} else {
		head += name + f.Function.End + f.Layout.Line
	}
	return head, betweenMarks(name, f.Function)
}

// key returns the key of an envelope as it is written.
func (m *mapper) key(name string) string { return m.quoteText(name, asJSON) + ": " }

// index returns the index in an ID, and what follows it.
func (m *mapper) index() *bnf.Node {
	if !m.o.Format.NameIsID {
		return bnf.Empty
	}
	end := m.o.Format.Function.End + m.o.Format.Layout.Line
	return m.b.Seq(m.b.Repeat(m.b.Class(digits), 1, 4), m.b.Literal(end))
}

// tail returns what follows the arguments of an envelope, up to the closer.
func (m *mapper) tail() string {
	f := m.o.Format
	if len(f.NameKeys) > 0 {
		return "}" + f.Layout.Line
	}
	return f.Function.Close + f.Layout.Line
}

// requiredIn returns how many properties of t are required.
func requiredIn(t *sig.Type) (n int) {
	for i := range t.Fields {
		if t.Fields[i].Required {
			n++
		}
	}
	return n
}

// isMap reports whether t has no declared properties and allows any others.
func isMap(t *sig.Type) bool {
	return t == nil || len(t.Fields) == 0 && !t.Closed && !t.Patterned() &&
		(t.Extra == nil || t.Extra.Kinds != 0)
}

// extraOf returns the type of the properties of a map.
func extraOf(t *sig.Type) *sig.Type {
	if t == nil {
		return nil
	}
	return t.Extra
}

// fields returns what write returns for the properties of t, required and optional ones,
// each in schema order. Optional ones are left out if no value fits or room reports false.
func (m *mapper) fields(
	t *sig.Type, room func() bool, write func(*sig.Field) *bnf.Node,
) (required, optional []*bnf.Node) {
	m.noteObject(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		if !f.Required && !room() {
			m.note(Narrowed, "properties", "a call has no more arguments")
			continue
		}
		m.at(f.Name, func() {
			switch e := write(f); {
			case f.Required:
				required = append(required, e)
			case e == bnf.Never:
				m.note(Narrowed, "properties", "the property has no possible value: it is left out")
			default:
				optional = append(optional, e)
			}
		})
	}
	return required, optional
}

// room returns a function that reports whether an object has room for another optional
// property.
func room(t *sig.Type) func() bool {
	left := maxLeaves - requiredIn(t)
	return func() bool {
		left--
		return left >= 0
	}
}

// some returns at least one of the expressions, in order, with between between them.
func (m *mapper) some(list []*bnf.Node, between *bnf.Node) *bnf.Node {
	b := m.b
	first, rest := bnf.Never, bnf.Empty
	for i, e := range slices.Backward(list) {
		first = b.Alt(b.Seq(e, rest), first)
		if i > 0 && i < len(list)-1 {
			first = b.Define("some", first)
		}
		if i > 0 {
			rest = b.Define("more", b.Seq(b.Opt(b.Seq(between, e)), rest))
		}
	}
	return first
}

// inOrder returns the required expressions and any of the optional ones, in order, with
// between between them.
func (m *mapper) inOrder(required, optional []*bnf.Node, between *bnf.Node) *bnf.Node {
	b := m.b
	if len(required) == 0 {
		return b.Opt(m.some(optional, between))
	}
	all := []*bnf.Node{required[0]}
	for _, e := range required[1:] {
		all = append(all, between, e)
	}
	for _, e := range optional {
		all = append(all, b.Opt(b.Seq(between, e)))
	}
	return b.Seq(all...)
}
