// Package railroad draws the productions of a grammar as railroad diagrams, and
// finds the way that a text takes through them.
//
// A [Node] is a part of a production: a word, or a sequence, choice, option or loop
// of other nodes. [Draw] writes it as SVG for the specification. Where the nodes are
// numbered, each line and each box of the drawing says in data-at which part of the
// diagram it is, and [Grammar.Walk] says in the same names which parts a text visits.
package railroad
