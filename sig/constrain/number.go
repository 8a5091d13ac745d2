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
	width := scale + 1
	least := fmt.Sprintf("%0*d", width, low)
	longest := maxWhole + scale
	if scale == 0 {
		longest = max(maxDigits, len(least))
	}
	most := nines(longest)
	if high != nil && len(high.String()) <= longest {
		most = fmt.Sprintf("%0*d", width, high)
	}
	var pattern string
	if least[0] == '0' && (most[0] != '0' || len(most) > width) {
		pattern = between(least, "0"+nines(scale), 1)
		least = power(scale).String()
	}
	first, last := 0, 0 // the numbers of digits with which all are in the range
	for n := len(least); n <= len(most); n++ {
		from, to := power(n-1).String(), nines(n)
		if n == len(least) {
			from = least
		}
		if n == len(most) {
			to = most
		}
		switch {
		case from != power(n-1).String() || to != nines(n):
			pattern = join(pattern, between(from, to, n-scale))
			continue
		case first == 0:
			first = n
		}
		last = n
	}
	if first > 0 {
		pattern = join(pattern, "[1-9]"+rest(first-width, last-width, scale))
	}
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

// between returns a pattern of what is left of the numbers between two limits. They have the
// same number of digits, whole of them before the point; it is negative after it.
func between(low, high string, whole int) string {
	left := len(low)
	zeros, all := strings.Trim(low, "0") == "", strings.Trim(high, "9") == ""
	var pattern string
	switch {
	case zeros && all && whole >= 0:
		return rest(whole, whole, left-whole)
	case zeros && all:
		return fmt.Sprintf("[0-9]{0,%d}", left)
	case whole <= 0 && strings.Trim(high, "0") == "":
		pattern = fmt.Sprintf("0{1,%d}", left)
	case whole <= 0 && all && strings.TrimLeft(low, "0") == "1":
		pattern = fmt.Sprintf("0{0,%d}[1-9][0-9]{0,%[1]d}", left-1)
	case low[0] == high[0]:
		pattern = low[:1] + "(" + between(low[1:], high[1:], whole-1) + ")"
	default:
		from, to := low[0], high[0]
		least, most := strings.Repeat("0", left-1), nines(left-1)
		add := func(from, to byte, low, high string) {
			pattern = join(pattern,
				fmt.Sprintf("[%c-%c](%s)", from, to, between(low, high, whole-1)))
		}
		if low[1:] != least {
			add(from, from, low[1:], most)
			from++
		}
		if high[1:] != most {
			add(to, to, least, high[1:])
			to--
		}
		if from <= to {
			add(from, to, least, most)
		}
	}
	if whole == 0 {
		pattern = `\.(` + pattern + ")"
	}
	if whole <= 0 && zeros {
		pattern = "(" + pattern + ")?"
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
