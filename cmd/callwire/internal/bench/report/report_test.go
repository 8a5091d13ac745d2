package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/internal/golden"
)

// records are two models in three arms, with two kinds of trials, a failure and a judge.
func records() (all []live.Record) {
	for i := range 20 {
		for _, mode := range []string{"native", "wire", "wire style=classic"} {
			mode, variant, _ := strings.Cut(mode, " ")
			r := live.Record{Key: live.Key{Kind: live.KindLive, Endpoint: "http://a", Model: "big<er>"}}
			r.Case, r.Rep, r.Mode, r.Variant, r.Group = fmt.Sprint("case", i/2), i%2, mode, variant, "single"
			if i > 15 {
				r.Group = "parallel"
			}
			r.Success, r.Valid, r.Steps = mode == "native" || variant == "" && i%5 > 0, true, 1
			r.Exact = r.Success && i%2 == 0
			r.Calls = []bench.Call{{Name: "t"}}
			r.Usage = live.Usage{Input: 300, Output: 40, Cached: 100}
			if mode == "wire" {
				r.Usage = live.Usage{Input: 200 + i, Output: 20 + i%3, Reasoning: 7, Estimated: variant != ""}
				r.Repaired = []string{"spaced-equals"}
			}
			if !r.Success {
				r.Malformed = []string{"bad-name", "bad-name"}
			}
			r.Time = float64(100 + i)
			if i == 19 && variant != "" {
				r.Failure = "failing"
			}
			all = append(all, r)
		}
	}
	right := true
	for i, r := range all {
		if r.Mode == "wire" && !r.Success && i < 20 {
			r.Judge, r.Verdict = "j", &right
			all = append(all, r)
		}
	}
	task := live.Record{Key: live.Key{Kind: live.KindAgent, Endpoint: "http://a", Model: "scripted-small", Mode: "wire"}, Scripted: true}
	task.Success, task.Exact, task.Valid, task.Steps, task.Failed = true, true, true, 5, 2
	twin := task
	twin.Endpoint = "http://b"
	silent := task
	silent.Failure, silent.Model = "failing", "scripted-silent"
	return append(all, task, twin, silent)
}

// TestPage: what people see, on a terminal and as Markdown, and the chart.
func TestPage(t *testing.T) {
	r := New(records())
	golden.Assert(t, r.Page(""), "report.txt")
	golden.Assert(t, r.Page("report.svg"), "report.md")
	golden.Assert(t, r.Chart(), "report.svg")
	for d := xml.NewDecoder(strings.NewReader(r.Chart())); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestIntervals: intervals have their nominal coverage, and room where all cases are equal.
func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		cases []float64
		want  string
	}{
		{nil, "0.00 [0.00, 0.00]"},
		{[]float64{1}, "1.00 [0.03, 1.00]"},
		{make([]float64, 30), "0.00 [0.00, 0.12]"},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, "0.70 [0.40, 0.90]"},
	} {
		e := within(c.cases, 0, 1)
		if got := fmt.Sprintf("%.2f [%.2f, %.2f]", e.Mean, e.Low, e.High); got != c.want {
			t.Errorf("%v: %s, want %s", c.cases, got, c.want)
		}
	}
	if e := within(slices.Repeat([]float64{1}, 30), 0, 1); e.Mean != 1 {
		t.Errorf("the mean of ones is %v", e.Mean)
	}
	if e := within([]float64{0.5, 0.5, 0.5, 0.5}, -1, 1); e.isDifferent() || e.Low < -1 || e.High > 1 {
		t.Errorf("%+v", e)
	}
}

// TestOrder: the order of the records, and earlier tries of the same trial, don't matter.
func TestOrder(t *testing.T) {
	all := records()
	failed := all[0]
	failed.Failure = "broken"
	mixed := append([]live.Record{failed}, all...)
	for i := range mixed[1:] {
		j := 1 + (i*7)%len(all)
		mixed[i+1], mixed[j] = mixed[j], mixed[i+1]
	}
	if a, b := New(all).Chart(), New(mixed).Chart(); a != b {
		t.Errorf("%s\nnot\n%s", b, a)
	}
}
