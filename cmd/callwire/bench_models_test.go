package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/actor"
	benchlive "github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/report"
)

// benchEndpoint is an endpoint of scripted models that wants a key.
func benchEndpoint(t *testing.T) (url string, asked func() int64) {
	t.Helper()
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := benchlive.Cases(suite.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	s := &actor.Server{Scenes: benchlive.Scenes(cases), Key: "sk-very-secret-key"}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL, s.Asked.Load
}

// TestBenchDemo: without anything, a report in every form; with -long in two runs, the
// second of which goes on where the first stopped.
func TestBenchDemo(t *testing.T) {
	dir := t.TempDir()
	chart := filepath.Join(dir, "live.svg")
	runs := []string{"1", "3"}
	trials := 18
	if !*long {
		runs, trials = runs[:1], 6
	}
	for _, reps := range runs {
		got := callwire("", "bench", "live", "--demo", "--reps", reps, "--report", dir, "--chart", chart)
		if got.code != exitOK || !strings.Contains(got.stdout, "figures of scripted models") || !strings.Contains(got.stdout, "scripted-forgets-quotes, wire") {
			t.Fatalf("%.2000v", got)
		}
	}
	for name, want := range map[string]string{"report.html": "<svg", "report.md": fmt.Sprintf("| scripted-perfect, wire | %d |", trials), "live.jsonl": `"scripted":true`, "agent.jsonl": `"scripted":true`} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, no %q", name, err, want)
		}
	}
	drawn, err := os.ReadFile(chart)
	if err != nil {
		t.Fatal(err)
	}
	if shown, err := os.ReadFile("internal/bench/live.svg"); err != nil || *long && string(shown) != string(drawn) {
		t.Error("BENCHMARKS.md shows another picture; draw it anew: go generate ./cmd/callwire")
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "live.jsonl"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := callwire("", "bench", "live", "--demo", "--report", other); got.code != exitFailed || !strings.Contains(got.stderr, "not of a demonstration") {
		t.Errorf("%+v", got)
	}
}

// TestBenchDemoWritesNothing: without --report a demonstration leaves no files behind.
func TestBenchDemoWritesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := callwire("", "bench", "live", "--demo", "--reps", "1"); got.code != exitOK || !strings.Contains(got.stdout, "scripted-perfect, wire") {
		t.Fatalf("%.1000v", got)
	}
	if files, _ := os.ReadDir("."); len(files) > 0 {
		t.Errorf("it leaves %v", files)
	}
}

