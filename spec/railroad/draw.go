package railroad

import (
	"fmt"
	"html"
	"strings"
)

// This file draws railroad diagrams. A node is laid out as a box: it knows its
// size and draws itself, entered on its left at its base line and left on its
// right, perhaps on a lower line. A diagram that is wider than the page is broken
// into rows, so that it is readable on a phone.

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

// Widths of the two drawings of each diagram: for a page and for a phone.
const (
	wideDiagram   = 700.0
	narrowDiagram = 324.0
)

// A box is a node that has its size.
type box struct {
	width    float64
	up, down float64 // how far it reaches above and below the line it is entered on
	exit     float64 // how far below that line it is left
	draw     func(p *pen, x, y float64)
}

// Draw returns the diagram of n as SVG, in two widths if they differ. The label is
// for people who cannot see it. Links lead to base and the anchor.
func Draw(n *Node, label, base string) string {
	wide, narrow := svg(n, wideDiagram, label, base), svg(n, narrowDiagram, label, base)
	if wide == narrow {
		return `<div class="rr">` + wide + `</div>`
	}
	return `<div class="rr wide">` + wide + `</div><div class="rr narrow">` + narrow + `</div>`
}

func svg(n *Node, max float64, label, base string) string {
	const lead = 14.0 // the line before and after
	b := n.layout(max - 2*(lead+margin))
	p := &pen{base: base, paths: map[string]*strings.Builder{}}
	x, y := margin+lead, margin+b.up
	p.at(n, "start")
	p.dot(margin, y)
	p.line(margin, y, x, y)
	b.draw(p, x, y)
	p.at(n, "end")
	p.line(x+b.width, y+b.exit, x+b.width+lead, y+b.exit)
	p.dot(x+b.width+lead, y+b.exit)
	width, height := b.width+2*(lead+margin), b.up+b.down+2*margin
	w, h := num(width), num(height)
	const svg = `<svg viewBox="0 0 %s %s" width="%s" height="%s" role="group" aria-label="%s">`
	return fmt.Sprintf(svg, w, h, w, h, html.EscapeString(label)) +
		p.lines() + p.shapes.String() + "</svg>"
}

// A pen collects what is drawn: a path for the lines of each part of the diagram,
// and the boxes. Where nodes have no numbers, all lines are one path.
type pen struct {
	base   string
	paths  map[string]*strings.Builder
	order  []string // the keys of paths
	path   *strings.Builder
	shapes strings.Builder
}

// at assigns what is drawn next to a part of the diagram. The caller must repeat it
// after an inner node has drawn itself.
func (p *pen) at(n *Node, part string) {
	name := n.at(part)
	if p.paths[name] == nil {
		p.paths[name] = &strings.Builder{}
		p.order = append(p.order, name)
	}
	p.path = p.paths[name]
}

// lines returns the paths.
func (p *pen) lines() string {
	var b strings.Builder
	for _, name := range p.order {
		if d := p.paths[name].String(); d != "" {
			fmt.Fprintf(&b, `<path%s d="%s"/>`, dataAt(name), d)
		}
	}
	return b.String()
}

// dataAt is the attribute that names a part of the diagram.
func dataAt(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(` data-at="%s"`, name)
}

func num(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", f), "0"), ".")
}

func (p *pen) line(x1, y1, x2, y2 float64) {
	if x1 != x2 || y1 != y2 {
		fmt.Fprintf(p.path, "M%s %sL%s %s", num(x1), num(y1), num(x2), num(y2))
	}
}

// turn draws a horizontal line that turns into a vertical one and into a
// horizontal one again: an S from (x, y) to (x+2*bend, to). The sign of dx is its
// direction.
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
	fmt.Fprintf(p.path, "M%s %sQ%s %s %s %sV%sQ%s %s %s %s", num(x), num(y),
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
	fmt.Fprintf(p.path, "M%s %sQ%s %s %s %sV%sQ%s %s %s %s", num(x), num(y),
		num(x+h), num(y), num(x+h), num(y+v), num(to-v), num(x+h), num(to), num(x), num(to))
}

