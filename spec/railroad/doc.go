// Package railroad draws the productions of a grammar as railroad diagrams, and
// finds the way that a text takes through them.
//
// A [Node] is a part of a production: a word, or a sequence, choice, option or loop
// of other nodes. [Draw] writes it as SVG for the specification. If the nodes are
// numbered, each line and each box of the drawing has the name of its part of the
// diagram in data-at, and [Grammar.Walk] returns the names of the parts a text visits.
package railroad
