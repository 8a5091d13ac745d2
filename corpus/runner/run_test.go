package runner

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
)

var long = flag.Bool("long", false, "judge all cases of the corpus, as the gate does")

// small is a part of the corpus that has something for every fault.
func small(topics ...string) []corpus.Case {
	var some []corpus.Case
	for _, c := range allCases() {
		for _, topic := range topics {
			if c.Topic() == topic {
				some = append(some, c)
			}
		}
	}
	return some
}

// judged runs an implementation with a fault.
func judged(t *testing.T, fault string, cases []corpus.Case, change ...func(*Config)) *Report {
	t.Helper()
	config := Config{Command: with(fault, topicsOf(cases)...), Cases: cases, Matrix: Ends, Jobs: 2, Timeout: 5 * time.Second}
	for _, f := range change {
		f(&config)
	}
	r, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failures returns the failures by the names of their checks.
func failures(r *Report) map[string]*Failure {
	all := map[string]*Failure{}
	for i := range r.Results {
		if res := &r.Results[i]; res.Failure != nil {
			all[res.Name()] = res.Failure
		}
	}
	return all
}

func markdown(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// growing is the case that the implementations here fail: their calls come whole.
const growing = "promptness/long-string-streams"

func TestRightAnswersPass(t *testing.T) {
	var last [3]int
	all := corpus.Cases()
	all = slices.DeleteFunc(all, func(c corpus.Case) bool { return c.ID == growing })
	if !*long {
		all = small("framing", "writing", "typing")
	}
	r := judged(t, "", all, func(c *Config) {
		c.Matrix = Ends
		c.Progress = func(done, total, failed int) { last = [3]int{done, total, failed} }
	})
	if !r.OK() {
		t.Errorf("%.3000s", markdown(t, r))
	}
	if n := len(r.Results); last != [3]int{n, n, 0} {
		t.Errorf("%d results, and the last progress is %v", n, last)
	}
	if r := judged(t, "", small("framing", "recovery")); !r.OK() {
		t.Errorf("%.3000s", markdown(t, r))
	}
	if r := judged(t, "", small("framing", "writing"), func(c *Config) { c.Check = true }); !r.OK() {
		t.Errorf("%.3000s", markdown(t, r))
	}
}

// TestNaive closes a call at the first close tag, even within quotes. The report
// names the rule.
func TestNaive(t *testing.T) {
	r := judged(t, "naive", small("framing", "security", "strings"))
	if r.OK() {
		t.Fatal("it passes")
	}
	for _, rule := range r.Rules() {
		if (rule.Name == "framing.quotes" || rule.Name == "security.quoted-attack") && rule.Count[Fail] == 0 {
			t.Errorf("%s: %v", rule.Name, rule.Count)
		}
		if rule.Name == "framing.text" && rule.Count[Fail] > 0 {
			t.Errorf("%s: %v", rule.Name, rule.Count)
		}
	}
	if page := markdown(t, r); !strings.Contains(page, "| [framing.quotes] |") || !strings.Contains(page, "≠") {
		t.Errorf("%.3000s", page)
	}
}

func TestFaults(t *testing.T) {
	for _, f := range []struct {
		fault, check string // the check that must fail
		says         string // what is said of it
	}{
		{"loses the beginning of a tag", "stream " + victim, "event 0 differs in type"},
		{"counts from one", "parse recovery/nested-in-bare-word", "event 0 differs in at"},
		{"rounds", "parse " + victim, "event 0 differs in input"},
		{"late", "stream framing/text-only", "after 28 bytes text is out up to 0, and must be up to 28"},
		{"late", "stream " + victim, "after 32 bytes the tool-call that ends at 32 is not out"},
		{"does not let arguments grow", "stream " + growing, "this must be out and is not: tool-input-start w"},
		{"changes ids", "stream " + victim, `has the id "another", and the call that has begun is "call-0"`},
		{"lies in deltas", "stream " + victim, "the deltas of the call are"},
		{"forgets text-end", "stream framing/text-only", "a text-end is missing at the end"},
		{"writes a long line", "parse " + victim, "a line of standard output is longer than 2000 bytes"},
		{"leaves offsets out", "parse " + victim, "events[0].at is missing"},
		{"leaves offsets of issues out", "parse " + victim, "events[0].issues[0].at is missing"},
		{"goes on after the end", "stream " + victim, "batches has 3; want 2"},
		{"hangs", "parse " + victim, "no answer within"},
		{"crashes", "stream " + victim, "it ended before it answered: exit status 70"},
		{"prints", "stream " + victim, `is no JSON: "reading a call"`},
		{"wrong seq", "stream " + victim, "the answer has the seq "},
		{"no seq", "parse " + victim, "the answer has the seq none"},
		{"writes Seq", "parse " + victim, "seq is missing"},
		{"writes Events", "parse " + victim, "the answer has 0 of the members events, error and skip"},
		{"writes AT", "parse " + victim, "events[0].at is missing"},
		{"out of order", "stream " + victim, "answers come in the order of the requests"},
		{"answers with a list", "parse " + victim, "the answer is an array; want an object"},
		{"closes its output", "parse " + victim, "it closed its standard output before it answered"},
		{"refuses", "parse " + victim, "the request failed: bad-request: the id is empty line 3"},
		{"wrong shape", "parse " + victim, "events[0].end is the number 1.5"},
		{"writes otherwise", "format writing/one-argument", "another writing"},
	} {
		t.Run(f.fault, func(t *testing.T) {
			t.Parallel()
			_, id, _ := strings.Cut(f.check, " ")
			r := judged(t, f.fault, only(t, id), func(c *Config) { c.Timeout, c.MaxLine = 3*time.Second, 2000 })
			if r.OK() {
				t.Error("it passes")
			}
			failure := failures(r)[f.check]
			if failure == nil {
				t.Fatalf("%s does not fail", f.check)
			}
			if !strings.Contains(failure.What, f.says) {
				t.Errorf("%s: %s; want %q", f.check, failure.What, f.says)
			}
			if page := markdown(t, r); !strings.Contains(page, r.Results[0].Case.Rules[0]) {
				t.Errorf("the report does not name the rule:\n%s", page)
			}
		})
	}
}

// only returns one case.
func only(t *testing.T, id string) []corpus.Case {
	t.Helper()
	for _, c := range allCases() {
		if c.ID == id {
			return []corpus.Case{c}
		}
	}
	t.Fatalf("there is no case %s", id)
	return nil
}

// TestSmallestCuts: a failure that needs one cut within a tag is shown with it
// alone, also where it comes with a crash.
func TestSmallestCuts(t *testing.T) {
	for _, fault := range []string{"loses the beginning of a tag", "crashes"} {
		r := judged(t, fault, only(t, victim), func(c *Config) { c.Matrix = Ends })
		f := failures(r)["stream "+victim]
		if f == nil || len(f.Cuts) != 1 || f.Cuts[0] < 2 || f.Cuts[0] > 5 {
			t.Errorf("%s: %+v", fault, f)
		}
	}
}

// TestCrash shows the end of standard error, blames one case, and goes on with
// the others.
func TestCrash(t *testing.T) {
	r := judged(t, "crashes", small("framing"), func(c *Config) { c.Matrix = Quick })
	all := failures(r)
	f := all["stream "+victim]
	if len(all) != 1 || f == nil {
		t.Fatalf("%d failures", len(all))
	}
	if !said(f.Stderr, "Traceback: index out of range in read_tag") || len(f.Cuts) != 1 {
		t.Errorf("%+v", f)
	}
}

// said reports whether stderr is line, but for what a program that measures its
// coverage adds when it exits.
func said(stderr, line string) bool {
	return stderr == line || testing.CoverMode() != "" && strings.HasPrefix(stderr, line+"\n")
}

func TestGivenUp(t *testing.T) {
	r := judged(t, "always hangs", small("framing"), func(c *Config) { c.Timeout, c.Jobs = 500*time.Millisecond, 1 })
	if n := r.Count(); n[Fail] != enough || n[NotRun] != len(r.Results)-enough || r.OK() {
		t.Errorf("%v", n)
	}
}

// TestGivenUpInTime: one that answers between its silences is waited for just as long.
func TestGivenUpInTime(t *testing.T) {
	r := judged(t, "hangs now and then", small("framing"), func(c *Config) { c.Timeout, c.Jobs = 500*time.Millisecond, 1 })
	if n := r.Count(); n[Fail] > mostSilences || n[NotRun] == 0 || n[Pass] == 0 || r.OK() {
		t.Errorf("%v", n)
	}
	tells(t, r, "did not answer in time again and again, and was given up")
}

// TestSkips: what is skipped is counted apart, and alone it is no success.
func TestSkips(t *testing.T) {
	r := judged(t, "skips", small("framing"))
	if n := r.Count(); n[Skipped] != 2 || n[Fail] != 0 || !r.OK() {
		t.Errorf("%v", n)
	}
	if r := judged(t, "skips", only(t, victim)); r.OK() {
		t.Error("nothing was judged, and it is OK")
	}
	r = judged(t, "cannot stream", small("framing"))
	if n := r.Count(); n[Skipped] != n[Pass] || n[Fail] != 0 || !r.OK() {
		t.Errorf("%v", n)
	}
	// A stream that is skipped has ended: there is none to feed or to close.
	r = judged(t, "feeds and skips", small("framing"))
	if n := r.Count(); n[Skipped] != n[Pass] || n[Fail]+n[NotRun] != 0 || !r.OK() {
		t.Errorf("%v: %.900s", n, markdown(t, r))
	}
	for protocol, op := range map[int]string{1: "stream", 2: "feed"} {
		w := &worker{welcome: &Welcome{Protocol: protocol, Ops: []string{"parse"}}}
		if got := w.do(checkName{&small("framing")[0], opStream})[0].Skip; got != "hello does not name the op "+op {
			t.Errorf("protocol %d: %s", protocol, got)
		}
	}
}

func TestHello(t *testing.T) {
	for fault, want := range map[string]string{
		"silent from the start": "no answer to hello: no answer within 1s",
		"ends at once":          "no licence file",
		"talks at the start":    "the answer is no JSON",
		"counts at the start":   "wrong: the answer is the number 1; want an object",
		"wrong hello":           "ops is missing; version is the number 1",
		"another format":        "version 0.9 of the format",
		"another format in 2":   "version 2.0 of the format",
		"protocol 3":            "a hello that names 1 to 2",
	} {
		_, err := Run(context.Background(), Config{Command: with(fault), Cases: corpus.Cases(), Timeout: time.Second, StartTimeout: time.Second})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", fault, err, want)
		}
	}
	for _, command := range [][]string{nil, {"no-such-command-as-this"}, {"./run_test.go"}} {
		_, err := Run(context.Background(), Config{Command: command})
		if err == nil || command != nil && !strings.Contains(err.Error(), "name a program") {
			t.Errorf("%v: %v", command, err)
		}
	}
}

func TestCheck(t *testing.T) {
	check := func(c *Config) { c.Check = true }
	if r := judged(t, "counts from one", small("framing"), check); !r.OK() {
		t.Errorf("wrong events have the right shape: %s", markdown(t, r))
	}
	if r := judged(t, "fails at bye", small("framing"), check); r.OK() || !strings.Contains(r.Farewell, "exit status 3") {
		t.Errorf("farewell: %q", r.Farewell)
	}
	r := judged(t, "wrong shape", small("framing"), check)
	if n := r.Count(); n[Fail] != len(r.Results) {
		t.Errorf("%v", n)
	}
}

func TestKnownFailures(t *testing.T) {
	cases := small("framing")
	r := judged(t, "naive", cases)
	var known []string
	for name := range failures(r) {
		known = append(known, name)
	}
	if len(known) == 0 {
		t.Fatal("nothing fails")
	}
	with := func(known []string) func(*Config) { return func(c *Config) { c.Known = known } }
	if r := judged(t, "naive", cases, with(known)); !r.OK() || r.Count()[KnownFailure] != len(known) {
		t.Errorf("%v", r.Count())
	}
	if r := judged(t, "naive", cases, with(known[1:])); r.OK() || r.Count()[Fail] != 1 {
		t.Errorf("%v", r.Count())
	}
	if r := judged(t, "", cases, with(known[:1])); r.OK() || r.Count()[UnexpectedPass] != 1 {
		t.Errorf("%v", r.Count())
	}
	if r := judged(t, "", only(t, "framing/text-only"), with(known)); !r.OK() {
		t.Errorf("%v: what is not run is not judged", r.Count())
	}
}

// TestFeed judges implementations that are fed chunk by chunk.
func TestFeed(t *testing.T) {
	cases := append(only(t, victim), only(t, "framing/text-only")...)
	r := judged(t, "feeds", cases, func(c *Config) { c.Matrix = Full })
	if !r.OK() || r.Streaming() != Proven {
		t.Errorf("streaming %s: %s", r.Streaming(), markdown(t, r))
	}
	if page := markdown(t, r); !strings.Contains(page, "Streaming is proven") {
		t.Errorf("%.500s", page)
	}
	for fault, says := range map[string]string{
		"feeds all at the end":         "is not out",
		"feeds ahead":                  "is out, and cannot be certain yet",
		"feeds a block for each chunk": "text-start directly after text-end",
		"feeds empty deltas":           "text-delta is empty",
		"feeds on after reset":         "was reset",
		"feeds without ids":            "",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			r := judged(t, fault, cases)
			told := ""
			for name, f := range failures(r) {
				if strings.HasPrefix(name, "stream ") {
					for _, more := range f.More {
						if fault != "feeds on after reset" && strings.Contains(f.What+more, wasReset) {
							t.Errorf("%s: %q is told as one of a reset", name, more)
						}
						if anywhere(more) == anywhere(f.What) {
							t.Errorf("%s: %q is told again as %q", name, f.What, more)
						}
					}
					told += f.What + "\n" + strings.Join(f.More, "\n") + "\n"
				}
			}
			if r.OK() || told == "" || !strings.Contains(told, says) {
				t.Errorf("told %q, want %q", told, says)
			}
			if r.Streaming() != Failing || strings.Contains(markdown(t, r), "is proven") {
				t.Errorf("streaming %s", r.Streaming())
			}
		})
	}
}

