// Package page writes what a benchmark has to say: headings, paragraphs and
// tables, for people who look at a terminal and as Markdown.
//
//	var p page.Page
//	p.Heading("Tokens")
//	p.Table(page.Table{Head: []string{"call", "tokens"}, Rows: [][]string{{"getTime", "14"}}})
//	p.Text("All of them were read back.")
//	p.WriteText(os.Stdout, 80)
//
// A page also finds its place in a file that people write, see Insert.
package page
