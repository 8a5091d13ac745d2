package sig

import (
	"slices"
)

// compiler compiles the schema of one tool.
//
// A place in the arguments is identified by its variants, conjunctions of keywords one of
// which holds there. There are finitely many of those, so places with the same variants
// share a type and recursive schemas become cyclic graphs, as in the determinization of an
// automaton. What is local to a place is decided when its type is created; the places below
// it wait in a queue.
type compiler struct {
	tool *Tool
	root *value // the schema

	problems []Problem
	reported int // problems of this tool

	work    int  // work that the tool may still cost
	complex bool // the tool exceeded a bound somewhere

	lastID  int // of keywords
	kinds   map[Kinds]*keywords
	targets map[string]*value
	ids     map[string]*value

	walk  int // number of the last walk through references
	loops int // unions found inside themselves

	sets map[pair]*memberSet

	shared map[string]*Type
	places []place // those at the end are not filled in yet
}

// place is a type with what it is compiled from. Its fields, items and alternatives are
// filled in later.
type place struct {
	*Type
	schemas  []conjunction // one of them applies; nil for an alternative
	variants []variant     // those that allow any value
}

func newCompiler(tool *Tool, root *value) *compiler {
	return &compiler{
		tool:    tool,
		root:    root,
		kinds:   make(map[Kinds]*keywords),
		targets: make(map[string]*value),
		shared:  make(map[string]*Type),

		sets: make(map[pair]*memberSet),
	}
}

// compileTool fills in the arguments of a tool whose schema is v, nil if it
// has none, and returns the problems.
func compileTool(tool *Tool, v *value, repeated []*value) []Problem {
	c := newCompiler(tool, v)
	for _, r := range repeated {
		c.report(r, repeatedKey, "the key %q is repeated: the last value counts", r.token)
	}
	switch {
	case v == nil || v.kind == Null || v.kind == Object && len(v.members) == 0:
		c.report(nil, missingSchema, "no schema: the arguments are untyped")
		return c.problems
	case !v.is(Object):
		c.report(nil, invalidSchema,
			"the schema must be an object, found %s: the arguments are untyped", v.kind)
		return c.problems
	}
	c.work = toolWork + byteWork*len(v.raw)
	args := c.typeOf(conjunction{c.schemaAt(v)})
	for i := 0; i < len(c.places); i++ {
		c.fill(c.places[i])
	}
	for _, p := range c.places { // by now all definitions have their names
		p.ref = p.definition()
	}
	switch {
	case args.blank():
		if !c.complex {
			c.report(nil, missingSchema,
				"the schema says nothing about arguments: they are untyped")
		}
	case args.Kinds&Object == 0:
		c.report(nil, notAnObject, "arguments must be an object, but the schema allows %s: "+
			"the arguments are untyped", args.Kinds)
	default:
		tool.Args = args
	}
	return c.problems
}

// blank reports whether the type allows every value of every kind.
func (t *Type) blank() bool {
	return !t.Says() && (t == nil || len(t.Fields)+len(t.Prefix)+len(t.Alts)+len(t.patterns) == 0 &&
		!t.Closed && t.Extra == nil && t.Items == nil)
}

// typeOf returns the type of a place to which one of the conjunctions applies, or
// nil if they allow everything.
func (c *compiler) typeOf(unions ...conjunction) *Type {
	says := func(u conjunction) bool { return len(u) > 0 }
	if !slices.ContainsFunc(unions, says) || !c.spend(8) {
		return nil
	}
	var all []variant
	for _, u := range unions {
		some := c.expand(u, 0)
		if some == nil {
			return nil
		}
		all = append(all, some...)
	}
	return c.typeAt(c.unlike(distinct(all)), unions)
}

// unlike removes variants of one schema each that are the same JSON as an earlier one, as
// often in alternatives that have properties in common.
func (c *compiler) unlike(all []variant) []variant {
	if len(all) < 2 {
		return all
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(v variant) bool {
		if len(v.own) != 1 || v.own[0].source == nil || !c.spend(len(v.own[0].source.raw)/8) {
			return false
		}
		key, _, _ := canonical(nil, v.own[0].source.raw, maxDepth)
		again := seen[string(key)]
		seen[string(key)] = true
		return again
	})
}

// typeAt returns the type of a place with these variants, which come from the schemas.
func (c *compiler) typeAt(all []variant, schemas []conjunction) *Type {
	var key []byte
	for _, v := range all {
		key = append(appendKey(key, v.own), 0) // no keywords have the id 0
	}
	if !c.spend(len(key)) {
		return nil
	}
	t, known := c.shared[string(key)]
	if !known {
		t = c.newType(all, schemas)
		c.shared[string(key)] = t
	}
	return t
}

