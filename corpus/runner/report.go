package runner

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/callwire/callwire/corpus"
)

// Status is the outcome of a check.
type Status string

const (
	Pass           Status = "pass"
	Fail           Status = "fail"
	Skipped        Status = "skip"            // the implementation doesn't support it
	KnownFailure   Status = "known-failure"   // it fails, and that is known
	UnexpectedPass Status = "unexpected-pass" // it passes, and is listed as known to fail
	NotRun         Status = "not-run"         // the implementation was given up before
)

// statuses are all, in the order of tables.
var statuses = []Status{Pass, Fail, Skipped, KnownFailure, UnexpectedPass, NotRun}

// words returns the status in words.
func (s Status) words() string { return strings.ReplaceAll(string(s), "-", " ") }

// A Result is the outcome of one check.
type Result struct {
	Case     *corpus.Case  `json:"-"`
	Op       string        `json:"-"`
	Status   Status        `json:"status"`
	Requests int           `json:"answers"`           // how many questions were answered
	Wrong    int           `json:"wrong,omitempty"`   // how many of them wrongly
	Skip     string        `json:"skip,omitempty"`    // the reason
	Failure  *Failure      `json:"failure,omitempty"` // of Fail and KnownFailure
	Elapsed  time.Duration `json:"-"`
}

// Name names the check: its op and the id of its case.
func (r *Result) Name() string { return r.Op + " " + r.Case.ID }

// A Failure is the smallest failing question of a check.
type Failure struct {
	What   string   `json:"what"`           // what is wrong; empty if nothing is
	More   []string `json:"more,omitempty"` // what else is wrong in the answer
	Kind   Kind     `json:"cause"`
	Cuts   []int    `json:"cuts,omitzero"`      // where the chunks end; nil unless it is a stream
	Want   []string `json:"expected,omitempty"` // in lines
	Got    []string `json:"got,omitempty"`
	Stderr string   `json:"stderr,omitempty"` // the end of it, after a breakdown
}

// Error returns what is wrong, and the end of standard error.
func (f *Failure) Error() string {
	if f.Stderr == "" {
		return f.What
	}
	return f.What + "; the end of its standard error:\n" + f.Stderr
}

// A Report is what a run has found.
type Report struct {
	Welcome  corpus.Welcome
	Check    bool     // only the shape of the messages was judged
	Results  []Result // in the order of the cases
	Farewell string   // what was wrong with the end of the last child
	Elapsed  time.Duration

	Interrupted bool // the run was ended from outside
	All         bool // show every failure, and not some of each kind
	MaxFailures int  // how many failures are shown without All; 0 means 20
}

// OK reports whether at least one check passes, and exactly the known failures fail.
func (r *Report) OK() bool {
	n := r.Count()
	return n.failures()+n[NotRun] == 0 && n.judged() > 0 && r.Farewell == ""
}

// Streaming is what a run has shown of streaming.
type Streaming string

const (
	Proven    Streaming = "proven"  // events come with their bytes, neither earlier nor later
	Failing   Streaming = "failing" // some check of streams fails or was not run
	NotJudged Streaming = "not-judged"
)

// words returns what a run has shown in words.
func (s Streaming) words() string {
	switch s {
	case Proven:
		return "each event comes with its bytes, neither earlier nor later"
	case Failing:
		return "some check fails or was not run"
	}
	return "not judged"
}

// Streaming returns what the run has shown of streaming.
func (r *Report) Streaming() Streaming {
	n := r.count(func(res *Result) bool { return res.Op == opStream })
	switch {
	case r.Check || n.judged() == 0:
		return NotJudged
	case n[Fail]+n[KnownFailure]+n[NotRun] > 0:
		return Failing
	}
	return Proven
}

