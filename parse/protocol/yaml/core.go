package yaml

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/callwire/callwire/sig"
)

// numbers matches a number of the core schema, which JSON may not allow: its sign, its
// digits before and after the dot, and its exponent.
var numbers = regexp.MustCompile(`^([-+]?)([0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)

// core returns the JSON literal for an unquoted scalar under YAML 1.2's core schema,
// and its kind, 0 if it is a string. Digits are kept; a number with a leading zero is a
// string, as in the wire format.
func core(text string) (literal string, kind sig.Kinds) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return "null", sig.Null
	case "true", "True", "TRUE":
		return "true", sig.Boolean
	case "false", "False", "FALSE":
		return "false", sig.Boolean
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0o") {
		if strings.ContainsAny(text, "_+-") {
			return "", 0
		}
		if n, ok := new(big.Int).SetString(text, 0); ok {
			return n.String(), sig.Number | sig.Integer
		}
		return "", 0
	}
	m := numbers.FindStringSubmatch(text)
	if m == nil {
		return "", 0
	}
	sign, whole, fraction, exponent := strings.TrimPrefix(m[1], "+"), m[2], m[3], m[4]
	switch {
	case whole == "" && len(fraction) < 2, len(whole) > 1 && whole[0] == '0':
		return "", 0
	case whole == "":
		whole = "0"
	}
	if fraction == "." {
		fraction = ".0"
	}
	return sign + whole + fraction + exponent, sig.Number | sig.Integer
}
