package constrain

import (
	"math"
	"strconv"
	"strings"

	"github.com/callwire/callwire/sig"
)

// maxDigits is how many digits an integer has at most: without a bound, a model
// that has lost its way writes digits for ever. All integers that a float64 holds
// exactly have no more.
const maxDigits = 16

const maxInteger = 9_999_999_999_999_999

// numberRange is what is said about numbers.
type numberRange struct {
	integer  bool
	min, max int64
}

// number returns the rule of the numbers of t.
func (m *maker) number(t *sig.Type, integer bool) expr {
	r := numberRange{integer, -maxInteger, maxInteger}
	if t != nil {
		for i := range t.Constraints {
			m.bound(&r, &t.Constraints[i])
		}
	}
	if r.min > r.max {
		m.note(Widened, "minimum", "no number is as large as the minimum and as small as the maximum")
		r.min, r.max = -maxInteger, maxInteger
	}
	if e, ok := m.numbers[r]; ok {
		return e
	}
	b := m.b
	var body expr
	minus := m.sign('-')
	switch {
	case r == numberRange{integer, -maxInteger, maxInteger}:
		body = b.seq(b.opt(minus), m.unbounded(integer))
	case r == numberRange{integer, 0, maxInteger}:
		body = m.unbounded(integer)
	default:
		var alts []expr
		if r.max >= 0 {
			alts = append(alts, m.spans(max(r.min, 0), r.max, integer))
		}
		if r.min < 0 {
			alts = append(alts, b.seq(minus, m.spans(max(0, -r.max), -r.min, integer)))
		}
		body = b.alt(alts...)
	}
	hint := "number"
	if integer {
		hint = "integer"
	}
	m.numbers[r] = b.token(hint, body)
	return m.numbers[r]
}

// bound takes a constraint into the range, or notes that it is not enforced.
func (m *maker) bound(r *numberRange, c *sig.Constraint) {
	var lower, exclusive bool
	switch c.Keyword {
	case "minimum":
		lower = true
	case "exclusiveMinimum":
		lower, exclusive = true, true
	case "maximum":
	case "exclusiveMaximum":
		exclusive = true
	default:
		return
	}
	v, err := strconv.ParseFloat(string(c.Value), 64)
	if err != nil { // exclusiveMinimum: true, as older drafts have it
		m.note(Widened, c.Keyword, "only a number says where a range ends")
		return
	}
	if !r.integer && (exclusive || v != math.Trunc(v)) {
		m.note(Widened, c.Keyword, "of numbers that are not integers, only bounds that are one, and belong to the range, are enforced")
		return
	}
	// Beyond the integers of maxDigits a bound says nothing, or everything.
	whole := int64(math.Max(-maxInteger, math.Min(maxInteger, math.Ceil(v))))
	if !lower {
		whole = int64(math.Max(-maxInteger, math.Min(maxInteger, math.Floor(v))))
	}
	if exclusive && v == math.Trunc(v) {
		if lower {
			whole++
		} else {
			whole--
		}
	}
	if lower {
		r.min = max(r.min, whole)
	} else {
		r.max = min(r.max, whole)
	}
}

// sign returns the sign, or never where a tag begins with it and a digit, and so
// might be read in the midst of a number.
func (m *maker) sign(c byte) expr {
	if m.signsHold(string(rune(c))) {
		return m.b.literal(string(rune(c)))
	}
	return never
}

// signsHold reports whether the signs in a number cannot begin a tag there.
func (m *maker) signsHold(number string) bool {
	for _, tag := range [...]string{m.delims.Open, m.delims.Close} {
		if (tag[0] == '-' || tag[0] == '+') && digits.has(tag[1]) && strings.Contains(number, tag[:1]) {
			return false
		}
	}
	return true
}

// unbounded returns all numbers without a sign.
func (m *maker) unbounded(integer bool) expr {
	b := m.b
	whole := b.alt(b.literal("0"), b.seq(b.class(between('1', '9')), b.repeat(b.class(digits), 0, maxDigits-1)))
	if integer {
		return whole
	}
	exponent := b.seq(b.class(chars("eE")), b.opt(b.alt(m.sign('+'), m.sign('-'))), b.repeat(b.class(digits), 1, 3))
	return b.seq(whole, b.opt(m.fraction(digits)), b.opt(exponent))
}

// fraction returns a point and the digits behind it.
func (m *maker) fraction(digits charset) expr {
	return m.b.seq(m.b.literal("."), m.b.repeat(m.b.class(digits), 1, maxDigits))
}

// spans returns the numbers from one to another, neither of which is negative.
func (m *maker) spans(from, to int64, integer bool) expr {
	b := m.b
	var alts []expr
	if !integer {
		alts = append(alts, b.seq(b.literal(strconv.FormatInt(to, 10)), b.opt(m.fraction(chars("0")))))
		to--
	}
	var whole []expr
	for from <= to {
		first, end := strconv.FormatInt(from, 10), strconv.FormatInt(to, 10)
		if first[0] == '1' && strings.Trim(first[1:], "0") == "" && strings.Trim(end, "9") == "" {
			whole = append(whole, b.seq(b.class(between('1', '9')), b.repeat(b.class(digits), len(first)-1, len(end)-1)))
			break
		}
		last := min(int64(math.Pow10(len(first)))-1, to) // the last one of as many digits
		whole = append(whole, m.span(first, strconv.FormatInt(last, 10)))
		from = last + 1
	}
	if integer {
		return b.alt(whole...)
	}
	return b.alt(append(alts, b.seq(b.alt(whole...), b.opt(m.fraction(digits))))...)
}

// span returns the digits from one text to another of the same length.
func (m *maker) span(from, to string) expr {
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
