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
	l := limitsOf(t)
	from, to := m.limit(l.Min, "minimum", 1, scale), m.limit(l.Max, "maximum", -1, scale)
	if from != nil && to != nil && from.Cmp(to) > 0 {
		m.note(widened, "minimum", "the range is empty: it is not enforced")
		from, to = nil, nil
	}
	return m.once(fmt.Sprint(hint, from, to), func() *node {
		number := never
		if to == nil || to.Sign() >= 0 {
			number = m.magnitudes(from, to, scale)
		}
		switch minus := m.literal("-"); {
		case from == nil && to == nil:
			number = m.seq(m.opt(minus), number)
		case from == nil || from.Sign() < 0:
			below := m.magnitudes(negative(to), negative(from), scale)
			number = m.alt(number, m.seq(minus, below))
		}
		return m.token(hint, number)
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

// magnitudes returns the numbers of a range without negative numbers.
func (b *builder) magnitudes(low, high *big.Int, scale int) *node {
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
	all := b.between(fmt.Sprintf("%0*d", longest, low), most, longest-scale, true)
	if scale == 0 || low.Sign() > 0 || high != nil {
		return all
	}
	sign := b.opt(b.class(chars("+-")))
	return b.seq(all, b.opt(b.seq(b.class(chars("eE")), sign, b.digits(1, 3))))
}

func nines(n int) string { return strings.Repeat("9", n) }

// digits returns that many digits.
func (b *builder) digits(min, max int) *node { return b.repeat(b.class(span('0', '9')), min, max) }

// rest returns min to max digits before the point, and up to scale after it.
func (b *builder) rest(min, max, scale int) *node {
	digits := b.digits(min, max)
	if scale == 0 {
		return digits
	}
	return b.seq(digits, b.opt(b.seq(b.literal("."), b.digits(1, scale))))
}

// between returns the numbers from low to high, or what is left of them. Both have the same
// number of digits, whole of them before the point; it is negative after it. The first digits
// are not written if they are zeros before others.
func (b *builder) between(low, high string, whole int, isFirst bool) *node {
	left := len(low)
	zeros, all := strings.Trim(low, "0") == "", strings.Trim(high, "9") == ""
	zero, nonzero := b.literal("0"), b.class(span('1', '9'))
	switch {
	case isFirst && zeros && all:
		digits := b.alt(zero, b.seq(nonzero, b.digits(0, whole-1)))
		return b.seq(digits, b.rest(0, 0, left-whole))
	case isFirst && all && whole > 1: // all numbers with more digits than low has
		n := max(whole-left+len(strings.TrimLeft(low, "0")), 1)
		if strings.Trim(low, "0") == "1" && low[whole-n] == '1' {
			return b.seq(nonzero, b.rest(n-1, whole-1, left-whole))
		}
		more := never
		if n < whole {
			more = b.seq(nonzero, b.rest(n, whole-1, left-whole))
		}
		return b.alt(b.between(low[whole-n:], high[whole-n:], n, false), more)
	case zeros && all && whole >= 0:
		return b.rest(whole, whole, left-whole)
	case zeros && all:
		return b.digits(0, left)
	}
	var e *node
	switch {
	case whole <= 0 && strings.Trim(high, "0") == "":
		e = b.repeat(zero, 1, left)
	case whole <= 0 && all && strings.TrimLeft(low, "0") == "1":
		e = b.seq(b.repeat(zero, 0, left-1), nonzero, b.digits(0, left-1))
	default:
		e = b.firstDigits(low, high, whole, isFirst && whole > 1)
	}
	if whole == 0 {
		e = b.seq(b.literal("."), e)
	}
	if whole <= 0 && zeros {
		e = b.opt(e)
	}
	return e
}

// firstDigits returns the first digits between two limits, and what is left after each.
func (b *builder) firstDigits(low, high string, whole int, isFirst bool) *node {
	after := func(d byte) *node {
		least, most := strings.Repeat("0", len(low)-1), nines(len(low)-1)
		if d == low[0] {
			least = low[1:]
		}
		if d == high[0] {
			most = high[1:]
		}
		return b.between(least, most, whole-1, isFirst && d == '0')
	}
	all := never
	for from, to := low[0], low[0]; from <= high[0]; from, to = to+1, to+1 {
		left := after(from)
		if isFirst && from == '0' {
			all = left
			continue
		}
		for to < high[0] && after(to+1) == left {
			to++
		}
		all = b.alt(all, b.seq(b.class(span(from, to)), left))
	}
	return all
}

const numeric = sig.Integer | sig.Number

// hasRange reports whether some numbers of t are out of range.
func hasRange(t *sig.Type) bool {
	return slices.ContainsFunc(altsOf(t, numeric), func(alt *sig.Type) bool {
		return limitsOf(alt).Min != nil || limitsOf(alt).Max != nil
	})
}
