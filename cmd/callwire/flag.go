package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/near"
)

// A checked is a [pflag.Value] that refuses values when the command line is read.
type checked struct {
	pflag.Value
	check  func(value string) string // what is wrong, to follow the name of the flag; or ""
	kind   string                    // what help shows for the value, if not its type
	values []string                  // what shells complete
}

// A wrongValue is the error for a value that a flag does not take.
type wrongValue string

func (e wrongValue) Error() string { return string(e) }

// Set implements [pflag.Value].
func (c *checked) Set(value string) error {
	if wrong := c.check(value); wrong != "" {
		return wrongValue(wrong)
	}
	return c.Value.Set(value)
}

// Type implements [pflag.Value].
func (c *checked) Type() string { return cmp.Or(c.kind, c.Value.Type()) }

// choices defines that a flag has one of some values, or a list of them.
func choices(f *pflag.Flag, kind string, values []string, isList bool) {
	check := func(given string) string {
		all := []string{given}
		if isList {
			all = strings.Split(given, ",")
		}
		for _, v := range all {
			if !slices.Contains(values, v) {
				return fmt.Sprintf("is %s, not %q", orList(values), v)
			}
		}
		return ""
	}
	f.Value = &checked{f.Value, check, kind, values}
}

// shortChoice is the length of values that help shows as the name of the value.
const shortChoice = 18

// enumVar defines a flag whose value is one of values. The default may be another one,
// such as "".
func enumVar(f *pflag.FlagSet, to *string, name, value, usage string, values ...string) {
	kind := strings.Join(values, "|")
	if len(kind) > shortChoice {
		kind, usage = "NAME", usage+": "+strings.Join(values, ", ")
	}
	f.StringVar(to, name, value, usage)
	choices(f.Lookup(name), kind, values, false)
}

// listVar defines a flag whose value is a list of values.
func listVar(
	f *pflag.FlagSet, to *[]string, name string, value []string, usage string, values ...string,
) {
	f.StringSliceVar(to, name, value, usage+": "+strings.Join(values, ", "))
	f.Lookup(name).DefValue = strings.Join(value, ",")
	choices(f.Lookup(name), "NAMES", values, true)
}

// colorVar defines the flag for when to use color.
func colorVar(f *pflag.FlagSet, to *terminal.ColorMode) {
	enumVar(f, (*string)(to), "color", "auto", "when to use color", "auto", "always", "never")
}

// countVar defines a flag whose value is an int of at least some size.
func countVar(f *pflag.FlagSet, to *int, name string, least, value int, usage string) {
	f.IntVar(to, name, value, usage)
	flag := f.Lookup(name)
	flag.Value = &checked{Value: flag.Value, check: func(value string) string {
		if n, err := strconv.Atoi(value); err == nil && n < least {
			return fmt.Sprintf("must be at least %d, found %d", least, n)
		}
		return ""
	}}
}

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
	var wrong wrongValue
	switch {
	case errors.As(err, &wrong) && errors.As(err, &invalid):
		return fmt.Errorf("--%s %w", invalid.GetFlag().Name, wrong)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		want := map[string]string{"bool": "true or false", "duration": "a time such as 30s"}
		return fmt.Errorf("--%s %q is not %s; see %s --help", f.Name, invalid.GetValue(),
			cmp.Or(want[f.Value.Type()], "a number that fits"), cmd.CommandPath())
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

// didYouMean returns the end of a message that suggests the nearest name, if one is near.
func didYouMean(word string, names []string) string {
	name := nearest(word, names)
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", name)
}

// nearest returns the name that was probably meant, or "" if none is near: one that begins
// with the word, or one that differs from it in few letters.
func nearest(word string, names []string) string {
	best, least := "", min(2+len(word)/8, len(word)/2)
	for _, name := range names {
		a, b := strings.ToLower(word), strings.ToLower(name)
		if word != "" && strings.HasPrefix(b, a) {
			return name
		}
		if d := near.Distance(a, b); d <= least {
			best, least = name, d-1
		}
	}
	return best
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
