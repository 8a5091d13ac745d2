package constrain

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// rules is a finished grammar: the rules that its root reaches. It does not change.
type rules struct {
	root, call *rule // call is nil if the root does not reach it
	all        []*rule
	shortest   func() map[*rule]float64 // see lengths
}

// productive returns the rules that derive any text.
func (b *builder) productive() map[*rule]bool {
	derives := make(map[*rule]bool, len(b.rules))
	for changed := true; changed; {
		changed = false
		for _, r := range slices.Backward(b.rules) { // most rules refer to later ones
			if !derives[r] && derivesText(r.body, derives, true) {
				derives[r], changed = true, true
			}
		}
	}
	return derives
}

// derivesText reports whether e derives a text, given the rules that do and whether a
// character counts as one.
func derivesText(e *node, rules map[*rule]bool, char bool) bool {
	some := func(e *node) bool { return derivesText(e, rules, char) }
	switch e.op {
	case opSeq:
		return !slices.ContainsFunc(e.list, func(e *node) bool { return !some(e) })
	case opAlt:
		return slices.ContainsFunc(e.list, some)
	case opRepeat:
		return e.min == 0 || some(e.list[0])
	case opRef:
		return rules[e.rule]
	case opMachine:
		return some(e.list[0])
	}
	return char
}

// finish returns the rules that are reachable from root, in the order in which they
// are reached, without the parts that derive nothing. call is a rule to be found in it.
// The builder cannot be used any more.
func (b *builder) finish(root, call *rule) *rules {
	c := cleaner{
		derives: b.productive(),
		same:    make(map[*node]*rule),
		done:    make(map[any]bool),
		names:   make(map[string]int),
	}
	g := &rules{root: c.original(root)}
	g.root.hint = "root"
	c.reach(g.root)
	for i := 0; i < len(c.rules); i++ {
		c.node(c.rules[i].body)
	}
	g.all = c.rules
	g.shortest = sync.OnceValue(g.lengths)
	call = c.original(call)
	if c.done[call] {
		g.call = call
	}
	return g
}

// cleaner names rules, merges equal ones and drops what derives nothing.
type cleaner struct {
	derives map[*rule]bool
	same    map[*node]*rule // the first rule with that body
	done    map[any]bool    // rules and nodes
	rules   []*rule         // that were reached
	names   map[string]int
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
	isDead := func(e *node) bool { return !derivesText(e, c.derives, true) }
	switch {
	case e.op == opRef:
		e.rule = c.original(e.rule)
		c.reach(e.rule)
	case e.op == opRepeat && isDead(e.list[0]):
		*e = *empty
	case e.op == opAlt:
		e.list = slices.DeleteFunc(slices.Clone(e.list), isDead)
	case e.op == opMachine:
		for i, s := range e.machine.states {
			isDead := func(e edge) bool { return isDead(e.label) }
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
