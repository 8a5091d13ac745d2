package constrain

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain/internal/bnf"
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
func (m *mapper) number(t *sig.Type, integer bool) *bnf.Node {
	r := numberRange{integer: integer}
	if t != nil && t.Limits != nil {
		m.bound(&r.from, t.Limits.Value.Min, "minimum", 1)
		m.bound(&r.to, t.Limits.Value.Max, "maximum", -1)
	}
	if integer {
		r.from, r.to = r.from.ceiling(), r.to.negative().ceiling().negative()
	}
	if r.empty() {
		m.note(Widened, "minimum", "the range is empty: it is not enforced")
		r.from, r.to = limit{}, limit{}
	}
	key := fmt.Sprint("number ", integer, r.from.value, r.from.strict, r.to.value, r.to.strict)
	return m.once(key, func() *bnf.Node { return m.signed(r) })
}

// signed returns the token of the numbers in a range.
func (m *mapper) signed(r numberRange) *bnf.Node {
	b := m.b
	hint, magnitudes := "number", m.decimals
	if r.integer {
		hint, magnitudes = "integer", m.integers
	}
	body := bnf.Never
	if r.to.value == nil || r.to.value.Sign() >= 0 {
		body = magnitudes(r.from.fromZero(), r.to)
	}
	switch minus := m.sign('-'); {
	case r.from.value == nil && r.to.value == nil:
		body = b.Seq(b.Opt(minus), body)
	case r.from.value == nil || r.from.value.Sign() < 0:
		body = b.Alt(body, b.Seq(minus, magnitudes(r.to.negative().fromZero(), r.from.negative())))
	}
	return b.Token(hint, body)
}

