package spec

import (
	"fmt"
	"html"
	"strings"
)

// This file draws railroad diagrams. A node is laid out as a box: it knows its
// size and draws itself, entered on its left at its base line and left on its
// right, perhaps on a lower line. What is wider than the page is broken into
// rows, so that a diagram is readable on a telephone.

// Measures of a diagram, in pixels.
const (
	glyph     = 7.85 // width of a character
	boxHeight = 26.0
	boxPad    = 10.0 // between the text of a box and its sides
	gapX      = 12.0 // between the parts of a sequence
	gapY      = 10.0 // between rows
	bend      = 9.0  // radius of a curve
	margin    = 4.0
)

// Widths of the two drawings of each diagram: for a page and for a telephone.
const (
	wideDiagram   = 700.0
	narrowDiagram = 324.0
)

// A node is a part of a diagram.
type node interface {
	// layout returns the box of the node, no wider than max if it can be.
	layout(max float64) box
}

// A box is a node that has its size.
type box struct {
	width    float64
	up, down float64 // how far it reaches above and below the line it is entered on
	exit     float64 // how far below that line it is left
	draw     func(p *pen, x, y float64)
}

// railroad returns the diagram of n as SVG, in two widths if they differ. The
// label is for who cannot see it.
func railroad(n node, label string) string {
	wide, narrow := svg(n, wideDiagram, label), svg(n, narrowDiagram, label)
	if wide == narrow {
		return `<div class="rr">` + wide + `</div>`
	}
	return `<div class="rr wide">` + wide + `</div><div class="rr narrow">` + narrow + `</div>`
}

func svg(n node, max float64, label string) string {
	const lead = 14.0 // the line before and after
	b := n.layout(max - 2*(lead+margin))
	p := &pen{}
	x, y := margin+lead, margin+b.up
	p.dot(margin, y)
	p.line(margin, y, x, y)
	b.draw(p, x, y)
	p.line(x+b.width, y+b.exit, x+b.width+lead, y+b.exit)
	p.dot(x+b.width+lead, y+b.exit)
	width, height := b.width+2*(lead+margin), b.up+b.down+2*margin
	return fmt.Sprintf(`<svg viewBox="0 0 %s %s" width="%s" height="%s" role="group" aria-label="%s"><path d="%s"/>%s</svg>`,
		num(width), num(height), num(width), num(height), html.EscapeString(label), p.path.String(), p.shapes.String())
}

// A pen collects what is drawn: one path for all lines, and the boxes.
type pen struct {
	path, shapes strings.Builder
}

func num(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", f), "0"), ".")
}

func (p *pen) line(x1, y1, x2, y2 float64) {
	if x1 != x2 || y1 != y2 {
		fmt.Fprintf(&p.path, "M%s %sL%s %s", num(x1), num(y1), num(x2), num(y2))
	}
}

// turn draws a horizontal line that turns into a vertical one and into a
// horizontal one again: from (x, y) to (x+2*bend, to) in an S, of which the
// sign of dx is the direction.
func (p *pen) turn(x, y, dx, to float64) {
	r := bend
	if to-y < 2*bend && y-to < 2*bend {
		r = max(to-y, y-to) / 2
	}
	v := r
	if to < y {
		v = -r
	}
	h := bend
	if dx < 0 {
		h = -bend
	}
	fmt.Fprintf(&p.path, "M%s %sQ%s %s %s %sV%sQ%s %s %s %s", num(x), num(y),
		num(x+h), num(y), num(x+h), num(y+v), num(to-v),
		num(x+h), num(to), num(x+2*h), num(to))
}

// back draws the half circle of a loop: from (x, y) out by bend in the direction
// of dx and back to x at the height to.
func (p *pen) back(x, y, dx, to float64) {
	v := bend
	if to < y {
		v = -bend
	}
	h := bend
	if dx < 0 {
		h = -bend
	}
	fmt.Fprintf(&p.path, "M%s %sQ%s %s %s %sV%sQ%s %s %s %s", num(x), num(y),
		num(x+h), num(y), num(x+h), num(y+v), num(to-v), num(x+h), num(to), num(x), num(to))
}

// arrow draws the head of an arrow that points left.
func (p *pen) arrow(x, y float64) {
	fmt.Fprintf(&p.path, "M%s %sl-5 4l5 4", num(x+2.5), num(y-4))
}

