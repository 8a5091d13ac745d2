package constrain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// mapper maps the tools of a catalog to rules of a grammar.
type mapper struct {
	b        *builder
	protocol Protocol
	delims   lexer.Delims
	tagFirst charset
	tags     lexeme.Tags
	freeKeys int
	strings  stringRules
	frees    map[*sig.Type]expr // a path into a map, and its value
	numbers  map[string]expr    // by range
	patterns map[string]compiled
	texts    map[string]expr // by string set
	states   int             // how many more states the patterns may have in total

	values  [2]map[*sig.Type]expr // after = in wire syntax, and in JSON
	objects map[*sig.Type]expr    // JSON objects
	arrays  map[*sig.Type]expr

	tool    string
	path    []string
	notes   []Note
	added   int // notes on this tool
	noted   map[noteKey]bool
	inJSON  bool // the writer may write the tool's arguments as JSON
	leaves  int  // how many more arguments the tool may have
	nesting int
	untyped int         // number of enclosing untyped places; nothing is noted inside them
	entered []*sig.Type // the objects on the path
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
		b:        newBuilder(),
		protocol: o.Protocol,
		delims:   o.Delims,
		tagFirst: tagSet(o.Delims),
		tags:     lexeme.NewTags(o.Delims.Open, o.Delims.Close),
		freeKeys: o.FreeKeys,
		numbers:  make(map[string]expr),
		patterns: make(map[string]compiled),
		texts:    make(map[string]expr),
		states:   maxPatternStates,
		objects:  make(map[*sig.Type]expr),
		arrays:   make(map[*sig.Type]expr),
		frees:    make(map[*sig.Type]expr),
		noted:    make(map[noteKey]bool),
	}
	for i := range m.values {
		m.values[i] = make(map[*sig.Type]expr)
	}
	return m
}

// at runs f one level down, at the property with that name or at "[]" for elements.
func (m *mapper) at(name string, f func()) {
	m.path = append(m.path, name)
	m.nesting++
	f()
	m.nesting--
	m.path = m.path[:len(m.path)-1]
}

// begin starts the tool with that name.
func (m *mapper) begin(tool string) { m.tool, m.path, m.added = tool, nil, 0 }

// hasRoom reports whether a call has room for the required arguments of a tool.
func (m *mapper) hasRoom(p sig.Plan) bool {
	if args := p.Tool.Args; args != nil && requiredIn(args) > maxLeaves {
		m.note(LeftOut, "required", "a call has no more than "+strconv.Itoa(maxLeaves)+" arguments")
		return false
	}
	return true
}

