// Package report computes what runs of bench live have found, and writes it as one page of Markdown
// with one chart.
package report

import (
	"cmp"
	"slices"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
)

// Report is what runs have found.
type Report struct {
	Groups   []Group `json:"groups"`
	Scripted bool    `json:"scripted"` // some models are scripted
	Real     bool    `json:"real"`     // some are not
}

// Group is the arms of one model in one kind of trial.
type Group struct {
	Kind     string `json:"kind"`
	Endpoint string `json:"endpoint"`
	Model    string `json:"model"`
	Scripted bool   `json:"scripted"`
	Arms     []Arm  `json:"arms"` // native first, if it was measured

	isShared bool // another endpoint has a model of that name
}

// Arm is what was found for one arm.
type Arm struct {
	Name     string `json:"name"`
	Mode     string `json:"mode"`
	Cases    int    `json:"cases"`
	Trials   int    `json:"trials"`   // with an outcome
	Failures int    `json:"failures"` // without one: the endpoint could not answer

	Success Estimate            `json:"success"`
	Exact   Estimate            `json:"exact"`
	Valid   Estimate            `json:"valid"`
	Groups  map[string]Estimate `json:"groups"` // success by group of cases
	Pass    []float64           `json:"pass"`   // pass^1, pass^2 …

	Precision float64 `json:"precision"` // of calling at all
	Recall    float64 `json:"recall"`

	Malformed map[string]int `json:"malformed"` // by code
	Repaired  map[string]int `json:"repaired"`  // by name
	Issues    map[string]int `json:"issues"`    // by code

	Input     Estimate `json:"input"`     // tokens of a trial
	Output    Estimate `json:"output"`    // tokens of a trial
	Cached    float64  `json:"cached"`    // of the input
	Reasoning float64  `json:"reasoning"` // of the output
	Estimated bool     `json:"estimated"` // the provider did not count all tokens

	FirstByte float64 `json:"firstByte"` // medians, in milliseconds
	FirstCall float64 `json:"firstCall"`
	Total     float64 `json:"total"`

	Steps  float64 `json:"steps"`  // messages of a trial
	Calls  float64 `json:"calls"`  // calls of a trial
	Failed float64 `json:"failed"` // calls of a trial that the world refused
	Widest int     `json:"widest"` // the most calls in a message

	Judged      int `json:"judged"`      // misses that a judge was asked about
	JudgedRight int `json:"judgedRight"` // and found right

	Versus *Versus `json:"versus,omitempty"`
}

// Versus is the difference to native calls, on the cases that both have.
type Versus struct {
	Cases       int        `json:"cases"`
	Success     Difference `json:"success"`
	Input       Difference `json:"input"`  // tokens of a trial
	Output      Difference `json:"output"` // tokens of a trial
	Significant bool       `json:"significant"`
}

// groupKey identifies a group.
type groupKey struct{ kind, model, endpoint string }

// armKey identifies an arm.
type armKey struct {
	groupKey
	mode, variant string
}

// New computes the report on the records of any number of runs.
func New(records []live.Record) Report {
	trials, judged := make(map[armKey][]live.Record), make(map[armKey][]live.Record)
	latest := live.Latest(records)
	slices.SortFunc(latest, func(a, b live.Record) int { // sums of floats depend on their order
		return cmp.Or(cmp.Compare(a.Case, b.Case), cmp.Compare(a.Rep, b.Rep))
	})
	for _, r := range latest {
		k := armKey{groupKey{r.Kind, r.Model, r.Endpoint}, r.Mode, r.Variant}
		if r.Kind == live.KindJudge {
			k.kind = r.Group
			judged[k] = append(judged[k], r)
		} else {
			trials[k] = append(trials[k], r)
		}
	}
	var keys []armKey
	for k := range trials {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b armKey) int { // live before agent, native first, short variants first
		return cmp.Or(-cmp.Compare(a.kind, b.kind), cmp.Compare(a.model, b.model), cmp.Compare(a.endpoint, b.endpoint),
			cmp.Compare(number(a.mode != "native"), number(b.mode != "native")), cmp.Compare(a.mode, b.mode),
			cmp.Compare(len(a.variant), len(b.variant)), cmp.Compare(a.variant, b.variant))
	})
	var r Report
	var base []live.Record // of the native arm
	for i, k := range keys {
		if i == 0 || keys[i-1].groupKey != k.groupKey {
			r.Groups = append(r.Groups, Group{Kind: k.kind, Endpoint: k.endpoint, Model: k.model})
			base = nil
		}
		g := &r.Groups[len(r.Groups)-1]
		a := newArm(trials[k])
		for _, j := range judged[k] {
			a.Judged++
			a.JudgedRight += int(number(j.Verdict != nil && *j.Verdict))
		}
		if base != nil {
			a.Versus = versus(trials[k], base)
		}
		if base == nil && k.mode == "native" {
			base = trials[k]
		}
		g.Arms = append(g.Arms, a)
		for _, one := range trials[k] {
			g.Scripted = g.Scripted || one.Scripted
		}
	}
	for i := range r.Groups {
		r.finish(i)
	}
	return r
}

// finish sets what depends on all arms of a group, and on other groups.
func (r *Report) finish(i int) {
	g := &r.Groups[i]
	r.Scripted = r.Scripted || g.Scripted
	r.Real = r.Real || !g.Scripted
	for j, other := range r.Groups {
		g.isShared = g.isShared || i != j && other.Kind == g.Kind && other.Model == g.Model
	}
	var p []float64
	var of []*Versus
	for _, a := range g.Arms {
		if a.Versus != nil {
			p, of = append(p, a.Versus.Success.P), append(of, a.Versus)
		}
	}
	for k, isSignificant := range significant(p) {
		of[k].Significant = isSignificant
	}
}

