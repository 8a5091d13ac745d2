package repair

import (
	_ "embed"
	"slices"
	"strings"
)

// Info describes one repair.
type Info struct {
	Name  string // kebab-case; it never changes
	Reads string // an example of what is read
	As    string // the call that it is read as
	Fix   string // what the writer should do instead

	// Guess reports that the repair takes something for a quote or a tag that isn't one. Calls
	// after such a repair are treated like calls after a malformed one.
	Guess bool
}

// Table returns the table of repairs, in the order of the specification. The caller may change
// the slice.
func Table() []Info { return slices.Clone(table) }

// Guesses reports whether a repair is a guess at a quote or a tag.
func Guesses(name string) bool {
	isGuess := func(r Info) bool { return r.Guess && r.Name == name }
	return slices.ContainsFunc(table, isGuess)
}

// Fix returns how to write correctly what a repair has read, "" for an unknown repair.
func Fix(name string) string {
	for _, r := range table {
		if r.Name == name {
			return r.Fix
		}
	}
	return ""
}

// tableText has a paragraph for each repair, with the lines of an Info. Its name is followed by
// "guess" if it is one, and ⏎ is a line end.
//
//go:embed table.txt
var tableText string

var table = func() (list []Info) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(tableText), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		name, guess, _ := strings.Cut(lines[0], " ")
		list = append(list, Info{
			Name: name, Fix: lines[3], Guess: guess != "",
			Reads: strings.ReplaceAll(lines[1], "⏎", "\n"),
			As:    strings.ReplaceAll(lines[2], "⏎", "\n"),
		})
	}
	return list
}()