// arrow draws the head of an arrow that points left.
func (p *pen) arrow(x, y float64) {
	fmt.Fprintf(p.path, "M%s %sl-5 4l5 4", num(x+2.5), num(y-4))
}

func (p *pen) dot(x, y float64) {
	fmt.Fprintf(&p.shapes, `<circle cx="%s" cy="%s" r="3"/>`, num(x), num(y))
}

// layout returns the box of the node, no wider than limit if it can be.
func (n *Node) layout(limit float64) box {
	switch n.Kind {
	case Word:
		return n.word(limit)
	case Sequence:
		return n.sequence(limit)
	case Choice:
		return n.choice(limit)
	case Optional:
		return n.optional(limit)
	case Loop:
		return n.loop(limit)
	}
	return box{up: 2, down: 2, draw: func(*pen, float64, float64) {}}
}

func (n *Node) word(limit float64) box {
	const lineHeight = 17.0
	lines := n.lines(limit - 2*boxPad)
	longest := 0
	for _, line := range lines {
		longest = max(longest, len([]rune(line)))
	}
	width := glyph*float64(longest) + 2*boxPad
	height := boxHeight + lineHeight*float64(len(lines)-1)
	draw := func(p *pen, x, y float64) {
		radius := boxHeight / 2
		if n.Class == "n" || n.Class == "p" {
			radius = 4
		}
		var text strings.Builder
		for i, line := range lines {
			baseline := y + 4.5 + lineHeight*float64(i)
			fmt.Fprintf(&text, `<text x="%s" y="%s">%s</text>`,
				num(x+width/2), num(baseline), html.EscapeString(line))
		}
		rect := fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s"/>`,
			num(x), num(y-boxHeight/2), num(width), num(height), num(radius))
		shape := fmt.Sprintf(`<g class="%s"%s>%s%s</g>`,
			n.Class, dataAt(n.at("")), rect, text.String())
		if n.Link != "" {
			shape = fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(p.base+n.Link), shape)
		}
		p.shapes.WriteString(shape)
	}
	return box{width: width, up: boxHeight / 2, down: height - boxHeight/2, draw: draw}
}

// lines breaks the text at its spaces where it is too wide.
func (n *Node) lines(width float64) (lines []string) {
	if glyph*float64(len([]rune(n.Text))) <= width {
		return []string{n.Text}
	}
	line := ""
	for _, part := range strings.Fields(n.Text) {
		if line != "" && glyph*float64(len([]rune(line+" "+part))) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+part, " ")
	}
	return append(lines, line)
}

// A row is a part of a sequence on one line.
type row struct {
	box
	first int // of its parts
}

func (n *Node) sequence(limit float64) box {
	rows := n.rows(limit)
	if len(rows) > 1 { // the turns between rows need room
		rows = n.rows(limit - 2*bend)
	}
	if len(rows) == 1 {
		return rows[0].box
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
			p.at(n, part(row.first))
			if i == 0 {
				p.line(x, y, left, y)
			}
			row.draw(p, left, y+at[i])
			end, out := left+row.width, y+at[i]+row.exit
			if i == last {
				p.at(n, "out")
				p.line(end, out, x+b.width, out)
				break
			}
			between := y + at[i] + row.down + gapY
			p.at(n, part(rows[i+1].first))
			p.line(end, out, x+b.width-bend, out)
			p.back(x+b.width-bend, out, +1, between)
			p.line(x+b.width-bend, between, left, between)
			p.back(left, between, -1, y+at[i+1])
		}
	}
	return b
}

// rows returns the sequence as rows of at most the given width.
func (n *Node) rows(limit float64) (rows []row) {
	var boxes []box
	width := 0.0
	for i, part := range n.Parts {
		b := part.layout(limit)
		if width+gapX+b.width > limit && len(boxes) > 0 {
			rows = append(rows, n.inLine(boxes, i-len(boxes)))
			boxes, width = nil, 0
		}
		boxes = append(boxes, b)
		width += gapX + b.width
	}
	return append(rows, n.inLine(boxes, len(n.Parts)-len(boxes)))
}