// TestBenchLive measures, goes on, reports; and the key is nowhere.
func TestBenchLive(t *testing.T) {
	url, asked := benchEndpoint(t)
	t.Setenv("BENCH_TEST_KEY", "sk-very-secret-key")
	dir := t.TempDir()
	out := filepath.Join(dir, "run.jsonl")
	prices := writeFile(t, `{"scripted-perfect":{"input":1,"output":10}}`)
	args := []string{"bench", "live", "--base-url", url, "--key-env", "BENCH_TEST_KEY", "--model", "scripted-perfect,scripted-drifts-spaces",
		"--out", out, "--prices", prices, "--style", "compact,classic"}
	got := callwire("", args...)
	if got.code != exitOK || !strings.Contains(got.stdout, "scripted-drifts-spaces, wire style=classic") || asked() != 180 {
		t.Fatalf("%d requests, %+v", asked(), got)
	}
	again := callwire("", append(args, "--json")...)
	var r report.Report
	if err := json.Unmarshal([]byte(again.stdout), &r); err != nil || again.code != exitOK || asked() != 180 || !strings.Contains(again.stderr, "180 trials had been measured before") || len(r.Groups) != 2 || len(r.Groups[0].Arms) != 3 {
		t.Errorf("%d requests, %v: %.500v", asked(), err, again)
	}
	if got := callwire("", append(args, "--max-tokens", "9")...); got.code != exitFailed || !strings.Contains(got.stderr, "--out") {
		t.Errorf("%+v", got)
	}
	pages := callwire("", "bench", "report", out, "--out", dir, "--chart", filepath.Join(dir, "chart.svg"), "--prices", prices)
	if pages.code != exitOK || !strings.Contains(pages.stderr, "report.html") {
		t.Errorf("%+v", pages)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 4 {
		t.Errorf("%v", files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(text), "very-secret") || strings.Contains(string(text), "noise cancelling headphones. Show") {
			t.Errorf("%s: %v; it has the key or a prompt", file, err)
		}
	}
	if all := got.stdout + got.stderr + again.stderr + pages.stdout + pages.stderr; strings.Contains(all, "very-secret") {
		t.Error("the key is shown")
	}
}

// TestBenchBudget: a budget ends the run with its own exit code, and the figures
// so far.
func TestBenchBudget(t *testing.T) {
	url, _ := benchEndpoint(t)
	t.Setenv("BENCH_TEST_KEY", "sk-very-secret-key")
	got := callwire("", "bench", "live", "--base-url", url, "--key-env", "BENCH_TEST_KEY", "--model", "scripted-perfect",
		"--out", filepath.Join(t.TempDir(), "run.jsonl"), "--budget", "12000", "--max-tokens", "100", "--redact")
	if got.code != exitFound || !strings.Contains(got.stderr, "budget") || !strings.Contains(got.stdout, "scripted-perfect, native") {
		t.Errorf("%+v", got)
	}
}

// TestBenchModelsRefuse: what is wrong is said in one line, before and while an
// endpoint is asked.
func TestBenchModelsRefuse(t *testing.T) {
	url, _ := benchEndpoint(t)
	html := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>hello") }))
	defer html.Close()
	t.Setenv("BENCH_TEST_KEY", "sk-something-else")
	out := filepath.Join(t.TempDir(), "run.jsonl")
	prices := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(prices, []byte(`{"scripted-perfect":{"input":1,"output":2}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	at := " --model scripted-perfect --out " + out + " --base-url "
	for args, want := range map[string]string{
		"live":                                    "--base-url",
		"agent":                                   "--base-url",
		"report":                                  "needs the file",
		"report nowhere":                          "nowhere",
		"live extra":                              "no argument",
		"live --base-url http://x":                "--model",
		"live --demo --model m":                   "--model has no place",
		"live --demo --out x":                     "--out has no place",
		"live" + at + "http://x --mode hand":      "--mode is native, wire, wire-json",
		"live" + at + "http://x --style long":     "--style: want classic or compact",
		"live" + at + "http://x --reps 0":         "--reps must be at least 1",
		"live" + at + "http://x --budget much":    "--budget is",
		"live" + at + "http://x --budget 200k":    "--budget is",
		"live" + at + "http://x --budget 1USD":    "--prices",
		"live" + at + "http://x --prices nowhere": "no file nowhere",
		"live" + at + "http://x --extra []":       "--extra is one JSON object",
		"live" + at + `http://x --budget 9000 --extra {"max_tokens":null}`:       "--budget needs a bound",
		"live" + at + "http://x --prices " + prices + " --budget 1USD --judge j": "what j costs",
		"live" + at + "http://x --api anthropic --constrain vllm":                "--constrain has no place",
		"live" + at + "http://x --key-env CALLWIRE_NO_KEY":                       "no CALLWIRE_NO_KEY",
		"live" + at + "http://x --tools t.json":                                  "--cases",
		"live" + at + "http://x --bfcl nowhere":                                  "no file nowhere",
		"live" + at + "http://x --bfcl-answers a":                                "--bfcl",
		"live" + at + "http://x --cases a --bfcl b":                              "none of the others can be",
		"live" + at + "http://x --judge a --redact":                              "none of the others can be",
		"live --demo --judge m":                                                  "no judge",
		"live" + at + "http://x --cases nowhere":                                 "no file nowhere",
		"live" + at + "http://x --api gemini":                                    "--api is openai or anthropic",
		"live" + at + "ftp://x":                                                  "--base-url is http",
		"agent" + at + "http://x --max-steps 0":                                  "--max-steps",
		"agent" + at + "http://x --tasks nowhere":                                "no file nowhere",
		"agent" + at + "http://x --retries 1":                                    "unknown flag: --retries",
		"live" + at + url + " --key-env BENCH_TEST_KEY":                          "does not accept the key",
		"live" + at + html.URL:                                                   "page for people",
		"agent" + at + html.URL:                                                  "page for people",
		"live" + at + "http://127.0.0.1:1":                                       "cannot be reached",
	} {
		got := callwire("", append([]string{"bench"}, strings.Fields(args)...)...)
		lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
		if got.code != exitFailed || len(lines) != 1 || !strings.HasPrefix(lines[0], "callwire: ") || !strings.Contains(got.stderr, want) || strings.Contains(got.stderr, "something-else") {
			t.Errorf("bench %s: %+v\nwant %s", args, got, want)
		}
	}
}

// TestBenchReportConflict: of runs that asked for the same in two ways, none is taken
// for the other.
func TestBenchReportConflict(t *testing.T) {
	url, _ := benchEndpoint(t)
	t.Setenv("BENCH_TEST_KEY", "sk-very-secret-key")
	dir := t.TempDir()
	names := []string{filepath.Join(dir, "cold.jsonl"), filepath.Join(dir, "warm.jsonl")}
	for i, temperature := range []string{"0", "1"} {
		if got := callwire("", "bench", "live", "--base-url", url, "--key-env", "BENCH_TEST_KEY", "--model", "scripted-perfect", "--mode", "wire",
			"--temperature", temperature, "--out", names[i]); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
	}
	got := callwire("", "bench", "report", names[0], names[1], "--json")
	if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "warm.jsonl") || !strings.Contains(got.stderr, "cold.jsonl") || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
	if got := callwire("", "bench", "report", names[0], names[0], "--json"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
}

// TestBenchJudge: misses with a call are shown to the judge, once each, with what was
// asked, expected and called; its verdicts change no figure but their own, and
// another run asks nothing.
func TestBenchJudge(t *testing.T) {
	var questions []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model    string
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		say, last := "", q.Messages[len(q.Messages)-1].Content
		switch {
		case q.Model == "j":
			questions = append(questions, last)
			say = map[bool]string{true: "The capital is meant. RIGHT", false: "WRONG"}[strings.Contains(last, "City of Rome")]
		case strings.Contains(last, "Rome"):
			say = `<call>weather place="City of Rome"</call>`
		case strings.Contains(last, "Oslo"):
			say = "<call>weather place=Bergen</call>"
		case strings.Contains(last, "Lima"):
			say = "<call>weather place=Lima</call>"
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":7}}`, say)
	}))
	defer server.Close()
	tools := writeFile(t, `[{"name":"weather","inputSchema":{"type":"object","properties":{"place":{"type":"string"}},"required":["place"]}}]`)
	var lines strings.Builder
	for _, place := range []string{"Rome", "Oslo", "Lima", "Cairo"} {
		fmt.Fprintf(&lines, `{"id":%q,"prompt":"How is the weather in %s?","want":[{"name":"weather","input":{"place":%q}}]}`+"\n", place, place, place)
	}
	args := []string{"bench", "live", "--base-url", server.URL, "--model", "m", "--mode", "wire", "--judge", "j", "--no-stream", "--concurrency", "1",
		"--tools", tools, "--cases", writeFile(t, lines.String()), "--out", filepath.Join(t.TempDir(), "run.jsonl"), "--json"}
	for range 2 {
		got := callwire("", args...)
		var r report.Report
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			t.Fatalf("%v: %+v", err, got)
		}
		if a := r.Groups[0].Arms[0]; a.Trials != 4 || a.Success.Mean != 0.25 || a.Judged != 2 || a.JudgedRight != 1 {
			t.Errorf("%+v", a)
		}
		if len(questions) != 2 || !strings.Contains(questions[0], `{"place":"Rome"}`) || !strings.Contains(questions[0], "weather in Rome") || !strings.Contains(questions[1], `{"place":"Bergen"}`) {
			t.Errorf("%q", questions)
		}
	}
	if got := callwire("", args[:len(args)-1]...); !strings.Contains(got.stdout, "as misses all the same: 1 of 2") {
		t.Errorf("%+v", got)
	}
}

