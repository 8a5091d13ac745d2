// Package report computes what runs of bench live have found, and writes it as one page of Markdown
// with one chart.
package report

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
)

// Report is what runs have found.
type Report struct {
	Groups   []Group `json:"groups"`
	Scripted bool    `json:"scripted"` // some models are scripted
}

// Group is the arms of one model in one kind of trial.
type Group struct {
	Kind     string `json:"kind"`
	Endpoint string `json:"endpoint"`
	Model    string `json:"model"`
	Scripted bool   `json:"scripted"`
	Arms     []Arm  `json:"arms"` // native first, if it was measured

	Name string `json:"-"` // the model, with the endpoint if there are several
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
	Failed float64 `json:"failed"` // calls of a trial that failed in a task

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

// New computes the report on the records of any number of runs.
func New(records []live.Record) (r Report) {
	trials := live.Latest(records)
	slices.SortFunc(trials, compare)
	isElsewhere := func(t live.Record) bool { return t.Endpoint != trials[0].Endpoint }
	hasSeveral := slices.ContainsFunc(trials, isElsewhere)
	for _, group := range split(trials, groupOf) {
		first := group[0]
		g := Group{
			Kind: first.Kind, Endpoint: first.Endpoint, Model: first.Model,
			Scripted: first.Scripted, Name: first.Model,
		}
		if hasSeveral {
			g.Name += " at " + g.Endpoint
		}
		var base [][]live.Record // the trials of the native arm, by case
		for _, trials := range split(group, armOf) {
			a := newArm(trials)
			if base != nil {
				a.Versus = versus(casesOf(trials), base)
			} else if a.Mode == "native" {
				base = casesOf(trials)
			}
			g.Arms = append(g.Arms, a)
		}
		r.Groups = append(r.Groups, g)
		r.Scripted = r.Scripted || g.Scripted
	}
	return r
}

// compare orders trials: messages before tasks, native first, short variants first.
func compare(a, b live.Record) int {
	return cmp.Or(
		cmp.Compare(b.Kind, a.Kind),
		cmp.Compare(a.Model, b.Model),
		cmp.Compare(a.Endpoint, b.Endpoint),
		cmp.Compare(number(a.Mode != "native"), number(b.Mode != "native")),
		cmp.Compare(a.Mode, b.Mode),
		cmp.Compare(len(a.Variant), len(b.Variant)),
		cmp.Compare(a.Variant, b.Variant),
		cmp.Compare(a.Case, b.Case),
		cmp.Compare(a.Rep, b.Rep))
}

// split splits ordered trials into parts whose trials have the same value.
func split[T comparable](trials []live.Record, of func(live.Record) T) (parts [][]live.Record) {
	start := 0
	for i := range trials {
		if i+1 == len(trials) || of(trials[i+1]) != of(trials[i]) {
			parts = append(parts, trials[start:i+1])
			start = i + 1
		}
	}
	return parts
}

func groupOf(r live.Record) [3]string { return [3]string{r.Kind, r.Model, r.Endpoint} }
func armOf(r live.Record) string      { return strings.TrimSpace(r.Mode + " " + r.Variant) }
func caseOf(r live.Record) string     { return r.Case }

// casesOf returns the trials of an arm that have an outcome, by their cases.
func casesOf(trials []live.Record) [][]live.Record {
	isFailed := func(r live.Record) bool { return r.Failure != "" }
	return split(slices.DeleteFunc(slices.Clone(trials), isFailed), caseOf)
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
	cases := casesOf(trials)
	all := slices.Concat(cases...)
	first := trials[0]
	a := Arm{
		Name: armOf(first), Mode: first.Mode,
		Cases: len(cases), Trials: len(all), Failures: len(trials) - len(all),
		Success: within(means(cases, success), 0, 1),
		Exact:   within(means(cases, exact), 0, 1),
		Valid:   within(means(cases, valid), 0, 1),
		Input:   estimate(means(cases, input)),
		Output:  estimate(means(cases, output)),
		Groups:  map[string]Estimate{}, Malformed: map[string]int{},
		Repaired: map[string]int{}, Issues: map[string]int{},
	}
	count := func(counts map[string]int, names []string) {
		for _, name := range names {
			counts[name]++
		}
	}
	var times []float64
	for _, r := range all {
		count(a.Malformed, r.Malformed)
		count(a.Repaired, r.Repaired)
		count(a.Issues, r.Issues)
		a.Cached += float64(r.Usage.Cached)
		a.Reasoning += float64(r.Usage.Reasoning)
		a.Steps += float64(r.Steps)
		a.Calls += float64(len(r.Calls))
		a.Failed += float64(r.Failed)
		a.Estimated = a.Estimated || r.Usage.Estimated
		times = append(times, r.Time)
		if r.Verdict != nil {
			a.Judged++
			a.JudgedRight += int(number(*r.Verdict))
		}
	}
	for _, sum := range []*float64{&a.Cached, &a.Reasoning, &a.Steps, &a.Calls, &a.Failed} {
		*sum /= float64(max(len(all), 1))
	}
	a.Total = bench.Percentile(times, 0.5)
	groups := map[string][]float64{}
	for i, mean := range means(cases, success) {
		name := cases[i][0].Group
		groups[name] = append(groups[name], mean)
	}
	for name, means := range groups {
		a.Groups[name] = within(means, 0, 1)
	}
	return a
}

// versus compares the trials of an arm with those of native calls.
func versus(cases, base [][]live.Record) *Versus {
	var both, native [][]live.Record
	for _, c := range cases {
		i := slices.IndexFunc(base, func(b []live.Record) bool { return b[0].Case == c[0].Case })
		if i >= 0 {
			both, native = append(both, c), append(native, base[i])
		}
	}
	if len(both) == 0 {
		return nil
	}
	differences := func(value func(live.Record) float64) []float64 {
		all := means(both, value)
		for i, other := range means(native, value) {
			all[i] -= other
		}
		return all
	}
	return &Versus{
		Cases:   len(both),
		Success: within(differences(success), -1, 1),
		Input:   estimate(differences(input)),
		Output:  estimate(differences(output)),
	}
}

// means returns the mean of a value in each case.
func means(cases [][]live.Record, value func(live.Record) float64) []float64 {
	all := make([]float64, len(cases))
	for i, c := range cases {
		for _, r := range c {
			all[i] += value(r) / float64(len(c))
		}
	}
	return all
}

// Estimate is a mean with its 95 % confidence interval.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n"` // cases
}

