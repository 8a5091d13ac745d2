package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/corpus"
)

func newVersion() *cobra.Command {
	return describe(&cobra.Command{
		Use:  "version",
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version())
			return err
		},
	})
}

// tagged is the version of a release. The linker sets it; in other builds it is empty.
var tagged string

// release returns the version of the release or of the module, or devel if there is none.
func release() string {
	module := ""
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
		module = info.Main.Version
	}
	return cmp.Or(tagged, module, "devel")
}

// version describes this build in one line.
func version() string {
	return fmt.Sprintf("callwire %s (wire %s, %s)", release(), corpus.Version, runtime.Version())
}
