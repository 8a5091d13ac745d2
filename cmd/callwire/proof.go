package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/proof"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/sig"
)

// largestProof bounds a text that is proved.
const largestProof = 1 << 20

// wholeProof is how many bytes are read for a proof without --all-splits: a few seconds'
// work.
const wholeProof = 128 << 20

// prove is parse --every-split.
func (p *parsing) prove(cmd *cobra.Command, in io.Reader, catalog *sig.Catalog) error {
	text, err := io.ReadAll(io.LimitReader(in, largestProof+1))
	if err != nil {
		return fmt.Errorf("cannot read on: %w", err)
	}
	if len(text) > largestProof {
		return fmt.Errorf("--every-split reads a text many times, so it takes at most %d bytes; "+
			"cut out what is in doubt", largestProof)
	}
	proof, err := proof.New(catalog, &p.opts, text)
	if err != nil {
		return err
	}
	if !p.allSplits {
		proof.Budget = p.budget
	}
	all, tried := proof.Count()
	if tried < all {
		note(cmd.ErrOrStderr(), "of %d splits %d are tried, spread evenly; --all-splits tries all",
			all, tried)
	}
	proof.Progress = terminal.NewProgress(cmd.ErrOrStderr(), "splits", tried)
	verdict, same := proof.Run()
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), verdict); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	if !same {
		return errFound
	}
	return nil
}
