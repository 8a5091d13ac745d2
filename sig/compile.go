package sig

import (
	"cmp"
	"encoding/binary"
	"regexp"
	"slices"

	"github.com/callwire/callwire/internal/limits"
)

// compiler compiles the schema of one tool.
//
// A place in the arguments is identified by its variants, conjunctions of schemas one of
// which holds there. There are finitely many of those, so places with the same variants
// share a type and recursive schemas become cyclic graphs, as in the determinization of an
// automaton. What is local to a place is decided when its type is created; the places below
// it wait in a queue.
type compiler struct {
	tool     *Tool
	root     *value // the schema
	problems []Problem

	work    int  // work that the tool may still cost
	complex bool // the tool exceeded a bound somewhere

	lastID  int // of schemas
	kinds   map[Kinds]*schema
	texts   map[string]*schema // the first schema with each text, see same
	targets map[reference]*value
	bases   map[*value]*value // of references, see survey
	ids     map[string]*value // by identifier
	loops   int               // schemas found inside themselves

	programs    map[string]*regexp.Regexp // nil for one that matches every key
	patternSize int                       // of all of them, see maxPatternSize

	shared   map[string]*Type
	shapes   map[string]*Type // the first type of each shape
	variants map[*Type][]variant
	places   []place // those at the end are not filled in yet
}

// place is a type whose properties and elements are filled in later.
type place struct {
	*Type
	own  variant // of one that is not a union
	alts []*Type // of a union; none is nil
}

func newCompiler(tool *Tool, root *value) *compiler {
	return &compiler{
		tool:     tool,
		root:     root,
		kinds:    make(map[Kinds]*schema),
		texts:    make(map[string]*schema),
		targets:  make(map[reference]*value),
		bases:    make(map[*value]*value),
		ids:      make(map[string]*value),
		programs: make(map[string]*regexp.Regexp),
		shared:   make(map[string]*Type),
		shapes:   make(map[string]*Type),
		variants: make(map[*Type][]variant),
	}
}

// compileTool fills in the arguments of a tool whose schema is v, nil if it
// has none, and returns the problems.
func compileTool(tool *Tool, v *value) []Problem {
	c := newCompiler(tool, v)
	if v != nil {
		c.schemaAt(v)
		c.survey(v, nil)
	}
	switch {
	case v == nil || v.kind == Null || v.is(Object) && len(v.below) == 0:
		c.report(nil, "missing-schema", "no schema: the arguments are untyped")
		return c.problems
	case !v.is(Object):
		c.report(nil, "invalid-schema",
			"the schema must be an object, found %s: the arguments are untyped", v.kind)
		return c.problems
	}
	c.work = toolWork + byteWork*len(v.raw)
	args := c.typeOf(v.schema)
	for i := 0; i < len(c.places); i++ {
		switch p := c.places[i]; { // the shape and alternatives came earlier
		case p.shape != nil:
			p.copyBelow(p.shape)
		case p.alts != nil:
			c.uniteObjects(p.Type, p.alts)
			c.uniteArrays(p.Type, p.alts)
		default:
			c.fillObject(p.Type, p.own)
			c.fillArray(p.Type, p.own)
		}
	}
	switch {
	case args.blank():
		if !c.complex {
			c.report(nil, "missing-schema",
				"the schema says nothing about arguments: they are untyped")
		}
	case args.Kinds&Object == 0:
		c.report(nil, "not-an-object", "arguments must be an object, but the schema allows %s: "+
			"the arguments are untyped", args.Kinds)
	default:
		tool.Args = args
	}
	return c.problems
}

// blank reports whether the type allows every value of every kind.
func (t *Type) blank() bool {
	return t == nil || t.Free == Any && t.anyObject() &&
		len(t.Prefix)+len(t.Alts) == 0 && t.Items == nil
}

// typeOf returns the type of a place where all of these schemas hold, nil if they allow
// everything.
func (c *compiler) typeOf(all ...*schema) *Type {
	if len(all) == 0 || !c.spend(8) {
		return nil
	}
	s := all[0]
	if len(all) > 1 {
		s = &schema{read: true, all: all}
	}
	t := c.typeAt(c.expand(s, 0))
	// The name is that of a definition, which is often the target of a $ref in an allOf of its own,
	// there to put a description next to it: three schemas. Longer ways have no name.
	for range 3 {
		if t == nil || t.ref != "" {
			break
		}
		t.ref = s.name
		if len(s.all) != 1 || len(s.any) > 0 {
			break
		}
		s = s.all[0]
	}
	return t
}

// union returns the type of a place where one of the types allows the value. Nil allows every
// value.
func (c *compiler) union(types []*Type) *Type {
	var all []variant
	for _, t := range types {
		some := []variant{nil}
		if t != nil {
			some = c.variants[t]
		}
		if !c.spend(1 + len(some)) {
			return nil
		}
		all = append(all, some...)
	}
	if len(all) > maxVariants {
		c.tooComplex(nil, "anyOf and oneOf have too many alternatives")
		return nil
	}
	return c.typeAt(c.distinct(all))
}

// typeAt returns the type of a place with these variants.
func (c *compiler) typeAt(all []variant) *Type {
	var key []byte
	for _, v := range all {
		key = append(appendKey(key, v...), 0) // no schema that demands something has the id 0
	}
	if len(key) == len(all) || !c.spend(len(key)) {
		return nil
	}
	t, known := c.shared[string(key)]
	if !known {
		t = c.newType(all)
		c.shared[string(key)] = t
		if t != nil {
			c.variants[t] = all
			t.shape = c.shapeOf(t, all)
		}
	}
	return t
}

