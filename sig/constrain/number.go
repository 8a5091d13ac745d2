package constrain

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
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
	var from, to *big.Int
	if t != nil && t.Limits != nil {
		from = m.limit(t.Limits.Value.Min, "minimum", 1, scale)
		to = m.limit(t.Limits.Value.Max, "maximum", -1, scale)
	}
	if from != nil && to != nil && from.Cmp(to) > 0 {
		m.note(Widened, "minimum", "the range is empty: it is not enforced")
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
func (m *mapper) limit(b *sig.Bound, keyword string, inward int64, scale int) *big.Int {
	if b == nil {
		return nil
	}
	if b.Exclusive {
		keyword = "exclusive" + strings.ToUpper(keyword[:1]) + keyword[1:]
	}
	value, err := rational([]byte(b.Number))
	if err != nil {
		m.note(Widened, keyword, err.Error())
		return nil
	}
	value.Mul(value, big.NewRat(inward, 1))
	if value.Cmp(new(big.Rat).SetInt(power(maxWhole))) >= 0 {
		m.note(Widened, keyword,
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

var errTooPrecise = errors.New("it has too many digits, so it is not enforced")

// rational returns the value of a JSON number. It fails if the number has many digits
// when written without an exponent.
func rational(number []byte) (*big.Rat, error) {
	const most = 40 // on each side of the point
	text := string(lexeme.AppendNumber(nil, number))
	digits, exponent, _ := strings.Cut(text, "e")
	n, err := strconv.Atoi(exponent)
	tooPrecise := err != nil || len(digits) > most || n > most-len(digits) || n < -most
	if text != "0" && tooPrecise {
		return nil, errTooPrecise
	}
	value, _ := new(big.Rat).SetString(text)
	return value, nil
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

// fraction returns a point and digits, or nothing.
func (m *mapper) fraction(scale int) *node {
	if scale == 0 {
		return empty
	}
	return m.opt(m.seq(m.literal("."), m.digits(1, scale)))
}

// magnitudes returns the numbers of a range without negative numbers.
func (m *mapper) magnitudes(low, high *big.Int, scale int) *node {
	if low == nil || low.Sign() < 0 {
		low = new(big.Int)
	}
	width, nines := scale+1, func(n int) string { return strings.Repeat("9", n) }
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
	if least[:len(least)-scale] == "0" && most[:len(most)-scale] != "0" {
		words = m.between(least, "0"+nines(scale), scale)
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
			words = append(words, m.between(from, to, scale)...)
			continue
		case first == 0:
			first = n
		}
		last = n
	}
	all := never
	if first > 0 {
		rest := m.digits(first-width, last-width)
		all = m.seq(m.class(between('1', '9')), rest, m.fraction(scale))
	}
	numbers := m.alt(m.words(words), all)
	if scale > 0 && low.Sign() == 0 && high == nil {
		exponent := m.seq(m.class(chars("eE")), m.opt(m.class(chars("+-"))), m.digits(1, 3))
		numbers = m.seq(numbers, m.opt(exponent))
	}
	return numbers
}

// between returns the numbers between two limits with the same number of digits: how they
// begin, and what may follow. The last digits, as many as scale, are the fraction.
func (m *mapper) between(low, high string, scale int) (words []word) {
	digits, whole := len(low), len(low)-scale
	low, high = strings.TrimRight(low, "0"), strings.TrimRight(high, "9")
	add := func(begin string, then *node) {
		if len(begin) > whole {
			begin = begin[:whole] + "." + begin[whole:]
		}
		words = append(words, word{begin, then})
	}
	rest := func(n int) *node { // what may follow the first n digits
		switch {
		case n < whole:
			return m.seq(m.digits(whole-n, whole-n), m.fraction(scale))
		case n == whole:
			return m.fraction(scale)
		}
		return m.digits(0, digits-n)
	}
	// more adds numbers that go on with digits.
	more := func(begin string, then *node) {
		if len(begin) == whole {
			then = m.seq(m.literal("."), then)
		}
		add(begin, then)
	}
	next := func(begin string, from, to byte) {
		one := m.class(between(rune(from), rune(to)))
		more(begin, m.seq(one, rest(len(begin)+1)))
	}
	common := len(commonPrefix(low, high))
	from := common
	if common < len(low) && common < len(high) {
		next(low[:common], low[common]+1, high[common]-1)
		from++
	}
	for i := from; common < len(low) || common == len(high); i++ {
		if i == len(low) {
			add(low, rest(i))
			break
		}
		if left := digits - i; i >= whole && low[i:] == strings.Repeat("0", left-1)+"1" {
			zeros := m.repeat(m.literal("0"), 0, left-1)
			more(low[:i], m.seq(zeros, m.class(between('1', '9')), m.digits(0, left-1)))
			break
		}
		next(low[:i], low[i]+1, '9')
	}
	for i := from; common < len(high); i++ {
		if i == len(high) {
			add(high, rest(i))
			break
		}
		if i >= whole {
			add(high[:i], empty)
		}
		if i >= whole && strings.Trim(high[i:], "0") == "" {
			more(high[:i], m.repeat(m.literal("0"), 1, digits-i))
			break
		}
		next(high[:i], '0', high[i]-1)
	}
	return words
}