func (p *pen) dot(x, y float64) {
	fmt.Fprintf(&p.shapes, `<circle cx="%s" cy="%s" r="3"/>`, num(x), num(y))
}

// A word is a terminal, or a reference to what has a diagram of its own.
type word struct {
	text  string
	class string // t: bytes as they stand; c: a class of bytes; n: a reference; p: what must follow
	href  string
}

func (w word) layout(limit float64) box {
	const lineHeight = 17.0
	lines := w.lines(limit - 2*boxPad)
	longest := 0
	for _, line := range lines {
		longest = max(longest, len([]rune(line)))
	}
	width := glyph*float64(longest) + 2*boxPad
	height := boxHeight + lineHeight*float64(len(lines)-1)
	return box{width: width, up: boxHeight / 2, down: height - boxHeight/2, draw: func(p *pen, x, y float64) {
		radius := boxHeight / 2
		if w.class == "n" || w.class == "p" {
			radius = 4
		}
		var text strings.Builder
		for i, line := range lines {
			fmt.Fprintf(&text, `<text x="%s" y="%s">%s</text>`, num(x+width/2), num(y+4.5+lineHeight*float64(i)), html.EscapeString(line))
		}
		shape := fmt.Sprintf(`<g class="%s"><rect x="%s" y="%s" width="%s" height="%s" rx="%s"/>%s</g>`,
			w.class, num(x), num(y-boxHeight/2), num(width), num(height), num(radius), text.String())
		if w.href != "" {
			shape = fmt.Sprintf(`<a href="#%s">%s</a>`, html.EscapeString(w.href), shape)
		}
		p.shapes.WriteString(shape)
	}}
}

// lines breaks the text at its spaces where it is too wide.
func (w word) lines(width float64) (lines []string) {
	if glyph*float64(len([]rune(w.text))) <= width {
		return []string{w.text}
	}
	line := ""
	for _, part := range strings.Fields(w.text) {
		if line != "" && glyph*float64(len([]rune(line+" "+part))) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+part, " ")
	}
	return append(lines, line)
}

// A skip is nothing at all.
type skip struct{}

func (skip) layout(float64) box {
	return box{up: 2, down: 2, draw: func(*pen, float64, float64) {}}
}

// A sequence is one node after the other.
type sequence []node

func (s sequence) layout(limit float64) box {
	rows := s.rows(limit)
	if len(rows) == 1 {
		return rows[0]
	}
	b := box{up: rows[0].up}
	y, last := 0.0, len(rows)-1
	at := make([]float64, len(rows))
	for i, row := range rows {
		if i > 0 {
			y += rows[i-1].down + 2*gapY + row.up
		}
		at[i] = y
		b.width = max(b.width, row.width)
	}
	b.width += 2 * bend
	b.exit, b.down = at[last]+rows[last].exit, at[last]+rows[last].down
	b.draw = func(p *pen, x, y float64) {
		for i, row := range rows {
			left := x + bend
			if i == 0 {
				p.line(x, y, left, y)
			}
			row.draw(p, left, y+at[i])
			end, out := left+row.width, y+at[i]+row.exit
			if i == last {
				p.line(end, out, x+b.width, out)
				break
			}
			between := y + at[i] + row.down + gapY
			p.line(end, out, x+b.width-bend, out)
			p.back(x+b.width-bend, out, +1, between)
			p.line(x+b.width-bend, between, left, between)
			p.back(left, between, -1, y+at[i+1])
		}
	}
	return b
}

// rows returns the sequence as boxes of at most the given width, each a part of
// it on one line.
func (s sequence) rows(limit float64) (rows []box) {
	var row []box
	width := 0.0
	flush := func() {
		if len(row) > 0 {
			rows = append(rows, inLine(row))
		}
		row, width = nil, 0
	}
	for _, part := range s {
		b := part.layout(limit)
		if width+gapX+b.width > limit && len(row) > 0 {
			flush()
			if len(rows) == 1 { // the turns between rows need room
				return s.rowsWithin(limit - 2*bend)
			}
		}
		row = append(row, b)
		width += gapX + b.width
	}
	flush()
	return rows
}

