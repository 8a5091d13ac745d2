package parse

import (
	"bytes"
	"strconv"
)

// Numbers are never converted: whether one is integral and whether two are
// equal is decided on their digits.

// isNumber reports whether b is a number as RFC 8259 writes them.
//
// Rule: value.number.
func isNumber(b []byte) bool {
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

// isIntegral reports whether the number b is an integer by value: 4.0 and 1e3
// are.
//
// Rule: typing.integer.
func isIntegral(b []byte) bool {
	if d := bytes.TrimPrefix(b, []byte{'-'}); digits(d) == len(d) {
		return true
	}
	v := normalize(b)
	return v.zero || v.exp >= 0
}

// normal is a number as digits × 10^exp, without zeros at either end of digits.
type normal struct {
	negative, zero bool
	digits         string
	exp            int64
}

// normalize returns the normal form of the number b, in time linear in b.
// Exponents beyond 64 bits count as the largest or smallest ones.
func normalize(b []byte) normal {
	var v normal
	if b[0] == '-' {
		v.negative = true
		b = b[1:]
	}
	mantissa, exp := b, []byte(nil)
	if i := bytes.IndexAny(b, "eE"); i >= 0 {
		mantissa, exp = b[:i], b[i+1:]
	}
	whole, frac, _ := bytes.Cut(mantissa, []byte{'.'})
	all := append(append(make([]byte, 0, len(mantissa)), whole...), frac...)
	v.exp -= int64(len(frac))
	kept := bytes.TrimRight(all, "0")
	v.exp += int64(len(all) - len(kept))
	v.digits = string(bytes.TrimLeft(kept, "0"))
	v.zero = v.digits == ""
	if len(exp) > 0 {
		e, _ := strconv.ParseInt(string(exp), 10, 64) // the nearest bound where it is out of range
		const far = 1 << 62
		v.exp += max(-far, min(far, e))
	}
	return v
}

// equalNumbers reports whether two numbers have the same value.
func equalNumbers(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, y := normalize(a), normalize(b)
	if x.zero || y.zero {
		return x.zero && y.zero
	}
	return x == y
}