// estimate returns the mean of the values of cases, with the percentile interval of the bootstrap
// over cases.
func estimate(cases []float64) Estimate {
	e := Estimate{N: len(cases)}
	if e.N == 0 {
		return e
	}
	random := rand.New(rand.NewPCG(0x63616c6c, uint64(e.N))) // the same each time
	means := make([]float64, 4000)
	for i := range means {
		for range cases {
			means[i] += cases[random.IntN(e.N)]
		}
		means[i] /= float64(e.N)
	}
	for _, v := range cases {
		e.Mean += v
	}
	e.Mean /= float64(e.N) // the mean of equal values is exactly that value
	e.Low, e.High = bench.Percentile(means, 0.025), bench.Percentile(means, 0.975)
	return e
}

// within is estimate for values from least to most, such as shares. If all cases are equal, the
// bootstrap finds no variation. The interval then leaves room for as many other cases as could
// have been missed.
func within(cases []float64, least, most float64) Estimate {
	e := estimate(cases)
	if e.N > 0 && slices.Min(cases) == slices.Max(cases) {
		room := 1 - math.Pow(0.025, 1/float64(e.N))
		e.Low, e.High = max(e.Mean-room, least), min(e.Mean+room, most)
	}
	return e
}

// isDifferent reports whether the interval of a difference excludes 0.
func (e Estimate) isDifferent() bool { return e.N > 0 && (e.Low > 0 || e.High < 0) }
