package live

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// evaluate returns the value of an arithmetic expression, with at most ten digits
// after the decimal point.
func evaluate(text string) (string, error) {
	const longest = 500
	c := calculation{text[:min(len(text), longest+1)]}
	value := c.value("+-", "*/")
	if math.IsNaN(value) || math.IsInf(value, 0) || c.rest != "" || len(text) > longest {
		return "", fmt.Errorf("%.500q is not an expression of numbers, + - * / and brackets", text)
	}
	value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'f', 10, 64), 64)
	return strconv.FormatFloat(value, 'f', -1, 64), nil
}

// calculation reads an expression from left to right. What is not one is not a number.
type calculation struct{ rest string }

// take takes one of some characters, or returns 0. It skips whitespace.
func (c *calculation) take(some string) (taken byte) {
	c.rest = strings.TrimSpace(c.rest)
	if c.rest != "" && strings.Contains(some, c.rest[:1]) {
		taken, c.rest = c.rest[0], c.rest[1:]
	}
	return taken
}

// value reads operands between operators of one precedence; others bind more tightly.
func (c *calculation) value(operators string, others ...string) float64 {
	operand := c.factor
	if len(others) > 0 {
		operand = func() float64 { return c.value(others[0], others[1:]...) }
	}
	for x := operand(); ; {
		switch c.take(operators) {
		case '+':
			x += operand()
		case '-':
			x -= operand()
		case '*':
			x *= operand()
		case '/':
			x /= operand()
		default:
			return x
		}
	}
}

// factor reads a number, a sign and a factor, or an expression in brackets.
func (c *calculation) factor() float64 {
	switch c.take("(+-") {
	case '(':
		x := c.value("+-", "*/")
		if c.take(")") == 0 {
			return math.NaN()
		}
		return x
	case '+':
		return c.factor()
	case '-':
		return -c.factor()
	}
	n := len(c.rest) - len(strings.TrimLeft(c.rest, "0123456789."))
	x, err := strconv.ParseFloat(c.rest[:n], 64)
	c.rest = c.rest[n:]
	if err != nil {
		return math.NaN()
	}
	return x
}
