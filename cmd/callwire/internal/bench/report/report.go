// Package report computes what runs of bench live have found, and writes it as one page of Markdown
// with one chart.
package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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

	Malformed map[string]int `json:"malformed"` // by code
	Repaired  map[string]int `json:"repaired"`  // by name
	Issues    map[string]int `json:"issues"`    // by code

	Input     Estimate `json:"input"`     // tokens of a trial
	Output    Estimate `json:"output"`    // tokens of a trial
	Cached    float64  `json:"cached"`    // of the input
	Reasoning float64  `json:"reasoning"` // of the output
	Estimated bool     `json:"estimated"` // the provider did not count all tokens
	Total     float64  `json:"total"`     // the median time, in milliseconds

	Steps  float64 `json:"steps"`  // messages of a trial
	Calls  float64 `json:"calls"`  // calls of a trial
	Failed float64 `json:"failed"` // calls of a trial that the world refused

	Judged      int `json:"judged"`      // misses that a judge was asked about
	JudgedRight int `json:"judgedRight"` // and found right

	Versus *Versus `json:"versus,omitempty"`
}

// Versus is the difference to native calls, on the cases that both have.
type Versus struct {
	Cases   int      `json:"cases"`
	Success Estimate `json:"success"`
	Input   Estimate `json:"input"`  // tokens of a trial
	Output  Estimate `json:"output"` // tokens of a trial
}

// groupKey identifies a group.
type groupKey struct{ kind, model, endpoint string }

// armKey identifies an arm.
type armKey struct {
	groupKey
	mode, variant string
}

// before orders arms: messages before tasks, native first, short variants first.
func before(a, b armKey) int {
	return cmp.Or(
		cmp.Compare(b.kind, a.kind),
		cmp.Compare(a.model, b.model),
		cmp.Compare(a.endpoint, b.endpoint),
		cmp.Compare(number(a.mode != "native"), number(b.mode != "native")),
		cmp.Compare(a.mode, b.mode),
		cmp.Compare(len(a.variant), len(b.variant)),
		cmp.Compare(a.variant, b.variant))
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
	var r Report
	var base []live.Record // of the native arm
	var last groupKey
	for _, k := range slices.SortedFunc(maps.Keys(trials), before) {
		if len(r.Groups) == 0 || last != k.groupKey {
			r.Groups = append(r.Groups, Group{Kind: k.kind, Endpoint: k.endpoint, Model: k.model})
			base, last = nil, k.groupKey
		}
		g := &r.Groups[len(r.Groups)-1]
		a := newArm(trials[k])
		for _, j := range judged[k] {
			a.Judged++
			a.JudgedRight += int(number(j.Verdict != nil && *j.Verdict))
		}
		if base != nil {
			a.Versus = versus(trials[k], base)
		} else if k.mode == "native" {
			base = trials[k]
		}
		g.Arms = append(g.Arms, a)
		g.Scripted = g.Scripted || trials[k][0].Scripted
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		r.Scripted, r.Real = r.Scripted || g.Scripted, r.Real || !g.Scripted
		g.isShared = slices.ContainsFunc(r.Groups, func(other Group) bool {
			return other.Kind == g.Kind && other.Model == g.Model && other.Endpoint != g.Endpoint
		})
	}
	return r
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
	a := Arm{
		Name: strings.TrimSpace(trials[0].Mode + " " + trials[0].Variant), Mode: trials[0].Mode,
		Groups:    map[string]Estimate{},
		Malformed: map[string]int{}, Repaired: map[string]int{}, Issues: map[string]int{},
	}
	cases := casesOf(trials)
	a.Cases = len(cases)
	groups := map[string]byCase{}
	var times []float64
	for _, c := range cases {
		groups[c[0].Group] = append(groups[c[0].Group], c)
		for _, r := range c {
			a.Trials++
			a.add(r)
			times = append(times, r.Time)
		}
	}
	a.Failures = len(trials) - a.Trials
	n := float64(max(a.Trials, 1))
	for _, sum := range []*float64{&a.Cached, &a.Reasoning, &a.Steps, &a.Calls, &a.Failed} {
		*sum /= n
	}
	a.Total = bench.Percentile(times, 0.5)
	a.Success = within(cases.means(success), 0, 1)
	a.Exact, a.Valid = within(cases.means(exact), 0, 1), within(cases.means(valid), 0, 1)
	a.Input, a.Output = estimate(cases.means(input)), estimate(cases.means(output))
	for name, cases := range groups {
		a.Groups[name] = within(cases.means(success), 0, 1)
	}
	return a
}

// add adds up a trial.
func (a *Arm) add(r live.Record) {
	count := func(counts map[string]int, codes []string) {
		for _, code := range codes {
			counts[code]++
		}
	}
	count(a.Malformed, r.Malformed)
	count(a.Repaired, r.Repaired)
	count(a.Issues, r.Issues)
	a.Cached += float64(r.Usage.Cached)
	a.Reasoning += float64(r.Usage.Reasoning)
	a.Estimated = a.Estimated || r.Usage.Estimated
	a.Steps += float64(r.Steps)
	a.Calls += float64(len(r.Calls))
	a.Failed += float64(r.Failed)
}

// versus compares the trials of an arm with those of native calls.
func versus(trials, base []live.Record) *Versus {
	other := casesOf(base)
	var a, b byCase
	for _, c := range casesOf(trials) {
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
		Success: within(difference(a.means(success), b.means(success)), -1, 1),
		Input:   estimate(difference(a.means(input), b.means(input))),
		Output:  estimate(difference(a.means(output), b.means(output))),
	}
}

// byCase is trials by their cases.
type byCase [][]live.Record

// casesOf returns the trials that have an outcome, by their cases.
func casesOf(trials []live.Record) (cases byCase) {
	at := make(map[string]int)
	for _, r := range trials {
		if r.Failure != "" {
			continue
		}
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