// TestFedTogether: where the streams of several cases are fed by turns, a breakdown
// is that of one.
func TestFedTogether(t *testing.T) {
	r := judged(t, "feeds and crashes", append(only(t, victim), only(t, "framing/text-only")...))
	all := failures(r)
	f := all["stream "+victim]
	if len(all) != 1 || f == nil || !strings.Contains(f.What, "exit status 70") || !slices.Equal(f.Cuts, []int{10}) {
		t.Errorf("%d failures, %+v", len(all), f)
	}
	if n := r.Count(); n[Pass] != 3 {
		t.Errorf("%v", n)
	}
}

// TestStreamingIsNotProven by protocol 1, where a text comes whole: what holds
// everything back until it has seen the end can pass there.
func TestStreamingIsNotProven(t *testing.T) {
	r := judged(t, "", small("framing"))
	if !r.OK() || r.Streaming() != NotProven || !strings.Contains(markdown(t, r), "Streaming was not proven") {
		t.Errorf("%s: %.500s", r.Streaming(), markdown(t, r))
	}
	if r := judged(t, "feeds", only(t, victim), func(c *Config) { c.Check = true }); r.Streaming() != NotJudged {
		t.Errorf("streaming %s, and only the shape of messages was looked at", r.Streaming())
	}
	if r := judged(t, "cannot stream", only(t, victim)); r.Streaming() != NotJudged {
		t.Errorf("streaming %s, and it was not asked", r.Streaming())
	}
}

