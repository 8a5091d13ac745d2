package page

import (
	"os"
	"strings"
	"testing"
)

func Example() {
	var p Page
	p.Heading("Cities")
	p.Text("Where it is %s, and where it is <cold>.", "warm")
	t := Table{Head: []string{"city", "degrees"}}
	t.Row("México", "31")
	t.Row("Oslo", "-4")
	p.Table(t)
	p.WriteText(os.Stdout, 30)
	// Output:
	// Cities
	// ------
	//
	// Where it is warm, and where it
	// is <cold>.
	//
	// city    degrees
	// México       31
	// Oslo         -4
}

func ExamplePage_WriteMarkdown() {
	var p Page
	p.Heading("Cities")
	p.Text("Where it is <cold>.")
	p.Details("All of them", Table{Head: []string{"city", "degrees"}, Rows: [][]string{{"Oslo", "-4"}}})
	p.WriteMarkdown(os.Stdout)
	// Output:
	// ### Cities
	//
	// Where it is &lt;cold>.
	//
	// <details><summary>All of them</summary>
	//
	// | city | degrees |
	// |---|---:|
	// | Oslo | -4 |
	//
	// </details>
}

// TestCells: missing cells are empty, further ones are left out, and nothing in
// a cell ends it.
func TestCells(t *testing.T) {
	table := Table{Head: []string{"a", "b", "c"}, Rows: [][]string{{"1|2<b>"}, {"1", "2", "3", "4"}}}
	if got, want := table.text(0), "a       b  c\n1|2<b>\n1       2  3\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := table.markdown(), "| a | b | c |\n|---|---:|---:|\n| 1\\|2&lt;b> |  |  |\n| 1 | 2 | 3 |\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestInsert(t *testing.T) {
	const file = "# A\n<!-- callwire bench x -->\nold\n<!-- end -->\nrest <!-- end -->\n"
	got, err := Insert([]byte(file), "callwire bench x", []byte("new\n"))
	want := "# A\n<!-- callwire bench x -->\n\nnew\n\n<!-- end -->\nrest <!-- end -->\n"
	if err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	again, err := Insert(got, "callwire bench x", []byte("new\n"))
	if err != nil || string(again) != want {
		t.Errorf("inserted again: %q, %v", again, err)
	}
	for _, bad := range []string{"", "<!-- end -->", "<!-- callwire bench x -->\nold", "<!-- callwire bench xy -->\n<!-- end -->"} {
		if got, err := Insert([]byte(bad), "callwire bench x", nil); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %q, %v", bad, got, err)
		}
	}
}
