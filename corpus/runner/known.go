package runner

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReadKnown reads a list of known failures: the names of checks as reports give
// them, "stream framing/empty-input", one in a line. Empty lines and what
// follows a # are comments. A name that no check has is an error, so that the
// list stays true.
func ReadKnown(r io.Reader) ([]string, error) {
	checks := map[string]bool{}
	for _, res := range allChecks() {
		checks[res.Name()] = true
	}
	var known []string
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		name := strings.Join(strings.Fields(line), " ")
		switch {
		case name == "", slices.Contains(known, name):
		case checks[name]:
			known = append(known, name)
		default:
			return nil, fmt.Errorf("line %d: there is no check %q; want an op and the id of a "+
				"case, as in \"parse framing/empty-input\"", n, name)
		}
	}
	return known, lines.Err()
}