// shapeOf returns the first type with these variants, apart from schemas that only
// describe or limit ranges, nil if that is t. Often a description is next to a reference.
func (c *compiler) shapeOf(t *Type, all []variant) *Type {
	var key []byte
	for _, v := range all {
		for _, s := range v {
			if !s.onlyRemarks() {
				key = appendKey(key, s)
			}
		}
		key = append(key, 0)
	}
	first, known := c.shapes[string(key)]
	if !known {
		c.shapes[string(key)] = t
	}
	return first
}

// newType creates the type of a place and queues it.
func (c *compiler) newType(all []variant) *Type {
	silent := func(v variant) bool { return len(v) == 0 }
	if slices.ContainsFunc(all, silent) && !slices.ContainsFunc(all, variant.restrictsBelow) {
		return nil
	}
	t := new(Type)
	live := make([]variant, 0, len(all))
	some := make([]variant, 0, len(all)) // that allow more than null
	domains := make([]domain, 0, len(all))
	for _, v := range all {
		d := c.domainOf(v)
		if d.kinds != 0 {
			live, domains = append(live, v), append(domains, d)
		}
		if d.kinds&^Null != 0 {
			some = append(some, v)
		}
	}
	if c.work < 0 {
		return nil
	}
	if len(live) > 0 {
		d := c.unite(domains)
		t.Kinds, t.Free, t.members = d.kinds, d.free, d.members
		t.Enum = d.members.members()
	} else if source := all[0].source(); !source.is(Boolean) {
		c.report(source, "contradiction", "no value is allowed here")
	}
	if len(some) == 0 {
		some = live
	}
	c.annotate(t, some)
	p := place{Type: t}
	switch len(live) {
	case 0:
	case 1:
		p.own = live[0]
	default:
		p.alts = c.alternatives(t, live)
	}
	c.places = append(c.places, p)
	return t
}

// untyped is the alternative that allows everything.
var untyped = &Type{Kinds: Any, Free: Any}

// alternatives returns a type for each variant. Unless one allows everything, they are those
// of t.
func (c *compiler) alternatives(t *Type, live []variant) []*Type {
	alts := make([]*Type, len(live))
	for i, v := range live {
		alts[i] = c.typeAt([]variant{v})
		if alts[i] == nil {
			alts[i] = untyped // shared by all compilers, so it gets no name
			continue
		}
		for _, s := range v {
			alts[i].ref = cmp.Or(alts[i].ref, s.name)
		}
	}
	if !slices.Contains(alts, untyped) {
		t.Alts = alts
	}
	return alts
}

// domainOf returns what the schemas of the variant allow together. Without a
// type, the keywords of objects and arrays imply one.
func (c *compiler) domainOf(v variant) domain {
	isRestricted := slices.ContainsFunc(v, func(s *schema) bool { return s.domain != nil })
	d, implied := everything, Kinds(0)
	for _, s := range v {
		if s.domain != nil {
			d = c.intersect(d, *s.domain)
		} else if kinds := s.implied(); kinds != 0 && !isRestricted {
			c.report(s.source, "implied-type",
				"no type, but keywords of %s: read as that type", kinds)
			implied |= kinds
			d = only(implied)
		}
	}
	return d
}

// maxDescriptions bounds the descriptions of one place.
const maxDescriptions = 9

// annotate sets the description, limits and other annotations. They come from the
// schemas that all of the variants share.
func (c *compiler) annotate(t *Type, variants []variant) {
	if len(variants) == 0 {
		return
	}
	var all []*Limits
	for _, s := range variants[0] {
		lacks := func(v variant) bool { return !slices.Contains(v, s) }
		if slices.ContainsFunc(variants[1:], lacks) {
			continue
		}
		if s.limits != nil && c.spend(len(s.limits.Needs)) {
			all = append(all, s.limits)
		}
		isNew := s.description != "" && !slices.Contains(t.descriptions, s.description)
		if isNew && len(t.descriptions) < maxDescriptions {
			t.descriptions = append(t.descriptions, s.description)
			t.Description = t.descriptions[0]
		}
		if t.Default == nil {
			t.Default = s.byDefault
		}
		t.Examples = append(t.Examples, s.examples...)
	}
	t.Limits = limits.All(all)
	if t.Free&Number == 0 {
		t.Limits = t.Limits.OfIntegers()
	}
}

// The bounds of compilation. Real schemas come nowhere near them; beyond them a
// place is untyped.
const (
	maxNesting  = 256  // of applicators within applicators
	maxVariants = 1024 // at one place
	toolWork    = 1 << 17
	byteWork    = 16 // work allowed for each byte of the schema, in addition to toolWork
)

// spend subtracts n from the work left for the tool, and reports whether there was
// enough.
func (c *compiler) spend(n int) bool {
	c.work -= n
	if c.work < 0 {
		c.tooComplex(nil, "the schema expands into more than can be compiled")
	}
	return c.work >= 0
}

func (c *compiler) tooComplex(v *value, message string) {
	if !c.complex {
		c.complex = true
		c.report(v, "too-complex", "%s: what lies beyond is untyped", message)
	}
}

// set is a set of keys.
type set[K comparable] map[K]bool

// add adds a key, and reports whether it is new.
func (s set[K]) add(key K) bool {
	before := len(s)
	s[key] = true
	return len(s) > before
}

// appendKey appends a key that is unique to the list within the tool.
func appendKey(b []byte, list ...*schema) []byte {
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(s.id))
	}
	return b
}
