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

// armKey identifies an arm, and without the last two members a group.
type armKey struct{ kind, model, endpoint, mode, variant string }

func (k armKey) group() armKey { return armKey{kind: k.kind, model: k.model, endpoint: k.endpoint} }

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
		k := armKey{r.Kind, r.Model, r.Endpoint, r.Mode, r.Variant}
		if r.Kind == live.KindJudge {
			k.kind = r.Group
			judged[k] = append(judged[k], r)
		} else {
			trials[k] = append(trials[k], r)
		}
	}
	var r Report
	var base []live.Record // of the native arm
	var last armKey
	for _, k := range slices.SortedFunc(maps.Keys(trials), before) {
		if last != k.group() {
			r.Groups = append(r.Groups, Group{Kind: k.kind, Endpoint: k.endpoint, Model: k.model})
			base, last = nil, k.group()
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
	cases := casesOf(trials)
	all := slices.Concat(cases...)
	mean := func(value func(live.Record) int) float64 {
		sum := 0
		for _, r := range all {
			sum += value(r)
		}
		return float64(sum) / float64(max(len(all), 1))
	}
	count := func(codes func(live.Record) []string) map[string]int {
		counts := map[string]int{}
		for _, r := range all {
			for _, code := range codes(r) {
				counts[code]++
			}
		}
		return counts
	}
	a := Arm{
		Name: strings.TrimSpace(trials[0].Mode + " " + trials[0].Variant), Mode: trials[0].Mode,
		Cases: len(cases), Trials: len(all), Failures: len(trials) - len(all),
		Success:   within(cases.means(success), 0, 1),
		Exact:     within(cases.means(exact), 0, 1),
		Valid:     within(cases.means(valid), 0, 1),
		Groups:    map[string]Estimate{},
		Malformed: count(func(r live.Record) []string { return r.Malformed }),
		Repaired:  count(func(r live.Record) []string { return r.Repaired }),
		Issues:    count(func(r live.Record) []string { return r.Issues }),
		Input:     estimate(cases.means(input)),
		Output:    estimate(cases.means(output)),
		Cached:    mean(func(r live.Record) int { return r.Usage.Cached }),
		Reasoning: mean(func(r live.Record) int { return r.Usage.Reasoning }),
		Estimated: slices.ContainsFunc(all,
			func(r live.Record) bool { return r.Usage.Estimated }),
		Steps:  mean(func(r live.Record) int { return r.Steps }),
		Calls:  mean(func(r live.Record) int { return len(r.Calls) }),
		Failed: mean(func(r live.Record) int { return r.Failed }),
	}
	var times []float64
	for _, r := range all {
		times = append(times, r.Time)
	}
	a.Total = bench.Percentile(times, 0.5)
	groups := map[string]byCase{}
	for _, c := range cases {
		groups[c[0].Group] = append(groups[c[0].Group], c)
	}
	for name, cases := range groups {
		a.Groups[name] = within(cases.means(success), 0, 1)
	}
	return a
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
