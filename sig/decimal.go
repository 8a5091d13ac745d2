package sig

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// decimal is the exact value of a JSON number, 0.digits × 10^exponent. Numbers are
// compared without converting them, so none is too long or too large.
type decimal struct {
	negative bool
	digits   string // without zeros at either end; empty for zero
	exponent int    // at most maxExponent from zero: beyond, numbers are compared by digits
}

const maxExponent = math.MaxInt32

// parseDecimal returns the value of a JSON number.
func parseDecimal(number []byte) decimal {
	text := string(lexeme.AppendNumber(nil, number))
	if text == "0" {
		return decimal{}
	}
	digits, negative := strings.CutPrefix(text, "-")
	digits, power, _ := strings.Cut(digits, "e")
	exponent, err := strconv.Atoi(power)
	if err != nil && power[0] == '-' {
		exponent = -maxExponent
	} else if err != nil {
		exponent = maxExponent
	}
	exponent = min(max(exponent, -maxExponent), maxExponent)
	return decimal{negative: negative, digits: digits, exponent: exponent + len(digits)}
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// compare returns -1, 0 or 1 as d is less than, equal to or greater than e.
func (d decimal) compare(e decimal) int {
	if s := cmp.Compare(d.sign(), e.sign()); s != 0 {
		return s
	}
	// Without zeros at the ends, digits after the point sort like text.
	order := cmp.Or(cmp.Compare(d.exponent, e.exponent), strings.Compare(d.digits, e.digits))
	return order * d.sign()
}

// count returns the value of a whole number that is not negative, at most Unbounded.
func (d decimal) count() int {
	if d.digits == "" {
		return 0
	}
	if d.exponent > 19 {
		return Unbounded
	}
	n, err := strconv.Atoi(d.digits + strings.Repeat("0", d.exponent-len(d.digits)))
	if err != nil {
		return Unbounded
	}
	return n
}

// isMultipleOf reports whether d is a multiple of e, which is not zero. It is
// true, too, if finding out would take numbers of very many digits.
func (d decimal) isMultipleOf(e decimal) bool {
	const most = 400
	for _, n := range [...]decimal{d, e} {
		if len(n.digits) > most || n.exponent > most || n.exponent < -most {
			return true
		}
	}
	return d.digits == "" || new(big.Rat).Quo(d.rat(), e.rat()).IsInt()
}

// rat returns the value without its sign.
func (d decimal) rat() *big.Rat {
	r, _ := new(big.Rat).SetString(d.digits + "e" + strconv.Itoa(d.exponent-len(d.digits)))
	return r
}
