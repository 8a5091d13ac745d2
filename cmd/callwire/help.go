package main

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"
)

// helpTexts has a page for each command: what it does in one line, a description, and examples.
//
//go:embed help/*.txt
var helpTexts embed.FS

// usage is how help shows a command after its description.
//
//go:embed help/usage.tmpl
var usage string

// addHelp gives root and all commands below it their help.
func addHelp(root *cobra.Command) {
	root.SetUsageTemplate(usage)
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Use, help.Run, help.RunE = "help [COMMAND]", nil, printHelp
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().SortFlags = false // they are declared in the order of their importance
		cmd.InitDefaultHelpFlag()
		cmd.Flags().Lookup("help").Usage = "print this help"
		describe(cmd)
	})
}

// describe gives a command the text of its page.
func describe(cmd *cobra.Command) {
	path := strings.Join(strings.Fields(cmd.CommandPath()), "-")
	page, err := helpTexts.ReadFile("help/" + strings.TrimPrefix(path, "callwire-") + ".txt")
	if err != nil {
		panic(err) // a test adds the help of all commands
	}
	text, examples, _ := strings.Cut(string(page), "\nExamples:\n")
	cmd.Short, cmd.Long, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	cmd.Example = strings.TrimRight(examples, "\n")
}

// printHelp is the command help. Unlike cobra's, it fails on an unknown topic.
func printHelp(cmd *cobra.Command, args []string) error {
	about, rest, _ := cmd.Root().Find(args) // root takes any arguments: no error
	if len(rest) > 0 {
		return unknownCommand(about, rest[0])
	}
	return about.Help()
}

// eachCommand calls f for cmd and all commands below it.
func eachCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		eachCommand(c, f)
	}
}
