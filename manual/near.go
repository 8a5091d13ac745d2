package manual

import (
	"slices"
	"strings"
	"unicode"

	"github.com/callwire/callwire/sig"
)

// Names that models write are often nearly right: in another case, with another hyphen,
// with an extra letter.

// longestNear is the length in bytes of the longest names that are compared.
const longestNear = 64

// nearest returns the names that are like a word, the most similar first.
func nearest(word string, names []string) (near []string) {
	word = plain(word)
	most := min(len(word)/3, 3) // bytes that may differ
	if word == "" || len(word) > longestNear {
		return nil
	}
	distances := make(map[string]int)
	for _, name := range names {
		other := plain(name)
		isFar := len(other) > min(len(word)+most, longestNear) || len(other) < len(word)-most
		if isFar || distance(word, other) > most {
			continue
		}
		distances[name] = distance(word, other)
		near = append(near, name)
	}
	slices.SortStableFunc(near, func(a, b string) int { return distances[a] - distances[b] })
	return near
}

// plain returns a name in lower case without quotes and word separators.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"_-./:`, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// distance returns how many bytes must be inserted, deleted or replaced to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
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
