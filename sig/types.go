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
	targets map[string]*value // of references
	ids     map[string]*value // by identifier, see survey
	loops   int               // schemas found inside themselves
	domains map[string]domain // combinations of others

	programs    map[string]*regexp.Regexp // nil for one that matches every key
	patternSize int                       // of all of them, see maxPatternSize

	shared map[string]*Type
	shapes map[string]*Type // the first type of each shape
	places []place          // those at the end are not filled in yet
}

// place is a type with what it is compiled from. Its fields, items and alternatives are
// filled in later.
type place struct {
	*Type
	variants []variant // those that allow any value
}

func newCompiler(tool *Tool, root *value) *compiler {
	return &compiler{
		tool:     tool,
		root:     root,
		kinds:    make(map[Kinds]*schema),
		targets:  make(map[string]*value),
		ids:      make(map[string]*value),
		domains:  make(map[string]domain),
		programs: make(map[string]*regexp.Regexp),
		shared:   make(map[string]*Type),
		shapes:   make(map[string]*Type),
	}
}

// compileTool fills in the arguments of a tool whose schema is v, nil if it
// has none, and returns the problems.
func compileTool(tool *Tool, v *value) []Problem {
	c := newCompiler(tool, v)
	if v != nil {
		c.schemaAt(v)
		c.survey(v)
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
		p := c.places[i]
		if p.shape != nil {
			p.copyBelow(p.shape) // which came earlier, so it is filled in
		} else {
			c.fillObject(p)
			c.fillArray(p)
		}
		p.Alts = c.alternatives(p.variants)
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

// typeOf returns the type of a place with this schema, nil if it allows everything.
func (c *compiler) typeOf(s *schema) *Type {
	if s == nil || !c.spend(8) {
		return nil
	}
	t := c.typeAt(c.expand(s, 0))
	for range 3 { // allOf and $ref often lead to the definition
		if t == nil || t.ref != "" || s == nil {
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

// typeAt returns the type of a place with these variants.
func (c *compiler) typeAt(all []variant) *Type {
	var key []byte
	for _, v := range all {
		key = append(appendKey(key, v.own...), 0) // no schema that demands something has the id 0
	}
	if len(key) == len(all) || !c.spend(len(key)) {
		return nil
	}
	t, known := c.shared[string(key)]
	if !known {
		t = c.newType(all)
		c.shared[string(key)] = t
		if t != nil {
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
		for _, s := range v.own {
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

// newType creates the type of a place and queues the places below it.
func (c *compiler) newType(all []variant) *Type {
	silent := func(v variant) bool { return len(v.own) == 0 }
	if slices.ContainsFunc(all, silent) && !slices.ContainsFunc(all, variant.restrictsBelow) {
		return nil
	}
	t := new(Type)
	live := make([]variant, 0, len(all))
	for _, v := range all {
		v.domain = c.domainOf(v)
		if v.domain.kinds != 0 {
			live = append(live, v)
		}
	}
	if own := all[0].own; len(live) > 0 {
		d := c.union(live)
		t.Kinds, t.Free, t.members = d.kinds, d.free, d.members
		t.Enum = d.members.members()
	} else if !own[0].source.is(Boolean) {
		c.report(own[0].source, "contradiction", "no value is allowed here")
	}
	c.annotate(t, live)
	c.places = append(c.places, place{t, live})
	return t
}

// domainOf returns what the schemas of the variant allow together. Without a
// type, the keywords of objects and arrays imply one.
func (c *compiler) domainOf(v variant) domain {
	isRestricted := slices.ContainsFunc(v.own, func(s *schema) bool { return s.domain != nil })
	d, implied := everything, Kinds(0)
	for _, s := range v.own {
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
// schemas that all variants share, apart from null next to others.
func (c *compiler) annotate(t *Type, live []variant) {
	isNull := func(v variant) bool { return v.domain.kinds == Null }
	some := slices.DeleteFunc(slices.Clone(live), isNull)
	if len(some) == 0 {
		some = live
	}
	if len(some) == 0 {
		return
	}
	var all []*Limits
	for _, s := range some[0].own {
		lacks := func(v variant) bool { return !slices.Contains(v.own, s) }
		if slices.ContainsFunc(some[1:], lacks) {
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
		t.Limits = t.Limits.WithoutSafeIntegers()
	}
}

// alternatives returns a type for each variant, nil if there are fewer than two.
func (c *compiler) alternatives(live []variant) (alts []*Type) {
	for i := 0; i < len(live) && len(live) > 1; i++ {
		t := c.typeAt([]variant{{own: live[i].own}})
		if t == nil {
			return nil
		}
		for _, s := range live[i].own {
			t.ref = cmp.Or(t.ref, s.name)
		}
		alts = append(alts, t)
	}
	return alts
}

// All schemas of a conjunction must hold. Distributing its unions gives its variants,
// conjunctions of what schemas demand themselves. One of them must hold:
//
//	A and (B or C)  =  (A and B) or (A and C)
//
// Everything that is local to a place is decided variant by variant. What lies
// below the place, in properties and items, is not looked at, so a recursive schema
// that goes through them does not recurse here.

// variant is a list of schemas. What they demand themselves holds together.
type variant struct {
	own    []*schema
	domain domain
}

// restrictsBelow reports whether v has keywords for properties or elements.
func (v variant) restrictsBelow() bool {
	return slices.ContainsFunc(v.own, (*schema).restrictsBelow)
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

// expand returns the variants of a schema, none if they are too complex.
func (c *compiler) expand(s *schema, depth int) []variant {
	switch {
	case s.variants != nil:
		return s.variants
	case s.onPath:
		c.loops++
		c.report(s.source, "ref-loop",
			"the schema is defined in terms of itself: the repetition is ignored")
		return []variant{{}} // what it demands applies already
	case depth > maxNesting:
		c.tooComplex(s.source, "allOf, anyOf, oneOf and $ref are nested too deep")
		return nil
	}
	loops := c.loops
	s.onPath = true
	all := c.distribute(c.readSchema(s), depth+1)
	s.onPath = false
	if c.loops == loops { // otherwise they depend on the schemas being expanded
		s.variants = all
	}
	return all
}

// distribute combines what a schema demands with the variants of its references and
// alternatives.
func (c *compiler) distribute(s *schema, depth int) []variant {
	all := []variant{{}}
	if s.demands {
		all[0].own = []*schema{s}
	}
	if !c.spend(1) {
		return all[:0]
	}
	for _, other := range s.all {
		all = c.product(all, c.expand(other, depth))
	}
	for _, alternatives := range s.any {
		var one []variant
		seen := make(set[string]) // alternatives that repeat common properties are often the same
		for _, a := range alternatives {
			isCompared := len(alternatives) > 1 && a.source != nil && c.spend(len(a.source.raw)/8)
			if isCompared {
				form, _ := appendCanonical(nil, a.source.raw, maxDepth)
				if !seen.add(string(form)) {
					continue
				}
			}
			if a.isJustNull() { // often next to a reference
				a = c.ofKind(Null)
			}
			some := c.expand(a, depth)
			if len(some) == 0 || !c.spend(1+len(some)) {
				return all[:0]
			}
			one = append(one, some...)
		}
		all = c.product(all, distinct(one))
	}
	return all
}

// product combines each variant of a with each of b. It takes over a.
func (c *compiler) product(a, b []variant) []variant {
	all := a[:0:0]
	if len(a)*len(b) > maxVariants {
		c.tooComplex(nil, "anyOf and oneOf multiply to too many alternatives")
		return all
	}
	for _, v := range a {
		for _, w := range b {
			own := v.own
			if len(b) > 1 {
				own = slices.Clone(own)
			}
			compared := len(own) * len(w.own)
			if !c.spend(1 + len(w.own) + compared/64) {
				return a[:0]
			}
			for _, s := range w.own {
				if !slices.Contains(v.own, s) {
					own = append(own, s)
				}
			}
			all = append(all, variant{own: own})
		}
	}
	return distinct(all)
}

// distinct removes repeated variants.
func distinct(all []variant) []variant {
	if len(all) < 2 {
		return all
	}
	seen := make(set[string], len(all))
	return slices.DeleteFunc(slices.Clone(all), func(v variant) bool {
		return !seen.add(string(appendKey(nil, v.own...)))
	})
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
