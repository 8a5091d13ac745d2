package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/split"
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
	most := len(text) + 1
	if all := split.Count(len(text), most); !p.allSplits && all*len(text) > p.budget {
		most = max(p.budget/len(text)-(all-most), split.Samples)
		read := newReading(decoder).read
		start := time.Now()
		read(text, split.Split{Size: 1})
		each := time.Since(start)
		fmt.Fprintf(cmd.ErrOrStderr(), "callwire: of %d splits %d are tried, spread evenly; --all-splits tries all, in about %s\n",
			all, split.Count(len(text), most), (time.Duration(all) * each).Round(time.Second))
	}
	progress := terminal.NewProgress(cmd.ErrOrStderr(), "splits", split.Count(len(text), most))
	verdict, same := proof{text: text, read: newReading(decoder).read, most: most, progress: progress}.run()
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), verdict); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	if !same {
		return errFound
	}
	return nil
}

// proof is that a text reads the same however it is cut.
type proof struct {
	text     []byte
	read     func(text []byte, s split.Split) []byte // lines, which hold until the next reading
	most     int                                     // places at which it is cut in two
	progress *terminal.Progress
}

// run tries all splits. The verdict says that they are all the same, or which is
// the first that is not, and what is read there.
func (p proof) run() (verdict string, same bool) {
	defer p.progress.End()
	whole := bytes.Clone(p.read(p.text, split.Split{}))
	n := 0
	for s := range split.All(len(p.text), p.most) {
		if got := p.read(p.text, s); !bytes.Equal(whole, got) {
			return differ(whole, got, s), false
		}
		n++
		p.progress.Step()
	}
	return terminal.Count(n, "split") + ", all the same", true
}

// differ shows the first line in which two readings differ.
func differ(whole, got []byte, s split.Split) string {
	for n := 1; ; n++ {
		want, restWhole, _ := bytes.Cut(whole, []byte{'\n'})
		have, restGot, _ := bytes.Cut(got, []byte{'\n'})
		if !bytes.Equal(want, have) {
			return fmt.Sprintf("%s, event %d differs\nwhole: %s\nsplit: %s", s, n, orNothing(want), orNothing(have))
		}
		whole, got = restWhole, restGot
	}
}

func orNothing(line []byte) string {
	if len(line) == 0 {
		return "nothing"
	}
	return string(line)
}
