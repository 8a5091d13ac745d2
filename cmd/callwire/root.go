package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// Exit codes. They are part of the interface.
const (
	exitOK     = 0 // all is done
	exitFound  = 1 // it is done, and something is wrong with the input
	exitFailed = 2 // it could not be done: usage, files, pipes
)

// errFound makes the exit code exitFound. The findings have been printed.
var errFound = errors.New("something is wrong with the input")

// run runs the command line args and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeFlags(root)
	}
	root.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.Args, completion.RunE = cobra.ArbitraryArgs, runParent
	err := root.Execute()
	switch {
	case err == nil, isBrokenPipe(err):
		return exitOK
	case errors.Is(err, errFound):
		return exitFound
	}
	note(stderr, "%s", inWords(err))
	return exitFailed
}

// flagGroup is how cobra reports flags that need each other, or that exclude each other.
var flagGroup = regexp.MustCompile(`^if any flags in the group \[(\S+) (.*)\] are set ` +
	`(?:they must all be set|none of the others can be; \[(\S+) (\S+).*\] were all set)`)

// inWords returns the message of an error, in plain words where packages have others.
func inWords(err error) string {
	var file *fs.PathError
	if errors.As(err, &file) && errors.Is(file, syscall.EISDIR) {
		return file.Path + " is a folder; name a file in it"
	}
	group := flagGroup.FindStringSubmatch(err.Error())
	switch {
	case group == nil:
		return err.Error()
	case group[3] == "":
		return fmt.Sprintf("--%s and --%s go together: give both", group[1], group[2])
	}
	return fmt.Sprintf("--%s and --%s exclude each other: leave one out", group[3], group[4])
}

// packageName is the name of a package in an error, which means nothing to users.
var packageName = regexp.MustCompile(`^([^:]*: )?(?:sig|manual|constrain): `)

// note writes a message with hidden characters made visible. It indents the lines after the first,
// such as the end of a child's standard error.
func note(w io.Writer, format string, args ...any) {
	head := "callwire: "
	text := packageName.ReplaceAllString(fmt.Sprintf(format, args...), "$1")
	for line := range strings.Lines(text) {
		fmt.Fprintf(w, "%s%s\n", head, terminal.Visible(strings.TrimSuffix(line, "\n")))
		head = "  "
	}
}

func newRoot() *cobra.Command {
	root := describe(&cobra.Command{
		Use:           "callwire",
		Version:       version(),
		Args:          cobra.ArbitraryArgs,
		RunE:          runParent,
		SilenceErrors: true,
		SilenceUsage:  true,
	}, flags{"version": new(bool)})
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	group := func(title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: title, Title: title})
		for _, c := range commands {
			c.GroupID = title
		}
		root.AddCommand(commands...)
	}
	group("Read and write calls:", newParse(), newFormat(), newFeedback(), newConvert())
	group("Tell a model about tools:", newManual(), newSig(), newGrammar())
	group("See it work:", newDemo(), newProxy(), newPlayground())
	group("Look up, prove and measure:", newSpec(), newCases(), newConform(), newServe(),
		newBench())
	root.AddCommand(newVersion())
	addHelp(root)
	return root
}

// runParent is a command that only has others below it.
func runParent(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return unknownCommand(cmd, args[0])
}

// unknownCommand returns the error for a command that parent doesn't have.
func unknownCommand(parent *cobra.Command, name string) error {
	if file, err := os.Stat(name); err == nil && file.Mode().IsRegular() {
		return fmt.Errorf("unknown command %q; to read the file: %s parse %s", name,
			parent.Root().Name(), name)
	}
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	maybe := cmp.Or(didYouMean(name, names), "; see "+parent.CommandPath()+" --help")
	return fmt.Errorf("unknown command %q%s", name, maybe)
}

// interruptible returns the context of a command, which a signal ends. A second signal ends the
// program.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// atMostOneFile accepts one file or none.
func atMostOneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s reads one file, not %d; see %s --help", cmd.Name(), len(args),
			cmd.CommandPath())
	}
	return nil
}

// nothing refuses arguments.
func nothing(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no argument, found %q; see %s --help", cmd.Name(), args[0],
			cmd.CommandPath())
	}
	return nil
}
