package yaml

import (
	"math/big"
	"regexp"
	"strings"
)

// numbers matches a decimal number of the core schema: its sign, its digits before and after the
// dot, and its exponent.
var numbers = regexp.MustCompile(`^([-+]?)([0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)

// maxDigits is how many digits a hexadecimal or octal number may have: the time to convert it grows
// with their square. A hash of 512 bits has 128.
const maxDigits = 128

// core returns the JSON literal that an unquoted scalar stands for under the core schema of YAML
// 1.2, or "" if it is a string. Digits are kept. A number with a leading zero is a string, as in
// the wire format.
func core(text string) (literal string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return "null"
	case "true", "True", "TRUE":
		return "true"
	case "false", "False", "FALSE":
		return "false"
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0o") {
		return integer(text)
	}
	m := numbers.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	sign, whole, fraction, exponent := strings.TrimPrefix(m[1], "+"), m[2], m[3], m[4]
	switch {
	case whole == "" && len(fraction) < 2, len(whole) > 1 && whole[0] == '0':
		return ""
	case whole == "":
		whole = "0"
	}
	if fraction == "." {
		fraction = ".0"
	}
	return sign + whole + fraction + exponent
}

// integer returns a hexadecimal or octal number in decimal, or "" if text is not one.
func integer(text string) string {
	if len(text) > len("0x")+maxDigits || strings.ContainsAny(text, "_+-") {
		return ""
	}
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return ""
	}
	return n.String()
}
