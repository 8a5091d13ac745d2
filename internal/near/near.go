// Package near finds names that were probably meant by a misspelled word.
package near

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of what is like a name.
const (
	Longest   = 64 // bytes of the longest names that are compared
	mostEdits = 3  // bytes that may differ
	mostNear  = 10 // names for each number of bytes
)

// Names returns the names that are like a word, the most similar first: in another case, with
// another hyphen, or with a few other letters.
func Names(word string, names []string) []string {
	var near [mostEdits + 1][]string // by the bytes that differ
	a, b := appendPlain(nil, word), []byte(nil)
	most := min(len(a)/3, mostEdits)
	for _, name := range names {
		b = appendPlain(b[:0], name)
		isFar := len(b) > len(a)+most || len(b) < len(a)-most
		if isFar || len(a) == 0 || max(len(a), len(b)) > Longest {
			continue
		}
		if d := Distance(a, b); d <= most && len(near[d]) < mostNear {
			near[d] = append(near[d], name)
		}
	}
	return slices.Concat(near[:]...)
}

// appendPlain appends a name in lower case without quotes and word separators. Of a long one, the
// beginning shows that it is too long.
func appendPlain(dst []byte, name string) []byte {
	for _, r := range name {
		if len(dst) > Longest {
			break
		}
		if !strings.ContainsRune(`"_-./:`, r) {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// Distance returns how many bytes must be inserted, deleted or replaced to turn a into b.
func Distance[T ~string | ~[]byte](a, b T) int {
	row := make([]int, 0, Longest+1) // on the stack, unless b is long
	for j := range len(b) + 1 {
		row = append(row, j)
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