// wireCall returns the name of a tool and the rule of what is between it and the
// close tag. It is not ok if the tool cannot be called.
func (m *mapper) wireCall(p sig.Plan) (c choice, ok bool) {
	m.begin(p.Tool.Name)
	if !p.Callable() || !m.nameReadsBack(p.Tool.Name) {
		m.note(LeftOut, "name", "no call can have this name")
		return choice{}, false
	}
	if !m.hasRoom(p) {
		return choice{}, false
	}
	args := p.Tool.Args
	// Objects that several places share are written out at each, so the room
	// bounds the arguments to a few times the size of the schema.
	room := min(maxLeaves, 64+4*properties(args, make(map[*sig.Type]bool)))
	m.inJSON, m.leaves, m.nesting, m.entered = false, room, 0, nil
	wire := never
	if p.Syntax == sig.Wire {
		wire = m.arguments(args)
		if room-m.leaves > maxLeaves {
			wire = never // more than a call can have
		}
	}
	if wire == never || m.inJSON {
		wire = m.b.alt(wire, m.body(args))
	}
	return choice{p.Tool.Name, m.b.define("call-"+p.Tool.Name, wire)}, true
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

// properties returns the number of properties of all objects that paths can reach,
// each object once.
func properties(t *sig.Type, seen map[*sig.Type]bool) int {
	if t == nil || seen[t] || len(seen) > maxLeaves {
		return 0
	}
	seen[t] = true
	n := len(t.Fields)
	for i := range t.Fields {
		n += properties(t.Fields[i].Type, seen)
	}
	return n
}

// nameReadsBack reports whether the name reads back between these tags.
func (m *mapper) nameReadsBack(name string) bool {
	return !strings.Contains(name+m.delims.Close, m.delims.Open) &&
		strings.Index(name+m.delims.Close, m.delims.Close) == len(name)
}

// body returns the arguments as a JSON object, optional if no argument is required.
func (m *mapper) body(t *sig.Type) expr {
	object := m.b.seq(m.b.literal(" "), m.object(t))
	if t == nil || !slices.ContainsFunc(t.Fields, func(f sig.Field) bool { return f.Required }) {
		return m.b.opt(object)
	}
	return object
}

// arguments returns the arguments as key=value, each after a space.
func (m *mapper) arguments(t *sig.Type) expr {
	if isMap(t) {
		m.inJSON = true
		return m.b.repeat(m.free(t, " "), 0, m.freeKeys)
	}
	required, optional := m.members(t, "")
	list := required
	for _, e := range optional {
		list = append(list, m.b.opt(e))
	}
	return m.b.seq(list...)
}

// isMap reports whether t has no declared properties and allows any others.
func isMap(t *sig.Type) bool {
	return t == nil || len(t.Fields) == 0 && !t.Closed && !t.Patterned() && (t.Extra == nil || t.Extra.Kinds != 0)
}

// members returns the arguments for the properties of t below the path prefix,
// required and optional ones, each in schema order.
func (m *mapper) members(t *sig.Type, prefix string) (required, optional []expr) {
	m.noteObject(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		if m.leaves <= 0 && !f.Required {
			m.note(Narrowed, "properties", "a call has no more arguments")
			continue
		}
		var e expr
		if strings.ContainsFunc(f.Name, m.tagFirst.contains) {
			m.inJSON = true // a path cannot contain the name with these tags
		} else {
			m.at(f.Name, func() { e = m.argument(f.Type, prefix+f.Name) })
		}
		switch {
		case f.Required:
			required = append(required, e)
		case e == never:
			m.at(f.Name, func() { m.note(Narrowed, "properties", noValue) })
		default:
			optional = append(optional, e)
		}
	}
	return required, optional
}

// argument returns what a call has for the property of type t at a path: one
// argument, or for an object one for each of its properties.
func (m *mapper) argument(t *sig.Type, path string) expr {
	b := m.b
	if m.nesting > maxNesting {
		return never
	}
	m.leaves--
	value := m.within(t, func() expr { return m.value(t, false) })
	alts := []expr{b.seq(b.literal(" "+path+"="), value)}
	if t != nil && t.Free&sig.Object == 0 {
		return alts[0]
	}
	switch {
	case isMap(t):
		m.inJSON = true
		alts = append(alts,
			b.seq(b.literal(" "+path+"="), m.object(t)),
			b.repeat(m.free(t, " "+path+"."), 1, m.freeKeys))
	case slices.Contains(m.entered, t) || m.leaves < len(t.Fields):
		// Paths into a recursive object have no end, and a rule cannot repeat
		// their prefix; JSON nests by reference.
		m.note(Narrowed, "$ref", "the object is written as JSON, not as paths")
		alts = append(alts, b.seq(b.literal(" "+path+"="), m.object(t)))
	default:
		m.entered = append(m.entered, t)
		required, optional := m.members(t, path+".")
		m.entered = m.entered[:len(m.entered)-1]
		if len(required) > 0 {
			for _, e := range optional {
				required = append(required, b.opt(e))
			}
			alts = append(alts, b.seq(required...))
			break
		}
		m.inJSON = true // the writer writes an empty object as JSON
		alts = append(alts, m.some(optional), b.literal(" "+path+"={}"))
	}
	return b.alt(alts...)
}

// some returns at least one of the expressions, in order.
func (m *mapper) some(list []expr) expr {
	b := m.b
	first, rest := never, empty
	for i := len(list) - 1; i >= 0; i-- {
		first = b.alt(b.seq(list[i], rest), first)
		if i > 0 && i < len(list)-1 {
			first = b.define("some", first)
		}
		if i > 0 {
			rest = b.define("more", b.seq(b.opt(list[i]), rest))
		}
	}
	return first
}

// free returns one argument of the map t, after prefix.
func (m *mapper) free(t *sig.Type, prefix string) expr {
	return m.b.seq(m.b.literal(prefix), m.freePath(t))
}

// freePath returns a path into the map t, and its value. A map in it goes on with the
// path; other objects are JSON, since no grammar can repeat a free name.
func (m *mapper) freePath(t *sig.Type) expr {
	if m.nesting > maxNesting {
		return never
	}
	m.noteFree()
	if e, ok := m.frees[t]; ok {
		return e
	}
	b := m.b
	path := b.declare("path")
	m.frees[t] = b.ref(path)
	var extra *sig.Type
	if t != nil {
		extra = t.Extra
	}
	var rest expr
	m.at("*", func() {
		rest = m.within(extra, func() expr {
			objects, onward := extra == nil || extra.Free&sig.Object != 0, never
			switch {
			case objects && isMap(extra):
				onward = b.seq(b.literal("."), m.freePath(extra))
			case objects:
				m.note(Narrowed, "additionalProperties", "objects below free names are written as JSON, not as paths")
			}
			value := m.value(extra, false)
			if objects {
				value = b.alt(value, m.object(extra))
			}
			return b.alt(b.seq(b.literal("="), value), onward)
		})
	})
	key := b.repeat(b.class(anything.without(noKey).without(m.tagFirst)), 1, -1)
	b.rules[path].body = b.seq(key, rest)
	return m.frees[t]
}

// value returns the rule of the values of t except objects, as written after an
// equals sign or in JSON.
func (m *mapper) value(t *sig.Type, inJSON bool) expr {
	which := 0
	if inJSON {
		which = 1
	}
	if e, ok := m.values[which][t]; ok {
		return e
	}
	if m.nesting > maxNesting {
		return never
	}
	r := m.b.declare("value")
	m.values[which][t] = m.b.ref(r)
	body := m.alternatives(t, inJSON)
	m.b.rules[r].body = body
	return m.b.ref(r)
}

func (m *mapper) alternatives(t *sig.Type, inJSON bool) expr {
	b := m.b
	free := sig.Any
	if t != nil {
		free = t.Free
	}
	m.noteLimits(t)
	alts := m.literals(t, free, "")
	if t != nil {
		var words []choice
		for i := range t.Enum {
			if word, ok := m.member(t, &t.Enum[i], inJSON); ok {
				words = append(words, choice{word, empty})
			}
		}
		alts = append(alts, b.words(words))
	}
	if free&sig.String != 0 {
		alts = append(alts, m.text(t, inJSON))
	}
	if free&sig.Array != 0 {
		alts = append(alts, m.array(t))
	}
	return b.alt(alts...)
}

// literals returns the literals of t that are among free, with end after each.
func (m *mapper) literals(t *sig.Type, free sig.Kinds, end string) (alts []expr) {
	b := m.b
	if free&sig.Null != 0 {
		alts = append(alts, b.literal("null"+end))
	}
	if free&sig.Boolean != 0 {
		alts = append(alts, b.literal("true"+end), b.literal("false"+end))
	}
	if free&(sig.Integer|sig.Number) != 0 {
		alts = append(alts, b.seq(m.number(t, free&sig.Number == 0), b.literal(end)))
	}
	return alts
}

// text returns the strings of t.
func (m *mapper) text(t *sig.Type, inJSON bool) expr {
	b := m.b
	ways := []quoting{asWord, inDouble, inSingle}
	if inJSON {
		ways = []quoting{asJSON}
	}
	s := m.stringsOf(t)
	// If a boolean is allowed, a word like True is read as one, with an issue.
	notBoolean := t.Says() && t.Kinds&sig.Boolean != 0
	key := fmt.Sprintf("%t %t %d %d %q", inJSON, notBoolean, s.min, s.max, s.patterns)
	if e, ok := m.texts[key]; ok {
		return e
	}
	var alts []expr
	for _, q := range ways {
		switch {
		case q == asJSON && m.protocol == Qwen3Coder:
			alts = append(alts, m.jsonText(s))
		case q == asWord && (notBoolean || s.automaton != nil):
			patterns := append([]string{m.wordPattern()}, s.patterns...)
			if s.automaton == nil && (s.min > 1 || s.max >= 0) {
				patterns = append(patterns, lengthPattern(s.min, s.max))
			}
			not := ""
			if notBoolean {
				not = otherCases
			}
			a, err := m.intersection(patterns, not)
			if err != nil {
				m.note(Narrowed, "type", "the string is always in quotes: "+err.Error())
				continue
			}
			alts = append(alts, b.token("word", a.expr(b, "word", m.written(q), empty)))
		case s.automaton == nil:
			alts = append(alts, m.boundedString(q, s.min, s.max))
		default:
			alts = append(alts, b.token("string", b.seq(b.literal(q.quote()), s.automaton.expr(b, "string", m.written(q), b.literal(q.quote())))))
		}
	}
	m.texts[key] = b.alt(alts...)
	return m.texts[key]
}

// array returns the arrays of t.
func (m *mapper) array(t *sig.Type) expr {
	if e, ok := m.arrays[t]; ok {
		return e
	}
	b := m.b
	r := b.declare("array")
	b.rules[r].nests = true
	m.arrays[t] = b.ref(r)
	least, most := m.items(t)
	prefix := 0
	var list []expr
	if t != nil {
		prefix = len(t.Prefix)
	}
	for i := range prefix {
		m.at("[]", func() { list = append(list, m.any(t.Item(i))) })
	}
	var rest expr
	m.at("[]", func() { rest = m.any(t.Item(prefix)) })
	if most >= 0 && most < len(list) {
		list, rest = list[:most], never
	}
	after := least - prefix
	room := -1
	if most >= 0 {
		room = most - prefix
	}
	comma := m.comma()
	tail := empty
	if room != 0 && rest != never {
		item := b.define("item", b.seq(comma, rest))
		if prefix == 0 {
			tail = b.seq(rest, b.repeat(item, max(after-1, 0), max(room-1, min(room, -1))))
			if least == 0 {
				tail = b.opt(tail)
			}
		} else {
			tail = b.repeat(item, max(after, 0), room)
		}
	} else if after > 0 {
		tail = never
	}
	for i := len(list) - 1; i >= 0; i-- {
		tail = b.seq(list[i], tail)
		if i > 0 {
			tail = b.seq(comma, tail)
		}
		if i >= least {
			tail = b.opt(tail)
		}
	}
	b.rules[r].body = b.seq(b.literal("["), tail, b.literal("]"))
	return b.ref(r)
}

// comma returns what is between two items or members. Models write a space there;
// allowing more could make them write nothing else.
func (m *mapper) comma() expr {
	return m.b.seq(m.b.literal(","), m.b.opt(m.b.literal(" ")))
}

// any returns the JSON values of t, objects included.
func (m *mapper) any(t *sig.Type) expr {
	if t == nil {
		m.noteFree()
	}
	return m.within(t, func() expr {
		if t == nil || t.Free&sig.Object != 0 {
			return m.b.alt(m.value(t, true), m.object(t))
		}
		return m.value(t, true)
	})
}

// within returns the result of f. Below an untyped place nothing is noted, since it
// would be the same everywhere.
func (m *mapper) within(t *sig.Type, f func() expr) expr {
	if t == nil {
		m.untyped++
		defer func() { m.untyped-- }()
	}
	return f()
}

// object returns the JSON objects of t.
func (m *mapper) object(t *sig.Type) expr {
	if e, ok := m.objects[t]; ok {
		return e
	}
	if m.nesting > maxNesting {
		return never
	}
	b := m.b
	r := b.declare("object")
	b.rules[r].nests = true
	m.objects[t] = b.ref(r)
	comma := m.comma()
	colon := b.seq(b.literal(":"), b.opt(b.literal(" ")))
	var inside expr
	if isMap(t) {
		var extra *sig.Type
		if t != nil {
			extra = t.Extra
		}
		m.noteFree()
		var member expr
		m.at("*", func() {
			value := m.within(extra, func() expr { return m.any(extra) })
			member = b.define("member", b.seq(m.anyString(asJSON), colon, value))
		})
		inside = b.opt(b.seq(member, b.repeat(b.seq(comma, member), 0, m.freeKeys-1)))
	} else {
		m.noteObject(t)
		var required, optional []expr
		room := maxLeaves - requiredIn(t)
		for i := range t.Fields {
			f := &t.Fields[i]
			if !f.Required {
				if room--; room < 0 {
					m.note(Narrowed, "properties", "a call has no more arguments")
					continue
				}
			}
			var e expr
			m.at(f.Name, func() { e = b.seq(b.literal(m.quoteText(f.Name, asJSON)), colon, m.any(f.Type)) })
			if f.Required {
				required = append(required, e)
			} else if e != never {
				optional = append(optional, e)
			}
		}
		inside = m.list(required, optional, comma)
	}
	b.rules[r].body = b.seq(b.literal("{"), inside, b.literal("}"))
	return b.ref(r)
}

// list returns the required members and any of the optional ones, in order, with
// commas between them.
func (m *mapper) list(required, optional []expr, comma expr) expr {
	b := m.b
	var all []expr
	for i, e := range required {
		if i > 0 {
			all = append(all, comma)
		}
		all = append(all, e)
	}
	if len(required) > 0 {
		for _, e := range optional {
			all = append(all, b.opt(b.seq(comma, e)))
		}
		return b.seq(all...)
	}
	first, rest := empty, empty
	for i := len(optional) - 1; i >= 0; i-- {
		first = b.alt(b.seq(optional[i], rest), first)
		if i > 0 {
			if i < len(optional)-1 {
				first = b.define("some", first)
			}
			rest = b.define("more", b.seq(b.opt(b.seq(comma, optional[i])), rest))
		}
	}
	return first
}