// TestBenchJudgeFails: a judge that cannot answer takes nothing of what was measured,
// nor of what is shown.
func TestBenchJudgeFails(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Model string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Model != "m" {
			http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"<call>getWeather location=Nowhere</call>"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	got := callwire("", "bench", "live", "--base-url", server.URL, "--model", "m", "--mode", "wire", "--judge", "j", "--out", filepath.Join(t.TempDir(), "run.jsonl"))
	if got.code != exitFound || !strings.Contains(got.stdout, "m, wire") || strings.Count(got.stderr, "\n") != 1 ||
		!strings.Contains(got.stderr, "the judge: the endpoint has no such path or model") || !strings.Contains(got.stderr, "goes on from there") {
		t.Errorf("%+v", got)
	}
}

// TestBenchStopped stops the real program in the middle, by Ctrl-C and by force: the
// same command goes on, and in the end the figures are those of a run that was not
// stopped.
func TestBenchStopped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no interrupt")
	}
	program := asProgram(t)
	url, asked := benchEndpoint(t)
	t.Setenv("BENCH_TEST_KEY", "sk-very-secret-key")
	dir := t.TempDir()
	args := func(name string) []string {
		return []string{"bench", "live", "--base-url", url, "--key-env", "BENCH_TEST_KEY", "--json", "--seed", "1",
			"--model", "scripted-forgets-quotes,scripted-drifts-strings", "--reps", "2", "--out", filepath.Join(dir, name)}
	}
	figures := func(name string) report.Report {
		got := callwire("", args(name)...)
		var r report.Report
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			t.Fatalf("%v: %+v", err, got)
		}
		for _, g := range r.Groups {
			for i := range g.Arms {
				a := &g.Arms[i]
				a.FirstByte, a.FirstCall, a.Total, a.Slowest = 0, 0, 0, 0
			}
		}
		return r
	}
	want := figures("whole")
	for name, signal := range map[string]os.Signal{"interrupted": os.Interrupt, "killed": os.Kill} {
		cmd := exec.Command(program, args(name)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		from := asked()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for asked()-from < 40 {
			time.Sleep(time.Millisecond)
		}
		cmd.Process.Signal(signal)
		cmd.Wait()
		if signal == os.Interrupt && (cmd.ProcessState.ExitCode() != exitFound || !strings.Contains(stderr.String(), "the same command goes on")) {
			t.Errorf("code %d: %s", cmd.ProcessState.ExitCode(), stderr.String())
		}
		if n := asked() - from; n >= 240 {
			t.Errorf("%s: it asked %d times, all that there is", name, n)
		}
		if got := figures(name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
}
