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

// A wrongValue is the error for a value that a flag does not take. It follows the name of the flag.
type wrongValue string

func (e wrongValue) Error() string { return string(e) }

// A choice is the value of a flag that is one of some values, or a list of them. Other values are
// refused when the command line is read, help lists the values, and shells complete them.
type choice struct {
	pflag.Value
	values []string
	isList bool
}

// enumVar defines a flag whose value is one of values. The default may be another one,
// such as "".
func enumVar(f *pflag.FlagSet, to *string, name, value, usage string, values ...string) {
	f.StringVar(to, name, value, usage+listed(values))
	flag := f.Lookup(name)
	flag.Value = &choice{flag.Value, values, false}
}

// listVar defines a flag whose value is a list of values.
func listVar(
	f *pflag.FlagSet, to *[]string, name string, value []string, usage string, values ...string,
) {
	f.StringSliceVar(to, name, value, usage+": "+strings.Join(values, ", "))
	flag := f.Lookup(name)
	flag.Value, flag.DefValue = &choice{flag.Value, values, true}, strings.Join(value, ",")
}

// colorVar defines the flag for when to use color.
func colorVar(f *pflag.FlagSet, to *terminal.ColorMode) {
	enumVar(f, (*string)(to), "color", "auto", "when to use color", "auto", "always", "never")
}

// shortChoice is the length of values that help shows in the place of the value.
const shortChoice = 18

// listed returns values for the usage of a flag, unless they are shown in the place of its value.
func listed(values []string) string {
	if len(strings.Join(values, "|")) <= shortChoice {
		return ""
	}
	return ": " + strings.Join(values, ", ")
}

// Type implements [pflag.Value]. It is what help shows in the place of the value.
func (c *choice) Type() string {
	switch all := strings.Join(c.values, "|"); {
	case c.isList:
		return "NAMES"
	case len(all) <= shortChoice:
		return all
	}
	return "NAME"
}

// Set implements [pflag.Value].
func (c *choice) Set(value string) error {
	given := []string{value}
	if c.isList {
		given = strings.Split(value, ",")
	}
	for _, v := range given {
		if !slices.Contains(c.values, v) {
			return wrongValue(fmt.Sprintf("is %s, not %q", orList(c.values), v))
		}
	}
	return c.Value.Set(value)
}

// choices returns the values that a flag can have, or those that can be in its list; nil if it
// is not a choice.
func choices(f *pflag.Flag) []string {
	if c, ok := f.Value.(*choice); ok {
		return c.values
	}
	return nil
}

// orList returns "a, b or c".
func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// atLeast is an int that is not smaller than a number, as a [pflag.Value].
type atLeast struct {
	pflag.Value
	least int
}

// countVar defines a flag whose value is an int of at least some size.
func countVar(f *pflag.FlagSet, to *int, name string, least, value int, usage string) {
	f.IntVar(to, name, value, usage)
	flag := f.Lookup(name)
	flag.Value = &atLeast{flag.Value, least}
}

// Set implements [pflag.Value].
func (a *atLeast) Set(value string) error {
	if n, err := strconv.Atoi(value); err == nil && n < a.least {
		return wrongValue(fmt.Sprintf("must be at least %d, found %d", a.least, n))
	}
	return a.Value.Set(value)
}

// flagError words the errors of the command line.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var wrong wrongValue
	switch {
	case errors.As(err, &wrong) && errors.As(err, &invalid):
		return fmt.Errorf("--%s %w", invalid.GetFlag().Name, wrong)
	case errors.As(err, &invalid):
		f, want := invalid.GetFlag(), "a value that fits"
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