// inLine puts the boxes of parts one after the other.
func (n *Node) inLine(parts []box, first int) row {
	b := box{}
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
		for i, one := range parts {
			if i > 0 {
				p.at(n, part(first+i))
				p.line(x, y, x+gapX, y)
				x += gapX
			}
			one.draw(p, x, y)
			x += one.width
			y += one.exit
		}
	}
	return row{b, first}
}

// choice puts the first alternative on the line.
func (n *Node) choice(limit float64) box {
	const side = 2 * bend
	parts := make([]box, len(n.Parts))
	at := make([]float64, len(n.Parts))
	b := box{}
	for i, alternative := range n.Parts {
		parts[i] = alternative.layout(limit - 2*side)
		if i > 0 {
			at[i] = at[i-1] + max(parts[i-1].down+gapY+parts[i].up, 2*bend)
		}
		b.width = max(b.width, parts[i].width)
	}
	last := len(parts) - 1
	inner := b.width
	b.width += 2 * side
	b.up, b.down, b.exit = parts[0].up, at[last]+parts[last].down, parts[0].exit
	b.draw = func(p *pen, x, y float64) {
		left, right := x+side, x+side+inner
		for i, one := range parts {
			p.at(n, part(i))
			if i == 0 {
				p.line(x, y, left, y)
			} else {
				p.turn(x, y, +1, y+at[i])
			}
			one.draw(p, left, y+at[i])
			out := y + at[i] + one.exit
			p.at(n, part(i)+".out")
			p.line(left+one.width, out, right, out)
			if i == 0 {
				p.line(right, out, x+b.width, out)
			} else {
				p.turn(right, out, +1, y+b.exit)
			}
		}
	}
	return b
}

// optional draws a line above an optional part.
func (n *Node) optional(limit float64) box {
	const side = 2 * bend
	inner := n.Parts[0].layout(limit - 2*side)
	over := max(inner.up+gapY-2, 2*bend)
	b := inner
	b.width += 2 * side
	b.up = over + 2
	b.draw = func(p *pen, x, y float64) {
		p.at(n, "in")
		p.line(x, y, x+side, y)
		inner.draw(p, x+side, y)
		p.at(n, "out")
		p.line(x+side+inner.width, y+inner.exit, x+b.width, y+inner.exit)
		p.at(n, "skip")
		p.turn(x, y, +1, y-over)
		p.line(x+side, y-over, x+side+inner.width, y-over)
		p.turn(x+side+inner.width, y-over, +1, y+inner.exit)
	}
	return b
}

// loop draws a line back below a repeated part.
func (n *Node) loop(limit float64) box {
	const side = bend + 2
	inner := n.Parts[0].layout(limit - 2*side)
	between := Of(Skip).layout(0)
	if n.Between != nil {
		between = n.Between.layout(limit - 2*side)
	}
	width := max(inner.width, between.width)
	under := max(inner.down+gapY-2+between.up, inner.exit+2*bend)
	b := inner
	b.width = width + 2*side
	b.down = under + between.down
	b.draw = func(p *pen, x, y float64) {
		left, right := x+side, x+side+width
		p.at(n, "in")
		p.line(x, y, left, y)
		inner.draw(p, left, y)
		p.at(n, "out")
		p.line(left+inner.width, y+inner.exit, x+b.width, y+inner.exit)
		p.at(n, "back")
		p.back(right, y+inner.exit, +1, y+under)
		middle := left + (width-between.width)/2
		p.line(left, y+under, middle, y+under)
		between.draw(p, middle, y+under)
		p.at(n, "back")
		p.line(middle+between.width, y+under+between.exit, right, y+under+between.exit)
		p.back(left, y+under, -1, y)
		if n.Between == nil {
			p.arrow(middle+between.width/2, y+under)
		}
	}
	return b
}
