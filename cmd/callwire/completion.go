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
			_, ok := cmd.GetFlagCompletionFunc(f.Name)
			if ok || f.Annotations[cobra.BashCompFilenameExt] != nil {
				return
			}
			var values []string
			if c, ok := f.Value.(*checked); ok {
				values = c.values
			}
			var err error
			switch value, _ := pflag.UnquoteUsage(f); value {
			case "file":
			case "folder":
				err = cmd.MarkFlagDirname(f.Name)
			default:
				err = cmd.RegisterFlagCompletionFunc(f.Name,
					cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
			}
			if err != nil {
				panic(err) // the flag exists
			}
		})
	})
}
