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
// digits forever. Integers have as many as a float64 can hold exactly. For other
// numbers, the grammar derives every text that encoders write for a float64: they
// need 17 digits, and an exponent from 1e21 and below 1e-6.
const (
	maxDigits   = 16 // of an integer
	maxWhole    = 21 // before the point
	maxFraction = 22 // after the point
	maxExponent = 999
)

// limit is an end of a range of numbers.
type limit struct {
	value  *big.Rat // nil if the range has no such end
	strict bool     // the end itself is not in the range
}

func (l limit) String() string {
	if l.value == nil {
		return ""
	}
	return l.value.String() + strconv.FormatBool(l.strict)
}

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

// shifted returns the limit divided by 10 to the power.
func (l limit) shifted(power int) limit {
	if l.value == nil {
		return l
	}
	return limit{new(big.Rat).Mul(l.value, powerOfTen(-power)), l.strict}
}

// numberRange is a range of numbers, as constraints define it.
type numberRange struct {
	integer  bool
	from, to limit
}

// empty reports whether no number is in the range.
func (r numberRange) empty() bool {
	if r.from.value == nil || r.to.value == nil {
		return false
	}
	order := r.from.value.Cmp(r.to.value)
	return order > 0 || order == 0 && (r.from.strict || r.to.strict)
}

// number returns the rule of the numbers of t.
func (m *mapper) number(t *sig.Type, integer bool) expr {
	r := numberRange{integer: integer}
	if t != nil && t.Limits != nil {
		m.bound(&r, &r.from, t.Limits.Value.Min, "minimum", 1)
		m.bound(&r, &r.to, t.Limits.Value.Max, "maximum", -1)
	}
	if integer {
		r.from, r.to = r.from.ceiling(), r.to.negative().ceiling().negative()
	}
	if r.empty() {
		m.note(Widened, "minimum", "the range is empty: it is not enforced")
		r.from, r.to = limit{}, limit{}
	}
	key := strconv.FormatBool(integer) + r.from.String() + " " + r.to.String()
	if e, ok := m.numbers[key]; ok {
		return e
	}
	b := m.b
	hint, magnitudes := "number", m.decimals
	if integer {
		hint, magnitudes = "integer", m.integers
	}
	body := never
	if r.to.value == nil || r.to.value.Sign() >= 0 {
		body = magnitudes(r.from.fromZero(), r.to)
	}
	switch minus := m.sign('-'); {
	case r.from.value == nil && r.to.value == nil:
		body = b.seq(b.opt(minus), body)
	case r.from.value == nil || r.from.value.Sign() < 0:
		body = b.alt(body, b.seq(minus, magnitudes(r.to.negative().fromZero(), r.from.negative())))
	}
	m.numbers[key] = b.token(hint, body)
	return m.numbers[key]
}

// bound sets an end of the range, or notes that the bound is not enforced. inward is the
// sign of a bound that excludes zero.
func (m *mapper) bound(r *numberRange, end *limit, b *sig.Bound, keyword string, inward int) {
	if b == nil {
		return
	}
	if b.Exclusive {
		keyword = "exclusive" + strings.ToUpper(keyword[:1]) + keyword[1:]
	}
	value, err := rational([]byte(b.Number))
	if err != nil {
		m.note(Widened, keyword, err.Error())
		return
	}
	if r.integer && value.Sign() == inward && new(big.Rat).Abs(value).Cmp(powerOfTen(maxWhole)) >= 0 {
		m.note(Widened, keyword, fmt.Sprintf("no integer in the range has up to %d digits: it is not enforced", maxWhole))
		return
	}
	*end = limit{value, b.Exclusive}
}

var errTooPrecise = errors.New("it has too many digits, so it is not enforced")

// rational returns the value of a JSON number. It fails if the number has many digits
// when written without an exponent.
func rational(number []byte) (*big.Rat, error) {
	const most = 40 // on each side of the point
	text := string(lexeme.AppendNumber(nil, number))
	if text == "0" {
		return new(big.Rat), nil
	}
	digits, power, _ := strings.Cut(text, "e")
	exponent, err := strconv.Atoi(power)
	if err != nil || len(digits) > most || exponent > most-len(digits) || exponent < -most {
		return nil, errTooPrecise
	}
	value, _ := new(big.Rat).SetString(text)
	return value, nil
}

// powerOfTen returns 10 to the power n, which may be negative.
func powerOfTen(n int) *big.Rat {
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		power.Inv(power)
	}
	return power
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

// split returns the digits of a non-negative limit before and after the point,
// without trailing zeros.
func (l limit) split() (whole, fraction string) {
	n, _ := l.value.FloatPrec()
	whole, fraction, _ = strings.Cut(l.value.FloatString(n), ".")
	return whole, fraction
}

// decade returns the exponent of a positive limit in scientific notation.
func (l limit) decade() int {
	whole, fraction := l.split()
	if whole != "0" {
		return len(whole) - 1
	}
	return len(strings.TrimLeft(fraction, "0")) - len(fraction) - 1
}

