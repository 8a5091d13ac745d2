package runner

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/corpus"
)

// small returns the cases of some topics.
func small(topics ...string) []corpus.Case {
	return slices.DeleteFunc(slices.Clone(allCases()), func(c corpus.Case) bool {
		return !slices.Contains(topics, c.Topic())
	})
}

// only returns one case.
func only(t *testing.T, id string) []corpus.Case {
	t.Helper()
	for _, c := range append(slices.Clone(allCases()), corpus.MoreCases()...) {
		if c.ID == id {
			return []corpus.Case{c}
		}
	}
	t.Fatalf("there is no case %s", id)
	return nil
}

// judged runs an implementation with a fault.
func judged(t *testing.T, fault string, cases []corpus.Case, change ...func(*Config)) *Report {
	t.Helper()
	config := Config{Command: with(fault), Cases: cases, Matrix: corpus.Ends, Jobs: 2,
		Timeout: 30 * time.Second} // machines may be busy
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

func TestRightAnswersPass(t *testing.T) {
	var last [3]int
	r := judged(t, "", allCases(), func(c *Config) {
		c.Progress = func(done, total, failed int) { last = [3]int{done, total, failed} }
	})
	if !r.OK() || r.Streaming() != Proven {
		t.Errorf("%.3000s", markdown(t, r))
	}
	if n := len(r.Results); last != [3]int{n, n, 0} {
		t.Errorf("%d results, and the last progress is %v", n, last)
	}
	if r := judged(t, "", small("framing", "writing"),
		func(c *Config) { c.Check = true }); !r.OK() {
		t.Errorf("%.3000s", markdown(t, r))
	}
}

// TestFaults makes one mistake at a time. The report names the check, what is wrong, and
// of what kind that is.
func TestFaults(t *testing.T) {
	for _, f := range []struct {
		fault, check string
		kind         Kind
		what         string
	}{
		{"naive", "parse " + victim, "unterminated-call where nothing is wrong",
			"event 0 differs in type"},
		{"counts from one", "parse recovery/nested-in-bare-word", "wrong at",
			"event 0 differs in at"},
		{"rounds", "parse " + victim, lostDigits, "event 0 differs in input"},
		{"says text", "parse " + victim, "text in the place of tool-call",
			"event 0 differs in type"},
		{"late", "stream framing/text-only", late, "events are out up to 0, and must be up to"},
		{"late", "stream " + victim, late,
			"after 32 bytes events are out up to 0, and must be up to 32"},
		{"feeds ahead", "stream " + victim, "events come early", "after 31 bytes events are out up to 32"},
		{"feeds on after reset", "stream " + victim, wrongReset, "was reset"},
		{"feeds without ids", "stream framing/text-only", "", "a second stream was fed by turns"},
		{"writes a long line", "parse " + victim, "a line that is too long",
			"a line of standard output is longer than 2000 bytes"},
		{"leaves offsets out", "parse " + victim, "the shape of answers", "events[0].at is missing"},
		{"leaves offsets of issues out", "parse " + victim, "the shape of answers",
			"events[0].issues[0].at is missing"},
		{"hangs", "parse " + victim, "it does not answer", "no answer within"},
		{"crashes", "stream " + victim, crashed, "it ended before it answered: exit status 70"},
		{"prints", "parse " + victim, notAnAnswer, `is not JSON: "reading a call"`},
		{"echoes requests", "parse " + victim, notAnAnswer, "it echoed the request"},
		{"wrong seq", "parse " + victim, "answers out of order", "the answer has the seq 71 where 1 is due"},
		{"text as seq", "parse " + victim, "answers out of order", `the answer has the seq "1" where 1 is due`},
		{"no seq", "parse " + victim, notAnAnswer, "seq is missing"},
		{"writes Seq", "parse " + victim, notAnAnswer, "seq is missing"},
		{"writes Events", "parse " + victim, "the shape of answers",
			"has 0 of the members events, error and skip"},
		{"writes AT", "parse " + victim, "the shape of answers", "events[0].at is missing"},
		{"answers with a list", "parse " + victim, notAnAnswer,
			"the answer is array; want object"},
		{"closes its output", "parse " + victim, crashed,
			"it closed its standard output before it answered"},
		{"refuses", "parse " + victim, "requests that fail",
			"the request failed: bad-request: the id is empty line 3"},
		{"wrong shape", "parse " + victim, "the shape of answers", "events.start is string; want whole number"},
		{"writes otherwise", "format writing/one-argument", "another writing", "another writing"},
	} {
		t.Run(f.fault+" "+f.check, func(t *testing.T) {
			t.Parallel()
			_, id, _ := strings.Cut(f.check, " ")
			r := judged(t, f.fault, only(t, id), func(c *Config) {
				c.MaxLine = 2000
				if f.fault == "hangs" {
					c.Timeout = 3 * time.Second
				}
			})
			failure := failures(r)[f.check]
			if r.OK() || failure == nil {
				t.Fatalf("%s does not fail", f.check)
			}
			all := failure.What + "\n" + strings.Join(failure.More, "\n")
			if !strings.Contains(all, f.what) || f.kind != "" && failure.Kind != f.kind {
				t.Errorf("%s: %s; want %s: %s", failure.Kind, all, f.kind, f.what)
			}
			if strings.HasPrefix(f.check, "stream") && r.Streaming() != Failing {
				t.Errorf("streaming is %s", r.Streaming())
			}
			if page := markdown(t, r); !strings.Contains(page, "["+r.Results[0].Case.Rules[0]+"]") {
				t.Errorf("the report does not name the rule:\n%s", page)
			}
		})
	}
}

// TestCrash: a crash in one stream is blamed on it, with the smallest cuts and the end of
// standard error, and the other checks go on.
func TestCrash(t *testing.T) {
	r := judged(t, "crashes", small("framing"), func(c *Config) { c.Matrix = corpus.Quick })
	all := failures(r)
	f := all["stream "+victim]
	if len(all) != 1 || f == nil || !slices.Equal(f.Cuts, []int{10}) {
		t.Fatalf("%d failures, %+v", len(all), f)
	}
	if !said(f.Stderr, "Traceback: index out of range in read_tag") {
		t.Errorf("%+v", f)
	}
}

// said reports whether stderr is line, apart from what a program that measures its
// coverage adds when it exits.
func said(stderr, line string) bool {
	return stderr == line || testing.CoverMode() != "" && strings.HasPrefix(stderr, line+"\n")
}

func TestGivenUp(t *testing.T) {
	r := judged(t, "hangs now and then", small("framing"), func(c *Config) {
		c.Timeout, c.Jobs = time.Second, 1 // machines may be busy
	})
	if n := r.Count(); n[Fail] > mostLost+1 || n[NotRun] == 0 || n[Pass] == 0 || r.OK() {
		t.Errorf("%v", n)
	}
	if page := markdown(t, r); !strings.Contains(page, "was given up") {
		t.Errorf("%.300s", page)
	}
}

// TestSkips: skips are counted separately, and skips alone are not a success.
func TestSkips(t *testing.T) {
	if r := judged(t, "feeds and skips", small("framing")); !r.OK() ||
		r.Count()[Skipped] != r.Count()[Pass] {
		t.Errorf("%v: %.900s", r.Count(), markdown(t, r))
	}
	r := judged(t, "cannot stream", small("framing"))
	if n := r.Count(); n[Skipped] != n[Pass] || !r.OK() || r.Streaming() != NotJudged ||
		r.Welcome.Spec != "1.1" {
		t.Errorf("%v", n)
	}
	if r := judged(t, "skips", only(t, victim)); r.Count()[Skipped] != 1 || !r.OK() {
		t.Errorf("%v", r.Count())
	}
	if page := markdown(t, r); !strings.Contains(page,
		"skipped: hello does not name the op feed") || !strings.Contains(page, ": partial: ") {
		t.Errorf("%.600s", page)
	}
}

func TestHello(t *testing.T) {
	for fault, want := range map[string]string{
		"silent from the start": "no answer to hello: no answer within 1s",
		"ends at once":          "no licence file",
		"talks at the start":    "the answer isn't JSON",
		"counts at the start":   "wrong: the answer is number; want object",
		"wrong hello":           "version is number; want string; ops is missing",
		"another format":        "version 2.0 of the format",
		"protocol 1":            "with protocol 1",
		"echoes":                "it echoed the request",
	} {
		_, err := Run(context.Background(), Config{Command: with(fault), Cases: allCases(),
			Timeout: time.Second, StartTimeout: time.Second})
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
	for versions, want := range map[[2]string]bool{
		{"1.0", "1.0"}: true, {"1.1", "1.0"}: true, {"1.0", "1.1"}: false,
		{"2.0", "1.0"}: false, {"1", "1.0"}: false, {"1.10", "1.9"}: true,
	} {
		if got := reads(versions[0], versions[1]); got != want {
			t.Errorf("%v: %t", versions, got)
		}
	}
	r := judged(t, "builds first", only(t, victim), func(c *Config) { c.Timeout = 6 * time.Second })
	if !r.OK() {
		t.Errorf("%s", markdown(t, r))
	}
}

// TestCheck judges the shape of messages alone.
func TestCheck(t *testing.T) {
	check := func(c *Config) { c.Check = true }
	if r := judged(t, "counts from one", small("framing"), check); !r.OK() ||
		r.Streaming() != NotJudged {
		t.Errorf("wrong events have the right shape: %s", markdown(t, r))
	}
	r := judged(t, "wrong shape", only(t, victim), check)
	f := failures(r)["parse "+victim]
	if f == nil || !strings.Contains(strings.Join(append(f.More, f.What), "\n"),
		`unknown field "more" (want events, seq)`) {
		t.Errorf("%+v", f)
	}
	r = judged(t, "fails at bye", small("framing"), check)
	if r.OK() || !strings.Contains(r.Farewell, "exit status 3") || !strings.Contains(r.Farewell,
		"no leave to go") {
		t.Errorf("farewell: %q", r.Farewell)
	}
}

func TestKnownFailures(t *testing.T) {
	known := []string{"parse " + victim, "stream framing/text-only", "parse framing/no-such-case"}
	r := judged(t, "naive", only(t, victim), func(c *Config) { c.Known = known })
	if n := r.Count(); !r.OK() || n[KnownFailure] != 1 || n[Pass] != 1 {
		t.Errorf("%v", n)
	}
}

// TestInterrupted: what is ended from outside has not failed.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	config := Config{Command: with("hangs"), Cases: small("framing", "writing"),
		Matrix: corpus.Quick, Jobs: 1, Timeout: time.Minute}
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
	if page := markdown(t, r); !strings.Contains(page, "were not run") || !strings.Contains(page,
		", 0 fail") {
		t.Errorf("%.300s", page)
	}
	if r, err := Run(ctx, config); r != nil || err == nil || !strings.Contains(err.Error(),
		"interrupted") {
		t.Errorf("before it has begun: report %v, error %v", r, err)
	}
}

