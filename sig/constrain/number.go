package constrain

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// A grammar bounds the digits of a number: without a bound, a confused model writes
// digits forever. Integers have as many as a float64 can hold exactly. Other numbers have
// as many as encoders write for a float64, and an exponent, unless they have a range: those
// are plain decimals.
const (
	maxDigits   = 16 // of an integer
	maxWhole    = 21 // before the point
	maxFraction = 22 // after the point
)

// number returns the rule of the numbers of t. The limits of a range are whole numbers of the
// smallest fraction that is written, and in the range.
func (m *mapper) number(t *sig.Type, integer bool) *node {
	hint, scale := "number", maxFraction
	if integer {
		hint, scale = "integer", 0
	}
	value := limitsOf(t).Value
	from, to := m.limit(value.Min, "minimum", 1, scale), m.limit(value.Max, "maximum", -1, scale)
	if from != nil && to != nil && from.Cmp(to) > 0 {
		m.note(widened, "minimum", "the range is empty: it is not enforced")
		from, to = nil, nil
	}
	return m.once(fmt.Sprint(hint, from, to), func() *node {
		var pattern string
		if to == nil || to.Sign() >= 0 {
			pattern = magnitudes(from, to, scale)
		}
		switch {
		case from == nil && to == nil:
			pattern = "-?(" + pattern + ")"
		case from == nil || from.Sign() < 0:
			pattern = join(pattern, "-("+magnitudes(negative(to), negative(from), scale)+")")
		}
		return m.token(hint, m.expression(pattern))
	})
}

// limit returns an end of a range, nil for none, or notes that it is not enforced. inward is
// 1 for a minimum and -1 for a maximum.
func (m *mapper) limit(b *limits.Bound, keyword string, inward int64, scale int) *big.Int {
	if b == nil {
		return nil
	}
	if b.Exclusive {
		keyword = "exclusive" + strings.ToUpper(keyword[:1]) + keyword[1:]
	}
	value := limits.Number(b.Number)
	value.Mul(value, big.NewRat(inward, 1))
	if value.Cmp(new(big.Rat).SetInt(power(maxWhole))) >= 0 {
		m.note(widened, keyword,
			fmt.Sprintf("no number in the range has up to %d digits: it is not enforced", maxWhole))
		return nil
	}
	value.Mul(value, new(big.Rat).SetInt(power(scale)))
	n := new(big.Int).Neg(value.Num())
	n.Neg(n.Div(n, value.Denom())) // the least number in the range, since Div rounds down
	if b.Exclusive && value.IsInt() {
		n.Add(n, big.NewInt(1))
	}
	return n.Mul(n, big.NewInt(inward))
}

// power returns a power of ten.
func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// negative returns the limit on the other side of zero.
func negative(n *big.Int) *big.Int {
	if n == nil {
		return nil
	}
	return new(big.Int).Neg(n)
}

// magnitudes returns a pattern of the numbers of a range without negative numbers.
func magnitudes(low, high *big.Int, scale int) string {
	if low == nil || low.Sign() < 0 {
		low = new(big.Int)
	}
	longest := maxWhole + scale
	if scale == 0 {
		longest = max(maxDigits, len(low.String()))
	}
	most := nines(longest)
	if high != nil && len(high.String()) <= longest {
		most = fmt.Sprintf("%0*d", longest, high)
	}
	pattern := between(fmt.Sprintf("%0*d", longest, low), most, longest-scale, true)
	if scale > 0 && low.Sign() == 0 && high == nil {
		pattern = "(" + pattern + ")([eE][+-]?[0-9]{1,3})?"
	}
	return pattern
}

func nines(n int) string { return strings.Repeat("9", n) }

// rest returns a pattern of min to max digits before the point, and up to scale after it.
func rest(min, max, scale int) string {
	digits := fmt.Sprintf("[0-9]{%d,%d}", min, max)
	if scale > 0 {
		digits += fmt.Sprintf(`(\.[0-9]{1,%d})?`, scale)
	}
	return digits
}

// between returns a pattern of the numbers from low to high, or of what is left of them. Both
// have the same number of digits, whole of them before the point; it is negative after it. The
// first digits are not written if they are zeros before others.
func between(low, high string, whole int, isFirst bool) string {
	left := len(low)
	zeros, all := strings.Trim(low, "0") == "", strings.Trim(high, "9") == ""
	switch {
	case isFirst && zeros && all:
		return "(0|[1-9]" + rest(0, whole-1, 0) + ")" + rest(0, 0, left-whole)
	case isFirst && all && whole > 1: // all numbers with more digits than low has
		n := max(whole-left+len(strings.TrimLeft(low, "0")), 1)
		more := "[1-9]" + rest(n, whole-1, left-whole)
		if n == whole {
			more = ""
		}
		return join(between(low[whole-n:], high[whole-n:], n, false), more)
	case zeros && all && whole >= 0:
		return rest(whole, whole, left-whole)
	case zeros && all:
		return fmt.Sprintf("[0-9]{0,%d}", left)
	}
	var pattern string
	switch {
	case whole <= 0 && strings.Trim(high, "0") == "":
		pattern = fmt.Sprintf("0{1,%d}", left)
	case whole <= 0 && all && strings.TrimLeft(low, "0") == "1":
		pattern = fmt.Sprintf("0{0,%d}[1-9][0-9]{0,%[1]d}", left-1)
	default:
		pattern = digits(low, high, whole, isFirst && whole > 1)
	}
	if whole == 0 {
		pattern = `\.(` + pattern + ")"
	}
	if whole <= 0 && zeros {
		pattern = "(" + pattern + ")?"
	}
	return pattern
}

// digits returns a pattern of the first digit between two limits, and what is left after it.
func digits(low, high string, whole int, isFirst bool) (pattern string) {
	after := func(d byte) string {
		least, most := strings.Repeat("0", len(low)-1), nines(len(low)-1)
		if d == low[0] {
			least = low[1:]
		}
		if d == high[0] {
			most = high[1:]
		}
		return between(least, most, whole-1, isFirst && d == '0')
	}
	for from, to := low[0], low[0]; from <= high[0]; from, to = to+1, to+1 {
		left := after(from)
		if isFirst && from == '0' {
			pattern = left
			continue
		}
		for to < high[0] && after(to+1) == left {
			to++
		}
		pattern = join(pattern, fmt.Sprintf("[%c-%c](%s)", from, to, left))
	}
	return pattern
}

const numeric = sig.Integer | sig.Number

// hasRange reports whether some numbers of t are out of range.
func hasRange(t *sig.Type) bool {
	return slices.ContainsFunc(altsOf(t, numeric), func(alt *sig.Type) bool {
		return limitsOf(alt).Value != limits.Interval{}
	})
}
