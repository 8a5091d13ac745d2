package runner

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/callwire/callwire/corpus"
)

// Status is what has become of a check.
type Status string

const (
	Pass           Status = "pass"
	Fail           Status = "fail"
	Skipped        Status = "skip"            // the implementation says that it cannot
	KnownFailure   Status = "known-failure"   // it fails, and that is known
	UnexpectedPass Status = "unexpected-pass" // it passes, and is listed as known to fail
	NotRun         Status = "not-run"         // the implementation was given up before
)

// A Result is what has become of one check.
type Result struct {
	Case     *corpus.Case
	Op       string
	Status   Status
	Requests int      // how many were answered
	Wrong    int      // how many of them wrongly
	Failure  *Failure // of Fail and KnownFailure
	Skip     string   // the reason
	Elapsed  time.Duration
}

// Name names the check: its op and the id of its case.
func (r *Result) Name() string { return r.Op + " " + r.Case.ID }

// A Failure is the smallest failing request of a check.
type Failure struct {
	What      string   // what is wrong
	More      []string // what else is, in this answer and in others of the check
	Cuts      []int    // where the chunks end; nil where the op knows none
	Want, Got []string // in lines
	Stderr    string   // the end of it, after a breakdown
	Events    string   // why events differ, probably
}

// A Report is what a run has found.
type Report struct {
	Welcome  Welcome
	Check    bool     // only the shape of the messages was looked at
	Results  []Result // in the order of the cases
	Farewell string   // what was wrong with the end of the last child
	Elapsed  time.Duration

	Interrupted bool // the run was ended from outside
	Silent      bool // the implementation was given up because answers did not come in time
	All         bool // show every failure, and not some of each cause
	MaxFailures int  // how many failures are shown without All; 0 stands for 20
}

// OK reports whether everything is as it should be: something passes, nothing
// fails but what is known to fail, and all of that does.
func (r *Report) OK() bool {
	n := r.Count()
	return n[Fail]+n[UnexpectedPass]+n[NotRun] == 0 && n[Pass]+n[KnownFailure] > 0 && r.Farewell == ""
}

// Streaming says what a run has shown of streaming.
type Streaming string

const (
	Proven    Streaming = "proven"     // each chunk was fed by itself: no event could come before its bytes
	Failing   Streaming = "failing"    // so it was, and some check of streams fails or was not run
	NotProven Streaming = "not-proven" // the whole text was there from the start
	NotJudged Streaming = "not-judged"
)

// Streaming says what the run has shown of it.
func (r *Report) Streaming() Streaming {
	judged, sound := false, true
	for i := range r.Results {
		if res := &r.Results[i]; res.Op == opStream {
			judged = judged || res.Status != Skipped && res.Status != NotRun
			sound = sound && (res.Status == Pass || res.Status == UnexpectedPass || res.Status == Skipped)
		}
	}
	switch {
	case !judged || r.Check:
		return NotJudged
	case !r.Welcome.feeds():
		return NotProven
	case !sound:
		return Failing
	}
	return Proven
}

// Count counts the results by status.
func (r *Report) Count() map[Status]int {
	n := map[Status]int{}
	for i := range r.Results {
		n[r.Results[i].Status]++
	}
	return n
}

// Judged counts the results that pass or fail.
func (r *Report) Judged() int {
	n := r.Count()
	return n[Pass] + n[Fail] + n[KnownFailure] + n[UnexpectedPass]
}

// Requests counts the answers.
func (r *Report) Requests() int {
	n := 0
	for i := range r.Results {
		n += r.Results[i].Requests
	}
	return n
}

// A Tally counts the results of one level or one rule.
type Tally struct {
	Name  string
	Count map[Status]int
}

// Total counts all.
func (t Tally) Total() int {
	n := 0
	for _, count := range t.Count {
		n += count
	}
	return n
}

// Levels counts by level.
func (r *Report) Levels() []Tally {
	return r.tally([]string{corpus.Core, corpus.Extended}, func(c *corpus.Case) []string { return []string{c.Level} })
}

// Rules counts by rule, in the order of [corpus.Rules]. A check counts for each
// of its rules.
func (r *Report) Rules() []Tally {
	var ids []string
	for _, rule := range corpus.Rules() {
		ids = append(ids, rule.ID)
	}
	return r.tally(ids, func(c *corpus.Case) []string { return c.Rules })
}

func (r *Report) tally(names []string, of func(*corpus.Case) []string) []Tally {
	counts := map[string]map[Status]int{}
	for i := range r.Results {
		for _, name := range of(r.Results[i].Case) {
			if counts[name] == nil {
				counts[name] = map[Status]int{}
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			counts[name][r.Results[i].Status]++
		}
	}
	var all []Tally
	for _, name := range names {
		if counts[name] != nil {
			all = append(all, Tally{name, counts[name]})
		}
	}
	return all
}

// apply marks the results of the checks that are known to fail.
func (r *Report) apply(known []string) {
	for i := range r.Results {
		if res := &r.Results[i]; slices.Contains(known, res.Name()) {
			switch res.Status {
			case Fail:
				res.Status = KnownFailure
			case Pass:
				res.Status = UnexpectedPass
			}
		}
	}
}

// decode reads the JSON in data.
func decode(data []byte, to any) error {
	return json.NewDecoder(strings.NewReader(string(data))).Decode(to)
}
