package runner

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/golden"
)

// sample is a report with a result of every status.
func sample(t *testing.T) *Report {
	t.Helper()
	split := only(t, victim)[0]
	written := only(t, "writing/one-argument")[0]
	bytes := only(t, "utf8/bare-lone-continuation")[0]
	limited := only(t, "limits/bytes-one-more")[0]
	typed := only(t, "typing/bare-string")[0]
	r := &Report{
		Welcome: corpus.Welcome{Protocol: 2, Name: "sample", Version: "0.1", Spec: "1.0",
			Ops: []string{"parse", "feed", "format"}},
		Elapsed: 1500 * time.Millisecond,
		Results: []Result{
			{Case: &split, Op: "parse", Status: Pass, Requests: 1, Elapsed: time.Millisecond},
			{Case: &split, Op: "stream", Status: Fail, Requests: 500, Wrong: 30,
				Elapsed: time.Second, Failure: &Failure{
					Kind: "no tool-call", What: "event 0 differs in type", Cuts: []int{3},
					Want: wanted(&split), Got: []string{`0-32 text "<call>t | ` + "`" + `"`},
				}},
			{Case: &written, Op: "format", Status: Fail, Requests: 1, Wrong: 1, Failure: &Failure{
				Kind: "another writing", What: "another writing", Want: wanted(&written),
				Got: []string{"<call>t  a=x</call>"},
			}},
			{Case: &bytes, Op: "parse", Status: Fail, Requests: 1, Wrong: 1, Failure: &Failure{
				Kind: crashed, What: "it ended before it answered: exit status 70",
				Want:   wanted(&bytes),
				Stderr: "Traceback:\n  no such byte",
			}},
			{Case: &bytes, Op: "stream", Status: NotRun},
			{Case: &limited, Op: "parse", Status: KnownFailure, Requests: 1, Wrong: 1,
				Failure: &Failure{
					Kind: "wrong at", What: "event 0 differs in at", Want: wanted(&limited),
					Got: lines([]corpus.Event{{Type: "malformed", End: 18, Code: "call-too-long",
						At: 18}}),
				}},
			{Case: &limited, Op: "stream", Status: UnexpectedPass, Requests: 40},
			{Case: &typed, Op: "parse", Status: Pass, Requests: 1},
			{Case: &typed, Op: "stream", Status: Skipped, Requests: 1, Skip: "no schemas yet"},
		},
	}
	return r
}

// forms are those of a report, by their golden files.
var forms = map[string]func(*Report, io.Writer) error{
	"report.md":   (*Report).WriteMarkdown,
	"report.txt":  (*Report).WriteText,
	"report.json": (*Report).WriteJSON,
	"report.xml":  (*Report).WriteJUnit,
}

func TestReports(t *testing.T) {
	for name, write := range forms {
		var got bytes.Buffer
		if err := write(sample(t), &got); err != nil {
			t.Fatal(err)
		}
		golden.Assert(t, got.String(), name)
	}
}

// TestFarewell: what is wrong at the end is a failure of JUnit too.
func TestFarewell(t *testing.T) {
	r := sample(t)
	r.Farewell = `it wrote "<a>"`
	var out bytes.Buffer
	if err := r.WriteJUnit(&out); err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal(out.Bytes(), &suite); err != nil {
		t.Fatal(err)
	}
	last := suite.Cases[len(suite.Cases)-1]
	if suite.Failures != 5 || last.Name != "bye" || last.Failure.Message != r.Farewell {
		t.Errorf("%d failures, %+v", suite.Failures, last)
	}
}

func TestOutcome(t *testing.T) {
	c := only(t, victim)[0]
	all := len(allChecks())
	for _, x := range []struct {
		status Status
		bye    string
		want   string
		ok     bool
	}{
		{Pass, "", fmt.Sprintf("partial: 1 of %d pass, 0 skipped, %d not run", all, all-1), true},
		{Fail, "", "1 of 1 fail", false},
		{Skipped, "", "nothing was judged", false},
		{NotRun, "", "1 of 1 were not run", false},
		{KnownFailure, "", fmt.Sprintf(
			"partial: 0 of %d pass, 0 skipped, 1 known failures, %d not run", all, all-1), true},
		{Pass, "it wrote", "the end is wrong", false},
	} {
		r := &Report{Farewell: x.bye, Results: []Result{{Case: &c, Op: "parse", Status: x.status}}}
		if got := r.outcome(); got != x.want || r.OK() != x.ok {
			t.Errorf("%s: %s, OK %t; want %s, %t", x.status, got, r.OK(), x.want, x.ok)
		}
	}
}