// bound sets an end of the range, or notes that the bound is not enforced. inward is the
// sign of a bound that excludes zero.
func (m *mapper) bound(end *limit, b *sig.Bound, keyword string, inward int) {
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
	if value.Sign() == inward && new(big.Rat).Abs(value).Cmp(largest) >= 0 {
		m.note(Widened, keyword,
			fmt.Sprintf("no number in the range has up to %d digits: it is not enforced", maxWhole))
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

// largest is greater than every number that a grammar with ranges derives.
var largest, _ = new(big.Rat).SetString("1e" + strconv.Itoa(maxWhole))

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

// sign returns the sign, or never if a tag begins with it and a digit, and so could
// be found inside a number.
func (m *mapper) sign(c byte) *bnf.Node {
	if m.signsHold(string(rune(c))) {
		return m.b.Literal(string(rune(c)))
	}
	return bnf.Never
}

// signsHold reports whether no sign in a number can begin a tag.
func (m *mapper) signsHold(number string) bool {
	for _, tag := range [...]string{m.o.Tags.Open, m.o.Tags.Close} {
		isSign := tag[0] == '-' || tag[0] == '+'
		if isSign && digits.Has(tag[1]) && strings.Contains(number, tag[:1]) {
			return false
		}
	}
	return true
}

// integers returns the integers of a range without negative numbers.
func (m *mapper) integers(from, to limit) *bnf.Node {
	first, _ := from.split()
	last := strings.Repeat("9", max(maxDigits, len(first)))
	if to.value != nil && to.value.Cmp(integerLimit(last).value) < 0 {
		last, _ = to.split()
	}
	return m.spans(first, last)
}

// decimals returns the numbers of a range without negative numbers.
func (m *mapper) decimals(from, to limit) *bnf.Node {
	b := m.b
	if from.value.Sign() > 0 || from.strict || to.value != nil {
		return m.fixed(from, to)
	}
	sign := b.Opt(b.Alt(m.sign('+'), m.sign('-')))
	exponent := b.Seq(b.Class(bnf.Chars("eE")), sign, b.Repeat(b.Class(digits), 1, 3))
	return b.Seq(m.spans("0", strings.Repeat("9", maxWhole)), b.Opt(m.fraction()), b.Opt(exponent))
}

// fixed returns the numbers without an exponent of a range without negative numbers.
func (m *mapper) fixed(from, to limit) *bnf.Node {
	b := m.b
	first, fraction := from.split()
	low := &tail{fraction, from.strict}
	last := strings.Repeat("9", maxWhole)
	var high *tail
	switch most := integerLimit(last).value; {
	case from.value.Cmp(most) > 0:
		return bnf.Never
	case to.value != nil && to.value.Cmp(most) <= 0:
		last, fraction = to.split()
		high = &tail{fraction, to.strict}
	}
	if first == last {
		return b.Seq(b.Literal(first), m.fractionBetween(low, high))
	}
	var alts []*bnf.Node
	if *low != (tail{}) {
		alts = append(alts, b.Seq(b.Literal(first), m.fractionBetween(low, nil)))
		first = add(first, 1)
	}
	if high != nil {
		alts = append(alts, b.Seq(b.Literal(last), m.fractionBetween(nil, high)))
		last = add(last, -1)
	}
	return b.Alt(append(alts, b.Seq(m.spans(first, last), m.fractionBetween(nil, nil)))...)
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
func (m *mapper) fraction() *bnf.Node {
	return m.b.Seq(m.b.Literal("."), m.b.Repeat(m.b.Class(digits), 1, maxFraction))
}

// fractionBetween returns the fractions between two limits, which may be
// nil. No fraction counts as zero.
func (m *mapper) fractionBetween(low, high *tail) *bnf.Node {
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
	all := b.Seq(b.Literal("."), m.digitsBetween(low, high, 1, most))
	if ends {
		return b.Opt(all)
	}
	return all
}

// digitsBetween returns the digits between two limits, from least to most of them.
func (m *mapper) digitsBetween(low, high *tail, least, most int) *bnf.Node {
	b := m.b
	any := b.Class(digits)
	if low != nil && *low == (tail{}) {
		low = nil // only zeros remain, so any digits are large enough
	}
	switch {
	case high != nil && high.digits == "" && (high.strict || low != nil):
		return bnf.Never
	case high != nil && high.digits == "":
		return b.Repeat(b.Literal("0"), least, most)
	case low == nil && high == nil:
		return b.Repeat(any, least, most)
	case most == 0 && low != nil:
		return bnf.Never
	case most == 0:
		return bnf.Empty
	case low != nil && low.digits == "" && high == nil:
		zeros := b.Repeat(b.Literal("0"), 0, most-1)
		return b.Seq(zeros, b.Class(bnf.Between('1', '9')), b.Repeat(any, 0, most-1))
	}
	fewer := max(least-1, 0)
	first, last := byte('0'), byte('9')
	var lowRest, highRest *tail
	if low != nil {
		first, lowRest = low.next()
	}
	if high != nil {
		last, highRest = high.next()
	}
	var alts []*bnf.Node
	start := func(digit byte, low, high *tail) {
		rest := m.digitsBetween(low, high, fewer, most-1)
		alts = append(alts, b.Seq(b.Literal(string(rune(digit))), rest))
	}
	if first == last && low != nil && high != nil {
		start(first, lowRest, highRest)
		first++
	} else if first <= last {
		if low != nil {
			start(first, lowRest, nil)
			first++
		}
		if high != nil {
			start(last, nil, highRest)
			last--
		}
	}
	if first <= last {
		alts = append(alts, b.Seq(b.Class(bnf.Between(first, last)), b.Repeat(any, fewer, most-1)))
	}
	if least == 0 && low == nil {
		alts = append(alts, bnf.Empty)
	}
	if most%16 == 0 { // engines limit nesting
		return b.Define("digits", b.Alt(alts...))
	}
	return b.Alt(alts...)
}

// spans returns the integers between two non-negative integers, inclusive.
func (m *mapper) spans(from, to string) *bnf.Node {
	b := m.b
	var alts []*bnf.Node
	for len(from) < len(to) || len(from) == len(to) && from <= to {
		longest := len(to) // of the numbers whose digits are all allowed
		if strings.Trim(to, "9") != "" {
			longest--
		}
		isPower := from[0] == '1' && strings.Trim(from[1:], "0") == "" // of ten
		if isPower && len(from) <= longest {
			rest := b.Repeat(b.Class(digits), len(from)-1, longest-1)
			alts = append(alts, b.Seq(b.Class(bnf.Between('1', '9')), rest))
			from = "1" + strings.Repeat("0", longest)
			continue
		}
		n := len(from)
		last := strings.Repeat("9", n)
		if n == len(to) {
			last = to
		}
		alts = append(alts, m.span(from, last))
		from = "1" + strings.Repeat("0", n)
	}
	return b.Alt(alts...)
}

// span returns the digits between two texts of the same length, inclusive.
func (m *mapper) span(from, to string) *bnf.Node {
	low, high := &tail{digits: strings.TrimRight(from, "0")}, &tail{digits: to}
	if strings.Trim(to, "9") == "" {
		high = nil
	}
	return m.digitsBetween(low, high, len(from), len(from))
}
