package sig

import (
	"slices"
)

// compiler compiles the schema of one tool.
//
// A place in the arguments is identified by the schemas that apply to it: a union
// of conjunctions of schemas of the source. There are finitely many of those, so
// places with the same schemas share a type and recursive schemas become cyclic
// graphs, as in the determinization of an automaton. What is local to a place is
// decided when its type is created; the places below it wait in a queue, so that
// no schema is too deep.
type compiler struct {
	tool *Tool
	root *value // the schema

	problems []Problem
	reported int // problems of this tool

	work    int  // work that the tool may still cost
	complex bool // the tool exceeded a bound somewhere

	schemas int // number of schemas, for their ids
	kinds   map[Kinds]*schema
	targets map[string]*value
	ids     map[string]*value

	walk  int // number of the last walk through references
	loops int // unions found inside themselves

	common map[pair]*memberSet          // members of the intersection of two domains
	united map[[2]*memberSet]*memberSet // unions of two sets

	types  map[string]*Type
	places []place // those at the end are not filled in yet
}

// place is a type with the schemas it is compiled from. Its fields, items and
// alternatives are filled in later.
type place struct {
	*Type
	unions   []conjunction
	variants []variant
	quiet    bool // an alternative, which need not make sense alone: problems are not reported
}

// compileTool fills in the arguments of a tool whose schema is v, nil if it
// has none, and returns the problems.
func compileTool(tool *Tool, v *value, repeated []*value) []Problem {
	c := compiler{
		tool:    tool,
		root:    v,
		kinds:   make(map[Kinds]*schema),
		targets: make(map[string]*value),
		types:   make(map[string]*Type),

		common: make(map[pair]*memberSet),
		united: make(map[[2]*memberSet]*memberSet),
	}
	for _, r := range repeated {
		c.report(r, RepeatedKey, "the key %q is repeated: the last value counts", r.token)
	}
	switch {
	case v == nil || v.kind == Null || v.kind == Object && len(v.members) == 0:
		c.report(nil, MissingSchema, "no schema: the arguments are untyped")
		return c.problems
	case !v.is(Object):
		c.report(nil, InvalidSchema, "the schema must be an object, found %s: the arguments are untyped", v.kind)
		return c.problems
	}
	c.work = toolWork + byteWork*len(v.raw)
	args := c.typeOf(false, conjunction{c.schemaAt(v)})
	for i := 0; i < len(c.places); i++ {
		c.fill(c.places[i])
	}
	for _, p := range c.places { // by now all definitions have their names
		p.Ref = c.refOf(p.unions)
	}
	switch {
	case args.blank():
		if !c.complex {
			c.report(nil, MissingSchema, "the schema says nothing about arguments: they are untyped")
		}
	case args.Kinds&Object == 0:
		c.report(nil, NotAnObject, "arguments must be an object, but the schema allows %s: the arguments are untyped", args.Kinds)
	default:
		tool.Args = args
	}
	return c.problems
}

// blank reports whether the type says nothing about values of any kind.
func (t *Type) blank() bool {
	return !t.Says() && (t == nil || len(t.Fields)+len(t.Prefix)+len(t.Alts)+len(t.patterns) == 0 &&
		!t.Closed && t.Extra == nil && t.Items == nil)
}

// typeOf returns the type of a place to which one of the conjunctions applies, or
// nil if they say nothing about it. It reports problems unless quiet.
func (c *compiler) typeOf(quiet bool, unions ...conjunction) *Type {
	unions = c.simplify(unions)
	says := func(u conjunction) bool { return len(u) > 0 }
	if !slices.ContainsFunc(unions, says) || !c.spend(8) {
		return nil
	}
	if len(unions) == 1 && len(unions[0]) == 1 {
		s := unions[0][0]
		if !s.typed {
			s.typ = c.newType(quiet, unions)
			s.typed = true
		}
		return s.typ
	}
	var key []byte
	for _, u := range unions {
		key = append(appendKey(key, u), 0) // no schema has the id 0
	}
	if !c.spend(len(key)) {
		return nil
	}
	t, known := c.types[string(key)]
	if !known {
		t = c.newType(quiet, unions)
		c.types[string(key)] = t
	}
	return t
}

