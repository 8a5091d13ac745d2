package page

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Page is a page. The zero value is an empty one.
type Page struct{ blocks []block }

// block is a part of a page. Blank lines stand between blocks.
type block interface {
	text(width int) string // lines, each with its end; width is in runes
	markdown() string
}

// Heading adds a heading.
func (p *Page) Heading(s string) { p.blocks = append(p.blocks, heading(s)) }

// Text adds a paragraph. It is wrapped where it is shown.
func (p *Page) Text(format string, args ...any) {
	p.blocks = append(p.blocks, paragraph(fmt.Sprintf(format, args...)))
}

// Table adds a table.
func (p *Page) Table(t Table) { p.blocks = append(p.blocks, t) }

// Details adds a table that readers of Markdown unfold by its title.
func (p *Page) Details(title string, t Table) { p.blocks = append(p.blocks, details{title, t}) }

// WriteText writes p for a terminal that is width columns wide. Tables are as
// wide as they are.
func (p *Page) WriteText(w io.Writer, width int) error {
	return p.write(w, func(b block) string { return b.text(width) })
}

// WriteMarkdown writes p as Markdown, in GitHub's dialect. Headings are of the
// third level.
func (p *Page) WriteMarkdown(w io.Writer) error {
	return p.write(w, block.markdown)
}

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

// markdown leaves no tag in the text that could be taken for HTML.
func (s paragraph) markdown() string {
	return paragraph(strings.ReplaceAll(string(s), "<", "&lt;")).text(80)
}

type details struct {
	title string
	table Table
}

func (d details) text(width int) string { return d.table.text(width) }

func (d details) markdown() string {
	return "<details><summary>" + d.title + "</summary>\n\n" + d.table.markdown() + "\n</details>\n"
}
