package bench

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Page is a report: headings, paragraphs and tables, for a terminal or as Markdown. The zero value
// is an empty one.
type Page struct{ blocks []block }

// block is a heading, a paragraph, or a table that may have a title. Blank lines separate blocks.
type block struct {
	heading, paragraph, title string
	table                     Table
}

// Heading adds a heading.
func (p *Page) Heading(s string) { p.blocks = append(p.blocks, block{heading: s}) }

// Text adds a paragraph.
func (p *Page) Text(format string, args ...any) {
	p.blocks = append(p.blocks, block{paragraph: fmt.Sprintf(format, args...)})
}

// Table adds a table.
func (p *Page) Table(t Table) { p.Details("", t) }

// Details adds a table that is folded in Markdown.
func (p *Page) Details(title string, t Table) {
	p.blocks = append(p.blocks, block{title: title, table: t})
}

// Wrapped returns the page for a terminal of the given width. Tables may be wider.
func (p *Page) Wrapped(width int) string {
	return p.join(func(b block) string {
		switch {
		case b.heading != "":
			return b.heading + "\n" + strings.Repeat("-", utf8.RuneCountInString(b.heading)) + "\n"
		case b.paragraph != "":
			return terminal.Wrap(b.paragraph, width) + "\n"
		case b.title != "":
			return b.title + ":\n\n" + b.table.text()
		}
		return b.table.text()
	})
}

// Markdown returns the page in GitHub's Markdown. Headings are of the third level.
func (p *Page) Markdown() string {
	return p.join(func(b block) string {
		switch {
		case b.heading != "":
			return "### " + b.heading + "\n"
		case b.paragraph != "":
			return terminal.Wrap(escape(b.paragraph), 80) + "\n"
		case b.title != "":
			return "<details><summary>" + b.title + "</summary>\n\n" + b.table.markdown() +
				"\n</details>\n"
		}
		return b.table.markdown()
	})
}

func (p *Page) join(show func(block) string) string {
	parts := make([]string, len(p.blocks))
	for i, b := range p.blocks {
		parts[i] = show(b)
	}
	return strings.Join(parts, "\n")
}

// Table is a table. The first column is aligned to the left, the others to the right. Missing cells
// are empty.
type Table struct {
	Head []string
	Rows [][]string
}

// Row adds a row.
func (t *Table) Row(cells ...string) {
	t.Rows = append(t.Rows, append(cells, make([]string, max(len(t.Head)-len(cells), 0))...))
}

// text aligns the columns. A cell is as many columns wide as it has runes.
func (t Table) text() string {
	rows := append([][]string{t.Head}, t.Rows...)
	widths := make([]int, len(t.Head))
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := fmt.Sprintf("%-*s", widths[0], row[0])
		for i, width := range widths[1:] {
			line += fmt.Sprintf("  %*s", width, row[i+1])
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func (t Table) markdown() string {
	var b strings.Builder
	for i, row := range append([][]string{t.Head}, t.Rows...) {
		for _, cell := range row {
			b.WriteString("| " + strings.ReplaceAll(escape(cell), "|", `\|`) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString("|---|" + strings.Repeat("---:|", max(len(t.Head)-1, 0)) + "\n")
		}
	}
	return b.String()
}

// escape keeps text from being read as HTML.
func escape(text string) string { return strings.ReplaceAll(text, "<", "&lt;") }

// Insert replaces what is between two lines of a file:
//
//	<!-- callwire bench tokens -->
//	<!-- end -->
//
// The mark is the text of the first one.
func Insert(file []byte, mark, page string) ([]byte, error) {
	begin, end := "<!-- "+mark+" -->\n", "<!-- end -->"
	from := bytes.Index(file, []byte(begin))
	if from < 0 {
		return nil, fmt.Errorf("there is no line <!-- %s -->", mark)
	}
	from += len(begin)
	to := bytes.Index(file[from:], []byte(end))
	if to < 0 {
		return nil, fmt.Errorf("no line %s follows <!-- %s -->", end, mark)
	}
	return slices.Concat(file[:from], []byte("\n"+page+"\n"), file[from+to:]), nil
}
