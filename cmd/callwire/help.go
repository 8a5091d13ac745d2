package main

import (
	"cmp"
	"embed"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// helpTexts has a page for each command, and flags.txt for the flags of several commands.
//
//go:embed help
var helpTexts embed.FS

// helpForm is how help shows a page.
var helpForm = template.Must(template.ParseFS(helpTexts, "help/form.tmpl"))

// A page is what users read about a command, by its headings. The part without a heading begins
// with the line that lists of commands show.
type page map[string]string

// The headings of a page. Details and more flags are for the command help only.
const (
	examples  = "Examples:"
	mainFlags = "Flags:"
	details   = "Details:"
	moreFlags = "More flags:"
)

// readPage reads the page of that name, nil if there is none.
func readPage(name string) page {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		return nil
	}
	p, part := page{}, ""
	for line := range strings.Lines(string(text)) {
		switch heading := strings.TrimSpace(line); heading {
		case examples, mainFlags, details, moreFlags:
			part = heading
		default:
			p[part] += line
		}
	}
	for part := range p {
		p[part] = strings.Trim(p[part], "\n")
	}
	return p
}

// sharedFlags are the lines of flags.txt by the names of flags.
var sharedFlags = func() map[string]string {
	lines := make(map[string]string)
	for line := range strings.SplitSeq(readPage("flags")[""], "\n") {
		lines[strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ':' })[0]] = line
	}
	return lines
}()

// flags returns the flags of a part. In it a flag has a line with its name, a letter if it has one,
// and its usage, as in "json,j: print JSON"; or the name alone for the line in flags.txt.
func (p page) flags(part string) (all []pflag.Flag) {
	for line := range strings.Lines(p[part]) {
		line = strings.TrimSpace(line)
		head, usage, _ := strings.Cut(cmp.Or(sharedFlags[line], line), ": ")
		name, letter, _ := strings.Cut(head, ",")
		all = append(all, pflag.Flag{Name: name, Shorthand: letter, Usage: usage})
	}
	return all
}

// describe gives a command the help and the flags of its page. A flag sets the variable in the last
// table that has its name.
func describe(cmd *cobra.Command, tables ...flags) *cobra.Command {
	p := readPage(cmd.Name())
	cmd.Short, _, _ = strings.Cut(p[""], "\n")
	f := cmd.Flags()
	for _, flag := range append(p.flags(mainFlags), p.flags(moreFlags)...) {
		var to any
		for _, table := range tables {
			to = cmp.Or(table[flag.Name], to)
		}
		define(f, to, flag.Name, flag.Shorthand, flag.Usage)
	}
	if f.Lookup("open") != nil {
		cmd.MarkFlagsRequiredTogether("open", "close")
	}
	return cmd
}

// addHelp gives root and all commands below it their help.
func addHelp(root *cobra.Command) {
	other := root.HelpFunc() // of the commands of cobra
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if p := readPage(cmd.Name()); p != nil {
			p.show(cmd, false)
		} else {
			other(cmd, args)
		}
	})
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Use, help.Run, help.RunE = "help [COMMAND]", nil, fullHelp
	describe(help)
}

// fullHelpOf returns the command line that prints the whole page of a command.
func fullHelpOf(cmd *cobra.Command) string {
	return strings.TrimSpace(strings.Replace(cmd.CommandPath()+" ", " ", " help ", 1))
}

// fullHelp is the command help. Unlike cobra's, it fails on an unknown topic.
func fullHelp(cmd *cobra.Command, args []string) error {
	about, rest, _ := cmd.Root().Find(args) // root takes any arguments: no error
	if len(rest) > 0 {
		return unknownCommand(about, rest[0])
	}
	if p := readPage(about.Name()); p != nil {
		return p.show(about, true)
	}
	return about.Help()
}

// show shows the page of a command, in full or without details.
func (p page) show(cmd *cobra.Command, full bool) error {
	line, text, _ := strings.Cut(p[""], "\n\n")
	text = cmp.Or(text, line)
	more := p.flags(moreFlags)
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = false
	list := p.flags(mainFlags)
	if full {
		text, list = strings.TrimSpace(text+"\n\n"+p[details]), append(list, more...)
	}
	for _, flag := range list {
		shown.AddFlag(cmd.Flags().Lookup(flag.Name))
	}
	return helpForm.Execute(cmd.OutOrStdout(), map[string]any{
		"Command": cmd, "Text": text, "Examples": p[examples],
		"Flags": strings.TrimRight(shown.FlagUsagesWrapped(terminal.PageWidth), "\n"),
		"Full":  full || len(more) == 0 && p[details] == "",
		"Whole": fullHelpOf(cmd), "More": len(more),
	})
}

// eachCommand calls f for cmd and all commands below it.
func eachCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		eachCommand(c, f)
	}
}