// TestQuestions: other tags come with the request, and a large text is streamed in chunks.
func TestQuestions(t *testing.T) {
	c := Result{Case: &only(t, "tags/other")[0], Op: opStream}
	q := c.questions(&Config{Matrix: corpus.Ends})[0]
	if line := string(encode(q.requests(&c)[0])); !strings.Contains(line,
		`"delims":{"open":"<tool>","close":"</tool>"}`) {
		t.Error(line)
	}
	f := frameOf(c.Case)
	for text, want := range map[string]int{"a <to": 2, "a <tool> ": 2, "a <ca": 5} {
		if must := f.decided([]byte(text)); must != want {
			t.Errorf("%q must be out up to %d, want %d", text, must, want)
		}
	}
	large := Result{Case: &only(t, "large/bytes")[0], Op: corpus.Parse}
	line := string(encode((&question{}).requests(&large)[0]))
	if !strings.Contains(line,
		`"text":"<call>t a=1</call>","repeat":{"start":7,"end":8,"times":4194288}`) {
		t.Errorf("%.200s", line)
	}
	large.Op = opStream
	questions := large.questions(&Config{})
	steps := questions[0].requests(&large)
	if len(questions) != 1 || len(steps) < 60 {
		t.Errorf("%d questions, the first of %d steps", len(questions), len(steps))
	}
}
