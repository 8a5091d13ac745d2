package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
)

// Goal is what tables must hold in the end, by their names: as many rows as there
// are here, each with these columns at least. A column is a value, or
//
//	{"contains": ["18", "Oslo"]}   a text with all of these words
//	{"lines": ["18", "9"]}         an array of texts, each with one of these words
//	{"set": ["a", "b"]}            an array in any order
//
// Tables that are not here must be as they were.
type Goal map[string][]map[string]json.RawMessage

// missed says what the world lacks; nothing where the goal is reached.
func (g Goal) missed(before, after World) (missed []string) {
	for name, want := range g {
		if have := after.Tables[name]; len(have) != len(want) {
			missed = append(missed, fmt.Sprintf("%s: %d rows, not %d", name, len(have), len(want)))
		} else if !score.Assigned(len(want), func(i, j int) bool { return fitsRow(want[i], have[j]) }) {
			missed = append(missed, name+": other rows")
		}
	}
	for name, rows := range after.Tables {
		if _, ok := g[name]; !ok && !reflect.DeepEqual(rows, before.Tables[name]) {
			missed = append(missed, name+": changed")
		}
	}
	slices.Sort(missed)
	return missed
}

func fitsRow(want map[string]json.RawMessage, have Row) bool {
	for column, text := range want {
		if !fitsValue(text, have[column]) {
			return false
		}
	}
	return true
}

func fitsValue(want json.RawMessage, have any) bool {
	var special struct {
		Contains []string
		Lines    []string
		Set      json.RawMessage
	}
	if want[0] == '{' && json.Unmarshal(want, &special) == nil {
		if special.Contains != nil {
			text, ok := have.(string)
			return ok && !slices.ContainsFunc(special.Contains, func(word string) bool { return !holds(text, word) })
		}
		if special.Lines != nil {
			lines, ok := have.([]any)
			return ok && len(lines) == len(special.Lines) && score.Assigned(len(lines), func(i, j int) bool {
				text, ok := lines[j].(string)
				return ok && holds(text, special.Lines[i])
			})
		}
		if special.Set != nil {
			want = special.Set
		}
	}
	p, err := score.PatternOf(want)
	p.Set = special.Set != nil
	return err == nil && p.Matches(have, score.Soft)
}

// holds reports whether a text has a word, in any case, that is no part of a longer
// word or number.
func holds(text, word string) bool {
	text, word = strings.ToLower(text), strings.ToLower(word)
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		before, after := []rune(text[:from+i]), []rune(text[from+i+len(word):])
		if !(len(before) > 0 && joins(before[len(before)-1])) && !(len(after) > 0 && joins(after[0])) {
			return true
		}
		from += i + 1
	}
}

func joins(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
