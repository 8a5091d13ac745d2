package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// TestHelpLayout: --help of every command fits two screens of 24 lines, and its help has all flags.
func TestHelpLayout(t *testing.T) {
	eachCommand(newRoot(), func(cmd *cobra.Command) {
		args := strings.Fields(cmd.CommandPath())[1:]
		short, full := callwire("", append(args, "--help")...), callwire("", append([]string{"help"}, args...)...)
		if lines := strings.Count(short.stdout, "\n"); lines > 48 {
			t.Errorf("%s: --help has %d lines", cmd.CommandPath(), lines)
		}
		for _, help := range []result{short, full} {
			if help.code != exitOK || help.stderr != "" || !strings.Contains(help.stdout, "\nUsage:\n  "+cmd.CommandPath()) {
				t.Errorf("%s: %+v", cmd.CommandPath(), help)
			}
			for line := range strings.Lines(help.stdout) {
				if line = strings.TrimSuffix(line, "\n"); terminal.Cells(line) > terminal.PageWidth || strings.HasSuffix(line, " ") {
					t.Errorf("%s: %d columns: %q", cmd.CommandPath(), terminal.Cells(line), line)
				}
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(full.stdout, "--"+f.Name) {
				t.Errorf("%s: --%s is not in its help", cmd.CommandPath(), f.Name)
			}
		})
	})
}

// TestShortFlags: a letter means the same flag everywhere, and a flag has the
// same letter everywhere.
func TestShortFlags(t *testing.T) {
	letters, names := map[string]string{}, map[string]string{}
	eachCommand(newRoot(), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if first, ok := letters[f.Name]; ok && first != f.Shorthand {
				t.Errorf("%s: -%s is short for --%s, elsewhere it is -%s", cmd.CommandPath(), f.Shorthand, f.Name, first)
			}
			letters[f.Name] = f.Shorthand
			if first, ok := names[f.Shorthand]; ok && f.Shorthand != "" && first != f.Name {
				t.Errorf("%s: -%s is --%s, elsewhere --%s", cmd.CommandPath(), f.Shorthand, f.Name, first)
			}
			names[f.Shorthand] = f.Name
		})
	})
}

// TestValues: help shows the values of a choice, not its default, in the place of
// the value; a shell completes them; and each is taken while another is not.
func TestValues(t *testing.T) {
	eachCommand(newRoot(), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			kind, _ := pflag.UnquoteUsage(f)
			if kind == f.DefValue && kind != "" && f.Value.Type() == "string" {
				t.Errorf("%s --%s %s shows its default", cmd.CommandPath(), f.Name, kind)
			}
			if kind == "string" || kind == "duration" || kind == "int" || kind == "mode" {
				t.Errorf("%s --%s %s: name the value in the usage", cmd.CommandPath(), f.Name, kind)
			}
			c, _ := f.Value.(*value)
			if c == nil || c.words == nil {
				return
			}
			values := c.words
			if first, _, _ := strings.Cut(f.DefValue, ","); first != "" && !slices.Contains(values, first) {
				t.Errorf("%s --%s: the default %q is none of %q", cmd.CommandPath(), f.Name, f.DefValue, values)
			}
			args := append([]string{"__complete"}, strings.Fields(cmd.CommandPath())[1:]...)
			got := callwire("", append(args, "--"+f.Name, "")...)
			for _, v := range values {
				if !slices.Contains(strings.Split(got.stdout, "\n"), v) {
					t.Errorf("%s --%s: a shell is not given %q: %q", cmd.CommandPath(), f.Name, v, got.stdout)
				}
			}
		})
	})
}

// TestCompletion: the scripts are there.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := callwire("", "completion", shell); got.code != exitOK || !strings.Contains(got.stdout, "callwire") {
			t.Errorf("%s: %.200s%s", shell, got.stdout, got.stderr)
		}
	}
}

// TestCompletedArguments: arguments are completed where all are known, and by no command
// that is hidden.
func TestCompletedArguments(t *testing.T) {
	for _, c := range []struct {
		args      []string
		want, not string
	}{
		{[]string{"help", ""}, "parse\t", "__complete"},
		{[]string{"cases", ""}, "show\n", "bare/url\n"},
		{[]string{"cases", "show", "bare/"}, "bare/url\n", "show\n"},
		{[]string{"cases", "list", ""}, ":4\n", "bare/url\n"},
		{[]string{"parse", "--open", ""}, ":4\n", ":0\n"},
		{[]string{"cases", "show", "recovery.q"}, "recovery.quotes\n", "show\n"},
	} {
		got := callwire("", append([]string{"__complete"}, c.args...)...)
		if out := "\n" + got.stdout; !strings.Contains(out, "\n"+c.want) || strings.Contains(out, "\n"+c.not) {
			t.Errorf("%q: %.300s", c.args, got.stdout)
		}
	}
}
