package live

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

// Task is a world that tools read and change, and the state that it should end in.
type Task struct {
	World World

	// Goal is what tables must contain in the end: as many rows as here, each with at least these
	// columns. Other tables must not change. A column is a value, or
	//
	//	{"contains": ["18", "Oslo"]}   a text with all of these words
	//	{"lines": ["18", "9"]}         an array of texts, each with one of these words
	//	{"set": ["a", "b"]}            an array in any order
	Goal World

	actions map[string]Action // what the tools do
}

// World is tables of rows, by name. Rows never change in place. Numbers are of type json.Number.
type World map[string][]Row

// Row is a row of a table.
type Row = map[string]any

// Action is what a tool does. One of the first five is set.
type Action struct {
	Find      string `json:"find,omitempty"`      // shows the selected row of this table
	List      string `json:"list,omitempty"`      // shows the matching rows of this table
	Insert    string `json:"insert,omitempty"`    // adds the arguments to this table as a row
	Update    string `json:"update,omitempty"`    // changes the row that the arguments select
	Calculate string `json:"calculate,omitempty"` // evaluates the expression in this argument

	By       []string          `json:"by,omitempty"`       // columns must equal these arguments
	AtLeast  map[string]string `json:"atLeast,omitempty"`  // column to an argument, its minimum
	Contains map[string]string `json:"contains,omitempty"` // column to an argument with its words
	Show     []string          `json:"show,omitempty"`     // columns to show; none means all
	Page     int               `json:"page,omitempty"`     // rows per page; "page" counts from 1
	Unique   []string          `json:"unique,omitempty"`   // columns of a unique key
	Fails    int               `json:"fails,omitempty"`    // how many of the first calls fail
	Error    string            `json:"error,omitempty"`    // the message of a failing call
}

// play is a task that is being worked on.
type play struct {
	*Task
	world World
	calls map[string]int // of each tool
}

func (t *Task) begin() *play {
	p := &play{t, World{}, map[string]int{}}
	for name := range t.Goal {
		p.world[name] = nil
	}
	for name, rows := range t.World {
		p.world[name] = slices.Clone(rows)
	}
	return p
}

// call does what a tool does and returns what it shows. The error is what the model reads.
func (p *play) call(c bench.Call, valid bool) (string, error) {
	value, err := decode(c.Input)
	input, ok := value.(Row)
	if err != nil || !ok || !valid {
		return "", fmt.Errorf("failed: the arguments are not valid by the schema of %s", c.Name)
	}
	a := p.actions[c.Name]
	p.calls[c.Name]++
	if a.Calculate != "" {
		text, _ := input[a.Calculate].(string)
		return evaluate(text)
	}
	var shown any
	if p.calls[c.Name] > a.Fails {
		shown = p.do(a, input)
	}
	if shown == nil {
		return "", errors.New("failed: " + cmp.Or(a.Error, "nothing is known of that"))
	}
	return string(bench.JSON(shown)), nil
}

// do reads or changes a table and returns what that shows, or nil if it is not possible.
func (p *play) do(a Action, input Row) any {
	rows := p.world[cmp.Or(a.Find, a.List, a.Insert, a.Update)]
	var selected []int
	for i, row := range rows {
		if a.fits(row, input) {
			selected = append(selected, i)
		}
	}
	switch {
	case a.List != "":
		return a.list(rows, selected, input)
	case a.Insert != "" && (len(a.Unique) == 0 || len(selected) == 0):
		p.world[a.Insert] = append(rows, input)
		return Row{"done": true, "number": len(rows) + 1}
	case a.Insert != "" || len(selected) == 0:
		return nil
	case a.Update != "":
		changed := maps.Clone(rows[selected[0]])
		maps.Copy(changed, input)
		rows[selected[0]] = changed
	}
	return a.project(rows[selected[0]])
}

// list shows the selected rows, or a page of them.
func (a Action) list(rows []Row, selected []int, input Row) Row {
	answer := Row{}
	if a.Page > 0 {
		page := int(number(input["page"]))
		page = min(max(page, 1), 1000)
		from := min((page-1)*a.Page, len(selected))
		to := min(from+a.Page, len(selected))
		if to < len(selected) {
			answer["nextPage"] = page + 1
		}
		selected = selected[from:to]
	}
	shown := []Row{}
	for _, i := range selected {
		shown = append(shown, a.project(rows[i]))
	}
	answer["rows"] = shown
	return answer
}

// number returns the value of a JSON number, or 0.
func number(value any) float64 {
	n, _ := value.(json.Number)
	x, _ := n.Float64()
	return x
}

// fits reports whether the arguments select a row.
func (a Action) fits(row, input Row) bool {
	for _, name := range a.Unique {
		if !same(row[name], input[name]) {
			return false
		}
	}
	for _, name := range a.By {
		given, ok := input[name]
		if ok && !same(row[name], given) {
			return false
		}
	}
	for column, name := range a.AtLeast {
		if input[name] != nil && number(row[column]) < number(input[name]) {
			return false
		}
	}
	for column, name := range a.Contains {
		given, _ := input[name].(string)
		have, _ := row[column].(string)
		for _, word := range strings.Fields(strings.ToLower(given)) {
			if !strings.Contains(strings.ToLower(have), word) {
				return false
			}
		}
	}
	return true
}

// project returns the columns that are shown.
func (a Action) project(row Row) Row {
	if len(a.Show) == 0 {
		return row
	}
	shown := Row{}
	for _, column := range a.Show {
		shown[column] = row[column]
	}
	return shown
}

// missed returns how the world differs from the goal.
func (p *play) missed() (missed []string) {
	for name, have := range p.world {
		want, ok := p.Goal[name]
		if !ok {
			want = p.World[name]
		}
		if len(have) != len(want) {
			missed = append(missed, fmt.Sprintf("%s: %d rows, not %d", name, len(have), len(want)))
		} else if !pairUp(want, have, fitsRow) {
			missed = append(missed, name+": other rows")
		}
	}
	slices.Sort(missed)
	return missed
}

func fitsRow(want, have Row) bool {
	for column, value := range want {
		if !fitsValue(value, have[column]) {
			return false
		}
	}
	return true
}

func fitsValue(want, have any) bool {
	special, _ := want.(Row)
	list, _ := have.([]any)
	if words, ok := special["contains"].([]any); ok {
		return !slices.ContainsFunc(words, func(word any) bool { return !holds(have, word) })
	}
	if words, ok := special["lines"].([]any); ok {
		return pairUp(words, list, func(word, line any) bool { return holds(line, word) })
	}
	if values, ok := special["set"].([]any); ok {
		return pairUp(values, list, same)
	}
	return same(want, have)
}

// holds reports whether a text contains a word that is not part of a longer word or number.
func holds(text, word any) bool {
	have, _ := text.(string)
	want, _ := word.(string)
	const end = `(?:^|$|[^\pL\p{Nd}])`
	found, err := regexp.MatchString(`(?i)`+end+regexp.QuoteMeta(want)+end, have)
	return found && err == nil && want != ""
}

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
