package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table is a table. The first column is aligned to the left, the others to the
// right. Cells that are missing in a row are empty; more than the head has are
// left out.
type Table struct {
	Head []string
	Rows [][]string
}

// Row adds a row.
func (t *Table) Row(cells ...string) { t.Rows = append(t.Rows, cells) }

// text writes columns of a fixed width; cells should be as many columns wide as
// they have runes.
func (t Table) text(int) string {
	widths := t.widths()
	var b strings.Builder
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		var line strings.Builder
		for i, width := range widths {
			cell := at(row, i)
			gap := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
			if i == 0 {
				line.WriteString(cell + gap)
			} else {
				line.WriteString("  " + gap + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func (t Table) markdown() string {
	var b strings.Builder
	line := func(row []string) {
		for i := range t.Head {
			fmt.Fprintf(&b, "| %s ", markdownCell(at(row, i)))
		}
		b.WriteString("|\n")
	}
	line(t.Head)
	b.WriteString("|---|" + strings.Repeat("---:|", max(len(t.Head)-1, 0)) + "\n")
	for _, row := range t.Rows {
		line(row)
	}
	return b.String()
}

// markdownCell returns text so that it ends no cell, and is no tag of HTML.
func markdownCell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text)
}

// widths returns how many runes the widest cell of each column has.
func (t Table) widths() []int {
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(at(row, i)))
		}
	}
	return widths
}

func at(row []string, i int) string {
	if i < len(row) {
		return row[i]
	}
	return ""
}
