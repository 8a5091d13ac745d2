package manual

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// Names that models write are often nearly right: in another case, with another hyphen,
// with an extra letter.

// The bounds of what is like a name.
const (
	longestNear = 64 // bytes of the longest names that are compared
	mostEdits   = 3  // bytes that may differ
	mostNear    = 10 // names for each number of bytes
)

// nearest returns the names that are like a word, the most similar first.
func nearest(word string, names []string) []string {
	var near [mostEdits + 1][]string // by the bytes that differ
	a, b := appendPlain(nil, word), []byte(nil)
	most := min(len(a)/3, mostEdits)
	for _, name := range names {
		b = appendPlain(b[:0], name)
		isFar := len(b) > len(a)+most || len(b) < len(a)-most
		if isFar || len(a) == 0 || max(len(a), len(b)) > longestNear {
			continue
		}
		if d := distance(a, b); d <= most && len(near[d]) < mostNear {
			near[d] = append(near[d], name)
		}
	}
	return slices.Concat(near[:]...)
}

// appendPlain appends a name in lower case without quotes and word separators. Of a long one, the
// beginning shows that it is too long.
func appendPlain(dst []byte, name string) []byte {
	for _, r := range name {
		if len(dst) > longestNear {
			break
		}
		if !strings.ContainsRune(`"_-./:`, r) {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// distance returns how many bytes must be inserted, deleted or replaced to turn a into b.
func distance(a, b []byte) int {
	var row [longestNear + 1]int
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
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
	var names []string
	for i := 0; t != nil && i < len(t.Fields); i++ {
		names = append(names, t.Fields[i].Name)
	}
	near := nearest(name, names)
	if near == nil {
		return ""
	}
	return strings.TrimSuffix(path, name) + near[0]
}
