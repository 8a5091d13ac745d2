package constrain

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Options control what a grammar derives. The zero value derives prose with any
// number of calls between the default tags.
type Options struct {
	Mode   Mode
	Tools  []string     // tools that may be called; nil means all
	Last   bool         // at most one call, and nothing after it
	Bare   bool         // calls only, no prose
	Delims lexer.Delims // the tags; zero means those of the protocol
	Plan   sig.PlanOptions

	// Protocol is how a call is written. Except under Wire, its arguments are JSON,
	// whatever the plan.
	Protocol Protocol

	// FreeKeys is how many properties with free names an object may have: 0 means
	// 1. No grammar can make two names differ, so with more of them a model can
	// repeat a name, which makes the call malformed.
	FreeKeys int
}

// Mode says whether a message must have a call.
type Mode uint8

// The modes. Options.Tools limits which tools may be called.
const (
	Auto     Mode = iota // prose, with calls if the model wants them
	Required             // at least one call
)

// String returns "auto" or "required".
func (m Mode) String() string { return nameOf("Mode", uint8(m), "auto", "required") }

// The errors of New, for use with errors.Is.
var (
	ErrNoTool      = errors.New("constrain: a call is required, but no tool can be called")
	ErrUnknownTool = errors.New("constrain: unknown tool")
)

// Grammar is the grammar of the messages that a model may write. It does not
// change, and may be used concurrently. The zero value, and nil, is that of a model
// without tools: prose alone.
type Grammar struct {
	delims lexer.Delims
	mode   Mode
	last   bool
	bare   bool
	calls  bool // a tool can be called

	nodes []node
	rules []definition // the first is the root
	call  rule         // what is between the tags, if calls is set
	notes []Note

	shortest func() []float64 // see sampler
}

// New returns the grammar of a catalog. It does not refuse any catalog: Notes returns
// what the grammar cannot express. The error is a [*lexer.DelimsError] for invalid
// tags, ErrUnknownTool, ErrNoTool, or a [*sig.PlanError] if the plan refuses a tool.
//
// It takes time and memory linear in the catalog.
func New(catalog *sig.Catalog, o Options) (*Grammar, error) {
	if o.Protocol = o.Protocol.known(); o.Delims == (lexer.Delims{}) {
		o.Delims = o.Protocol.Delims()
	} else if err := o.Delims.Validate(); err != nil {
		return nil, err
	}
	for _, name := range o.Tools {
		if catalog.Lookup([]byte(name)) == nil {
			return nil, fmt.Errorf("%w: %q", ErrUnknownTool, name)
		}
	}
	o.FreeKeys = max(o.FreeKeys, 1)
	m := newMapper(o)
	root := m.b.declare("root")
	calls := m.b.declare("call")
	var list []choice
	var names []string // of the tools in list
	unsupported := make(map[string][]sig.Problem)
	for _, p := range catalog.Problems() {
		if p.Code == sig.UnsupportedKeyword {
			unsupported[p.Tool] = append(unsupported[p.Tool], p)
		}
	}
	for _, t := range catalog.Tools() {
		if o.Tools != nil && !slices.Contains(o.Tools, t.Name) {
			continue
		}
		p, err := o.Plan.Plan(t)
		if err != nil {
			return nil, err
		}
		if c, ok := o.Protocol.call(m, p); ok {
			list, names = append(list, c), append(names, t.Name)
			m.noteUnsupported(unsupported[t.Name])
		}
	}
	derives := m.b.productive()
	kept := list[:0]
	for i, c := range list {
		if !derives[m.b.nodes[c.then].rule] {
			m.begin(names[i])
			m.note(LeftOut, "required", "a required property has no possible value")
			continue
		}
		kept = append(kept, c)
	}
	list = kept
	if len(list) == 0 && o.Mode == Required {
		return nil, ErrNoTool
	}
	m.b.rules[calls].body = m.b.words(list)
	m.b.rules[root].body = m.message(o, m.b.ref(calls))
	g := m.b.grammar(root, calls)
	g.delims, g.mode, g.last, g.bare, g.notes = o.Delims, o.Mode, o.Last, o.Bare, m.notes
	return g, nil
}

// Notes returns where the grammar differs from the schemas of the tools, tool by
// tool. The slice belongs to the grammar.
func (g *Grammar) Notes() []Note {
	notes := g.orProse().notes
	return notes[:len(notes):len(notes)]
}

// Delims returns the tags around a call.
func (g *Grammar) Delims() lexer.Delims { return g.orProse().delims }

// Rules returns the number of rules.
func (g *Grammar) Rules() int { return len(g.orProse().rules) }