// newType creates the type of a place and queues the places below it.
func (c *compiler) newType(all []variant, schemas []conjunction) *Type {
	silent := func(v variant) bool { return len(v.own) == 0 }
	if slices.ContainsFunc(all, silent) && !slices.ContainsFunc(all, variant.saysBelow) {
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
	if s := all[0].own; len(live) > 0 {
		d := c.union(live)
		t.Kinds, t.Free, t.members = d.kinds, d.free, d.members
		t.Enum = d.members.members()
	} else if !s[0].source.is(Boolean) {
		c.report(s[0].source, contradiction, "no value is allowed here")
	}
	t.annotate(live)
	c.places = append(c.places, place{t, schemas, live})
	return t
}

// domainOf returns what the keywords of the variant allow together. Without a
// type, the keywords of objects and arrays imply one.
func (c *compiler) domainOf(v variant) domain {
	d, restricted := everything, false
	for _, k := range v.own {
		if k.restricted {
			restricted = true
			d = c.intersect(d, k.domain)
		}
	}
	if restricted {
		return d
	}
	var implied Kinds
	for _, k := range v.own {
		kinds := k.implied()
		implied |= kinds
		if kinds != 0 && !k.guessed {
			k.guessed = true
			c.report(k.source, impliedType, "no type, but keywords of %s: read as that type", kinds)
		}
	}
	if implied != 0 {
		return only(implied)
	}
	return d
}

// maxFurther bounds the further descriptions of one place.
const maxFurther = 8

// annotate sets the description, limits and other annotations. They come from the
// keywords that all variants share and from the only variant that is not null, if there
// is one.
func (t *Type) annotate(live []variant) {
	if len(live) == 0 {
		return
	}
	isNull := func(v variant) bool { return v.domain.kinds == Null }
	some := slices.DeleteFunc(slices.Clone(live), isNull)
	var speak []*keywords
	for _, k := range live[0].own {
		silent := func(v variant) bool { return !slices.Contains(v.own, k) }
		if !slices.ContainsFunc(live, silent) {
			speak = append(speak, k)
		}
	}
	if len(some) == 0 && len(live) == 1 {
		some = live
	}
	if len(some) == 1 {
		for _, k := range some[0].own {
			if !slices.Contains(speak, k) {
				speak = append(speak, k)
			}
		}
	}
	t.Limits = limitsOf(speak)
	if t.Free&Number == 0 {
		t.Limits = t.Limits.withoutSafeIntegers()
	}
	for _, k := range speak {
		d := k.description
		again := d == "" || d == t.Description || slices.Contains(t.further, d)
		if t.Description == "" {
			t.Description = d
		} else if !again && len(t.further) < maxFurther {
			t.further = append(t.further, d)
		}
		if t.Default == nil {
			t.Default = k.byDefault
		}
		t.Examples = append(t.Examples, k.examples...)
	}
}

// definition returns the name of the one definition that the place is or refers to: its
// name under $defs or definitions, otherwise "#" and the JSON pointer.
func (p place) definition() string {
	var names []string
	for _, v := range p.variants {
		for _, k := range v.own {
			if p.schemas == nil {
				names = append(names, k.name)
			}
		}
	}
	if len(p.schemas) == 1 {
		for _, s := range p.schemas[0] {
			names = s.appendNames(names, 0)
		}
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// appendNames appends the name of the schema, or those of the definitions that it merely
// refers to.
func (s *schema) appendNames(names []string, depth int) []string {
	reference := len(s.all) == 1 && s.own == nil && len(s.any) == 0
	if s.name != "" || depth > 0 && !reference || depth > maxNesting {
		return append(names, s.name)
	}
	for _, r := range s.all {
		names = r.appendNames(names, depth+1)
	}
	return names
}

// fill adds to a type what lies below its place, and its alternatives.
func (c *compiler) fill(p place) {
	c.fillObject(p)
	c.fillArray(p)
	p.Alts = c.alternatives(p.variants)
}

// alternatives returns a type for each variant and, of a list of types, for each type; nil
// if there are fewer than two.
func (c *compiler) alternatives(live []variant) []*Type {
	var alts []*Type
	add := func(v variant) bool {
		t := c.typeAt([]variant{v}, nil)
		if t != nil && t.Kinds != 0 && !slices.Contains(alts, t) {
			alts = append(alts, t)
		}
		return t != nil
	}
	for _, v := range live {
		kinds := c.split(v)
		if len(kinds) == 0 && len(live) == 1 {
			return nil // the usual case
		}
		if len(kinds) == 0 && !add(variant{own: v.own}) {
			return nil
		}
		for _, k := range kinds {
			own := append(slices.Clip(v.own), c.ofKind(k))
			if c.domainOf(variant{own: own}).kinds != 0 && !add(variant{own: own}) {
				return nil
			}
		}
	}
	if len(alts) < 2 {
		return nil
	}
	return alts
}

// split returns the types of the first list of types in the variant, unless it has only
// one of them.
func (c *compiler) split(v variant) []Kinds {
	for _, k := range v.own {
		if len(k.types) == 0 {
			continue
		}
		for _, kind := range k.types {
			if slices.Contains(v.own, c.ofKind(kind)) {
				return nil
			}
		}
		return k.types
	}
	return nil
}
