package bench

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Page is a report in GitHub's Markdown: headings of the third level, paragraphs, and tables, with
// blank lines between them.
type Page string

// NewPage executes a template, which may use the function cell for texts in tables. Columns without
// a text are left out.
func NewPage(text string, data any, funcs template.FuncMap) Page {
	t := template.New("page").Funcs(funcs).Funcs(template.FuncMap{"cell": escape.Replace})
	var b strings.Builder
	if err := template.Must(t.Parse(text)).Execute(&b, data); err != nil {
		panic(err) // the template fits the type
	}
	var blocks []string
	for block := range strings.SplitSeq(b.String(), "\n\n") {
		block = strings.Trim(block, "\n")
		switch {
		case block == "":
			continue
		case block[0] == '|':
			block = tableOf(block).markdown()
		case !strings.ContainsRune("#!<", rune(block[0])):
			block = terminal.Wrap(block, 80)
		}
		blocks = append(blocks, block)
	}
	return Page(strings.Join(blocks, "\n\n") + "\n")
}

// What would end a cell or begin HTML, in Markdown.
var (
	escape   = strings.NewReplacer("<", "&lt;", "|", "&#124;")
	unescape = strings.NewReplacer("&lt;", "<", "&#124;", "|")
)

// Plain returns the page for a terminal of the given width. Tables may be wider.
func (p Page) Plain(width int) string {
	var blocks []string
	for block := range strings.SplitSeq(strings.TrimSpace(string(p)), "\n\n") {
		isTag := strings.HasPrefix(block, "</") || strings.HasPrefix(block, "![")
		heading, isHeading := strings.CutPrefix(block, "### ")
		title, isTitle := strings.CutPrefix(block, "<details><summary>")
		switch {
		case isTag:
			continue
		case isHeading:
			block = heading + "\n" + strings.Repeat("-", utf8.RuneCountInString(heading))
		case isTitle:
			block = strings.TrimSuffix(title, "</summary>") + ":"
		case strings.HasPrefix(block, "|"):
			block = tableOf(block).plain()
		default:
			block = terminal.Wrap(unescape.Replace(block), width)
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// table is the cells of a table, its head first.
type table [][]string

// tableOf reads a table in Markdown, without its empty columns.
func tableOf(block string) (t table) {
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "| "), " |")
		t = append(t, strings.Split(line, " | "))
	}
	t = slices.Delete(t, 1, 2) // the line below the head
	for i := len(t[0]) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(t[1:], func(row []string) bool { return row[i] != "" }) {
			for j := range t {
				t[j] = slices.Delete(t[j], i, i+1)
			}
		}
	}
	return t
}

func (t table) markdown() string {
	lines := []string{"", "|---|" + strings.Repeat("---:|", len(t[0])-1)}
	for _, row := range t {
		lines = append(lines, "| "+strings.Join(row, " | ")+" |")
	}
	lines[0] = lines[2]
	return strings.Join(slices.Delete(lines, 2, 3), "\n")
}

// plain aligns the columns: the first one to the left, the others to the right.
func (t table) plain() string {
	widths := make([]int, len(t[0]))
	for _, row := range t {
		for i := range row {
			row[i] = unescape.Replace(row[i])
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	lines := make([]string, len(t))
	for i, row := range t {
		lines[i] = fmt.Sprintf("%-*s", widths[0], row[0])
		for j, cell := range row[1:] {
			lines[i] += fmt.Sprintf("  %*s", widths[j+1], cell)
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Insert replaces what is between two lines of a file:
//
//	<!-- callwire bench tokens -->
//	<!-- end -->
//
// The mark is the text of the first one.
func (p Page) Insert(file []byte, mark string) ([]byte, error) {
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
	return slices.Concat(file[:from], []byte("\n"+p+"\n"), file[from+to:]), nil
}
