package report

import (
	"cmp"
	"slices"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/price"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/stat"
)

// Report is what runs have found.
type Report struct {
	Groups   []Group `json:"groups"`
	Scripted bool    `json:"scripted"` // some figures are of scripted models
	Real     bool    `json:"real"`     // some are not
}

// Group are the arms of one model in one kind of benchmark.
type Group struct {
	Kind     string `json:"kind"`
	Endpoint string `json:"endpoint"`
	Model    string `json:"model"`
	Scripted bool   `json:"scripted"`
	Arms     []Arm  `json:"arms"` // native first, where it was measured

	shared bool // another endpoint has a model of that name
}

// Arm is what was found of one arm.
type Arm struct {
	Name  string `json:"name"`
	Mode  string `json:"mode"`
	Cases int    `json:"cases"`

	Trials   int `json:"trials"`   // that have an outcome
	Failures int `json:"failures"` // that have none: the endpoint could not answer

	Success stat.Estimate            `json:"success"`
	Exact   stat.Estimate            `json:"exact"`
	Valid   stat.Estimate            `json:"valid"`
	Groups  map[string]stat.Estimate `json:"groups"` // success by the group of cases
	Pass    []float64                `json:"pass"`   // pass^1, pass^2 …

	Precision float64 `json:"precision"` // of calling at all
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`

	Malformed map[string]int `json:"malformed"` // by code
	Repaired  map[string]int `json:"repaired"`  // by name
	Issues    map[string]int `json:"issues"`    // by code

	Input     stat.Estimate  `json:"input"`     // tokens of a trial
	Output    stat.Estimate  `json:"output"`    // tokens of a trial
	Cached    float64        `json:"cached"`    // of the input
	Reasoning float64        `json:"reasoning"` // of the output
	Estimated bool           `json:"estimated"` // the provider did not count all of them
	Cost      *stat.Estimate `json:"cost,omitempty"`

	FirstByte float64 `json:"firstByte"` // medians, in milliseconds
	FirstCall float64 `json:"firstCall"`
	Total     float64 `json:"total"`
	Slowest   float64 `json:"slowest"` // the 95th percentile of Total

	Steps  float64 `json:"steps"`  // messages of a trial
	Calls  float64 `json:"calls"`  // calls of a trial
	Failed float64 `json:"failed"` // calls of a trial that the world refused
	Widest int     `json:"widest"` // most calls in a message

	Judged      int `json:"judged"`      // misses that a model was asked about
	JudgedRight int `json:"judgedRight"` // and took for right

	Versus *Versus `json:"versus,omitempty"`
}

// Versus is what is different from native calls, on the cases that both have.
type Versus struct {
	Cases       int             `json:"cases"`
	Success     stat.Difference `json:"success"`
	Input       stat.Difference `json:"input"`  // tokens of a trial
	Output      stat.Difference `json:"output"` // tokens of a trial
	Significant bool            `json:"significant"`
}

// New computes the figures of the records of any number of runs.
func New(records []record.Record, prices price.Table) Report {
	type key struct{ kind, endpoint, model string }
	type armKey struct {
		key
		mode, variant string
	}
	trials := make(map[armKey][]record.Record)
	judged := make(map[armKey][]record.Record)
	var groups []key
	arms := make(map[key][]armKey)
	latest := record.Latest(records)
	slices.SortFunc(latest, func(a, b record.Record) int { // sums of floats depend on their order
		return cmp.Or(cmp.Compare(a.Case, b.Case), cmp.Compare(a.Rep, b.Rep))
	})
	for _, r := range latest {
		k := armKey{key{r.Kind, r.Endpoint, r.Model}, r.Mode, r.Variant}
		if r.Kind == record.Judge {
			k.kind = r.Group // the kind of what was judged
			judged[k] = append(judged[k], r)
			continue
		}
		if !slices.Contains(groups, k.key) {
			groups = append(groups, k.key)
		}
		if trials[k] == nil {
			arms[k.key] = append(arms[k.key], k)
		}
		trials[k] = append(trials[k], r)
	}
	slices.SortFunc(groups, func(a, b key) int { // whatever the order of the records
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.model, b.model), cmp.Compare(a.endpoint, b.endpoint))
	})
	var report Report
	for _, g := range groups {
		group := Group{Kind: g.kind, Endpoint: g.endpoint, Model: g.model, shared: slices.ContainsFunc(groups, func(other key) bool {
			return other.kind == g.kind && other.model == g.model && other != g
		})}
		slices.SortFunc(arms[g], func(a, b armKey) int { // native first
			return cmp.Or(cmp.Compare(b2i(a.mode != "native"), b2i(b.mode != "native")), cmp.Compare(a.mode, b.mode), cmp.Compare(len(a.variant), len(b.variant)), cmp.Compare(a.variant, b.variant))
		})
		var base []record.Record
		for i, k := range arms[g] {
			p, priced := prices[g.model]
			a := newArm(trials[k], p, priced)
			for _, j := range judged[k] {
				a.Judged++
				a.JudgedRight += b2i(j.Verdict != nil && *j.Verdict)
			}
			if i == 0 && k.mode == "native" {
				base = trials[k]
			} else if base != nil {
				a.Versus = versus(trials[k], base)
			}
			group.Arms = append(group.Arms, a)
			for _, r := range trials[k] {
				group.Scripted = group.Scripted || r.Scripted
			}
		}
		group.decide()
		report.Groups = append(report.Groups, group)
		report.Scripted = report.Scripted || group.Scripted
		report.Real = report.Real || !group.Scripted
	}
	return report
}

func success(r record.Record) float64 { return float64(b2i(r.Success)) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// newArm computes the figures of the trials of an arm.
func newArm(trials []record.Record, prices price.Prices, priced bool) Arm {
	a := Arm{Name: trials[0].Arm(), Mode: trials[0].Mode, Groups: make(map[string]stat.Estimate),
		Malformed: make(map[string]int), Repaired: make(map[string]int), Issues: make(map[string]int)}
	var done []record.Record
	for _, r := range trials {
		if r.Failure != "" {
			a.Failures++
			continue
		}
		done = append(done, r)
	}
	a.Trials = len(done)
	if a.Trials == 0 {
		return a
	}
	byCase := casesOf(done)
	a.Cases = len(byCase)
	a.Success = stat.Share(byCase.means(success))
	a.Exact = stat.Share(byCase.means(func(r record.Record) float64 { return float64(b2i(r.Exact)) }))
	a.Valid = stat.Share(byCase.means(func(r record.Record) float64 { return float64(b2i(r.Valid && len(r.Malformed) == 0)) }))
	a.Input = stat.Mean(byCase.means(func(r record.Record) float64 { return float64(r.Usage.Input) }))
	a.Output = stat.Mean(byCase.means(func(r record.Record) float64 { return float64(r.Usage.Output) }))
	if priced {
		cost := stat.Mean(byCase.means(func(r record.Record) float64 { return prices.Cost(r.Usage) }))
		a.Cost = &cost
	}
	a.pass(byCase)
	a.count(done)
	groups := make(map[string][]record.Record)
	for _, r := range done {
		groups[r.Group] = append(groups[r.Group], r)
	}
	for name, of := range groups {
		a.Groups[name] = stat.Share(casesOf(of).means(success))
	}
	return a
}

// count adds up what is not a matter of cases.
func (a *Arm) count(done []record.Record) {
	var truePositives, falsePositives, falseNegatives int
	var firstByte, firstCall, total []float64
	n := float64(len(done))
	for _, r := range done {
		called := r.Called > 0 || len(r.Malformed) > 0
		truePositives += b2i(r.Wanted > 0 && called)
		falsePositives += b2i(r.Wanted == 0 && called)
		falseNegatives += b2i(r.Wanted > 0 && !called)
		for to, codes := range map[*map[string]int][]string{&a.Malformed: r.Malformed, &a.Repaired: r.Repaired, &a.Issues: r.Issues} {
			for _, code := range codes {
				(*to)[code]++
			}
		}
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
	a.Precision, a.Recall, a.F1 = stat.F1(truePositives, falsePositives, falseNegatives)
	a.FirstByte, a.FirstCall, a.Total, a.Slowest = stat.Median(firstByte), stat.Median(firstCall), stat.Median(total), stat.Percentile(total, 0.95)
}

// pass computes pass^k, for as many k as every case has repetitions.
func (a *Arm) pass(cases byCase) {
	least := len(cases[0].trials)
	for _, c := range cases {
		least = min(least, len(c.trials))
	}
	for k := 1; k <= least; k++ {
		sum := 0.0
		for _, c := range cases {
			right := 0
			for _, r := range c.trials {
				right += b2i(r.Success)
			}
			sum += stat.AllPass(right, len(c.trials), k)
		}
		a.Pass = append(a.Pass, sum/float64(len(cases)))
	}
}

// versus compares the trials of an arm with those of native calls.
func versus(trials, base []record.Record) *Versus {
	one, other := casesOf(succeeded(trials)), casesOf(succeeded(base))
	var a, b byCase
	for _, c := range one {
		if i := slices.IndexFunc(other, func(o oneCase) bool { return o.name == c.name }); i >= 0 {
			a, b = append(a, c), append(b, other[i])
		}
	}
	if len(a) == 0 {
		return nil
	}
	compare := func(value func(record.Record) float64) stat.Difference {
		return stat.Paired(a.means(value), b.means(value))
	}
	return &Versus{Cases: len(a),
		Success: stat.PairedShares(a.means(success), b.means(success)),
		Input:   compare(func(r record.Record) float64 { return float64(r.Usage.Input) }),
		Output:  compare(func(r record.Record) float64 { return float64(r.Usage.Output) })}
}

func succeeded(trials []record.Record) []record.Record {
	return slices.DeleteFunc(slices.Clone(trials), func(r record.Record) bool { return r.Failure != "" })
}

// decide says which differences of success are significant, all arms of the group
// taken together.
func (g *Group) decide() {
	var p []float64
	var of []*Versus
	for _, a := range g.Arms {
		if a.Versus != nil {
			p, of = append(p, a.Versus.Success.P), append(of, a.Versus)
		}
	}
	for i, significant := range stat.Significant(p) {
		of[i].Significant = significant
	}
}

// byCase are trials by their cases, in the order of the first ones.
type byCase []oneCase

type oneCase struct {
	name   string
	trials []record.Record
}

func casesOf(trials []record.Record) byCase {
	var cases byCase
	at := make(map[string]int)
	for _, r := range trials {
		i, ok := at[r.Case]
		if !ok {
			i = len(cases)
			at[r.Case] = i
			cases = append(cases, oneCase{name: r.Case})
		}
		cases[i].trials = append(cases[i].trials, r)
	}
	return cases
}

// means returns the mean of a value in each case.
func (b byCase) means(value func(record.Record) float64) []float64 {
	means := make([]float64, len(b))
	for i, c := range b {
		for _, r := range c.trials {
			means[i] += value(r)
		}
		means[i] /= float64(len(c.trials))
	}
	return means
}
