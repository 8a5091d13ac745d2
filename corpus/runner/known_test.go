package runner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/corpus"
)

func TestReadKnown(t *testing.T) {
	got, err := ReadKnown(strings.NewReader("# ours\n\nparse framing/empty-input\n  stream  framing/empty-input # slow\r\nparse framing/empty-input\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"parse framing/empty-input", "stream framing/empty-input"},
		got); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []string{"framing/empty-input", "parse framing/no-such-case",
		"format framing/empty-input", "parse framing/empty-input now"} {
		if known, err := ReadKnown(strings.NewReader("\n" + wrong)); err == nil {
			t.Errorf("%s is read as %q", wrong, known)
		} else if !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestApply(t *testing.T) {
	c := &corpus.Case{ID: "a/b"}
	for _, x := range []struct {
		name   string
		status Status
		want   Status
		ok     bool
	}{
		{"parse a/b", Pass, UnexpectedPass, false},
		{"parse a/b", Fail, KnownFailure, true},
		{"parse a/b", Skipped, Skipped, false},
		{"parse a/b", NotRun, NotRun, false},
		{"stream a/b", Pass, Pass, true},
		{"stream a/b", Fail, Fail, false},
	} {
		r := Report{Results: []Result{{Case: c, Op: "parse", Status: x.status}}}
		r.apply([]string{x.name})
		if got := r.Results[0].Status; got != x.want {
			t.Errorf("%s known, %s becomes %s, want %s", x.name, x.status, got, x.want)
		}
		if r.OK() != x.ok {
			t.Errorf("%s known, %s: OK is %t", x.name, x.status, r.OK())
		}
	}
}
