package main

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spf13/cobra"
)

// TestEverySplitLong: beyond its budget a proof takes a sample, and says so; with
// --all-splits it takes all.
func TestEverySplitLong(t *testing.T) {
	text := strings.Repeat("ab ", 344) + "<call>t x=y</call>"
	for all, want := range map[bool]string{false: "50 splits, all the same\n", true: "1380 splits, all the same\n"} {
		var out, notes strings.Builder
		cmd := &cobra.Command{}
		cmd.SetOut(&out)
		cmd.SetErr(&notes)
		p := &parseOptions{work: 50 * len(text), allSplits: all}
		err := p.prove(cmd, strings.NewReader(text), nil)
		sampled := strings.Contains(notes.String(), " are tried, spread evenly")
		if err != nil || out.String() != want || sampled == all {
			t.Errorf("all %v: %q, %q, %v", all, out.String(), notes.String(), err)
		}
	}
	if got := callwire("", "parse", "--all-splits"); got.code != exitFailed || !strings.Contains(got.stderr, "--every-split") {
		t.Errorf("%+v", got)
	}
}

func TestEverySplitTooLong(t *testing.T) {
	var stderr strings.Builder
	endless := io.LimitReader(zeros{}, largestProof+1)
	if code := run([]string{"parse", "--every-split"}, endless, io.Discard, &stderr); code != exitFailed || !strings.Contains(stderr.String(), "1048576") {
		t.Errorf("code %d, %q", code, stderr.String())
	}
	broken := iotest.ErrReader(io.ErrUnexpectedEOF)
	if code := run([]string{"parse", "--every-split"}, broken, io.Discard, io.Discard); code != exitFailed {
		t.Errorf("code %d", code)
	}
}

// TestDifference: what is shown of a split that changes an event.
func TestDifference(t *testing.T) {
	const lines = "one\ntwo\nthree\n"
	for _, c := range []struct {
		cuts        []int
		wrong, want string
	}{
		{[]int{1, 2, 3}, "one\n2\nthree\n", "byte by byte, event 2 differs\nwhole: two\nsplit: 2"},
		{[]int{3}, "one\ntwo\n", "cut at 3, event 3 differs\nwhole: three\nsplit: nothing"},
		{[]int{0, 0}, lines + "four\n", "cut at 0 and 0, event 4 differs\nwhole: nothing\nsplit: four"},
	} {
		if got := cutName(c.cuts, 4) + ", " + difference([]byte(lines), []byte(c.wrong)); got != c.want {
			t.Errorf("%v: %q", c.cuts, got)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
