package live

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// evaluate returns the value of an arithmetic expression, with at most ten digits after the decimal
// point.
func evaluate(text string) (string, error) {
	value := constant.MakeUnknown()
	if len(text) <= 500 && strings.Trim(text, "0123456789.+-*/() \t\n") == "" {
		x, err := parser.ParseExpr(apart.Replace(text))
		if err == nil {
			value = valueOf(x)
		}
	}
	number, _ := constant.Float64Val(value)
	if value.Kind() == constant.Unknown || math.IsInf(number, 0) {
		return "", fmt.Errorf(
			"failed: %.500q is not an expression of numbers, + - * / and brackets", text)
	}
	number, _ = strconv.ParseFloat(strconv.FormatFloat(number, 'f', 10, 64), 64)
	return strconv.FormatFloat(number, 'f', -1, 64), nil
}

// apart separates characters that Go would read as one operator, as a comment or as two lines.
var apart = strings.NewReplacer("+", " + ", "-", " - ", "*", " * ", "/", " / ", "\n", " ")

// valueOf returns the value of an expression; it is unknown if there is none.
func valueOf(x ast.Expr) constant.Value {
	switch x := x.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(x.Value, token.FLOAT, 0)
	case *ast.ParenExpr:
		return valueOf(x.X)
	case *ast.UnaryExpr:
		return constant.UnaryOp(x.Op, valueOf(x.X), 0)
	case *ast.BinaryExpr:
		a, b := valueOf(x.X), valueOf(x.Y)
		if x.Op == token.QUO && constant.Sign(b) == 0 {
			return constant.MakeUnknown()
		}
		return constant.BinaryOp(a, x.Op, b)
	}
	return constant.MakeUnknown()
}
