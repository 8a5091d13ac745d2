package lexeme

import (
	"bytes"
	"strconv"
)

// A number is that of RFC 8259:
//
//	number = [ "-" ] ( "0" / digit1-9 *digit ) [ "." 1*digit ] [ ("e" / "E") [ "+" / "-" ] 1*digit ]
//
// Numbers are never converted. Their digits decide whether one is integral and whether
// two are equal, so none is too long, too large or too precise.

// IsNumber reports whether b is a number.
func IsNumber(b []byte) bool {
	// Rule: value.number.
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch n := digits(b[i:]); {
	case n == 0 || n > 1 && b[i] == '0':
		return false
	default:
		i += n
	}
	if i < len(b) && b[i] == '.' {
		n := digits(b[i+1:])
		if n == 0 {
			return false
		}
		i += 1 + n
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		n := digits(b[i:])
		if n == 0 {
			return false
		}
		i += n
	}
	return i == len(b)
}

// digits returns how many digits b begins with.
func digits(b []byte) int {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n
}

// IsIntegral reports whether the number b is an integer by value: 4.0 and 1e3 are.
func IsIntegral(b []byte) bool {
	// Rule: typing.integer.
	if d := bytes.TrimPrefix(b, []byte{'-'}); digits(d) == len(d) {
		return true
	}
	n := split(b)
	return n.zero() || n.exponent().compare(-n.shift) >= 0
}

// AppendNumber appends the canonical spelling of the number b, the same for all equal
// numbers: its digits without zeros at either end, e, and the exponent; 0 for zero. It
// takes time linear in b.
func AppendNumber(dst, b []byte) []byte {
	n := split(b)
	if n.zero() {
		return append(dst, '0')
	}
	if n.negative {
		dst = append(dst, '-')
	}
	whole, frac, _ := bytes.Cut(n.digits, []byte{'.'})
	dst = append(append(dst, whole...), frac...)
	return n.exponent().appendSum(append(dst, 'e'), n.shift)
}

// number is a number in its parts: digits × 10^(exp+shift).
type number struct {
	negative bool
	digits   []byte // without zeros at either end; there may be a point in it
	shift    int
	exp      []byte // as written, nil for none
}

func (n *number) zero() bool { return len(n.digits) == 0 }

// split splits the number b into its parts.
func split(b []byte) (n number) {
	if b[0] == '-' {
		n.negative = true
		b = b[1:]
	}
	if i := bytes.IndexByte(b, 'e'); i >= 0 {
		b, n.exp = b[:i], b[i+1:]
	} else if i := bytes.IndexByte(b, 'E'); i >= 0 {
		b, n.exp = b[:i], b[i+1:]
	}
	n.digits = bytes.Trim(b, "0.")
	if n.zero() {
		return n
	}
	last := len(b) - len(bytes.TrimLeft(b, "0.")) + len(n.digits) // in b, after the last digit that counts
	point := bytes.IndexByte(b, '.')
	switch {
	case point < 0:
		n.shift = len(b) - last
	case point < last:
		n.shift = point + 1 - last
	default:
		n.shift = point - last
	}
	return n
}

// exponent is an exponent as written, and its value if that fits.
type exponent struct {
	negative bool
	digits   []byte // without leading zeros
	small    bool
	value    int64 // where it is small
}

// An exponent is small if it and its sum with any length fit in an int64.
const smallDigits = 18

func (n *number) exponent() (e exponent) {
	d := n.exp
	if len(d) > 0 && (d[0] == '-' || d[0] == '+') {
		e.negative = d[0] == '-'
		d = d[1:]
	}
	e.digits = bytes.TrimLeft(d, "0")
	if e.small = len(e.digits) <= smallDigits; e.small {
		for _, c := range e.digits {
			e.value = 10*e.value + int64(c-'0')
		}
		if e.negative {
			e.value = -e.value
		}
	}
	return e
}

// compare compares e with the length n: -1 if e is less, 1 if it is more.
func (e exponent) compare(n int) int {
	switch {
	case e.small && e.value == int64(n):
		return 0
	case e.small && e.value < int64(n), !e.small && e.negative:
		return -1
	}
	return 1
}

// appendSum appends the decimal digits of e+n, for a length n.
func (e exponent) appendSum(dst []byte, n int) []byte {
	if e.small {
		return strconv.AppendInt(dst, e.value+int64(n), 10)
	}
	if e.negative {
		dst = append(dst, '-')
		n = -n
	}
	first := len(dst)
	dst = append(append(dst, '0'), e.digits...)
	for i := len(dst) - 1; n != 0; i-- { // digit by digit, n is what is carried
		n += int(dst[i] - '0')
		d := (n%10 + 10) % 10
		dst[i] = '0' + byte(d)
		n = (n - d) / 10
	}
	for first < len(dst)-1 && dst[first] == '0' {
		dst = append(dst[:first], dst[first+1:]...)
	}
	return dst
}
