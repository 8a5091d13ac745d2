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

// limit is an end of a range of numbers.
type limit struct {
	value  *big.Rat // nil if the range has no such end
	strict bool     // the end itself is not in the range
}

// number returns the rule of the numbers of t.
func (m *mapper) number(t *sig.Type, integer bool) *node {
	var from, to limit
	if t != nil && t.Limits != nil {
		from = m.limit(t.Limits.Value.Min, "minimum", 1)
		to = m.limit(t.Limits.Value.Max, "maximum", -1)
	}
	if integer {
		from, to = from.ceiling(), to.negative().ceiling().negative()
	}
	if from.value != nil && to.value != nil {
		order := from.value.Cmp(to.value)
		if order > 0 || order == 0 && (from.strict || to.strict) {
			m.note(Widened, "minimum", "the range is empty: it is not enforced")
			from, to = limit{}, limit{}
		}
	}
	key := fmt.Sprint("number ", integer, from.value, from.strict, to.value, to.strict)
	return m.once(key, func() *node {
		minus, body, hint := m.literal("-"), never, "number"
		if integer {
			hint = "integer"
		}
		if to.value == nil || to.value.Sign() >= 0 {
			body = m.magnitudes(from.fromZero(), to, integer)
		}
		switch {
		case from.value == nil && to.value == nil:
			body = m.seq(m.opt(minus), body)
		case from.value == nil || from.value.Sign() < 0:
			below := m.magnitudes(to.negative().fromZero(), from.negative(), integer)
			body = m.alt(body, m.seq(minus, below))
		}
		return m.token(hint, body)
	})
}

// limit returns an end of a range, or notes that it is not enforced. inward is the sign of a
// bound that excludes zero.
func (m *mapper) limit(b *sig.Bound, keyword string, inward int) (l limit) {
	if b == nil {
		return limit{}
	}
	if b.Exclusive {
		keyword = "exclusive" + strings.ToUpper(keyword[:1]) + keyword[1:]
	}
	value, err := rational([]byte(b.Number))
	switch {
	case err != nil:
		m.note(Widened, keyword, err.Error())
		return limit{}
	case value.Sign() == inward && new(big.Rat).Abs(value).Cmp(largest) >= 0:
		m.note(Widened, keyword,
			fmt.Sprintf("no number in the range has up to %d digits: it is not enforced", maxWhole))
		return limit{}
	}
	return limit{value, b.Exclusive}
}

var errTooPrecise = errors.New("it has too many digits, so it is not enforced")

// rational returns the value of a JSON number. It fails if the number has many digits
// when written without an exponent.
func rational(number []byte) (*big.Rat, error) {
	const most = 40 // on each side of the point
	text := string(lexeme.AppendNumber(nil, number))
	digits, power, _ := strings.Cut(text, "e")
	exponent, err := strconv.Atoi(power)
	tooPrecise := err != nil || len(digits) > most || exponent > most-len(digits) || exponent < -most
	if text != "0" && tooPrecise {
		return nil, errTooPrecise
	}
	value, _ := new(big.Rat).SetString(text)
	return value, nil
}

// largest is greater than every number that a grammar with ranges derives.
var largest, _ = new(big.Rat).SetString("1e" + strconv.Itoa(maxWhole))

// negative returns the end on the other side of zero.
func (l limit) negative() limit {
	if l.value == nil {
		return l
	}
	return limit{new(big.Rat).Neg(l.value), l.strict}
}

// fromZero returns the lower limit of the non-negative part of a range.
func (l limit) fromZero() limit {
	if l.value == nil || l.value.Sign() < 0 {
		return limit{value: new(big.Rat)}
	}
	return l
}

// ceiling returns a lower limit as the least integer in the range.
func (l limit) ceiling() limit {
	if l.value == nil {
		return l
	}
	n := new(big.Int).Neg(l.value.Num())
	n.Neg(n.Div(n, l.value.Denom())) // Div rounds down
	if l.strict && l.value.IsInt() {
		n.Add(n, big.NewInt(1))
	}
	return limit{value: new(big.Rat).SetInt(n)}
}

// digits returns a limit that is not negative in digits, without zeros at the end of the
// fraction.
func (l limit) digits() decimal {
	n, _ := l.value.FloatPrec()
	whole, fraction, _ := strings.Cut(l.value.FloatString(n), ".")
	return decimal{whole: whole, fraction: fraction, strict: l.strict}
}

// decimal is a limit of numbers that are not negative, in digits.
type decimal struct {
	whole, fraction string
	strict          bool
	any             bool // an upper limit: any fraction may follow the whole number
}

