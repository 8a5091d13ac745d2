// Package railroad draws the productions of a grammar as railroad diagrams, in HTML that a
// style sheet lays out.
//
// A [Node] is a part of a production: a word, or a sequence, choice, option or loop of
// other nodes. [Draw] writes it for the specification.
package railroad

import (
	"fmt"
	"html"
	"strings"
)

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

// Draw returns the diagram of n. The label is for people who cannot see it.
func Draw(n *Node, label string) string {
	return fmt.Sprintf(`<div class="rr" role="group" aria-label="%s" tabindex="0">`+
		`<span class="track">%s</span></div>`, html.EscapeString(label), n.html())
}

// html returns the node. The line runs through the middle of a word, or through the first of
// several tracks, which lie below each other between two sides.
func (n *Node) html() string {
	switch n.Kind {
	case Word:
		text := html.EscapeString(n.Text)
		if n.Link != "" {
			return fmt.Sprintf(`<a class="%s" href="#%s">%s</a>`,
				n.Class, html.EscapeString(n.Link), text)
		}
		return fmt.Sprintf(`<span class="%s">%s</span>`, n.Class, text)
	case Sequence:
		return all(n.Parts)
	case Choice:
		return tracks("track", n.Parts...)
	case Optional:
		return tracks("track", n.Parts[0], Of(Skip))
	case Loop:
		back := n.Between
		if back == nil {
			back = Of(Skip)
		}
		return tracks("track back", n.Parts[0], back)
	}
	return ""
}

func all(parts []*Node) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.html())
	}
	return b.String()
}

// tracks returns nodes below each other; those after the first have a class.
func tracks(class string, parts ...*Node) string {
	var b strings.Builder
	b.WriteString(`<span class="tracks">`)
	for i, part := range parts {
		if i == 0 {
			fmt.Fprintf(&b, `<span class="track">%s</span>`, part.html())
		} else {
			fmt.Fprintf(&b, `<span class="%s">%s</span>`, class, part.html())
		}
	}
	b.WriteString(`</span>`)
	return b.String()
}
