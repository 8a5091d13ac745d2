package live

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"strconv"
)

// evaluate returns the value of an arithmetic expression, with at most ten digits
// after the decimal point.
func evaluate(text string) (string, error) {
	const longest = 500
	if len(text) > longest {
		return "", fmt.Errorf("the expression has more than %d characters", longest)
	}
	tree, err := parser.ParseExpr(text)
	if err != nil {
		return "", fmt.Errorf("%q is not an expression of numbers, + - * / and brackets", text)
	}
	v, err := value(tree)
	if err != nil {
		return "", err
	}
	f, _ := constant.Float64Val(v)
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'f', 10, 64), 64)
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

func value(e ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return value(e.X)
	case *ast.BasicLit:
		if e.Kind == token.INT || e.Kind == token.FLOAT {
			return constant.ToFloat(constant.MakeFromLiteral(e.Value, token.FLOAT, 0)), nil
		}
	case *ast.UnaryExpr:
		x, err := value(e.X)
		if err == nil && (e.Op == token.SUB || e.Op == token.ADD) {
			return constant.UnaryOp(e.Op, x, 0), nil
		}
	case *ast.BinaryExpr:
		x, err := value(e.X)
		if err != nil {
			return nil, err
		}
		y, err := value(e.Y)
		if err != nil {
			return nil, err
		}
		switch e.Op {
		case token.QUO:
			if constant.Sign(y) == 0 {
				return nil, fmt.Errorf("a division by zero")
			}
			return constant.BinaryOp(x, token.QUO, y), nil
		case token.ADD, token.SUB, token.MUL:
			return constant.BinaryOp(x, e.Op, y), nil
		}
	}
	return nil, fmt.Errorf("an expression has numbers, + - * / and brackets only")
}
