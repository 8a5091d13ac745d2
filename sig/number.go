package sig

import (
	"strconv"
	"strings"
)

// number is a JSON number literal taken apart: the digits of whole and frac,
// without leading zeros of whole and trailing zeros of frac, times ten to the
// power of exp. Numbers are compared on their digits, so none is too long or
// too precise.
type number struct {
	negative    bool
	whole, frac string
	exp         int
}

// maxExponent bounds the exponents that are taken for what they say; a larger
// one counts as this, with its sign.
const maxExponent = 1 << 30

// parseNumber takes apart a literal that is known to be a JSON number.
func parseNumber(literal string) number {
	var n number
	literal, n.negative = strings.CutPrefix(literal, "-")
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		n.exp = parseExponent(literal[i+1:])
		literal = literal[:i]
	}
	n.whole, n.frac, _ = strings.Cut(literal, ".")
	n.whole = strings.TrimLeft(n.whole, "0")
	n.frac = strings.TrimRight(n.frac, "0")
	return n
}

func parseExponent(s string) int {
	s, negative := strings.CutPrefix(s, "-")
	s = strings.TrimPrefix(s, "+")
	e := 0
	for i := 0; i < len(s) && e < maxExponent; i++ {
		e = 10*e + int(s[i]-'0')
	}
	e = min(e, maxExponent)
	if negative {
		return -e
	}
	return e
}

// zero reports whether n is 0 (or -0, which equals it).
func (n number) zero() bool { return n.whole == "" && n.frac == "" }

// normal returns n with exp the power of ten of the last of its significant
// digits, and nothing but significant digits.
func (n number) normal() number {
	if n.zero() {
		return number{}
	}
	n.exp -= len(n.frac)
	if n.whole == "" {
		n.frac = strings.TrimLeft(n.frac, "0")
	}
	if n.frac == "" {
		trimmed := strings.TrimRight(n.whole, "0")
		n.exp += len(n.whole) - len(trimmed)
		n.whole = trimmed
	}
	return n
}

// integral reports whether n is integral by value: 4.0 and 1e3 are.
func (n number) integral() bool { return n.normal().exp >= 0 }

// equal reports whether n and m are equal by value.
func (n number) equal(m number) bool {
	n, m = n.normal(), m.normal()
	size := len(n.whole) + len(n.frac)
	if n.negative != m.negative || n.exp != m.exp || size != len(m.whole)+len(m.frac) {
		return false
	}
	for i := range size {
		if n.digit(i) != m.digit(i) {
			return false
		}
	}
	return true
}

func (n number) digit(i int) byte {
	if i < len(n.whole) {
		return n.whole[i]
	}
	return n.frac[i-len(n.whole)]
}

// key returns a text that two numbers share exactly if they are equal.
func (n number) key() string {
	n = n.normal()
	sign := ""
	if n.negative {
		sign = "-"
	}
	return sign + n.whole + n.frac + "e" + strconv.Itoa(n.exp)
}
