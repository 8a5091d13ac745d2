package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// operator is one way to break a source.
type operator struct {
	name string
	what string
	find func(s *source, n ast.Node, parents []ast.Node) []edit
}

// edit replaces source[from:to] by text.
type edit struct {
	from, to int
	text     string
}

// operators are all operators, the general ones first.
var operators = []operator{
	{"remove", "a statement is left out", remove},
	{"compare", "a comparison takes its boundary in or not, or is turned round", compare},
	{"case", "a case, or one of its values, is dropped or negated", dropCase},
	{"const", "a number or byte is one more or less, true is false", constant},
	{"bool", "and is or, a condition is dropped, always or never holds", boolean},
	{"arith", "an operation is its opposite", arithmetic},
	{"delims", "a delimiter is its counterpart", delimiter},
	{"escape", "an escape is dropped", escape},
	{"early", "a span ends one byte early", early},
}

// replace returns the edit that replaces n by text.
func (s *source) replace(n ast.Node, text string) edit {
	return edit{s.offset(n.Pos()), s.offset(n.End()), text}
}

// at returns the edit that replaces old at p by text.
func (s *source) at(p token.Pos, old, text string) edit {
	from := s.offset(p)
	return edit{from, from + len(old), text}
}

// remove disables statements in such a way that everything in them still counts as used.
func remove(s *source, n ast.Node, parents []ast.Node) []edit {
	stmt, ok := n.(ast.Stmt)
	if !ok || len(parents) == 0 {
		return nil
	}
	block, _ := parents[len(parents)-1].(*ast.BlockStmt)
	_, inCase := parents[len(parents)-1].(*ast.CaseClause)
	if block == nil && !inCase {
		return nil
	}
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		if stmt.Tok == token.DEFINE {
			return nil
		}
	case *ast.ReturnStmt:
		if block != nil && len(block.List) == 1 { // the same as the condition around it
			return nil
		}
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
	default:
		return nil
	}
	return []edit{s.replace(n, "if false { "+s.of(n)+" }")}
}

// turns are the wrong comparisons, the other boundary first.
var turns = map[token.Token][]string{
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.EQL: {"!="}, token.NEQ: {"=="},
}

func compare(s *source, n ast.Node, _ []ast.Node) []edit {
	b, ok := n.(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	var all []edit
	for _, text := range turns[b.Op] {
		all = append(all, s.at(b.OpPos, b.Op.String(), text))
	}
	return all
}

func dropCase(s *source, n ast.Node, parents []ast.Node) []edit {
	c, ok := n.(*ast.CaseClause)
	if !ok {
		return nil
	}
	conditions := false // not values or types
	switch sw := parents[len(parents)-2].(type) {
	case *ast.SwitchStmt:
		conditions = sw.Tag == nil
	case *ast.TypeSwitchStmt:
	default:
		return nil
	}
	if !conditions || c.List == nil {
		all := []edit{s.replace(c, "")}
		for i, x := range c.List {
			switch {
			case len(c.List) == 1:
			case i == 0:
				all = append(all, edit{s.offset(x.Pos()), s.offset(c.List[1].Pos()), ""})
			default:
				all = append(all, edit{s.offset(c.List[i-1].End()), s.offset(x.End()), ""})
			}
		}
		return all
	}
	var all []edit
	for _, x := range c.List {
		all = append(all, s.replace(x, "false && ("+s.of(x)+")"), s.replace(x, "!("+s.of(x)+")"))
	}
	return all
}

func constant(s *source, n ast.Node, _ []ast.Node) []edit {
	switch n := n.(type) {
	case *ast.BasicLit:
		switch {
		case n.Kind == token.INT && n.Value == "0":
			return []edit{s.replace(n, "1")}
		case n.Kind == token.INT || n.Kind == token.CHAR:
			return []edit{s.replace(n, "("+n.Value+" + 1)"), s.replace(n, "("+n.Value+" - 1)")}
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			return []edit{s.replace(n, "false")}
		case "false":
			return []edit{s.replace(n, "true")}
		}
	}
	return nil
}

func boolean(s *source, n ast.Node, _ []ast.Node) []edit {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LAND:
			return []edit{s.at(n.OpPos, "&&", "||")}
		case token.LOR:
			return []edit{s.at(n.OpPos, "||", "&&")}
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			return []edit{s.at(n.OpPos, "!", "")}
		}
	case *ast.IfStmt:
		return []edit{s.replace(n.Cond, "false && ("+s.of(n.Cond)+")"), s.replace(n.Cond, "true || "+s.of(n.Cond))}
	}
	return nil
}