// TestConforms: a level is passed by a run of all its checks without a skip.
func TestConforms(t *testing.T) {
	r := &Report{}
	for _, c := range checksOf(append(corpus.Cases(), corpus.MoreCases()...)) {
		if c.Case.Level == corpus.Core {
			r.Results = append(r.Results, Result{Case: c.Case, Op: c.Op, Status: Pass})
		}
	}
	if got := r.outcome(); got != "passes core" || r.Conforms(corpus.Extended) {
		t.Error(got)
	}
	r.Results[7].Status = Skipped
	if got := r.outcome(); r.Conforms(corpus.Core) || !strings.HasPrefix(got, "partial: ") ||
		!strings.Contains(got, " pass, 1 skipped, ") {
		t.Error(got)
	}
	r.Results[7].Status = Pass
	r.Results = r.Results[1:]
	if got := r.outcome(); r.Conforms(corpus.Core) || !strings.HasPrefix(got, "partial: ") {
		t.Error(got)
	}
}

func TestCompare(t *testing.T) {
	var a, b strings.Builder
	one, other := sample(t), sample(t)
	other.Welcome.Name = "other"
	other.Results[0].Status, other.Results[0].Failure = Fail, &Failure{What: "no answer within 1s"}
	if err := errors.Join(one.WriteJSON(&a), other.WriteJSON(&b)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	compare := func(markdown bool, reports ...string) {
		t.Helper()
		out.Reset()
		var all []*Saved
		for _, text := range reports {
			r, err := ReadReport(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		if err := Compare(&out, markdown, all...); err != nil {
			t.Fatal(err)
		}
	}
	compare(false, a.String(), b.String())
	golden.Assert(t, out.String(), "compare.txt")
	one.Welcome.Name, one.Welcome.Version = "<b>x</b>\n\n# y", "`[z](u)`|"
	var hostile strings.Builder
	if err := errors.Join(one.WriteJSON(&hostile), one.WriteMarkdown(&hostile)); err != nil {
		t.Fatal(err)
	}
	compare(true, hostile.String())
	const said = "&lt;b>x&lt;/b>  # y \\`\\[z](u)\\`\\|"
	if !strings.Contains(out.String(), "| "+said+" ") ||
		!strings.Contains(hostile.String(), "\n# "+said+": ") {
		t.Errorf("markup in %s", out.String())
	}
	for _, wrong := range []string{"", "{}", "[]", "x"} {
		if _, err := ReadReport(strings.NewReader(wrong)); err == nil {
			t.Errorf("%q is a report", wrong)
		}
	}
}

// TestReportHasNoMarkupOfOthers: what an implementation says is text, on lines of its own.
func TestReportHasNoMarkupOfOthers(t *testing.T) {
	r := sample(t)
	const hostile = "~~a~~ _b_ <i>c</i>\r\n# d"
	for i := range r.Results {
		if f := r.Results[i].Failure; f != nil {
			f.What, f.More, f.Stderr = hostile, []string{hostile}, hostile+"\r## e"
		}
		if r.Results[i].Status == Skipped {
			r.Results[i].Skip = hostile
		}
	}
	r.Farewell = hostile
	var out strings.Builder
	if err := r.WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	const said = `\~\~a\~\~ \_b\_ &lt;i>c&lt;/i>  # d`
	for _, want := range []string{"At the end: " + said + ".", "**" + said + "**",
		"- also: " + said, " skipped: " + said, "\n    # d\n    ## e\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestLongFailure: of a long list of events the rows around the first difference are
// shown, and all of them where everything is to be shown.
func TestLongFailure(t *testing.T) {
	var want, got []string
	for i := range 300 {
		want, got = append(want, fmt.Sprint("event ", i)), append(got, fmt.Sprint("event ", i))
	}
	got[100] = "another"
	res := &Result{Case: &corpus.Cases()[0], Op: corpus.Parse, Status: Fail,
		Failure: &Failure{What: "w", Want: want, Got: got}}
	rows := func(all bool) (n int, page string) {
		var b strings.Builder
		if err := inMarkdown.ExecuteTemplate(&b, "failure", &shownFailure{res, res.Failure, all}); err != nil {
			t.Fatal(err)
		}
		return strings.Count(b.String(), " event "), b.String()
	}
	if n, page := rows(false); n > 30 || !strings.Contains(page, "+ another") ||
		!strings.Contains(page, "98 events before, 190 after; --all shows them") {
		t.Errorf("%d events: %s", n, page)
	}
	if n, page := rows(true); n != 300 || strings.Contains(page, "--all") {
		t.Errorf("%d events with --all: %.300s", n, page)
	}
}
