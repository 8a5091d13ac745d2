package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/price"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// records are trials of which the figures are known: natively all are right, in
// text those of the first six of ten cases, in the second repetition of one more.
func records(scripted bool) []record.Record {
	var list []record.Record
	for rep := range 2 {
		for c := range 10 {
			for _, mode := range []string{"native", "wire"} {
				r := record.Record{Key: record.Key{Kind: record.Live, Endpoint: "https://x", Model: `<m> & "co"`, Case: fmt.Sprint("c", c), Mode: mode, Rep: rep},
					Group: "single", Scripted: scripted, Usage: record.Usage{Input: 100, CacheRead: 40, Output: 10}, Times: record.Times{Total: 5, FirstByte: 1}}
				r.Success, r.Exact, r.Valid, r.Wanted, r.Called = true, true, true, 1, 1
				if c == 9 {
					r.Group, r.Wanted, r.Called = "irrelevant", 0, 0
				}
				if mode == "wire" {
					r.Usage.Input, r.Usage.Output = 50, 5
					r.Success = c < 6 || c == 6 && rep == 1
					if !r.Success && c < 9 {
						r.Called, r.Malformed = 0, []string{"bad-name"}
					}
					if c == 9 {
						r.Called = 1
					}
				}
				list = append(list, r)
			}
		}
	}
	failed := list[0]
	failed.Case, failed.Failure = "c10", "the endpoint fails"
	return append(list, failed)
}

var prices = price.Table{`<m> & "co"`: {Input: 1, Output: 10}}

func TestFigures(t *testing.T) {
	r := New(records(false), prices)
	if len(r.Groups) != 1 || len(r.Groups[0].Arms) != 2 || r.Scripted || !r.Real || r.Notice() != "" {
		t.Fatalf("%+v", r)
	}
	native, wire := r.Groups[0].Arms[0], r.Groups[0].Arms[1]
	if native.Name != "native" || native.Failures != 1 || native.Trials != 20 || native.Success.Mean != 1 || native.Versus != nil {
		t.Errorf("%+v", native)
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	near("success", wire.Success.Mean, 0.65)
	near("pass^1", wire.Pass[0], 0.65)
	near("pass^2", wire.Pass[1], 0.6)
	near("precision", wire.Precision, 18.0/20) // what was malformed was an attempt
	near("recall", wire.Recall, 1)
	near("native F1", native.F1, 1)
	near("input", wire.Input.Mean, 50)
	near("cost", native.Cost.Mean, (100+10*10)/1e6)
	near("difference", wire.Versus.Success.Mean, -0.35)
	near("tokens", wire.Versus.Output.Mean, -5)
	near("irrelevant", wire.Groups["irrelevant"].Mean, 0)
	if wire.Malformed["bad-name"] != 5 || wire.Versus.Cases != 10 {
		t.Errorf("%+v", wire)
	}
	near("p", wire.Versus.Success.P, 2.0/16) // four cases differ, all in one direction
	if wire.Versus.Significant {
		t.Error("a difference of four cases is significant")
	}
}

// TestBase: where native calls have a setting of their own, the others are compared
// with those.
func TestBase(t *testing.T) {
	list := records(false)
	for i := range list {
		list[i].Variant = "retries=1"
	}
	arms := New(list, nil).Groups[0].Arms
	if arms[0].Versus != nil || arms[1].Versus == nil || arms[1].Versus.Cases != 10 {
		t.Errorf("%+v", arms)
	}
}

// TestEndpoints: models of one name at two endpoints are told apart, and only they.
func TestEndpoints(t *testing.T) {
	list := records(false)
	for _, r := range records(false) {
		r.Endpoint = "https://y"
		list = append(list, r)
	}
	brief := func(list []record.Record) string {
		var b strings.Builder
		if err := New(list, nil).Brief().WriteMarkdown(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := brief(list); !strings.Contains(got, "at https://x, wire") || !strings.Contains(got, "at https://y, wire") {
		t.Error(got)
	}
	if got := brief(records(false)); strings.Contains(got, "https://x") {
		t.Error(got)
	}
}

// TestOrder: the report does not depend on the order of the records, nor on what
// was replaced.
func TestOrder(t *testing.T) {
	list := records(true)
	for i := range list {
		list[i].Steps = i % 7 // their mean is a sum of fractions
	}
	want := New(list, prices)
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 1))
		mixed := append([]record.Record{}, list...)
		random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		stopped := mixed[3]
		stopped.Failure = "stopped"
		if got := New(append([]record.Record{stopped}, mixed...), prices); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %+v\nwant %+v", seed, got, want)
		}
	}
}

// TestForms: every form says whose figures they are, what is not significant, and
// holds no text as markup.
func TestForms(t *testing.T) {
	for _, scripted := range []bool{true, false} {
		r := New(records(scripted), prices)
		var markdown, html, chart, text strings.Builder
		if err := r.Page().WriteMarkdown(&markdown); err != nil {
			t.Fatal(err)
		}
		if err := r.Brief().WriteText(&text, 80); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteHTML(&html); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteChart(&chart, record.Live); err != nil {
			t.Fatal(err)
		}
		for name, form := range map[string]string{"markdown": markdown.String(), "text": text.String(), "html": html.String()} {
			if !strings.Contains(form, "not significant") || !strings.Contains(form, "65.0 %") {
				t.Errorf("%s: %.500s", name, form)
			}
			if got := strings.Contains(form, "figures of scripted models"); got != scripted {
				t.Errorf("%s of scripted models %t: says so %t", name, scripted, got)
			}
		}
		if got := strings.Contains(chart.String(), "Scripted models:"); got != scripted {
			t.Errorf("the chart of scripted models %t says so: %t", scripted, got)
		}
		for name, form := range map[string]string{"html": html.String(), "chart": chart.String()} {
			if strings.Contains(form, "<m>") || !strings.Contains(form, "&lt;m&gt; &amp;") {
				t.Errorf("%s: a name is markup", name)
			}
			if m := regexp.MustCompile(`(src|href)=|url\(|@import`).FindString(form); m != "" {
				t.Errorf("%s: it needs something else: %s", name, m)
			}
		}
		d := xml.NewDecoder(strings.NewReader(chart.String()))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestNothing: runs without a trial, and arms without an outcome, have a report.
func TestNothing(t *testing.T) {
	failed := records(false)[40]
	for _, list := range [][]record.Record{nil, {failed}} {
		r := New(list, nil)
		var html, markdown strings.Builder
		if err := r.WriteHTML(&html); err != nil {
			t.Error(err)
		}
		if err := r.Page().WriteMarkdown(&markdown); err != nil {
			t.Error(err)
		}
		for _, word := range []string{"NaN", "Inf"} {
			if strings.Contains(html.String()+markdown.String(), word) {
				t.Errorf("%s in %s", word, markdown.String())
			}
		}
	}
}

func TestNice(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 1030: 1200, 0.5: 0.6, 10: 10, 7: 8} {
		if got := nice(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%g: %g, want %g", v, got, want)
		}
	}
}
