package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
)

// Row is a row of a table. Numbers in it are of type json.Number.
type Row map[string]any

// World is what tools read and change: tables of rows, by their names.
type World struct {
	Tables map[string][]Row

	calls map[string]int // how often each tool was called
}

// clone returns a copy that can be changed by itself: rows are never changed in
// place.
func (w World) clone() World {
	c := World{Tables: make(map[string][]Row, len(w.Tables)), calls: make(map[string]int)}
	for name, rows := range w.Tables {
		c.Tables[name] = slices.Clone(rows)
	}
	return c
}

// Action is what a tool does. One of the first five is set.
type Action struct {
	Find      string `json:"find,omitempty"`      // shows the row of this table that the arguments name
	List      string `json:"list,omitempty"`      // shows all rows of this table that fit the arguments
	Insert    string `json:"insert,omitempty"`    // adds the arguments to this table as a row
	Update    string `json:"update,omitempty"`    // changes the row that the arguments name
	Calculate string `json:"calculate,omitempty"` // evaluates the expression in this argument

	By       []string          `json:"by,omitempty"`       // arguments that a column of their name must equal; those not given fit all
	AtLeast  map[string]string `json:"atLeast,omitempty"`  // column that must have at least the value of an argument
	Contains map[string]string `json:"contains,omitempty"` // column that must contain the words of an argument
	Show     []string          `json:"show,omitempty"`     // columns to show; none: all
	Page     int               `json:"page,omitempty"`     // rows on a page; the argument "page" counts from 1
	Unique   []string          `json:"unique,omitempty"`   // columns of which a table has each combination once
	Fails    int               `json:"fails,omitempty"`    // how many of the first calls fail
	Error    string            `json:"error,omitempty"`    // what a failing call says
}

// failed is the error of a call, as the model reads it.
func failed(format string, args ...any) error {
	return errors.New("failed: " + fmt.Sprintf(format, args...))
}

// call does what a tool does and returns what it shows.
func (w *World) call(name string, a Action, input map[string]any) (string, error) {
	w.calls[name]++
	if w.calls[name] <= a.Fails {
		return "", failed("%s", a.Error)
	}
	switch {
	case a.Calculate != "":
		text, _ := input[a.Calculate].(string)
		value, err := evaluate(text)
		if err != nil {
			return "", failed("%v", err)
		}
		return value, nil
	case a.Insert != "":
		return w.insert(a, input)
	case a.Find != "":
		rows := w.matching(a.Find, a, input)
		if len(rows) == 0 {
			return "", failed("%s", orElse(a.Error, "nothing is known of that"))
		}
		return show(a.project(rows[0]))
	case a.Update != "":
		return w.update(a, input)
	}
	return w.list(a, input)
}

func (w *World) insert(a Action, input map[string]any) (string, error) {
	rows := w.Tables[a.Insert]
	for _, row := range rows {
		same := len(a.Unique) > 0
		for _, column := range a.Unique {
			same = same && equal(row[column], input[column])
		}
		if same {
			return "", failed("%s", a.Error)
		}
	}
	w.Tables[a.Insert] = append(rows, maps.Clone(Row(input)))
	return show(Row{"done": true, "number": len(rows) + 1})
}

func (w *World) update(a Action, input map[string]any) (string, error) {
	for i, row := range w.Tables[a.Update] {
		if !a.fits(row, input) {
			continue
		}
		changed := maps.Clone(row)
		maps.Copy(changed, input)
		w.Tables[a.Update][i] = changed
		return show(a.project(changed))
	}
	return "", failed("%s", orElse(a.Error, "nothing is known of that"))
}

func (w *World) list(a Action, input map[string]any) (string, error) {
	rows := w.matching(a.List, a, input)
	answer := Row{}
	if a.Page > 0 {
		page := 1
		if n, ok := input["page"].(json.Number); ok {
			if given, err := n.Int64(); err == nil && given > 0 && given < 1000 {
				page = int(given)
			}
		}
		from := min((page-1)*a.Page, len(rows))
		to := min(from+a.Page, len(rows))
		if to < len(rows) {
			answer["nextPage"] = page + 1
		}
		rows = rows[from:to]
	}
	shown := make([]Row, len(rows))
	for i, row := range rows {
		shown[i] = a.project(row)
	}
	answer["rows"] = shown
	return show(answer)
}

func (w *World) matching(table string, a Action, input map[string]any) (rows []Row) {
	for _, row := range w.Tables[table] {
		if a.fits(row, input) {
			rows = append(rows, row)
		}
	}
	return rows
}

// fits reports whether the arguments mean a row.
func (a Action) fits(row Row, input map[string]any) bool {
	for _, name := range a.By {
		if given, ok := input[name]; ok && !equal(row[name], given) {
			return false
		}
	}
	for column, name := range a.AtLeast {
		given, ok := input[name].(json.Number)
		have, _ := row[column].(json.Number)
		if ok && less(have, given) {
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

func less(a, b json.Number) bool {
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x < y
}

// project returns the columns of a row that are shown.
func (a Action) project(row Row) Row {
	if len(a.Show) == 0 {
		return row
	}
	shown := make(Row, len(a.Show))
	for _, column := range a.Show {
		shown[column] = row[column]
	}
	return shown
}

// equal compares as people do: strings but for case and space, numbers by value.
func equal(have, given any) bool { return score.PatternOfValue(have).Matches(given, score.Soft) }

func show(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
