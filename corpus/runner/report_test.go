package runner

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/corpus"
)

var update = flag.Bool("update", false, "write the golden files")

// sample is a report with a result of every status.
func sample(t *testing.T) *Report {
	t.Helper()
	split := only(t, victim)[0]
	written := only(t, "writing/one-argument")[0]
	bytes := only(t, "utf8/bare-lone-continuation")[0]
	limited := only(t, "limits/bytes-one-more")[0]
	typed := only(t, "typing/bare-string")[0]
	r := &Report{
		Welcome: Welcome{Protocol: 1, Name: "sample", Version: "0.1", Spec: "1.0", Ops: []string{"parse", "stream", "format"}},
		Elapsed: 1500 * time.Millisecond,
		Results: []Result{
			{Case: &split, Op: "parse", Status: Pass, Requests: 1, Elapsed: time.Millisecond},
			{Case: &split, Op: "stream", Status: Fail, Requests: 500, Wrong: 30, Elapsed: time.Second, Failure: &Failure{
				What: "event 0 differs in type", Cuts: []int{3},
				Want: wanted(&split), Got: []string{`0-32 text "<call>t | ` + "`" + `"`},
			}},
			{Case: &written, Op: "format", Status: Fail, Requests: 1, Wrong: 1, Failure: &Failure{
				What: "another writing", Want: wanted(&written), Got: []string{"<call>t  a=x</call>"},
			}},
			{Case: &bytes, Op: "parse", Status: Fail, Requests: 1, Wrong: 1, Failure: &Failure{
				What: "it ended before it answered: exit status 70", Want: wanted(&bytes),
				Stderr: "Traceback:\n  no such byte",
			}},
			{Case: &bytes, Op: "stream", Status: NotRun},
			{Case: &limited, Op: "parse", Status: KnownFailure, Requests: 1, Wrong: 1, Failure: &Failure{
				What: "event 0 differs in at", Want: wanted(&limited), Got: lines([]corpus.Event{{Type: "malformed", End: 18, Code: "call-too-long", At: 18}}),
			}},
			{Case: &limited, Op: "stream", Status: UnexpectedPass, Requests: 40},
			{Case: &typed, Op: "parse", Status: Pass, Requests: 1},
			{Case: &typed, Op: "stream", Status: Skipped, Requests: 1, Skip: "no schemas yet"},
		},
	}
	return r
}

func TestReports(t *testing.T) {
	for name, write := range map[string]func(*Report, io.Writer) error{
		"report.md":   (*Report).WriteMarkdown,
		"report.json": (*Report).WriteJSON,
		"report.xml":  (*Report).WriteJUnit,
	} {
		var got bytes.Buffer
		if err := write(sample(t), &got); err != nil {
			t.Fatal(err)
		}
		name = filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(name, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (go test -update writes it anew):\n%s", name, diff)
		}
	}
}

func TestReportJSONIsJSON(t *testing.T) {
	var b bytes.Buffer
	if err := sample(t).WriteJSON(&b); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("%v: %s", err, b.Bytes())
	}
}

func TestOutcome(t *testing.T) {
	c := only(t, victim)[0]
	for _, x := range []struct {
		status Status
		check  bool
		bye    string
		want   string
	}{
		{Pass, false, "", "passes"},
		{Fail, false, "", "1 of 1 fail"},
		{Skipped, false, "", "nothing was judged"},
		{NotRun, false, "", "1 of 1 were not run"},
		{KnownFailure, false, "", "passes but for 1 known failures"},
		{Pass, true, "it wrote", "the end is wrong"},
		{Pass, false, "it wrote", "the end is wrong"},
	} {
		r := &Report{Check: x.check, Farewell: x.bye, Results: []Result{{Case: &c, Op: "parse", Status: x.status}}}
		if got := r.outcome(); got != x.want {
			t.Errorf("%s: %s, want %s", x.status, got, x.want)
		}
		if ok := x.want == "passes" || x.status == KnownFailure; r.OK() != ok {
			t.Errorf("%s: OK is %t", x.status, r.OK())
		}
	}
}
