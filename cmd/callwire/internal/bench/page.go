package bench

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/table"
)

// Execute renders a template. The template can call cell to escape text in tables.
func Execute(text string, data any, funcs template.FuncMap) string {
	t := template.New("").Funcs(template.FuncMap{"cell": cell}).Funcs(funcs)
	var b strings.Builder
	if err := template.Must(t.Parse(text)).Execute(&b, data); err != nil {
		panic(err) // the template fits the type
	}
	return b.String()
}

// Page returns a report, as GitHub's Markdown or as text: the rendered template, in blocks with
// blank lines between them. The template writes Markdown, without the separator row of tables.
func Page(text string, data any, funcs template.FuncMap, markdown bool) string {
	var blocks []string
	for block := range strings.SplitSeq(Execute(text, data, funcs), "\n\n") {
		block = strings.Trim(block, "\n")
		switch {
		case block == "":
			continue
		case block[0] == '|':
			block = aligned(block, markdown)
		case block[0] == '#' && !markdown:
			block = strings.TrimLeft(block, "# ")
		case block[0] != '#' && block[0] != '!':
			block = terminal.Wrap(block, 80)
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// escape replaces what would end a cell or begin HTML, and unescape takes that back.
var (
	escape   = strings.NewReplacer("<", `\<`, "|", `\|`)
	unescape = strings.NewReplacer(`\<`, "<", `\|`, "|")
)

func cell(text string) string { return escape.Replace(terminal.Visible(text)) }

// aligned aligns the columns of a table.
func aligned(block string, markdown bool) string {
	var rows [][]string
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "| "), " |")
		row := strings.Split(line, " | ")
		for i := range row {
			if !markdown {
				row[i] = unescape.Replace(row[i])
			}
		}
		rows = append(rows, row)
	}
	return strings.TrimSuffix(table.Align(rows, markdown, terminal.Cells), "\n")
}

// Insert replaces what is between two lines of a file with a page:
//
//	<!-- callwire bench tokens -->
//	<!-- end -->
//
// The mark is the text of the first comment.
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