// orProse returns the grammar, or that of no tools for one that New did not make.
func (g *Grammar) orProse() *Grammar {
	if g == nil || len(g.rules) == 0 {
		return prose()
	}
	return g
}

var prose = sync.OnceValue(func() *Grammar {
	g, _ := New(nil, Options{}) // it fails for names of tools alone, and where a call is required
	return g
})

// productive returns which rules derive any text.
func (b *builder) productive() []bool {
	derives := make([]bool, len(b.rules))
	// A rule is checked again only once a rule that it refers to turns out productive.
	waiting := make([][]rule, len(b.rules))
	users := func(e expr, r rule) {
		b.walk(e, func(n *node) {
			if n.op == opRef {
				waiting[n.rule] = append(waiting[n.rule], r)
			}
		})
	}
	todo := make([]rule, 0, len(b.rules))
	for r := range b.rules {
		users(b.rules[r].body, rule(r))
		todo = append(todo, rule(r))
	}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !derives[r] && b.derives(b.rules[r].body, derives) {
			derives[r] = true
			todo = append(todo, waiting[r]...)
		}
	}
	return derives
}

// walk calls f for e and every expression in it.
func (b *builder) walk(e expr, f func(*node)) {
	n := &b.nodes[e]
	f(n)
	for _, e := range n.list {
		b.walk(e, f)
	}
}

func (b *builder) derives(e expr, rules []bool) bool {
	some := func(e expr) bool { return b.derives(e, rules) }
	switch n := &b.nodes[e]; n.op {
	case opSeq:
		return !slices.ContainsFunc(n.list, func(e expr) bool { return !some(e) })
	case opAlt:
		return slices.ContainsFunc(n.list, some)
	case opRepeat:
		return n.min == 0 || some(n.list[0])
	case opRef:
		return rules[n.rule]
	}
	return true
}

// grammar returns the rules that are reachable from root, in the order in which they
// are reached, without the parts that derive nothing.
func (b *builder) grammar(root, call rule) *Grammar {
	c := cleaner{from: b, to: newBuilder(), derives: b.productive(), numbers: make(map[rule]rule), same: make(map[expr]rule), copies: make(map[expr]expr)}
	c.number(root)
	for i := 0; i < len(c.order); i++ {
		body := c.copy(b.rules[c.order[i]].body)
		c.to.rules[i].body = body
	}
	g := &Grammar{nodes: c.to.nodes, rules: c.to.rules}
	g.shortest = sync.OnceValue(g.shortestTexts)
	if r, ok := c.numbers[call]; ok {
		g.call, g.calls = r, true
	}
	return g
}

// cleaner copies rules, merging equal ones and dropping what derives nothing.
type cleaner struct {
	from, to *builder
	derives  []bool
	numbers  map[rule]rule // numbers of the copies
	same     map[expr]rule // the first rule with that body
	order    []rule        // the original of each copy
	copies   map[expr]expr
}

// number returns the number of the copy of a rule. Rules with the same body share
// one.
func (c *cleaner) number(r rule) rule {
	body := c.from.rules[r].body
	for c.from.nodes[body].op == opRef && c.from.nodes[body].rule != r { // nothing but a reference
		r = c.from.nodes[body].rule
		body = c.from.rules[r].body
	}
	if first, ok := c.same[body]; ok {
		r = first
	} else {
		c.same[body] = r
	}
	if n, ok := c.numbers[r]; ok {
		return n
	}
	n := rule(len(c.order))
	c.numbers[r] = n
	c.order = append(c.order, r)
	hint := c.from.rules[r].hint
	if n == 0 {
		hint = "root"
	}
	d := &c.to.rules[c.to.declare(hint)]
	d.prose, d.token, d.nests = c.from.rules[r].prose, c.from.rules[r].token, c.from.rules[r].nests
	return n
}

func (c *cleaner) copy(e expr) expr {
	if copied, ok := c.copies[e]; ok {
		return copied
	}
	n := c.from.nodes[e]
	list := make([]expr, len(n.list))
	for i, e := range n.list {
		list[i] = c.copy(e)
	}
	var copied expr
	switch n.op {
	case opSeq:
		copied = c.to.seq(list...)
	case opAlt:
		copied = c.to.alt(list...)
	case opRepeat:
		copied = c.to.repeat(list[0], n.min, n.max)
	case opRef:
		copied = never
		if c.derives[n.rule] {
			copied = c.to.ref(c.number(n.rule))
		}
	default:
		n.list = nil
		copied = c.to.intern(n)
	}
	c.copies[e] = copied
	return copied
}