// sign returns the sign, or never if a tag begins with it and a digit, and so could
// be found inside a number.
func (m *mapper) sign(c byte) expr {
	if m.signsHold(string(rune(c))) {
		return m.b.literal(string(rune(c)))
	}
	return never
}

// signsHold reports whether no sign in a number can begin a tag.
func (m *mapper) signsHold(number string) bool {
	for _, tag := range [...]string{m.delims.Open, m.delims.Close} {
		if (tag[0] == '-' || tag[0] == '+') && digits.has(tag[1]) && strings.Contains(number, tag[:1]) {
			return false
		}
	}
	return true
}

// integers returns the integers of a range without negative numbers.
func (m *mapper) integers(from, to limit) expr {
	first, _ := from.split()
	last := strings.Repeat("9", max(maxDigits, len(first)))
	if to.value != nil && to.value.Cmp(integerLimit(last).value) < 0 {
		last, _ = to.split()
	}
	return m.spans(first, last)
}

// decimals returns the numbers of a range without negative numbers: those without an
// exponent, and those with an exponent and one digit other than 0 before the point.
func (m *mapper) decimals(from, to limit) expr {
	b := m.b
	if from.value.Sign() == 0 && !from.strict && to.value == nil {
		exponent := b.seq(b.class(chars("eE")), b.opt(b.alt(m.sign('+'), m.sign('-'))), b.repeat(b.class(digits), 1, 3))
		return b.seq(m.spans("0", strings.Repeat("9", maxWhole)), b.opt(m.fraction(digits)), b.opt(exponent))
	}
	alts := []expr{m.fixed(from, to)}
	low, high := -maxExponent, maxExponent
	if from.value.Sign() > 0 {
		low = from.decade()
		if from.strict || from.value.Cmp(powerOfTen(low)) != 0 {
			alts = append(alts, m.scientific(from, to, low))
			low++
		}
	}
	if to.value != nil && to.value.Sign() == 0 {
		high = low - 1
	} else if to.value != nil {
		if high = to.decade(); high >= low {
			alts = append(alts, m.scientific(from, to, high))
		}
		high--
	}
	if low <= high {
		mantissa := b.seq(b.class(between('1', '9')), b.opt(m.fraction(digits)))
		alts = append(alts, b.seq(mantissa, b.class(chars("eE")), m.exponents(low, high)))
	}
	return b.alt(alts...)
}

// scientific returns the numbers of a range with that exponent.
func (m *mapper) scientific(from, to limit, exponent int) expr {
	from, to = from.shifted(exponent), to.shifted(exponent)
	if from.value.Cmp(powerOfTen(0)) < 0 {
		from = limit{value: powerOfTen(0)}
	}
	if ten := powerOfTen(1); to.value == nil || to.value.Cmp(ten) >= 0 {
		to = limit{ten, true}
	}
	return m.b.seq(m.fixed(from, to), m.b.class(chars("eE")), m.exponents(exponent, exponent))
}

// exponents returns the exponents from low to high. Some programs write at least two
// digits.
func (m *mapper) exponents(low, high int) expr {
	b := m.b
	spans := func(low, high int) expr {
		return b.seq(b.opt(b.literal("0")), m.spans(strconv.Itoa(low), strconv.Itoa(high)))
	}
	var alts []expr
	if low < 0 {
		alts = append(alts, b.seq(m.sign('-'), spans(max(1, -high), -low)))
	}
	if high >= 0 {
		alts = append(alts, b.seq(b.opt(m.sign('+')), spans(max(0, low), high)))
	}
	return b.alt(alts...)
}

// fixed returns the numbers without an exponent of a range without negative numbers.
func (m *mapper) fixed(from, to limit) expr {
	b := m.b
	first, fraction := from.split()
	low := &tail{fraction, from.strict}
	last := strings.Repeat("9", maxWhole)
	var high *tail
	switch most := integerLimit(last).value; {
	case from.value.Cmp(most) > 0:
		return never
	case to.value != nil && to.value.Cmp(most) <= 0:
		last, fraction = to.split()
		high = &tail{fraction, to.strict}
	}
	if first == last {
		return b.seq(b.literal(first), m.fractionBetween(low, high))
	}
	var alts []expr
	if *low != (tail{}) {
		alts = append(alts, b.seq(b.literal(first), m.fractionBetween(low, nil)))
		first = add(first, 1)
	}
	if high != nil {
		alts = append(alts, b.seq(b.literal(last), m.fractionBetween(nil, high)))
		last = add(last, -1)
	}
	return b.alt(append(alts, b.seq(m.spans(first, last), m.fractionBetween(nil, nil)))...)
}

// add returns the integer of these digits plus n.
func add(digits string, n int64) string {
	return new(big.Rat).Add(integerLimit(digits).value, new(big.Rat).SetInt64(n)).Num().String()
}

// integerLimit returns the limit with these digits.
func integerLimit(digits string) limit {
	value, _ := new(big.Rat).SetString(digits)
	return limit{value: value}
}