// opposites are the wrong operations.
var opposites = map[token.Token]string{
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.REM: "/",
	token.AND: "|", token.OR: "&", token.AND_NOT: "&", token.XOR: "&", token.SHL: ">>", token.SHR: "<<",
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.OR_ASSIGN: "&=", token.AND_ASSIGN: "|=", token.AND_NOT_ASSIGN: "|=",
	token.SHL_ASSIGN: ">>=", token.SHR_ASSIGN: "<<=", token.INC: "--", token.DEC: "++",
}

func arithmetic(s *source, n ast.Node, _ []ast.Node) []edit {
	op, at := token.ILLEGAL, token.NoPos
	switch n := n.(type) {
	case *ast.BinaryExpr:
		op, at = n.Op, n.OpPos
	case *ast.AssignStmt:
		op, at = n.Tok, n.TokPos
	case *ast.IncDecStmt:
		op, at = n.Tok, n.TokPos
	}
	text, ok := opposites[op]
	if !ok {
		return nil
	}
	return []edit{s.at(at, op.String(), text)}
}

// counterparts are the delimiters, as characters and by name.
var counterparts = pairs("[", "{", "]", "}", "\"", "'", ",", ":", ".", "=",
	"open", "close", "openTag", "closeTag", "Open", "Close", "ArrayOpen", "ObjectOpen", "ArrayClose", "ObjectClose",
	"Comma", "Colon", "Dot", "Equals", "Array", "Object", "First", "Last")

func pairs(names ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(names); i += 2 {
		m[names[i]], m[names[i+1]] = names[i+1], names[i]
	}
	return m
}

func delimiter(s *source, n ast.Node, parents []ast.Node) []edit {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		other, ok := counterparts[text]
		if err != nil || !ok || len(text) > 1 {
			return nil
		}
		if n.Kind == token.CHAR {
			return []edit{s.replace(n, strconv.QuoteRune(rune(other[0])))}
		}
		return []edit{s.replace(n, strconv.Quote(other))}
	case *ast.Ident:
		other, ok := counterparts[n.Name]
		if !ok || len(n.Name) == 1 || declares(parents[len(parents)-1], n) {
			return nil
		}
		return []edit{s.replace(n, other)}
	}
	return nil
}

// declares reports whether its parent declares n.
func declares(parent ast.Node, n *ast.Ident) bool {
	switch p := parent.(type) {
	case *ast.FuncDecl, *ast.Field, *ast.TypeSpec, *ast.LabeledStmt:
		return true
	case *ast.ValueSpec:
		for _, name := range p.Names {
			if name == n {
				return true
			}
		}
	case *ast.KeyValueExpr:
		return p.Key == n
	}
	return false
}

func escape(s *source, n ast.Node, _ []ast.Node) []edit {
	switch n := n.(type) {
	case *ast.CallExpr: // append(b, '\\', c) loses the backslash
		var all []edit
		for i := 1; i < len(n.Args); i++ {
			if lit, ok := n.Args[i].(*ast.BasicLit); ok && lit.Value == `'\\'` {
				all = append(all, edit{s.offset(n.Args[i-1].End()), s.offset(lit.End()), ""})
			}
		}
		return all
	case *ast.BasicLit:
		switch {
		case n.Kind == token.STRING && strings.HasPrefix(n.Value, `"\\`): // "\\n" is "n"
			return []edit{s.replace(n, `"`+n.Value[3:])}
		case n.Kind == token.STRING && strings.HasPrefix(n.Value, "`\\"):
			return []edit{s.replace(n, "`"+n.Value[2:])}
		case n.Kind == token.CHAR && len(n.Value) == 4 && strings.IndexByte("bfnrt", n.Value[2]) >= 0: // '\n' is 'n'
			return []edit{s.replace(n, "'"+n.Value[2:])}
		}
	}
	return nil
}

// spans are the fields with ends of spans, and the functions called with them.
var (
	ends  = map[string]bool{"End": true, "sure": true, "given": true, "to": true, "keyTo": true, "nameTo": true, "keyEnd": true, "pathEnd": true}
	emits = map[string]bool{"emit": true, "emitText": true, "damage": true, "cutString": true, "hold": true}
)

func early(s *source, n ast.Node, _ []ast.Node) []edit {
	less := func(x ast.Expr) edit { return s.replace(x, fmt.Sprintf("(%s) - 1", s.of(x))) }
	switch n := n.(type) {
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && emits[f.Sel.Name] && len(n.Args) > 0 {
			return []edit{less(n.Args[len(n.Args)-1])}
		}
	case *ast.SliceExpr:
		if n.High != nil {
			return []edit{less(n.High)}
		}
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return nil
		}
		var all []edit
		for i, x := range n.Lhs {
			if f, ok := x.(*ast.SelectorExpr); ok && ends[f.Sel.Name] {
				all = append(all, less(n.Rhs[i]))
			}
		}
		return all
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && ends[key.Name] {
			return []edit{less(n.Value)}
		}
	}
	return nil
}
