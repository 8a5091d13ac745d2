package bench

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Execute returns what a template makes of the data. It may use the function cell for texts in
// tables.
func Execute(text string, data any, funcs template.FuncMap) string {
	t := template.New("").Funcs(template.FuncMap{"cell": cell}).Funcs(funcs)
	var b strings.Builder
	if err := template.Must(t.Parse(text)).Execute(&b, data); err != nil {
		panic(err) // the template fits the type
	}
	return b.String()
}

// Page returns a report in GitHub's Markdown: what the template makes of the data, in blocks with
// blank lines between them. It aligns tables, so a terminal shows them well, too, and adds the rule
// below their heads.
func Page(text string, data any, funcs template.FuncMap) string {
	var blocks []string
	for block := range strings.SplitSeq(Execute(text, data, funcs), "\n\n") {
		block = strings.Trim(block, "\n")
		switch {
		case block == "":
			continue
		case block[0] == '|':
			block = aligned(block)
		case block[0] != '#' && block[0] != '!':
			block = terminal.Wrap(block, 80)
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// escape replaces what would end a cell or begin HTML.
var escape = strings.NewReplacer("<", `\<`, "|", `\|`)

func cell(text string) string { return escape.Replace(terminal.Visible(text)) }

// aligned aligns the columns of a table, the first one to the left and the others to the right. It
// leaves out columns without a text.
func aligned(block string) string {
	var rows [][]string
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "| "), " |")
		rows = append(rows, strings.Split(line, " | "))
	}
	lines, rule := make([]string, len(rows)), ""
	for i := range rows[0] {
		width, isEmpty := 0, true
		for n, row := range rows {
			width = max(width, terminal.Cells(row[i]))
			isEmpty = isEmpty && (n == 0 || row[i] == "")
		}
		if isEmpty {
			continue
		}
		colon := ":" // numbers are on the right
		if i == 0 {
			colon = "-"
		}
		rule += "|" + strings.Repeat("-", width+1) + colon
		for n, row := range rows {
			space := strings.Repeat(" ", width-terminal.Cells(row[i]))
			if i == 0 {
				lines[n] += "| " + row[i] + space + " "
			} else {
				lines[n] += "| " + space + row[i] + " "
			}
		}
	}
	return strings.Join(slices.Insert(lines, 1, rule), "|\n") + "|"
}

// Insert replaces what is between two lines of a file by a page:
//
//	<!-- callwire bench tokens -->
//	<!-- end -->
//
// The mark is the text of the first one.
func Insert(file, page, mark string) (string, error) {
	mark = "<!-- " + mark + " -->"
	before, rest, ok := strings.Cut(file, mark+"\n")
	if !ok {
		return "", fmt.Errorf("there is no line %s", mark)
	}
	const end = "<!-- end -->"
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("no line %s follows %s", end, mark)
	}
	return before + mark + "\n\n" + page + "\n" + end + after, nil
}