// magnitudes returns the numbers of a range without negative numbers.
func (m *mapper) magnitudes(low, high limit, integer bool) *node {
	least, longest, fraction := low.digits(), maxWhole, m.fraction(m.digits(1, maxFraction))
	if integer {
		longest, fraction = max(maxDigits, len(least.whole)), empty
	}
	most := decimal{whole: nines(longest), any: true}
	if high.value != nil && len(high.digits().whole) <= longest {
		most = high.digits()
		most.any = integer
	}
	var words []word
	if least.whole == "0" && most.whole != "0" {
		words = m.between(least, decimal{whole: "0", any: true}, fraction)
		least = decimal{whole: "1"}
	}
	first, last := 0, 0 // the numbers of digits with which all are in the range
	for n := len(least.whole); n <= len(most.whole); n++ {
		power := decimal{whole: "1" + strings.Repeat("0", n-1)}
		from, to := power, decimal{whole: nines(n), any: true}
		if n == len(least.whole) {
			from = least
		}
		if n == len(most.whole) {
			to = most
		}
		if from != power || to.whole != nines(n) || !to.any {
			words = append(words, m.between(from, to, fraction)...)
			continue
		}
		if first == 0 {
			first = n
		}
		last = n
	}
	all := never
	if first > 0 {
		all = m.seq(m.class(between('1', '9')), m.digits(first-1, last-1), fraction)
	}
	numbers := m.alt(m.words(words), all)
	if !integer && low.value.Sign() == 0 && !low.strict && high.value == nil {
		sign := m.opt(m.class(chars("+-")))
		numbers = m.seq(numbers, m.opt(m.seq(m.class(chars("eE")), sign, m.digits(1, 3))))
	}
	return numbers
}

func nines(n int) string { return strings.Repeat("9", n) }

// digits returns any digits, at least min and at most max of them.
func (m *mapper) digits(min, max int) *node { return m.repeat(m.class(digits), min, max) }

// fraction returns a point and digits, or nothing.
func (m *mapper) fraction(digits *node) *node { return m.opt(m.seq(m.literal("."), digits)) }

// between returns the numbers between two limits whose whole parts have the same length: how
// they begin, and what may follow. fraction is any fraction; integers have none.
func (m *mapper) between(least, most decimal, fraction *node) (words []word) {
	low, high, whole := least.whole+least.fraction, most.whole+most.fraction, len(least.whole)
	if !least.strict {
		low = strings.TrimRight(low, "0")
	}
	if most.any {
		high = strings.TrimRight(high, "9")
	}
	if least.strict && len(low) < len(high) {
		low += strings.Repeat("0", len(high)-len(low)) // until they differ
	}
	longest := max(whole+maxFraction, len(low)+1, len(high)+1)
	add := func(begin string, then *node) {
		if len(begin) > whole {
			begin = begin[:whole] + "." + begin[whole:]
		}
		words = append(words, word{begin, then})
	}
	rest := func(n int) *node { // what may follow the first n digits
		switch {
		case n < whole:
			return m.seq(m.digits(whole-n, whole-n), fraction)
		case n == whole:
			return fraction
		}
		return m.digits(0, longest-n)
	}
	// next adds the numbers that begin with some digits and go on with one of a range.
	next := func(begin string, from, to byte) {
		then := m.seq(m.class(between(rune(from), rune(to))), rest(len(begin)+1))
		if len(begin) == whole {
			then = m.seq(m.literal("."), then)
		}
		add(begin, then)
	}
	common := len(commonPrefix(low, high))
	from := common
	if common < len(low) && common < len(high) {
		next(low[:common], low[common]+1, high[common]-1)
		from++
	}
	for i := from; i < len(low); i++ {
		next(low[:i], low[i]+1, '9')
	}
	for i := from; i < len(high); i++ {
		next(high[:i], '0', high[i]-1)
		if i >= whole {
			add(high[:i], empty)
		}
	}
	isLow, isHigh := common < len(low), common < len(high) || low == high && !most.any
	left := longest - len(low)
	switch {
	case !isLow && isHigh:
	case least.strict && len(low) == whole:
		add(low, m.seq(m.literal("."), m.notZero(left)))
	case least.strict:
		add(low, m.notZero(left))
	default:
		add(low, rest(len(low)))
	}
	switch zero, left := m.literal("0"), longest-len(high); {
	case !isHigh || most.strict:
	case most.any:
		add(high, rest(len(high)))
	case len(high) == whole:
		add(high, m.fraction(m.repeat(zero, 1, left)))
	default:
		add(high, m.repeat(zero, 0, left))
	}
	return words
}

// notZero returns digits that are not all zero, about n of them at most.
func (m *mapper) notZero(n int) *node {
	zeros := m.repeat(m.literal("0"), 0, n-1)
	return m.seq(zeros, m.class(between('1', '9')), m.digits(0, n-1))
}
