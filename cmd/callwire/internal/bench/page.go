package bench

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Page is a report: headings, paragraphs and tables, for a terminal or as Markdown. The zero value
// is an empty one.
type Page struct{ blocks []block }

// block is a part of a page. Blank lines separate blocks.
type block interface {
	text(width int) string // lines, each with its end; width is in runes
	markdown() string
}

// Heading adds a heading.
func (p *Page) Heading(s string) { p.blocks = append(p.blocks, heading(s)) }

// Text adds a paragraph.
func (p *Page) Text(format string, args ...any) {
	p.blocks = append(p.blocks, paragraph(fmt.Sprintf(format, args...)))
}

// Table adds a table.
func (p *Page) Table(t Table) { p.blocks = append(p.blocks, t) }

// Details adds a table that is folded in Markdown.
func (p *Page) Details(title string, t Table) { p.blocks = append(p.blocks, details{title, t}) }

// WriteText writes the page for a terminal of the given width. Tables may be wider.
func (p *Page) WriteText(w io.Writer, width int) error {
	return p.write(w, func(b block) string { return b.text(width) })
}

// WriteMarkdown writes the page in GitHub's Markdown. Headings are of the third level.
func (p *Page) WriteMarkdown(w io.Writer) error { return p.write(w, block.markdown) }

func (p *Page) write(w io.Writer, show func(block) string) error {
	parts := make([]string, len(p.blocks))
	for i, b := range p.blocks {
		parts[i] = show(b)
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}

type heading string

func (h heading) text(int) string {
	return string(h) + "\n" + strings.Repeat("-", utf8.RuneCountInString(string(h))) + "\n"
}

func (h heading) markdown() string { return "### " + string(h) + "\n" }

type paragraph string

func (s paragraph) text(width int) string { return terminal.Wrap(string(s), width) + "\n" }

func (s paragraph) markdown() string { return paragraph(escape(string(s))).text(80) }

type details struct {
	title string
	table Table
}

func (d details) text(width int) string { return d.title + ":\n\n" + d.table.text(width) }

func (d details) markdown() string {
	return "<details><summary>" + d.title + "</summary>\n\n" + d.table.markdown() + "\n</details>\n"
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
func (t Table) text(int) string {
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
func Insert(file []byte, mark string, page []byte) ([]byte, error) {
	begin, end := "<!-- "+mark+" -->\n", "<!-- end -->"
	before, rest, ok := bytes.Cut(file, []byte(begin))
	if !ok {
		return nil, fmt.Errorf("there is no line <!-- %s -->", mark)
	}
	_, after, ok := bytes.Cut(rest, []byte(end))
	if !ok {
		return nil, fmt.Errorf("no line %s follows <!-- %s -->", end, mark)
	}
	parts := [][]byte{before, []byte(begin), []byte("\n"), page, []byte("\n" + end), after}
	return bytes.Join(parts, nil), nil
}
