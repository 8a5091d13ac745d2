package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/near"
)

// flags are variables by the names of the flags that set them. The value of a variable is the
// default of its flag. The page of a command lists the flags that it has.
type flags map[string]any

// define defines a flag that sets a variable, or whose value is given.
func define(f *pflag.FlagSet, to any, name, letter, usage string) {
	switch to := to.(type) {
	case *bool:
		f.BoolVarP(to, name, letter, *to, usage)
	case *int:
		f.IntVarP(to, name, letter, *to, usage)
	case *int64:
		f.Int64VarP(to, name, letter, *to, usage)
	case *uint64:
		f.Uint64VarP(to, name, letter, *to, usage)
	case *float64:
		f.Float64VarP(to, name, letter, *to, usage)
	case *time.Duration:
		f.DurationVarP(to, name, letter, *to, usage)
	case *string:
		f.StringVarP(to, name, letter, *to, usage)
	case *[]string:
		f.StringSliceVarP(to, name, letter, *to, usage)
	case *value:
		if to.kind == manyWords {
			usage += ": " + strings.Join(to.words, ", ")
		}
		f.VarP(to, name, letter, usage)
	default:
		panic("no variable for --" + name)
	}
}

// A value is the value of a flag that refuses some values.
type value struct {
	get   func() string
	set   func(string) error
	kind  string   // what help shows for the value
	words []string // what shells complete
}

// Set implements [pflag.Value].
func (v *value) Set(text string) error { return v.set(text) }

// String implements [pflag.Value].
func (v *value) String() string { return v.get() }

// Type implements [pflag.Value].
func (v *value) Type() string { return v.kind }

// A wrongValue is the error for a value that a flag does not take. It follows the name of the flag.
type wrongValue string

func (e wrongValue) Error() string { return string(e) }

const (
	shortChoice = 18     // the length of choices that help shows in the place of the value
	manyWords   = "NAME" // what it shows for others, whose words are in the usage
)

// oneOf returns the value of a flag that is one of some words. The first one is the default; if it
// is "", there is none.
func oneOf[T ~string](to *T, words ...string) *value {
	if *to == "" {
		*to = T(words[0])
	}
	if words[0] == "" {
		words = words[1:]
	}
	v := &value{kind: strings.Join(words, "|"), words: words}
	if len(v.kind) > shortChoice {
		v.kind = manyWords
	}
	v.get = func() string { return string(*to) }
	v.set = func(text string) error {
		*to = T(text)
		return v.check(text)
	}
	return v
}

// colors returns the value of the flag for when to use color.
func colors(to *terminal.ColorMode) *value { return oneOf(to, "auto", "always", "never") }

// someOf returns the value of a flag that is a list of words.
func someOf(to *[]string, words ...string) *value {
	v := &value{kind: manyWords, words: words}
	isDefault := true
	v.get = func() string { return strings.Join(*to, ",") }
	v.set = func(text string) error {
		if isDefault {
			*to, isDefault = nil, false
		}
		list := strings.Split(text, ",")
		*to = append(*to, list...)
		return v.check(list...)
	}
	return v
}

// check refuses texts that are none of the words.
func (v *value) check(texts ...string) error {
	for _, text := range texts {
		if !slices.Contains(v.words, text) {
			return wrongValue(fmt.Sprintf("is %s, not %q", orList(v.words), text))
		}
	}
	return nil
}

// repeated returns the value of a flag that may be repeated.
func repeated(to *[]string) *value {
	return &value{
		kind: "string",
		get:  func() string { return strings.Join(*to, " ") },
		set: func(text string) error {
			*to = append(*to, text)
			return nil
		},
	}
}

// atLeast returns the value of a flag that is a number of some size.
func atLeast(least int, to *int) *value {
	return &value{
		kind: "int",
		get:  func() string { return strconv.Itoa(*to) },
		set: func(text string) (err error) {
			*to, err = strconv.Atoi(text)
			if err == nil && *to < least {
				return wrongValue(fmt.Sprintf("must be at least %d, found %d", least, *to))
			}
			return err
		},
	}
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
		return fmt.Errorf("--%s %q is not %s; see %s", f.Name, invalid.GetValue(),
			cmp.Or(want[f.Value.Type()], "a number that fits"), fullHelpOf(cmd))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w%s", err, suggestion("--"+near))
		}
	}
	return fmt.Errorf("%w; see %s", err, fullHelpOf(cmd))
}

// didYouMean returns the end of a message that suggests the nearest name, if one is near.
func didYouMean(word string, names []string) string {
	name := nearest(word, names)
	if name == "" {
		return ""
	}
	return suggestion(name)
}

// suggestion returns the end of a message that suggests names.
func suggestion(names ...string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(name))
	}
	return "; did you mean " + orList(quoted) + "?"
}

// nearest returns the name that was probably meant, or "" if none is near: one that begins
// with the word, or one that differs from it in few letters.
func nearest(word string, names []string) string {
	best, least := "", min(2+len(word)/8, (len(word)-1)/2)
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
