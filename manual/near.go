package manual

import (
	"strings"

	"github.com/callwire/callwire/sig"
)

// Names that models write are often nearly right: of another case, with another
// hyphen, with a letter too many.

// didYouMean returns the question, after a space, or "" where there is no name.
func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return " Did you mean " + name + "?"
}

// nearestTool returns the name of the tool that is most like name, "" where none is.
func nearestTool(catalog *sig.Catalog, name string) string {
	name = strings.TrimPrefix(name, "functions.")
	n := newNearest(name)
	for _, t := range catalog.Tools() {
		n.try(t.Name)
	}
	return n.best
}

// nearestArgument returns the path of the declared argument that is most like a path
// that is unknown, "" where none is.
func nearestArgument(tool *sig.Tool, path string) string {
	if tool == nil {
		return ""
	}
	t, parent, name := tool.Args, "", path
	for {
		head, rest, ok := strings.Cut(name, ".")
		if !ok {
			break
		}
		key, indexes, _ := strings.Cut(head, "[")
		f := t.Field([]byte(key))
		if f == nil {
			break
		}
		t = f.Type
		for range strings.Count(indexes, "]") {
			t = t.Item(0)
		}
		parent, name = parent+head+".", rest
	}
	if t == nil {
		return ""
	}
	n := newNearest(name)
	for i := range t.Fields {
		n.try(t.Fields[i].Name)
	}
	if n.best == "" {
		return ""
	}
	return parent + n.best
}

// nearest finds the name that is most like another one.
type nearest struct {
	word, best string
	most       int // distance that is still like it
}

// longestNear is how many bytes a name may have that is compared.
const longestNear = 64

func newNearest(name string) nearest {
	word := plainName(name)
	return nearest{word: word, most: min(len(word)/3, 3) + 1}
}

// try compares a name, and keeps it where it is nearer than those before.
func (n *nearest) try(name string) {
	if d := n.distance(name); d < n.most {
		n.best, n.most = name, d
	}
}

// distance returns how far a name is, n.most if it is that or more.
func (n *nearest) distance(name string) int {
	other := plainName(name)
	if len(n.word) > longestNear || len(other) > longestNear || len(n.word) == 0 ||
		len(other)-len(n.word) >= n.most || len(n.word)-len(other) >= n.most {
		return n.most
	}
	return min(n.most, distance(n.word, other))
}

// plainName returns a name in lower case without what separates its words.
func plainName(name string) string {
	if len(name) > 2*longestNear {
		return name
	}
	return separators.Replace(strings.ToLower(name))
}

// separators leaves out what separates words: made once, for there may be many names.
var separators = strings.NewReplacer("_", "", "-", "", ".", "", "/", "", ":", "")

// distance returns how many bytes have to be inserted, deleted or replaced to make b
// of a. Both are short.
func distance(a, b string) int {
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
	return row[len(b)]
}
