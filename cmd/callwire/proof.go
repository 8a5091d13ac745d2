package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/proof"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// largestProof bounds a text that is proved: the work grows with its square.
const largestProof = 1 << 20

// wholeProof is how many bytes are read for a proof unless more are asked for: a
// few seconds' work. A text of which all splits are more is cut at places that are
// spread evenly.
const wholeProof = 128 << 20

// prove is parse --every-split.
func (p *parsing) prove(cmd *cobra.Command, in io.Reader, catalog *sig.Catalog) error {
	text, err := io.ReadAll(io.LimitReader(in, largestProof+1))
	if err != nil {
		return fmt.Errorf("cannot read on: %w", err)
	}
	if len(text) > largestProof {
		return fmt.Errorf("--every-split reads a text once for each of its bytes, so it takes at most %d; cut out what is in doubt", largestProof)
	}
	decoder := stream.NewDecoder(catalog, stream.Options{Options: p.opts})
	if err := decoder.Err(); err != nil {
		return err
	}
	proof := proof.New(decoder, text)
	if !p.allSplits {
		if fewer, all, takes := proof.Shorten(p.budget); fewer {
			note(cmd.ErrOrStderr(), "of %d splits %d are tried, spread evenly; --all-splits tries all, in about %s",
				all, proof.Splits(), takes.Round(time.Second))
		}
	}
	proof.Progress = terminal.NewProgress(cmd.ErrOrStderr(), "splits", proof.Splits())
	verdict, same := proof.Run()
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), verdict); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	if !same {
		return errFound
	}
	return nil
}
