//go:build slim

package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// heavy returns what stands for the commands that are left out.
func heavy() (left []*cobra.Command) {
	for _, name := range []string{"explain", "spec", "cases", "conform", "bench", "playground", "picture"} {
		left = append(left, &cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return fmt.Errorf("%s is not part of this slim program; the whole one has it: go install github.com/callwire/callwire/cmd/callwire@latest", name)
			},
		})
	}
	return left
}

// tokenCounter returns nil: the vocabularies are left out, too.
func tokenCounter() func(text string) int { return nil }
