package runner

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// ReadKnown reads a list of known failures: the names of checks as reports give
// them, "stream framing/empty-input", one in a line. Empty lines and what
// follows a # are comments. A name that no check has is an error, so that the
// list stays true.
func ReadKnown(r io.Reader) ([]string, error) {
	ops := map[string]string{}
	for _, c := range append(corpus.Cases(), corpus.MoreCases()...) {
		ops[c.ID] = c.Op
	}
	var known []string
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("line %d: want an op and the id of a case, "+
				"as in \"parse framing/empty-input\", found %q", n, strings.Join(words, " "))
		}
		op, id := words[0], words[1]
		want, ok := ops[id]
		if !ok {
			return nil, fmt.Errorf("line %d: there is no case %s", n, id)
		}
		if op != want && !(op == opStream && want == corpus.Parse) {
			return nil, fmt.Errorf("line %d: the case %s has no op %s", n, id, op)
		}
		if name := op + " " + id; !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	return known, lines.Err()
}
