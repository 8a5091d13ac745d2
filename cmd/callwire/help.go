package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// This file lays out help, and lets shells complete the values of flags. Both come from
// the flags: the word in backquotes in the usage of a flag names its value.

// helpWidth is the width of all help, in columns.
const helpWidth = terminal.PageWidth

// The groups of commands, in the order in which help shows them.
const (
	groupText  = "text"
	groupModel = "model"
	groupRun   = "run"
	groupProve = "prove"
)

var groups = []*cobra.Group{
	{ID: groupText, Title: "Read and write calls:"},
	{ID: groupModel, Title: "Tell a model about tools:"},
	{ID: groupRun, Title: "See it work:"},
	{ID: groupProve, Title: "Look up, prove and measure:"},
}

// grouped puts commands into a group.
func grouped(group string, commands ...*cobra.Command) []*cobra.Command {
	for _, c := range commands {
		c.GroupID = group
	}
	return commands
}

// layOut gives root and all below it their help.
func layOut(root *cobra.Command) {
	root.AddGroup(groups...)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { printHelp(cmd.OutOrStdout(), cmd) })
	root.SetHelpCommand(newHelp())
	root.CompletionOptions.DisableDefaultCmd = true
	root.InitDefaultHelpCmd()
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().SortFlags = false // they are declared in the order of their importance
		cmd.InitDefaultHelpFlag()
		cmd.Flags().Lookup("help").Usage = "print this help"
	})
}

// completeFlags lets a shell complete the values of all flags of root and the commands
// below it. Cobra keeps each flag for which this was done as long as the program runs.
func completeFlags(root *cobra.Command) {
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { completeFlag(cmd, f) })
	})
}

// eachCommand calls f for cmd and all commands below it.
func eachCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		eachCommand(c, f)
	}
}

// completeFlag registers the values of a flag that a shell can complete.
func completeFlag(cmd *cobra.Command, f *pflag.Flag) {
	if _, ok := cmd.GetFlagCompletionFunc(f.Name); ok || f.Annotations != nil {
		return
	}
	var err error
	switch value, _ := pflag.UnquoteUsage(f); {
	case value == "file":
	case value == "folder":
		err = cmd.MarkFlagDirname(f.Name)
	default:
		err = cmd.RegisterFlagCompletionFunc(f.Name,
			cobra.FixedCompletions(choices(f), cobra.ShellCompDirectiveNoFileComp))
	}
	if err != nil {
		panic(err) // the flag exists
	}
}

// choices returns the values that a flag can have, or those that can be in its list; nil if it
// is not a choice.
func choices(f *pflag.Flag) []string {
	if e, ok := f.Value.(interface{ choices() []string }); ok {
		return e.choices()
	}
	value, _ := pflag.UnquoteUsage(f)
	if strings.Contains(value, ",") {
		return strings.Split(value, ",")
	}
	return nil
}

// newHelp is the command help: unlike cobra's, it fails on an unknown topic.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			to := cmd.Root()
			for _, name := range args {
				next := find(to, name)
				if next == nil {
					return unknownCommand(to, name)
				}
				to = next
			}
			return to.Help()
		},
		ValidArgsFunction: func(
			cmd *cobra.Command, args []string, _ string,
		) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				for _, c := range cmd.Root().Commands() {
					if c.IsAvailableCommand() {
						names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// find returns the command of that name below cmd, nil if there is none.
func find(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}

// printHelp prints the help of a command.
func printHelp(out io.Writer, cmd *cobra.Command) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(out, "%s\n\nUsage:\n", reflow(text, helpWidth))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(out, "  %s COMMAND\n", cmd.CommandPath())
	} else {
		fmt.Fprintf(out, "  %s\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", cmd.Example)
	}
	printCommands(out, cmd)
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprint(out, "\nFlags:\n")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				printFlag(out, f)
			}
		})
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\n%s COMMAND --help describes a command.\n", cmd.CommandPath())
	}
}

// printCommands prints the commands below cmd, group by group.
func printCommands(out io.Writer, cmd *cobra.Command) {
	others := &cobra.Group{Title: "Commands:"}
	if len(cmd.Groups()) > 0 {
		others.Title = "And:"
	}
	for _, g := range append(cmd.Groups(), others) {
		title := "\n" + g.Title + "\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
				fmt.Fprint(out, title)
				title = ""
				printEntry(out, fmt.Sprintf("  %-11s", c.Name()), c.Short)
			}
		}
	}
}

// printFlag prints a flag, its value, what it does and, unless that is empty, its default.
func printFlag(out io.Writer, f *pflag.Flag) {
	head := "      --" + f.Name
	if f.Shorthand != "" {
		head = "  -" + f.Shorthand + ", --" + f.Name
	}
	value, usage := pflag.UnquoteUsage(f)
	if values := choices(f); values != nil {
		usage = strings.TrimSuffix(strings.TrimSpace(quotedWord.ReplaceAllString(f.Usage, "")), ":")
		if terminal.Cells(head+value) >= helpWidth/2 {
			usage += ": " + strings.Join(values, ", ")
			value = "NAME"
		}
	}
	if value != "" {
		head += " " + value
	}
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
	}
	printEntry(out, fmt.Sprintf("%-*s", flagMargin-2, head), usage)
}

var quotedWord = regexp.MustCompile("`[^`]*`")

// flagMargin is the column in which the usage of flags begins.
const flagMargin = 26

// printEntry prints a head and, beside it, text; below it where the head is too
// long.
func printEntry(out io.Writer, head, text string) {
	margin := min(terminal.Cells(head)+2, flagMargin)
	lines := strings.Split(terminal.Wrap(text, helpWidth-margin), "\n")
	if terminal.Cells(head)+2 > flagMargin {
		fmt.Fprintln(out, head)
	} else {
		fmt.Fprintf(out, "%s  %s\n", head, lines[0])
		lines = lines[1:]
	}
	for _, line := range lines {
		fmt.Fprintf(out, "%s%s\n", strings.Repeat(" ", margin), line)
	}
}

// reflow lays paragraphs out in lines of at most width columns. Lines that are
// indented stay as they are.
func reflow(text string, width int) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, terminal.Wrap(strings.Join(paragraph, " "), width))
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' {
			end()
			out = append(out, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return strings.Join(out, "\n")
}

// newCompletion is the command completion. It is cobra's, in one page of help.
func newCompletion() *cobra.Command {
	shells := map[string]func(*cobra.Command, io.Writer) error{
		"bash": func(c *cobra.Command, w io.Writer) error {
			return c.GenBashCompletionV2(w, true)
		},
		"zsh": (*cobra.Command).GenZshCompletion,
		"fish": func(c *cobra.Command, w io.Writer) error {
			return c.GenFishCompletion(w, true)
		},
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
	}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a script for shell completion",
		Long: `completion prints a script that lets a shell complete commands, flags,
their values, and names such as those of codes, rules and cases.

Exit codes: 0 when all is done, 2 when there is no such shell.`,
		Example: `  source <(callwire completion bash)
  callwire completion bash >/etc/bash_completion.d/callwire
  callwire completion zsh >"${fpath[1]}/_callwire"
  callwire completion fish >~/.config/fish/completions/callwire.fish`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || shells[args[0]] == nil {
				return errors.New("completion needs a shell: bash, zsh, fish or powershell")
			}
			return shells[args[0]](cmd.Root(), cmd.OutOrStdout())
		},
	}
}
