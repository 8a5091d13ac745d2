// Package proof checks that a text reads the same in any chunks.
//
//	p, err := proof.New(catalog, &options, text)
//	verdict, same := p.Run() // "210 splits, all the same"
//
// It streams the text at every cut list of the corpus' split matrix, and a long text cut in
// two everywhere, and compares the events, joined to those of the whole text.
package proof

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// A Proof reads one text again and again.
type Proof struct {
	// Budget bounds the bytes that are read; if more cut lists remain, an even sample of
	// them is tried. 0 means no bound.
	Budget int

	Progress *terminal.Progress // may be nil

	text []byte
	read func(cuts []int) []byte // lines, valid until the next call
}

// New returns the proof that a text reads the same at any cuts. The error reports options that
// cannot be read.
func New(catalog *sig.Catalog, o *parse.Options, text []byte) (*Proof, error) {
	r, err := events.NewReading(catalog, o, text)
	return &Proof{text: text, read: r.Lines}, err
}

// splits returns how many cut lists there are, and those that are tried.
func (p *Proof) splits() (all int, tried [][]int) {
	n := len(p.text)
	splits := corpus.Full.Splits(n)
	for at := 1; n > corpus.LongText && at < n; at++ {
		splits = append(splits, []int{at})
	}
	all = len(splits)
	if p.Budget == 0 {
		return all, splits
	}
	step := max(1, (all*n+p.Budget-1)/p.Budget)
	for i := 0; i < all; i += step {
		tried = append(tried, splits[i])
	}
	return all, tried
}

// Count returns how many cut lists there are, and how many of them are tried.
func (p *Proof) Count() (all, tried int) {
	all, some := p.splits()
	return all, len(some)
}

// Run tries the cut lists. The verdict is that all read the same, or the first one that
// doesn't and what is read there.
func (p *Proof) Run() (verdict string, same bool) {
	if p.Progress != nil {
		defer p.Progress.End()
	}
	_, tried := p.splits()
	whole := bytes.Clone(p.read(nil))
	for i, cuts := range tried {
		if got := p.read(cuts); !bytes.Equal(whole, got) {
			return differ(whole, got, describe(cuts, len(p.text))), false
		}
		if p.Progress != nil {
			p.Progress.At(i+1, len(tried))
		}
	}
	return terminal.Count(len(tried), "split") + ", all the same", true
}

// describe names a cut list.
func describe(cuts []int, n int) string {
	if slices.Equal(cuts, corpus.Every(1, 1, n)) && n > 1 {
		return "byte by byte"
	}
	if len(cuts) > 4 {
		return fmt.Sprintf("cut at %d places", len(cuts))
	}
	return "cut at " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(cuts)), " and "), "[]")
}

// differ shows the first line in which two readings differ.
func differ(whole, got []byte, split string) string {
	for n := 1; ; n++ {
		want, restWhole, _ := bytes.Cut(whole, []byte{'\n'})
		have, restGot, _ := bytes.Cut(got, []byte{'\n'})
		if !bytes.Equal(want, have) {
			return fmt.Sprintf("%s, event %d differs\nwhole: %s\nsplit: %s", split, n,
				orNothing(want), orNothing(have))
		}
		whole, got = restWhole, restGot
	}
}

func orNothing(line []byte) []byte {
	if len(line) == 0 {
		return []byte("nothing")
	}
	return line
}
