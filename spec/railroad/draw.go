package railroad

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// This file draws railroad diagrams. A node is laid out as a box: it knows its
// size and draws itself, entered on its left at its base line and left on its
// right, perhaps on a lower line. A diagram that is wider than the page is broken
// into rows, so that it is readable on a phone.

// Measures of a diagram, in pixels.
const (
	glyph      = 7.85 // width of a character
	boxHeight  = 26.0
	lineHeight = 17.0 // of a text of several lines in a box
	boxPad     = 10.0 // between the text of a box and its sides
	gapX       = 12.0 // between the parts of a sequence
	gapY       = 10.0 // between rows
	bend       = 9.0  // radius of a curve
	side       = 2 * bend
	margin     = 4.0
	lead       = 14.0 // the line before and after the diagram
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
// for people who cannot see it.
func Draw(n *Node, label string) string {
	wide, narrow := svg(n, wideDiagram, label), svg(n, narrowDiagram, label)
	if wide == narrow {
		return `<div class="rr">` + wide + `</div>`
	}
	return `<div class="rr wide">` + wide + `</div><div class="rr narrow">` + narrow + `</div>`
}

func svg(n *Node, limit float64, label string) string {
	b := n.layout(limit - 2*(lead+margin))
	p := &pen{}
	x, y := margin+lead, margin+b.up
	p.dot(margin, y)
	p.line(margin, y, x, y)
	b.draw(p, x, y)
	p.line(x+b.width, y+b.exit, x+b.width+lead, y+b.exit)
	p.dot(x+b.width+lead, y+b.exit)
	w, h := num(b.width+2*(lead+margin)), num(b.up+b.down+2*margin)
	const svg = `<svg viewBox="0 0 %s %s" width="%s" height="%s" role="group" aria-label="%s">` +
		`<path d="%s"/>%s</svg>`
	return fmt.Sprintf(svg, w, h, w, h, html.EscapeString(label), &p.path, &p.shapes)
}

// A pen collects what is drawn: all lines as one path, and the boxes.
type pen struct{ path, shapes strings.Builder }

func num(f float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

func (p *pen) line(x1, y1, x2, y2 float64) {
	if x1 != x2 || y1 != y2 {
		fmt.Fprintf(&p.path, "M%s %sL%s %s", num(x1), num(y1), num(x2), num(y2))
	}
}

// curve draws a horizontal line that turns into a vertical one and into a horizontal
// one again: from (x, y) out by bend to the height to, and on to the x of end. The sign
// of h is the direction in which it begins.
func (p *pen) curve(x, y, h, to, end float64) {
	v := min(bend, max(to-y, y-to)/2)
	if to < y {
		v = -v
	}
	h *= bend
	fmt.Fprintf(&p.path, "M%s %sQ%s %s %s %sV%sQ%s %s %s %s", num(x), num(y),
		num(x+h), num(y), num(x+h), num(y+v), num(to-v), num(x+h), num(to), num(end), num(to))
}

// turn draws an S to the right, to the height to.
func (p *pen) turn(x, y, to float64) { p.curve(x, y, +1, to, x+side) }

// back draws the half circle at the end of a loop or a row, to the height to.
func (p *pen) back(x, y, h, to float64) { p.curve(x, y, h, to, x) }

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
	lines := wrap(n.Text, int((limit-2*boxPad)/glyph))
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
		shape := fmt.Sprintf(`<g class="%s"><rect x="%s" y="%s" width="%s" height="%s" rx="%s"/>`,
			n.Class, num(x), num(y-boxHeight/2), num(width), num(height), num(radius))
		for i, line := range lines {
			baseline := y + 4.5 + lineHeight*float64(i)
			shape += fmt.Sprintf(`<text x="%s" y="%s">%s</text>`,
				num(x+width/2), num(baseline), html.EscapeString(line))
		}
		shape += "</g>"
		if n.Link != "" {
			shape = fmt.Sprintf(`<a href="#%s">%s</a>`, html.EscapeString(n.Link), shape)
		}
		p.shapes.WriteString(shape)
	}
	return box{width: width, up: boxHeight / 2, down: height - boxHeight/2, draw: draw}
}

