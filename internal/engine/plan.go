package engine

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// tools is a hash table of the plans of tools.
type tools struct {
	slots []*plan // the length is a power of two
	any   bool    // other names are tools too, untyped
}

func compileTools(c *sig.Catalog) *tools {
	n := 8
	for n < 4*len(c.Tools()) {
		n *= 2
	}
	t := &tools{slots: make([]*plan, n), any: c.Lookup(nil) != nil}
	for _, tool := range c.Tools() {
		*t.slot([]byte(tool.Name)) = newPlan(tool)
	}
	return t
}

// find returns the plan of the tool with that name, or nil.
func (t *tools) find(name []byte) *plan { return *t.slot(name) }

// slot returns the place of the plan of the tool with that name.
func (t *tools) slot(name []byte) **plan {
	for i := hash(name); ; i++ {
		p := &t.slots[i&uint64(len(t.slots)-1)]
		if *p == nil || (*p).name == string(name) {
			return p
		}
	}
}

// hash is faster than that of a map.
func hash(name []byte) uint64 {
	var first, last uint64
	if n := len(name); n >= 8 {
		first = binary.LittleEndian.Uint64(name)
		last = binary.LittleEndian.Uint64(name[n-8:])
	} else {
		for _, c := range name {
			first = first<<8 | uint64(c)
		}
	}
	h := (first^uint64(len(name)))*0x9e3779b97f4a7c15 ^ last*0xd6e8feb86659fd93
	return h>>32 ^ h
}

// plan lists the paths that a tool declares, ready to be compared and written.
type plan struct {
	name   string
	isName bool // the name can be read in the wire format
	args   *sig.Type
	leaves []leaf
	nodes  []node // nodes[0] is the arguments object
}

// leaf is a declared property that contains a value. Each key in its path is the same in JSON.
type leaf struct {
	path    lexeme.Phrase // with the equals sign
	json    lexeme.Phrase // a comma, the last key as JSON, and a colon
	typ     *sig.Type
	node    int        // index of its object in nodes
	field   *sig.Field // in that object
	bit     uint64     // its index, in group.present
	dots    int
	quoted  bool // a string in quotes is a string
	bare    bool // a bare word is always a string
	integer bool // an integer is a number
}

// name returns the path without the equals sign.
func (l *leaf) name() string { return l.path.Text[:len(l.path.Text)-1] }

// node is a declared object that has leaves.
type node struct {
	path   string        // with a dot at its end
	json   lexeme.Phrase // a comma, its key as JSON, and a colon
	typ    *sig.Type
	parent int    // index in nodes, or none
	bit    uint64 // of its field in that object, in group.present
}

// A schema can be recursive, so a plan has at most this many leaves, with at most this many
// dots in their paths.
const (
	maxLeaves = 64
	maxDots   = 4
)

func newPlan(t *sig.Tool) *plan {
	p := &plan{name: t.Name, args: t.Args, nodes: []node{{typ: t.Args, parent: none}}}
	p.isName = lexeme.IsName(t.Name) && utf8.ValidString(t.Name)
	p.add(0, 0)
	return p
}

// add adds the leaves of a node. Their paths have the given number of dots.
func (p *plan) add(id, dots int) {
	t, prefix := p.nodes[id].typ, p.nodes[id].path
	isDotted := func(f sig.Field) bool { return strings.Contains(f.Name, ".") }
	if t == nil || slices.ContainsFunc(t.Fields, isDotted) {
		return
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		json := lexeme.NewPhrase("," + string(f.JSONKey))
		isPlain := lexeme.IsKey(f.Name) && json.Text == `,"`+f.Name+`":`
		switch {
		case !isPlain || i >= 64 || len(p.leaves) >= maxLeaves:
			// left to Path
		case f.Type != nil && f.Type.Free == sig.Object && len(f.Type.Fields) > 0 && dots < maxDots:
			p.nodes = append(p.nodes, node{prefix + f.Name + ".", json, f.Type, id, 1 << i})
			p.add(len(p.nodes)-1, dots+1)
		default:
			p.leaves = append(p.leaves, leaf{
				path: lexeme.NewPhrase(prefix + f.Name + "="), json: json,
				typ: f.Type, node: id, field: f, bit: 1 << i, dots: dots,
				quoted:  f.Type == nil || f.Type.Free&sig.String != 0,
				bare:    f.Type != nil && f.Type.Free == sig.String && f.Type.Kinds == sig.String,
				integer: f.Type == nil || f.Type.Free&sig.Integer != 0,
			})
		}
	}
}

// child returns the node of a field of a node, or none. The node may be none, and the field nil.
func (p *plan) child(id int, field *sig.Field) int {
	if p == nil || field == nil {
		return none
	}
	isChild := func(n node) bool { return n.parent == id && n.bit == 1<<field.Index }
	return slices.IndexFunc(p.nodes, isChild)
}

// none is an index that nothing has.
const none = -1
