package manual

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// Names that models write are often nearly right: in another case, with another hyphen,
// with an extra letter.

// nearestTool returns the name of the tool that is most like name, or "".
func nearestTool(catalog *sig.Catalog, name string) string {
	n := newNearest(strings.TrimPrefix(name, "functions."))
	for _, t := range catalog.Tools() {
		n.try(t.Name)
	}
	return n.best
}

// nearestArgument returns the path of the declared argument that is most like an
// unknown path, or "".
func nearestArgument(tool *sig.Tool, path string) string {
	if tool == nil {
		return ""
	}
	t, name := tool.Args, path
	for head, rest, ok := strings.Cut(name, "."); ok; head, rest, ok = strings.Cut(name, ".") {
		key, indexes, _ := strings.Cut(head, "[")
		f := t.Field([]byte(key))
		if f == nil {
			break
		}
		t, name = f.Type, rest
		for range strings.Count(indexes, "]") {
			t = t.Item(0)
		}
	}
	n := newNearest(name)
	for i := 0; t != nil && i < len(t.Fields); i++ {
		n.try(t.Fields[i].Name)
	}
	if n.best == "" {
		return ""
	}
	return strings.TrimSuffix(path, name) + n.best
}

// nearest finds the name that is most like a given word.
type nearest struct {
	word, other []byte // as appendPlain writes them
	best        string
	most        int // distance from which names are not alike
}

// longestNear is the length in bytes of the longest names that are compared.
const longestNear = 64

func newNearest(name string) nearest {
	word := appendPlain(nil, name)
	return nearest{word: word, most: min(len(word)/3, 3) + 1}
}

// try compares a name, and keeps it if it is nearer than those before.
func (n *nearest) try(name string) {
	if d := n.distance(name); d < n.most {
		n.best, n.most = name, d
	}
}

// distance returns how many bytes must be inserted, deleted or replaced to turn the word into a
// name: at most n.most.
func (n *nearest) distance(name string) int {
	n.other = appendPlain(n.other[:0], name)
	a, b := n.word, n.other
	isFar := len(b)-len(a) >= n.most || len(a)-len(b) >= n.most
	if len(a) > longestNear || len(b) > longestNear || len(a) == 0 || isFar {
		return n.most
	}
	var row [longestNear + 1]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return min(n.most, row[len(b)])
}

// appendPlain appends a name in lower case without word separators. Of a long one, the beginning
// shows that it is too long.
func appendPlain(dst []byte, name string) []byte {
	for _, r := range name {
		if len(dst) > longestNear {
			break
		}
		if !strings.ContainsRune("_-./:", r) {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}
