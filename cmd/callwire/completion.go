package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completeFlags lets a shell complete the values of all flags of root and the commands
// below it. Cobra keeps each flag for which this was done as long as the program runs.
func completeFlags(root *cobra.Command) {
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if _, ok := cmd.GetFlagCompletionFunc(f.Name); ok {
				return
			}
			var words []string
			if v, ok := f.Value.(*value); ok {
				words = v.words
			}
			var err error
			switch value, _ := pflag.UnquoteUsage(f); value {
			case "file":
			case "folder":
				err = cmd.MarkFlagDirname(f.Name)
			default:
				err = cmd.RegisterFlagCompletionFunc(f.Name,
					cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
			}
			if err != nil {
				panic(err) // the flag exists
			}
		})
	})
}