// Conforms reports whether a level was run with every case of the corpus and all passed.
// Only then does an implementation conform to it.
func (r *Report) Conforms(level string) bool {
	passed := map[string]bool{}
	for i := range r.Results {
		res := &r.Results[i]
		passed[res.Name()] = res.Status == Pass && !r.Check && r.Farewell == ""
	}
	fails := func(c Result) bool { return c.Case.Level == level && !passed[c.Name()] }
	return !slices.ContainsFunc(allChecks(), fails)
}

// A Count is how many results have each status.
type Count map[Status]int

// String returns the count in words, or "" for nothing.
func (n Count) String() string {
	var words []string
	for _, status := range statuses {
		if n[status] > 0 {
			words = append(words, fmt.Sprint(n[status], " ", status.words()))
		}
	}
	return strings.Join(words, ", ")
}

// failures counts what is wrong.
func (n Count) failures() int { return n[Fail] + n[UnexpectedPass] }

// judged counts what passes or fails.
func (n Count) judged() int { return n[Pass] + n[KnownFailure] + n.failures() }

// count counts those results by status for which of is true.
func (r *Report) count(of func(*Result) bool) Count {
	n := Count{}
	for i := range r.Results {
		if of(&r.Results[i]) {
			n[r.Results[i].Status]++
		}
	}
	return n
}

// Count counts the results by status.
func (r *Report) Count() Count { return r.count(func(*Result) bool { return true }) }

// Judged counts the results that pass or fail.
func (r *Report) Judged() int { return r.Count().judged() }

// Requests counts the questions that were answered.
func (r *Report) Requests() (n int) {
	for i := range r.Results {
		n += r.Results[i].Requests
	}
	return n
}

// A Tally counts the results of one level or one rule.
type Tally struct {
	Name string
	Count
}

// Levels counts by level.
func (r *Report) Levels() (all []Tally) {
	for _, level := range []string{corpus.Core, corpus.Extended} {
		all = append(all, Tally{level, r.count(func(res *Result) bool {
			return res.Case.Level == level
		})})
	}
	return slices.DeleteFunc(all, Tally.isEmpty)
}

// Rules counts by rule, in the order of [corpus.Rules]. A check counts for each of its
// rules.
func (r *Report) Rules() (all []Tally) {
	for _, rule := range corpus.Rules() {
		all = append(all, Tally{rule.ID, r.count(func(res *Result) bool {
			return slices.Contains(res.Case.Rules, rule.ID)
		})})
	}
	return slices.DeleteFunc(all, Tally.isEmpty)
}

func (t Tally) isEmpty() bool { return len(t.Count) == 0 }

// apply marks the results of the checks that are known to fail.
func (r *Report) apply(known []string) {
	for i := range r.Results {
		res := &r.Results[i]
		switch listed := slices.Contains(known, res.Name()); {
		case listed && res.Status == Fail:
			res.Status = KnownFailure
		case listed && res.Status == Pass:
			res.Status = UnexpectedPass
		}
	}
}

// A group is the results of a status that have something in common.
type group struct {
	Key     string
	Results []*Result
}

// groups returns the results of a status by a key, in the order in which they occur.
func (r *Report) groups(status Status, key func(*Result) string) (all []group) {
	for i := range r.Results {
		res := &r.Results[i]
		if res.Status != status {
			continue
		}
		k := key(res)
		at := slices.IndexFunc(all, func(g group) bool { return g.Key == k })
		if at < 0 {
			at = len(all)
			all = append(all, group{Key: k})
		}
		all[at].Results = append(all[at].Results, res)
	}
	return all
}

// Causes groups the failures by kind, those of many checks first.
func (p page) Causes() []group {
	all := p.groups(Fail, func(res *Result) string { return string(res.Failure.Kind) })
	slices.SortStableFunc(all, func(a, b group) int { return len(b.Results) - len(a.Results) })
	return all
}

// Skips groups what was skipped by the reason.
func (p page) Skips() []group {
	return p.groups(Skipped, func(res *Result) string { return res.Skip })
}
