package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// An enum is the value of a flag with a fixed set of values. Other values are refused when
// the command line is read, help lists the values, and shells complete them.
type enum[T ~string] struct {
	value  *T
	values []string
}

// enumVar defines a flag whose value is one of values. The default may be another one,
// such as "".
func enumVar[T ~string](f *pflag.FlagSet, to *T, name, value, usage string, values ...string) {
	*to = T(value)
	f.Var(&enum[T]{to, values}, name, usage)
}

// colorVar defines the flag for when to use color.
func colorVar(f *pflag.FlagSet, to *terminal.ColorMode) {
	enumVar(f, to, "color", "auto", "when to use color", "auto", "always", "never")
}

func (e *enum[T]) String() string {
	if e.value == nil { // pflag asks a zero value for its default
		return ""
	}
	return string(*e.value)
}

func (e *enum[T]) Set(value string) error {
	if !slices.Contains(e.values, value) {
		return fmt.Errorf("is %s, not %q", orList(e.values), value)
	}
	*e.value = T(value)
	return nil
}

func (e *enum[T]) Type() string { return strings.Join(e.values, "|") }

func (e *enum[T]) choices() []string { return e.values }

// orList returns "a, b or c".
func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// flagError words the errors of the command line.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if _, ok := f.Value.(interface{ choices() []string }); ok {
			return fmt.Errorf("--%s %w", f.Name, invalid.Unwrap())
		}
		want := "a value that fits"
		if strings.Contains(f.Value.Type(), "int") {
			want = "a number that fits"
		}
		return fmt.Errorf("--%s %q is not %s; see %s --help", f.Name, invalid.GetValue(), want,
			cmd.CommandPath())
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// nearest returns the name that was probably meant, or "" if none is near: one that begins
// with the word, or one that differs from it in few letters.
func nearest(word string, names []string) string {
	best, least := "", 2+len(word)/8
	for _, name := range names {
		if word != "" && strings.HasPrefix(strings.ToLower(name), strings.ToLower(word)) {
			return name
		}
		if d := editDistance(word, name); d <= least {
			best, least = name, d-1
		}
	}
	return best
}

// editDistance returns how many letters must be inserted, removed or replaced to make b
// of a, in any case.
func editDistance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// maybe suggests a name, if there is one.
func maybe(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", name)
}

// oldName keeps a switch working under an old name, which help does not show. An inverted switch
// has the opposite value.
func oldName(f *pflag.FlagSet, name, old string, inverted bool) {
	flag := f.VarPF(&oldSwitch{f.Lookup(name).Value, inverted}, old, "", "see --"+name)
	flag.Hidden, flag.NoOptDefVal = true, "true"
}

// An oldSwitch is a switch under its old name.
type oldSwitch struct {
	pflag.Value
	inverted bool
}

func (s *oldSwitch) Set(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return err
	}
	return s.Value.Set(strconv.FormatBool(on != s.inverted))
}