// simplify replaces mere references by the schemas they lead to, and removes
// repetitions.
func (c *compiler) simplify(unions []conjunction) []conjunction {
	if len(unions) == 1 && len(unions[0]) == 1 && c.destination(unions[0][0]) == unions[0][0] {
		return unions // the usual case
	}
	var simple []conjunction
next:
	for _, u := range unions {
		list := make(conjunction, 0, len(u))
		for _, s := range u {
			if s = c.destination(s); !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
		for _, other := range simple {
			if c.same(list, other) {
				continue next
			}
		}
		simple = append(simple, list)
	}
	return simple
}

// destination follows schemas that consist of a reference only.
func (c *compiler) destination(s *schema) *schema {
	for range maxNesting {
		c.readSchema(s)
		if s.own || s.nullable || s.alternatives != nil || len(s.unions) > 0 || len(s.refs)+len(s.allOf) != 1 {
			return s
		}
		if len(s.refs) == 1 {
			s = s.refs[0]
			continue
		}
		if s.name != "" {
			return s // so that the name is not lost
		}
		s = s.allOf[0]
	}
	return s
}

// same reports whether both conjunctions have the same schemas, or one schema
// each with the same JSON.
func (c *compiler) same(a, b conjunction) bool {
	if len(a) == 1 && len(b) == 1 && a[0] != b[0] {
		v, w := a[0].source, b[0].source
		return v != nil && w != nil && a[0].derived == b[0].derived && sameValue(v, w, &c.work, 0)
	}
	return slices.Equal(a, b)
}

// newType creates the type of a place and queues the places below it.
func (c *compiler) newType(quiet bool, unions []conjunction) *Type {
	var all []variant
	for _, u := range unions {
		some := c.variants(u, 0)
		if some == nil {
			return nil
		}
		all = append(all, some...)
	}
	if len(unions) > 1 {
		all = distinct(all)
	}
	if slices.ContainsFunc(all, variant.silent) && !slices.ContainsFunc(all, variant.saysBelow) {
		return nil
	}
	live := make([]variant, 0, len(all))
	for _, v := range all {
		if v.domain = c.domainOf(v, quiet); !v.domain.empty() {
			live = append(live, v)
		}
	}
	t := new(Type)
	if len(live) > 0 {
		d := c.union(live)
		t.Kinds, t.Free, t.Enum = d.kinds, d.free, d.members.members()
		if d.members != nil {
			t.members = d.members
		}
	} else if s := all[0].own[0].source; !quiet && !s.is(Boolean) {
		c.report(s, Contradiction, "no value is allowed here")
	}
	c.annotate(t, unions, live)
	c.places = append(c.places, place{t, unions, live, quiet})
	return t
}

// domainOf returns what the own keywords of the variant allow together. Without a
// type, the keywords of objects and arrays imply one.
func (c *compiler) domainOf(v variant, quiet bool) domain {
	d, restricted := everything, false
	for _, s := range v.own {
		if s.restricted {
			restricted = true
			d = c.intersect(d, s.domain)
		}
	}
	if restricted {
		return d
	}
	var implied Kinds
	for _, s := range v.own {
		if k := s.implied(); k != 0 {
			implied |= k
			if !quiet && !s.guessed {
				s.guessed = true
				c.report(s.source, ImpliedType, "no type, but keywords of %s: read as that type", k)
			}
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
// schemas that all variants share and from the only variant that is not null, if there
// is one.
func (c *compiler) annotate(t *Type, unions []conjunction, live []variant) {
	var speak []*schema
	if len(unions) == 1 && len(live) != 1 {
		speak = c.gather(unions[0]).own
	}
	var single *variant // the one that is not null
	for i := range live {
		if live[i].domain.kinds == Null && len(live) > 1 {
			continue
		}
		if single != nil {
			single = nil
			break
		}
		single = &live[i]
	}
	if single != nil {
		speak = append(speak[:len(speak):len(speak)], single.own...)
	}
	t.Limits = limitsOf(speak)
	if t.Free&Number == 0 {
		t.Limits = t.Limits.withoutSafeIntegers()
	}
	for _, s := range speak {
		switch d := s.description; {
		case t.Description == "":
			t.Description = d
		case len(t.further) < maxFurther && d != "" && d != t.Description && !slices.Contains(t.further, d):
			t.further = append(t.further, d)
		}
		if t.Default == nil {
			t.Default = s.byDefault
		}
		t.Examples = append(t.Examples, s.examples...)
	}
}

// refOf returns the name of the one definition that the place refers to.
func (c *compiler) refOf(unions []conjunction) (name string) {
	if len(unions) != 1 {
		return ""
	}
	for _, s := range unions[0] {
		names := []string{s.name}
		if s.name == "" {
			for _, list := range [][]*schema{s.refs, s.allOf} {
				for _, r := range list {
					names = append(names, c.destination(r).name)
				}
			}
		}
		for _, n := range names {
			switch {
			case n == "" || n == name:
			case name == "":
				name = n
			default:
				return ""
			}
		}
	}
	return name
}

// fill adds to a type what lies below its place, and its alternatives.
func (c *compiler) fill(p place) {
	c.fillObject(p)
	c.fillArray(p)
	p.Alts = c.alternatives(p)
}

// alternatives returns the types of the alternatives of a place, each combined
// with the schemas next to the union; nil if there are fewer than two.
func (c *compiler) alternatives(p place) []*Type {
	choices := p.unions
	if len(choices) == 1 {
		if len(p.variants) == 1 && !slices.ContainsFunc(p.variants[0].own, func(s *schema) bool { return len(s.types) > 0 }) {
			return nil // the usual case
		}
		choices = c.simplify(c.choices(choices[0]))
	}
	if len(choices) < 2 {
		return nil
	}
	var alts []*Type
	for _, choice := range choices {
		t := c.typeOf(true, choice)
		if t == nil {
			return nil
		}
		if t.Kinds != 0 && !slices.Contains(alts, t) {
			alts = append(alts, t)
		}
	}
	if len(alts) < 2 {
		return nil
	}
	return alts
}

// choices splits a conjunction at its first union or, if it has none, at its
// first list of types.
func (c *compiler) choices(list conjunction) (choices []conjunction) {
	g := c.gather(list)
	if len(g.unions) > 0 {
		var beside conjunction
		for _, s := range g.own {
			beside = append(beside, c.withoutApplicators(s))
		}
		beside = append(beside, g.unions[1:]...)
		for _, alternative := range g.unions[0].alternatives {
			choices = append(choices, append(beside[:len(beside):len(beside)], alternative))
		}
		return choices
	}
	for _, s := range g.own {
		if len(s.types) == 0 {
			continue
		}
		for _, k := range s.types {
			one := c.kindSchema(k)
			if slices.Contains(list, one) {
				return nil // it is one of the choices
			}
			choices = append(choices, append(list[:len(list):len(list)], one))
		}
		break
	}
	return choices
}