// tail is the remaining digits of a limit, after digits that are equal to those of
// the number. In the zero value only zeros remain.
type tail struct {
	digits string
	strict bool
}

// next returns the first digit and the tail after it.
func (t *tail) next() (digit byte, rest *tail) {
	if t.digits == "" {
		return '0', t
	}
	return t.digits[0], &tail{t.digits[1:], t.strict}
}

// fraction returns a point and digits.
func (m *mapper) fraction(digits charset) expr {
	return m.b.seq(m.b.literal("."), m.b.repeat(m.b.class(digits), 1, maxFraction))
}

// fractionBetween returns the fractions between two limits, either of which may be
// nil. No fraction counts as zero.
func (m *mapper) fractionBetween(low, high *tail) expr {
	b := m.b
	most := maxFraction
	ends := true
	if low != nil {
		most = max(most, len(low.digits)+1)
		ends = *low == tail{}
	}
	if high != nil {
		most = max(most, len(high.digits)+1)
		ends = ends && *high != tail{strict: true}
	}
	all := b.seq(b.literal("."), m.digitsBetween(low, high, 1, most))
	if ends {
		return b.opt(all)
	}
	return all
}

// digitsBetween returns the digits between two limits, from least to most of them.
func (m *mapper) digitsBetween(low, high *tail, least, most int) expr {
	b := m.b
	if low != nil && *low == (tail{}) {
		low = nil // only zeros remain, so any digits are large enough
	}
	if high != nil && high.digits == "" {
		if high.strict || low != nil {
			return never
		}
		return b.repeat(b.literal("0"), least, most)
	}
	switch {
	case low == nil && high == nil:
		return b.repeat(b.class(digits), least, most)
	case most == 0 && low != nil:
		return never
	case most == 0:
		return empty
	case low != nil && low.digits == "" && high == nil:
		return b.seq(b.repeat(b.literal("0"), 0, most-1), b.class(between('1', '9')), b.repeat(b.class(digits), 0, most-1))
	}
	first, last := byte('0'), byte('9')
	var alts []expr
	var lowRest, highRest *tail
	if low != nil {
		first, lowRest = low.next()
	}
	if high != nil {
		last, highRest = high.next()
	}
	switch {
	case first > last:
		return never
	case first == last && low != nil && high != nil:
		alts = append(alts, b.seq(b.literal(string(rune(first))), m.digitsBetween(lowRest, highRest, 0, most-1)))
		first++
	default:
		if low != nil {
			alts = append(alts, b.seq(b.literal(string(rune(first))), m.digitsBetween(lowRest, nil, 0, most-1)))
			first++
		}
		if high != nil {
			alts = append(alts, b.seq(b.literal(string(rune(last))), m.digitsBetween(nil, highRest, 0, most-1)))
			last--
		}
	}
	if first <= last {
		alts = append(alts, b.seq(b.class(between(first, last)), b.repeat(b.class(digits), 0, most-1)))
	}
	if least == 0 && low == nil {
		alts = append(alts, empty)
	}
	if most%16 == 0 { // engines limit nesting
		return b.define("digits", b.alt(alts...))
	}
	return b.alt(alts...)
}

// spans returns the integers between two non-negative integers, inclusive.
func (m *mapper) spans(from, to string) expr {
	b := m.b
	var alts []expr
	for len(from) < len(to) || len(from) == len(to) && from <= to {
		if from[0] == '1' && strings.Trim(from[1:], "0") == "" && strings.Trim(to, "9") == "" {
			alts = append(alts, b.seq(b.class(between('1', '9')), b.repeat(b.class(digits), len(from)-1, len(to)-1)))
			break
		}
		last := to
		if len(from) < len(to) {
			last = strings.Repeat("9", len(from)) // the greatest with that many digits
		}
		alts = append(alts, m.span(from, last))
		from = "1" + strings.Repeat("0", len(from))
		if len(last) == len(to) {
			break
		}
	}
	return b.alt(alts...)
}

// span returns the digits between two texts of the same length, inclusive.
func (m *mapper) span(from, to string) expr {
	b := m.b
	n := len(from)
	switch {
	case n == 0:
		return empty
	case strings.Trim(from, "0") == "" && strings.Trim(to, "9") == "":
		return b.repeat(b.class(digits), n, n)
	case from[0] == to[0]:
		return b.seq(b.literal(from[:1]), m.span(from[1:], to[1:]))
	case strings.Trim(from[1:], "0") == "" && strings.Trim(to[1:], "9") == "":
		return b.seq(b.class(between(from[0], to[0])), b.repeat(b.class(digits), n-1, n-1))
	}
	alts := []expr{b.seq(b.literal(from[:1]), m.span(from[1:], strings.Repeat("9", n-1)))}
	if from[0]+1 < to[0] {
		alts = append(alts, b.seq(b.class(between(from[0]+1, to[0]-1)), b.repeat(b.class(digits), n-1, n-1)))
	}
	return b.alt(append(alts, b.seq(b.literal(to[:1]), m.span(strings.Repeat("0", n-1), to[1:])))...)
}
