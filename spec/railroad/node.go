package railroad

import "strconv"

// Kind is what a [Node] is.
type Kind string

// The kinds.
const (
	Word     Kind = "word"     // a terminal, a reference, or what must follow
	Sequence Kind = "sequence" // its parts, one after the other
	Choice   Kind = "choice"   // one of its parts
	Optional Kind = "optional" // its part, or nothing
	Loop     Kind = "loop"     // its part once or several times, with Between on the way back
	Skip     Kind = "skip"     // nothing at all
)

// A Node is a part of a diagram.
type Node struct {
	Kind    Kind    `json:"kind"`
	ID      int     `json:"id,omitempty"` // from 1, unique in its production; 0: not numbered
	Parts   []*Node `json:"parts,omitempty"`
	Between *Node   `json:"between,omitempty"`

	// Of a word. The classes are t for literal bytes, c for a class of bytes, n for a
	// reference, and p for what must follow.
	Text       string   `json:"-"`                    // in its box
	Class      string   `json:"-"`                    // of the box in CSS
	Link       string   `json:"-"`                    // the anchor of what explains it
	Terminal   string   `json:"terminal,omitempty"`   // the name of the terminal
	Production string   `json:"production,omitempty"` // the name of what is referred to
	Follow     []string `json:"follow,omitempty"`     // one of these terminals must follow
}

// Of returns a node of the kind with the parts.
func Of(kind Kind, parts ...*Node) *Node { return &Node{Kind: kind, Parts: parts} }

// Number numbers the nodes of a production, whose root is n.
func (n *Node) Number() { n.number(1) }

// number numbers n and all below it from id on, and returns the next free number.
func (n *Node) number(id int) int {
	n.ID = id
	id++
	for _, part := range n.Parts {
		id = part.number(id)
	}
	if n.Between != nil {
		id = n.Between.number(id)
	}
	return id
}

// The parts of a diagram have names: that of a box is the number of its node, that
// of a line has a word after it. start and end are the ends of the diagram; in, out,
// skip and back are lines of options and loops; the number of a part of a sequence or
// choice is the line to it, and with out after it the line from it.

// at returns the name of a part of n, "" where nodes are not numbered.
func (n *Node) at(part string) string {
	switch {
	case n.ID == 0:
		return ""
	case part == "":
		return strconv.Itoa(n.ID)
	}
	return strconv.Itoa(n.ID) + "." + part
}

// part names the line to the part of that index.
func part(i int) string { return strconv.Itoa(i) }
