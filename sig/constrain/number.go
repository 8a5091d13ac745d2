package constrain

import (
	"fmt"
	"math/big"
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
		body, minus := never, m.literal("-")
		if to == nil || to.Sign() >= 0 {
			body = m.magnitudes(from, to, scale)
		}
		switch {
		case from == nil && to == nil:
			body = m.seq(m.opt(minus), body)
		case from == nil || from.Sign() < 0:
			body = m.alt(body, m.seq(minus, m.magnitudes(negative(to), negative(from), scale)))
		}
		return m.token(hint, body)
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

// digits returns any digits, at least min and at most max of them.
func (m *mapper) digits(min, max int) *node { return m.repeat(m.class(digits), min, max) }

// magnitudes returns the numbers of a range without negative numbers.
func (m *mapper) magnitudes(low, high *big.Int, scale int) *node {
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
	var words []word
	if least[0] == '0' && (most[0] != '0' || len(most) > width) {
		words = m.between(least, "0"+nines(scale), 1)
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
			words = append(words, m.between(from, to, n-scale)...)
			continue
		case first == 0:
			first = n
		}
		last = n
	}
	all := never
	if first > 0 {
		all = m.seq(m.class(between('1', '9')), m.rest(first-width, last-width, scale))
	}
	numbers := m.alt(m.words(words), all)
	if scale > 0 && low.Sign() == 0 && high == nil {
		exponent := m.seq(m.class(chars("eE")), m.opt(m.class(chars("+-"))), m.digits(1, 3))
		numbers = m.seq(numbers, m.opt(exponent))
	}
	return numbers
}

// nines returns the largest number of n digits.
func nines(n int) string { return strings.Repeat("9", n) }

// rest returns any min to max digits before the point, and up to scale after it.
func (m *mapper) rest(min, max, scale int) *node {
	fraction := empty
	if scale > 0 {
		fraction = m.opt(m.seq(m.literal("."), m.digits(1, scale)))
	}
	return m.seq(m.digits(min, max), fraction)
}

// between returns what is left of the numbers between two limits, by how it begins. The limits
// have the same number of digits, whole of them before the point; it is negative after it.
func (m *mapper) between(low, high string, whole int) (words []word) {
	left := len(low)
	zeros, all := strings.Trim(low, "0") == "", strings.Trim(high, "9") == ""
	add := func(begin string, then ...*node) { words = append(words, word{begin, m.seq(then...)}) }
	after := func(first byte, low, high string) {
		for _, w := range m.between(low, high, whole-1) {
			add(string(first)+w.text, w.then)
		}
	}
	digit := func(from, to byte) *node { return m.class(between(rune(from), rune(to))) }
	switch {
	case zeros && all && whole >= 0:
		add("", m.rest(whole, whole, left-whole))
		return words
	case zeros && all:
		add("", m.digits(0, left))
		return words
	case whole <= 0 && strings.Trim(high, "0") == "":
		add("", m.repeat(m.literal("0"), 1, left))
	case whole <= 0 && all && strings.TrimLeft(low, "0") == "1":
		zeros := m.repeat(m.literal("0"), 0, left-1)
		add("", zeros, digit('1', '9'), m.digits(0, left-1))
	case low[0] == high[0]:
		after(low[0], low[1:], high[1:])
	default:
		from, to := low[0], high[0]
		if strings.Trim(low[1:], "0") != "" {
			after(from, low[1:], nines(left-1))
			from++
		}
		if strings.Trim(high[1:], "9") != "" {
			after(to, strings.Repeat("0", left-1), high[1:])
			to--
		}
		for _, w := range m.between(strings.Repeat("0", left-1), nines(left-1), whole-1) {
			add("", digit(from, to), w.then)
		}
	}
	if whole == 0 {
		for i := range words {
			words[i].text = "." + words[i].text
		}
	}
	if whole <= 0 && zeros {
		add("")
	}
	return words
}
