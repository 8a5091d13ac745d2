package constrain

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// rules is a finished grammar: the rules that its root reaches. It does not change.
type rules struct {
	root, call *rule // call is nil if the root does not reach it
	all        []*rule
}

// measure sets the length of the shortest text of each rule.
func (b *builder) measure() {
	for changed := true; changed; {
		changed = false
		for _, r := range slices.Backward(b.rules) { // most rules refer to later ones
			if n := r.body.shortest(); n < r.shortest {
				r.shortest, changed = n, true
			}
		}
	}
}

// shortest returns the length of the shortest text of e, as far as those of rules are known;
// it is infinite if e derives none. Each reference counts a little, so that a rule that leads
// to itself is never the shortest path.
func (e *node) shortest() float64 {
	sum, least := 0.0, math.Inf(1)
	for _, part := range e.list {
		n := part.shortest()
		sum, least = sum+n, min(least, n)
	}
	switch {
	case e.op == opLiteral:
		return float64(len(e.text))
	case e.op == opClass:
		return 1
	case e.op == opAlt:
		return least
	case e.op == opRepeat && e.min == 0:
		return 0
	case e.op == opRepeat:
		return float64(e.min) * sum
	case e.op == opRef:
		return e.rule.shortest + 0.001
	}
	return sum
}

// isDead reports whether e derives nothing.
func (e *node) isDead() bool { return math.IsInf(e.shortest(), 1) }

// finish returns the rules that are reachable from root, in the order in which they
// are reached, without the parts that derive nothing. call is a rule to be found in it.
// The builder cannot be used any more.
func (b *builder) finish(root, call *rule) *rules {
	b.measure()
	c := cleaner{
		same:  make(map[*node]*rule),
		done:  make(map[any]bool),
		names: make(map[string]int),
	}
	g := &rules{root: c.original(root)}
	g.root.hint = "root"
	c.reach(g.root)
	for i := 0; i < len(c.rules); i++ {
		c.node(c.rules[i].body)
	}
	g.all = c.rules
	if call := c.original(call); c.done[call] {
		g.call = call
	}
	return g
}

// cleaner names rules, merges equal ones and drops what derives nothing.
type cleaner struct {
	same  map[*node]*rule // the first rule with that body
	done  map[any]bool    // rules and nodes
	rules []*rule         // that were reached
	names map[string]int
}

// original returns the rule that replaces r: rules with the same body, or with a mere
// reference, share one.
func (c *cleaner) original(r *rule) *rule {
	for r.body.op == opRef && r.body.rule != r {
		r.body.rule.token = r.body.rule.token || r.token
		r = r.body.rule
	}
	if c.same[r.body] == nil {
		c.same[r.body] = r
	}
	return c.same[r.body]
}

func (c *cleaner) reach(r *rule) {
	if !c.done[r] {
		c.done[r] = true
		c.rules = append(c.rules, r)
		r.name = c.name(r.hint)
	}
}

// name returns a unique name for a rule.
func (c *cleaner) name(hint string) string {
	const longest = 40
	letter := func(r rune) rune {
		if 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}
	name := strings.Map(letter, hint)
	name = strings.Trim(name[:min(len(name), longest)], "-")
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		name = strings.TrimSuffix("r-"+name, "-")
	}
	unique := name
	for {
		// In some syntaxes, names that differ only in case would collide.
		n := c.names[strings.ToLower(unique)]
		c.names[strings.ToLower(unique)]++
		if n == 0 {
			return unique
		}
		unique = name + "-" + strconv.Itoa(c.names[strings.ToLower(name)])
	}
}

// node cleans an expression that derives a text, and reaches its rules.
func (c *cleaner) node(e *node) {
	if c.done[e] {
		return
	}
	c.done[e] = true
	switch e.op {
	case opRef:
		e.rule = c.original(e.rule)
		c.reach(e.rule)
	case opRepeat:
		if e.list[0].isDead() {
			*e = *empty
		}
	case opAlt:
		e.list = slices.DeleteFunc(slices.Clone(e.list), (*node).isDead)
	case opMachine:
		for i, s := range e.machine.states {
			isDead := func(e edge) bool { return e.label.isDead() }
			e.machine.states[i] = slices.DeleteFunc(s, isDead)
			for _, edge := range e.machine.states[i] {
				c.node(edge.label)
			}
		}
	}
	for _, part := range e.list {
		c.node(part)
	}
	if e.op == opAlt && len(e.list) == 1 {
		*e = *e.list[0]
	}
}
