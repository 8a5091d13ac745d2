package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/sig"
)

// Bounds of a proof.
const (
	largestProof = 1 << 20   // bytes of the text
	wholeProof   = 128 << 20 // bytes read without --all-splits: a few seconds' work
)

// prove is parse --every-split. It reads the text at many cuts, and compares the events with those
// of the whole text.
func (p *parseOptions) prove(cmd *cobra.Command, in io.Reader, catalog *sig.Catalog) error {
	text, err := io.ReadAll(io.LimitReader(in, largestProof+1))
	if err != nil {
		return fmt.Errorf("cannot read on: %w", err)
	}
	if len(text) > largestProof {
		return fmt.Errorf("--every-split reads a text many times, so it takes at most %d bytes; "+
			"cut out what is in doubt", largestProof)
	}
	reading, err := events.NewReading(catalog, &p.show.Parse, text)
	if err != nil {
		return err
	}
	splits := p.splits(len(text), cmd.ErrOrStderr())
	progress := terminal.NewProgress(cmd.ErrOrStderr(), "splits")
	verdict := terminal.Count(len(splits), "split") + ", all the same"
	var found error
	whole := bytes.Clone(reading.Lines(nil))
	for i, cuts := range splits {
		if got := reading.Lines(cuts); !bytes.Equal(whole, got) {
			verdict, found = cutName(cuts, len(text))+", "+difference(whole, got), errFound
			break
		}
		progress.At(i+1, len(splits))
	}
	progress.End()
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), verdict); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	return found
}

// splits returns the cut lists that are tried on a text of n bytes: those of the corpus' full split
// matrix, and in a long text each single cut; or an even sample of them, which it notes.
func (p *parseOptions) splits(n int, notes io.Writer) [][]int {
	all := corpus.Full.Splits(n)
	for at := 1; n > corpus.LongText && at < n; at++ {
		all = append(all, []int{at})
	}
	step := max(1, (len(all)*n+p.work-1)/p.work)
	if p.allSplits || step == 1 {
		return all
	}
	var tried [][]int
	for i := 0; i < len(all); i += step {
		tried = append(tried, all[i])
	}
	note(notes, "of %d splits %d are tried, spread evenly; --all-splits tries all",
		len(all), len(tried))
	return tried
}

// cutName describes a cut list.
func cutName(cuts []int, n int) string {
	switch {
	case n > 1 && slices.Equal(cuts, corpus.Every(1, 1, n)):
		return "byte by byte"
	case len(cuts) > 4:
		return fmt.Sprintf("cut at %d places", len(cuts))
	}
	return "cut at " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(cuts)), " and "), "[]")
}

// difference shows the first line in which two readings differ.
func difference(whole, got []byte) string {
	want, have := strings.Split(string(whole), "\n"), strings.Split(string(got), "\n")
	i := 0
	for want[i] == have[i] {
		i++
	}
	return fmt.Sprintf("event %d differs\nwhole: %s\nsplit: %s", i+1,
		cmp.Or(want[i], "nothing"), cmp.Or(have[i], "nothing"))
}
