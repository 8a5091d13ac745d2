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

const numeric = sig.Integer | sig.Number

// hasRange reports whether some numbers of t are out of range.
func hasRange(t *sig.Type) bool {
	return slices.ContainsFunc(altsOf(t, numeric), func(alt *sig.Type) bool {
		return limitsOf(alt).Min != nil || limitsOf(alt).Max != nil
	})
}

// number returns the rule of the numbers of t. The limits of a range are whole numbers of the
// smallest fraction that is written, and in the range.
func (m *mapper) number(t *sig.Type, integer bool) *node {
	hint, scale := "number", maxFraction
	if integer {
		hint, scale = "integer", 0
	}
	l := limitsOf(t)
	from, to := m.limit(l.Min, "minimum", 1, scale), m.limit(l.Max, "maximum", -1, scale)
	if from.Cmp(to) > 0 {
		m.note(widened, "minimum", "the range is empty: it is not enforced")
		from, to = m.limit(nil, "", 1, scale), m.limit(nil, "", -1, scale)
	}
	positive := m.magnitudes(from, to, scale)
	negative := m.magnitudes(to.Neg(to), from.Neg(from), scale)
	if from.Sign() == 0 {
		negative = never
	}
	minus := m.literal("-")
	if positive == negative {
		return m.token(hint, m.seq(m.opt(minus), positive))
	}
	return m.token(hint, m.alt(positive, m.seq(minus, negative)))
}

// limit returns an end of a range, or notes that it is not enforced. inward is 1 for a minimum
// and -1 for a maximum. Without a limit it is the first number with too many digits.
func (m *mapper) limit(b *limits.Bound, keyword string, inward int64, scale int) *big.Int {
	none := power(maxWhole + scale)
	none.Mul(none, big.NewInt(-inward))
	if b == nil {
		return none
	}
	if b.Exclusive {
		keyword = "exclusive" + strings.ToUpper(keyword[:1]) + keyword[1:]
	}
	value := limits.Number(b.Number)
	value.Mul(value, new(big.Rat).SetInt(power(scale)))
	value.Mul(value, big.NewRat(inward, 1))
	n := new(big.Int).Neg(value.Num())
	n.Neg(n.Div(n, value.Denom())) // the least number in the range, since Div rounds down
	if b.Exclusive && value.IsInt() {
		n.Add(n, big.NewInt(1))
	}
	n.Mul(n, big.NewInt(inward))
	switch isOutside := n.CmpAbs(none) >= 0; {
	case isOutside && n.Sign() != none.Sign():
		m.note(widened, keyword,
			fmt.Sprintf("no number in the range has up to %d digits: it is not enforced", maxWhole))
		return none
	case isOutside:
		return none.Add(none, big.NewInt(inward))
	}
	return n
}

// power returns a power of ten.
func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// magnitudes returns the numbers of a range without negative numbers. For every number of digits
// before the point, they are all, some or none.
func (b *builder) magnitudes(low, high *big.Int, scale int) *node {
	if high.Sign() < 0 {
		return never
	}
	isPlain := scale == 0 || low.Sign() > 0 || high.Cmp(power(maxWhole+scale)) < 0
	if low.Sign() < 0 {
		low = new(big.Int)
	}
	longest := maxWhole
	if scale == 0 {
		longest = max(maxDigits, len(low.String()))
	}
	first, last := fmt.Sprintf("%0*d", longest+scale, low), nines(longest+scale)
	if len(high.String()) <= len(last) {
		last = fmt.Sprintf("%0*d", len(last), high)
	}
	hasZero := first < zeros(longest-1)+"1"+zeros(scale)
	var all []int // numbers of digits
	some := never
	for n := 1; n <= longest; n++ {
		least, most := zeros(longest-n)+"1"+zeros(n-1+scale), zeros(longest-n)+nines(n+scale)
		if n == 1 && hasZero {
			least = zeros(len(most))
		}
		switch from, to := max(first, least), min(last, most); {
		case from > to:
		case from == least && to == most:
			all = append(all, n)
		default:
			some = b.alt(some, b.between(from[longest-n:], to[longest-n:], n))
		}
	}
	if len(all) == 0 {
		return some
	}
	whole := b.seq(b.class(span('1', '9')), b.digits(all[0]-1, all[len(all)-1]-1))
	switch {
	case all[0] > 1 || !hasZero:
	case len(all) == 1:
		whole = b.digits(1, 1)
	default:
		whole = b.alt(b.literal("0"), whole)
	}
	e := b.alt(b.seq(whole, b.fraction(scale)), some)
	if isPlain {
		return e
	}
	sign := b.opt(b.class(chars("+-")))
	return b.seq(e, b.opt(b.seq(b.class(chars("eE")), sign, b.digits(1, 3))))
}

func zeros(n int) string { return strings.Repeat("0", n) }
func nines(n int) string { return strings.Repeat("9", n) }

// digits returns that many digits.
func (b *builder) digits(min, max int) *node { return b.repeat(b.class(span('0', '9')), min, max) }

// fraction returns nothing, or a point and up to that many digits.
func (b *builder) fraction(digits int) *node {
	if digits == 0 {
		return empty
	}
	return b.opt(b.seq(b.literal("."), b.digits(1, digits)))
}

// between returns the digits from low to high, which are of the same length, whole of them before
// the point. It is negative after the point, where zeros at the end may be left out.
func (b *builder) between(low, high string, whole int) *node {
	left := len(low)
	isLow, isHigh := strings.Trim(low, "0") == "", strings.Trim(high, "9") == ""
	zero, nonzero := b.literal("0"), b.class(span('1', '9'))
	var e *node
	switch {
	case isLow && isHigh && whole >= 0:
		return b.seq(b.digits(whole, whole), b.fraction(left-whole))
	case isLow && isHigh:
		return b.digits(0, left)
	case whole <= 0 && strings.Trim(high, "0") == "":
		e = b.repeat(zero, 1, left)
	case whole <= 0 && isHigh && strings.TrimLeft(low, "0") == "1":
		e = b.seq(b.repeat(zero, 0, left-1), nonzero, b.digits(0, left-1))
	default:
		e = b.firstDigits(low, high, whole)
	}
	if whole == 0 {
		e = b.seq(b.literal("."), e)
	}
	if whole <= 0 && isLow {
		e = b.opt(e)
	}
	return e
}

// firstDigits returns the first digits between two limits, and what is left after each.
func (b *builder) firstDigits(low, high string, whole int) *node {
	var after []*node
	for d := low[0]; d <= high[0]; d++ {
		least, most := zeros(len(low)-1), nines(len(low)-1)
		if d == low[0] {
			least = low[1:]
		}
		if d == high[0] {
			most = high[1:]
		}
		after = append(after, b.between(least, most, whole-1))
	}
	all := never
	for i, same := 0, 0; i < len(after); i = same {
		for same < len(after) && after[same] == after[i] {
			same++
		}
		first := b.class(span(low[0]+byte(i), low[0]+byte(same-1)))
		all = b.alt(all, b.seq(first, after[i]))
	}
	return all
}
