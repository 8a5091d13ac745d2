package page

import (
	"bytes"
	"fmt"
)

// Insert returns the text of a file with page in the place that is marked for
// it. The marks are two lines:
//
//	<!-- callwire bench tokens -->
//	<!-- end -->
//
// What stood between them goes. The error says which mark is missing.
func Insert(file []byte, mark string, page []byte) ([]byte, error) {
	begin, end := "<!-- "+mark+" -->\n", "<!-- end -->"
	before, rest, ok := bytes.Cut(file, []byte(begin))
	if !ok {
		return nil, fmt.Errorf("it has no line <!-- %s -->, after which the page would go", mark)
	}
	_, after, ok := bytes.Cut(rest, []byte(end))
	if !ok {
		return nil, fmt.Errorf("no line %s follows <!-- %s -->", end, mark)
	}
	return bytes.Join([][]byte{before, []byte(begin), []byte("\n"), page, []byte("\n" + end), after}, nil), nil
}
