//go:build !slim

package main

import (
	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
)

// The commands that carry the corpus, the specification and vocabularies with them are
// two fifths of the program. The tag slim leaves them out: see slim.go.

// heavy returns those commands.
func heavy() []*cobra.Command {
	all := grouped(groupProve, newExplain(), newSpec(), newCases(), newConform(), newBench())
	return append(all, append(grouped(groupRun, newPlayground()), newPicture())...)
}

// tokenCounter returns what counts tokens, of o200k.
func tokenCounter() func(text string) int {
	return func(text string) int {
		count, err := tokens.Counter("o200k_base")
		if err != nil {
			return 0
		}
		return count(text)
	}
}
