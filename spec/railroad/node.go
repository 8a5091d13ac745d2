// Package railroad draws the productions of a grammar as railroad diagrams in SVG.
//
// A [Node] is a part of a production: a word, or a sequence, choice, option or loop of
// other nodes. [Draw] writes it for the specification.
package railroad

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
	Kind    Kind
	Parts   []*Node
	Between *Node // of a loop, may be nil

	// Of a word. The classes are t for literal bytes, c for a class of bytes, n for a
	// reference, and p for what must follow.
	Text  string // in its box
	Class string // of the box in CSS
	Link  string // the anchor of what explains it
}

// Of returns a node of the kind with the parts.
func Of(kind Kind, parts ...*Node) *Node { return &Node{Kind: kind, Parts: parts} }