// TestAgreement is on the versions of the protocol and of the format.
func TestAgreement(t *testing.T) {
	r := judged(t, "refuses protocol 2", only(t, victim))
	if !r.OK() || r.Welcome.Protocol != 1 || r.Welcome.Spec != "1.1" {
		t.Errorf("%+v", r.Welcome)
	}
	if _, err := Run(context.Background(), Config{Command: with("protocol 3"), Cases: only(t, victim)}); err == nil || !strings.Contains(err.Error(), "protocol 3") {
		t.Errorf("protocol 3: %v", err)
	}
	for versions, want := range map[[2]string]bool{
		{"1.0", "1.0"}: true, {"1.1", "1.0"}: true, {"1.0", "1.1"}: false, {"2.0", "1.0"}: false, {"1", "1.0"}: false, {"1.10", "1.9"}: true,
	} {
		if got := reads(versions[0], versions[1]); got != want {
			t.Errorf("%v: %t", versions, got)
		}
	}
}

// TestStartTimeout: a program that is built first has its time for that.
func TestStartTimeout(t *testing.T) {
	r := judged(t, "builds first", only(t, victim), func(c *Config) { c.Timeout = 2 * time.Second })
	if !r.OK() {
		t.Errorf("%s", markdown(t, r))
	}
}

// TestFarewell: a child that does not end as it should is no success.
func TestFarewell(t *testing.T) {
	r := judged(t, "fails at bye", only(t, victim))
	if r.OK() {
		t.Error("it passes")
	}
	tells(t, r, "exit status 3")
	tells(t, r, "no leave to go")
}

// TestInterrupted: what is ended from outside has not failed.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	config := Config{Command: with("hangs"), Cases: small("framing", "writing"), Matrix: Quick, Jobs: 1, Timeout: time.Minute}
	config.Progress = func(done, total, failed int) {
		if done == 3 {
			time.AfterFunc(500*time.Millisecond, cancel)
		}
	}
	r, err := Run(ctx, config)
	if err == nil || r == nil {
		t.Fatalf("report %v, error %v", r, err)
	}
	if n := r.Count(); n[Fail] != 0 || n[NotRun] == 0 || n[Pass] == 0 || r.OK() {
		t.Errorf("%v", n)
	}
	if page := markdown(t, r); !strings.Contains(page, "were not run") || strings.Contains(page, "gave") {
		t.Errorf("%.300s", page)
	}
	if r, err := Run(ctx, config); r != nil || err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("before it has begun: report %v, error %v", r, err)
	}
}