// number returns 1 for true.
func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Values of a trial.
func success(r live.Record) float64 { return number(r.Success) }
func exact(r live.Record) float64   { return number(r.Exact) }
func valid(r live.Record) float64   { return number(r.Valid && len(r.Malformed) == 0) }
func input(r live.Record) float64   { return float64(r.Usage.Input) }
func output(r live.Record) float64  { return float64(r.Usage.Output) }

// newArm computes what the trials of an arm have found.
func newArm(trials []live.Record) Arm {
	a := Arm{Name: trials[0].Arm(), Mode: trials[0].Mode, Groups: map[string]Estimate{},
		Malformed: map[string]int{}, Repaired: map[string]int{}, Issues: map[string]int{}}
	done := succeeded(trials)
	a.Trials, a.Failures = len(done), len(trials)-len(done)
	if a.Trials == 0 {
		return a
	}
	cases := casesOf(done)
	a.Cases = len(cases)
	a.Success, a.Exact, a.Valid = shareOf(cases.means(success)), shareOf(cases.means(exact)), shareOf(cases.means(valid))
	a.Input, a.Output = estimate(cases.means(input)), estimate(cases.means(output))
	least := a.Trials
	groups := map[string]byCase{}
	for _, c := range cases {
		least = min(least, len(c))
		groups[c[0].Group] = append(groups[c[0].Group], c)
	}
	for name, cases := range groups {
		a.Groups[name] = shareOf(cases.means(success))
	}
	for k := 1; k <= least; k++ {
		sum := 0.0
		for _, c := range cases {
			right := 0.0
			for _, r := range c {
				right += success(r)
			}
			sum += allPass(int(right), len(c), k)
		}
		a.Pass = append(a.Pass, sum/float64(len(cases)))
	}
	a.count(done)
	return a
}

// count adds up what does not depend on cases.
func (a *Arm) count(done []live.Record) {
	var hits, alarms, misses float64 // calls where wanted, where not wanted, and none where wanted
	var firstByte, firstCall, total []float64
	n := float64(len(done))
	for _, r := range done {
		called := r.Called > 0 || len(r.Malformed) > 0
		hits += number(called && r.Wanted > 0)
		alarms += number(called && r.Wanted == 0)
		misses += number(!called && r.Wanted > 0)
		add(a.Malformed, r.Malformed)
		add(a.Repaired, r.Repaired)
		add(a.Issues, r.Issues)
		a.Cached += float64(r.Usage.CacheRead) / n
		a.Reasoning += float64(r.Usage.Reasoning) / n
		a.Estimated = a.Estimated || r.Usage.Estimated
		a.Steps += float64(r.Steps) / n
		a.Calls += float64(r.Called) / n
		a.Failed += float64(r.Failed) / n
		a.Widest = max(a.Widest, r.Widest)
		firstByte, total = append(firstByte, r.Times.FirstByte), append(total, r.Times.Total)
		if r.Times.FirstCall > 0 {
			firstCall = append(firstCall, r.Times.FirstCall)
		}
	}
	a.Precision, a.Recall = 1, 1 // a share of nothing: nothing was wrong
	if hits+alarms > 0 {
		a.Precision = hits / (hits + alarms)
	}
	if hits+misses > 0 {
		a.Recall = hits / (hits + misses)
	}
	a.FirstByte, a.FirstCall, a.Total = bench.Median(firstByte), bench.Median(firstCall), bench.Median(total)
}

func add(counts map[string]int, codes []string) {
	for _, code := range codes {
		counts[code]++
	}
}

// versus compares the trials of an arm with those of native calls.
func versus(trials, base []live.Record) *Versus {
	one, other := casesOf(succeeded(trials)), casesOf(succeeded(base))
	var a, b byCase
	for _, c := range one {
		i := slices.IndexFunc(other, func(o []live.Record) bool { return o[0].Case == c[0].Case })
		if i >= 0 {
			a, b = append(a, c), append(b, other[i])
		}
	}
	if len(a) == 0 {
		return nil
	}
	return &Versus{
		Cases:   len(a),
		Success: shareDifferenceOf(a.means(success), b.means(success)),
		Input:   differenceOf(a.means(input), b.means(input)),
		Output:  differenceOf(a.means(output), b.means(output)),
	}
}

// succeeded returns the trials with an outcome.
func succeeded(trials []live.Record) []live.Record {
	return slices.DeleteFunc(slices.Clone(trials), func(r live.Record) bool { return r.Failure != "" })
}

// byCase is trials by their cases.
type byCase [][]live.Record

func casesOf(trials []live.Record) (cases byCase) {
	at := make(map[string]int)
	for _, r := range trials {
		i, ok := at[r.Case]
		if !ok {
			i = len(cases)
			at[r.Case] = i
			cases = append(cases, nil)
		}
		cases[i] = append(cases[i], r)
	}
	return cases
}

// means returns the mean of a value in each case.
func (b byCase) means(value func(live.Record) float64) []float64 {
	means := make([]float64, len(b))
	for i, c := range b {
		for _, r := range c {
			means[i] += value(r) / float64(len(c))
		}
	}
	return means
}