// wrap breaks a text at its spaces where it is longer than most.
func wrap(text string, most int) (lines []string) {
	if len([]rune(text)) <= most {
		return []string{text} // with all its spaces
	}
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line+" "+word)) > most {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// sequence puts its parts one after the other, in as many rows as they need.
func (n *Node) sequence(limit float64) box {
	rows := n.rows(limit)
	if len(rows) == 1 {
		return rows[0]
	}
	rows = n.rows(limit - side) // the turns between rows need room
	b := box{up: rows[0].up}
	last := len(rows) - 1
	at := make([]float64, len(rows))
	for i, row := range rows {
		if i > 0 {
			at[i] = at[i-1] + rows[i-1].down + 2*gapY + row.up
		}
		b.width = max(b.width, row.width+side)
	}
	b.exit, b.down = at[last]+rows[last].exit, at[last]+rows[last].down
	b.draw = func(p *pen, x, y float64) {
		left, right := x+bend, x+b.width-bend
		p.line(x, y, left, y)
		for i, row := range rows {
			row.draw(p, left, y+at[i])
			end, out := left+row.width, y+at[i]+row.exit
			if i == last {
				p.line(end, out, x+b.width, out)
				break
			}
			between := y + at[i] + row.down + gapY
			p.line(end, out, right, out)
			p.back(right, out, +1, between)
			p.line(right, between, left, between)
			p.back(left, between, -1, y+at[i+1])
		}
	}
	return b
}

// rows returns the sequence as rows of at most the given width.
func (n *Node) rows(limit float64) (rows []box) {
	var boxes []box
	width := 0.0
	for _, part := range n.Parts {
		b := part.layout(limit)
		if width+gapX+b.width > limit && len(boxes) > 0 {
			rows = append(rows, inLine(boxes))
			boxes, width = nil, 0
		}
		boxes = append(boxes, b)
		width += gapX + b.width
	}
	return append(rows, inLine(boxes))
}

// inLine puts boxes one after the other.
func inLine(parts []box) box {
	b := box{width: gapX * float64(len(parts)-1)}
	for _, part := range parts {
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

// choice puts the first alternative on the line.
func (n *Node) choice(limit float64) box {
	parts := make([]box, len(n.Parts))
	at := make([]float64, len(n.Parts))
	inner := 0.0
	for i, alternative := range n.Parts {
		parts[i] = alternative.layout(limit - 2*side)
		if i > 0 {
			at[i] = at[i-1] + max(parts[i-1].down+gapY+parts[i].up, 2*bend)
		}
		inner = max(inner, parts[i].width)
	}
	last := len(parts) - 1
	b := box{width: inner + 2*side, up: parts[0].up, down: at[last] + parts[last].down}
	b.exit = parts[0].exit
	b.draw = func(p *pen, x, y float64) {
		left, right := x+side, x+side+inner
		for i, part := range parts {
			out := y + at[i] + part.exit
			part.draw(p, left, y+at[i])
			p.line(left+part.width, out, right, out)
			if i == 0 {
				p.line(x, y, left, y)
				p.line(right, out, right+side, out)
			} else {
				p.turn(x, y, y+at[i])
				p.turn(right, out, y+b.exit)
			}
		}
	}
	return b
}

// optional draws a line above an optional part.
func (n *Node) optional(limit float64) box {
	inner := n.Parts[0].layout(limit - 2*side)
	over := max(inner.up+gapY-2, 2*bend)
	b := inner
	b.width += 2 * side
	b.up = over + 2
	b.draw = func(p *pen, x, y float64) {
		left, right := x+side, x+side+inner.width
		p.line(x, y, left, y)
		inner.draw(p, left, y)
		p.line(right, y+inner.exit, right+side, y+inner.exit)
		p.turn(x, y, y-over)
		p.line(left, y-over, right, y-over)
		p.turn(right, y-over, y+inner.exit)
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
		p.line(x, y, left, y)
		inner.draw(p, left, y)
		p.line(left+inner.width, y+inner.exit, right+side, y+inner.exit)
		p.back(right, y+inner.exit, +1, y+under)
		middle := left + (width-between.width)/2
		p.line(left, y+under, middle, y+under)
		between.draw(p, middle, y+under)
		p.line(middle+between.width, y+under+between.exit, right, y+under+between.exit)
		p.back(left, y+under, -1, y)
		if n.Between == nil { // the head of an arrow
			fmt.Fprintf(&p.path, "M%s %sl-5 4l5 4", num(middle+2.5), num(y+under-4))
		}
	}
	return b
}
