package score

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// Rule says how closely values are compared.
type Rule uint8

// The rules.
const (
	Exact Rule = iota
	Soft
	BFCL
)

func (r Rule) equalStrings(want, got string) bool {
	switch r {
	case Exact:
		return want == got
	case BFCL:
		return standardized(want) == standardized(got)
	}
	return normalized(want) == normalized(got)
}

func (r Rule) equalNumbers(want, got json.Number) bool {
	if want == got {
		return true
	}
	return r != Exact && sameValue(want.String(), got.String())
}

// quotes are those that people and models take for one another.
var quotes = strings.NewReplacer("'", `"`, "`", `"`, "‘", `"`, "’", `"`, "“", `"`, "”", `"`)

// normalized returns s without what does not change its meaning in most places:
// case, white space, which quote it is, and a period at the end.
func normalized(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, quotes.Replace(s))
	if short := strings.TrimRight(s, ".!"); short != "" {
		return short
	}
	return s
}

// standardized returns s as the checker of the Berkeley Function Calling
// Leaderboard compares it: in lower case, with one kind of quotes, and without
// spaces and , . / - _ * ^.
func standardized(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" ,./-_*^", r) {
			return -1
		}
		return r
	}, s)
	return strings.ReplaceAll(strings.ToLower(s), "'", `"`)
}

// hugeExponent bounds the numbers that are compared exactly.
const hugeExponent = 400

// sameValue reports whether two numbers of JSON are equal. Those with a huge
// exponent are as good as the nearest floats.
func sameValue(a, b string) bool {
	if tame(a) && tame(b) {
		x, okX := new(big.Rat).SetString(a)
		y, okY := new(big.Rat).SetString(b)
		return okX && okY && x.Cmp(y) == 0
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

func tame(number string) bool {
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if exponent == "" {
		return true
	}
	n, err := strconv.Atoi(exponent)
	return err == nil && -hugeExponent <= n && n <= hugeExponent
}