func (s sequence) rowsWithin(limit float64) (rows []box) {
	var row []box
	width := 0.0
	for _, part := range s {
		b := part.layout(limit)
		if width+gapX+b.width > limit && len(row) > 0 {
			rows, row, width = append(rows, inLine(row)), nil, 0
		}
		row = append(row, b)
		width += gapX + b.width
	}
	return append(rows, inLine(row))
}

// inLine puts boxes one after the other.
func inLine(parts []box) box {
	b := parts[0]
	b.width, b.up, b.down, b.exit = 0, 0, 0, 0
	for i, part := range parts {
		if i > 0 {
			b.width += gapX
		}
		b.width += part.width
		b.up = max(b.up, part.up-b.exit)
		b.down = max(b.down, b.exit+part.down)
		b.exit += part.exit
	}
	b.draw = func(p *pen, x, y float64) {
		for i, part := range parts {
			if i > 0 {
				p.line(x, y, x+gapX, y)
				x += gapX
			}
			part.draw(p, x, y)
			x += part.width
			y += part.exit
		}
	}
	return b
}

// A choice is one of several nodes, the first of them on the line.
type choice []node

func (c choice) layout(limit float64) box {
	const side = 2 * bend
	parts := make([]box, len(c))
	at := make([]float64, len(c))
	b := box{}
	for i, n := range c {
		parts[i] = n.layout(limit - 2*side)
		if i > 0 {
			at[i] = at[i-1] + max(parts[i-1].down+gapY+parts[i].up, 2*bend)
		}
		b.width = max(b.width, parts[i].width)
	}
	last := len(c) - 1
	inner := b.width
	b.width += 2 * side
	b.up, b.down, b.exit = parts[0].up, at[last]+parts[last].down, parts[0].exit
	b.draw = func(p *pen, x, y float64) {
		for i, part := range parts {
			left, right := x+side, x+side+inner
			if i == 0 {
				p.line(x, y, left, y)
			} else {
				p.turn(x, y, +1, y+at[i])
			}
			indent := 0.0
			part.draw(p, left+indent, y+at[i])
			out := y + at[i] + part.exit
			p.line(left+part.width, out, right, out)
			if i == 0 {
				p.line(right, out, x+b.width, out)
			} else {
				p.turn(right, out, +1, y+b.exit)
			}
		}
	}
	return b
}

// optional is a node that may be left out: a line leads over it.
type optional struct{ node }

func (o optional) layout(limit float64) box {
	const side = 2 * bend
	inner := o.node.layout(limit - 2*side)
	over := max(inner.up+gapY-2, 2*bend)
	b := inner
	b.width += 2 * side
	b.up = over + 2
	b.draw = func(p *pen, x, y float64) {
		p.line(x, y, x+side, y)
		inner.draw(p, x+side, y)
		p.line(x+side+inner.width, y+inner.exit, x+b.width, y+inner.exit)
		p.turn(x, y, +1, y-over)
		p.line(x+side, y-over, x+side+inner.width, y-over)
		p.turn(x+side+inner.width, y-over, +1, y+inner.exit)
	}
	return b
}

// A loop is a node once or several times, with the node between on the way back.
type loop struct {
	node
	between node
}

func (l loop) layout(limit float64) box {
	const side = bend + 2
	inner := l.node.layout(limit - 2*side)
	var between box
	if l.between == nil {
		between = skip{}.layout(0)
	} else {
		between = l.between.layout(limit - 2*side)
	}
	width := max(inner.width, between.width)
	under := max(inner.down+gapY-2+between.up, inner.exit+2*bend)
	b := inner
	b.width = width + 2*side
	b.down = under + between.down
	b.draw = func(p *pen, x, y float64) {
		left, right := x+side, x+side+width
		p.line(x, y, left, y)
		inner.draw(p, left, y)
		p.line(left+inner.width, y+inner.exit, x+b.width, y+inner.exit)
		p.back(right, y+inner.exit, +1, y+under)
		middle := left + (width-between.width)/2
		p.line(left, y+under, middle, y+under)
		between.draw(p, middle, y+under)
		p.line(middle+between.width, y+under+between.exit, right, y+under+between.exit)
		p.back(left, y+under, -1, y)
		if l.between == nil {
			p.arrow(middle+between.width/2, y+under)
		}
	}
	return b
}
