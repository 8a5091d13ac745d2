package live

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// evaluate returns the value of an arithmetic expression, with at most ten digits after the decimal
// point.
func evaluate(text string) (string, error) {
	value := math.NaN()
	if len(text) <= 500 && strings.Trim(text, "0123456789.+-*/() \t\n") == "" {
		x, err := parser.ParseExpr(apart.Replace(text))
		if err == nil {
			value = valueOf(x)
		}
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return "", fmt.Errorf(
			"failed: %.500q is not an expression of numbers, + - * / and brackets", text)
	}
	value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'f', 10, 64), 64)
	return strconv.FormatFloat(value, 'f', -1, 64), nil
}

// apart separates characters that Go would read as one operator, as a comment or as two lines.
var apart = strings.NewReplacer("+", " + ", "-", " - ", "*", " * ", "/", " / ", "\n", " ")

// valueOf returns the value of an expression, or NaN.
func valueOf(x ast.Expr) float64 {
	switch x := x.(type) {
	case *ast.BasicLit:
		value, err := strconv.ParseFloat(x.Value, 64)
		if err == nil {
			return value
		}
	case *ast.ParenExpr:
		return valueOf(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			return -valueOf(x.X)
		}
		return valueOf(x.X) // the only other sign
	case *ast.BinaryExpr:
		a, b := valueOf(x.X), valueOf(x.Y)
		switch x.Op {
		case token.ADD:
			return a + b
		case token.SUB:
			return a - b
		case token.MUL:
			return a * b
		case token.QUO:
			return a / b
		}
	}
	return math.NaN()
}
