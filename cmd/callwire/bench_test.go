package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/report"
)

// TestBenchmarks: the page has the tokens that this program counts.
func TestBenchmarks(t *testing.T) {
	before := readFile(t, "BENCHMARKS.md")
	file := writeFile(t, before)
	got := callwire("", "bench", "tokens", "--into", file)
	if got.code != exitOK || readFile(t, file) != before {
		t.Errorf("BENCHMARKS.md has other figures (%d %s); run go generate ./cmd/callwire", got.code, got.stderr)
	}
}

// TestBenchDemo: a demonstration leaves files only in the given places, and BENCHMARKS.md shows its
// chart.
func TestBenchDemo(t *testing.T) {
	shown := readFile(t, "internal/bench/live.svg")
	dir := t.TempDir()
	t.Chdir(dir)
	args := []string{"bench", "live", "--demo"}
	if !*long {
		args = append(args, "--reps", "1")
	}
	got := callwire("", args...)
	if got.code != exitOK || !strings.Contains(got.stdout, "programs of known quality") || !strings.Contains(got.stdout, "scripted-forgets-quotes, wire") {
		t.Fatalf("%.2000v", got)
	}
	if files, _ := os.ReadDir("."); len(files) > 0 {
		t.Errorf("it leaves %v", files)
	}
	if !*long {
		return
	}
	if got := callwire("", append(args, "--chart", "c.svg", "--report", "r")...); got.code != exitOK {
		t.Fatalf("%.2000v", got)
	}
	if readFile(t, "c.svg") != shown || readFile(t, filepath.Join("r", "report.svg")) != shown {
		t.Error("BENCHMARKS.md shows another chart; run go generate ./cmd/callwire")
	}
	if page := readFile(t, filepath.Join("r", "report.md")); !strings.Contains(page, "](report.svg)") {
		t.Errorf("%.500s", page)
	}
}

// benchEndpoint is an endpoint of scripted models that wants a key.
func benchEndpoint(t *testing.T, key string) (url string, requests func() int) {
	t.Helper()
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := live.ReadCases(live.OurCases, live.KindLive, suite.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	arms, err := live.Matrix(live.Modes[:2], map[string][]string{"style": {"compact", "classic"}})
	if err != nil {
		t.Fatal(err)
	}
	model := live.NewScripted(cases, arms)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, r.Header.Get("Authorization"))
			return
		}
		model.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() int { return len(model.Requests()) }
}

// TestBenchLive measures, continues and reports; and the key and the prompts are nowhere.
func TestBenchLive(t *testing.T) {
	const key = "sk-very-secret-key"
	url, requests := benchEndpoint(t, key)
	t.Setenv("BENCH_TEST_KEY", key)
	dir := t.TempDir()
	out := filepath.Join(dir, "run.jsonl")
	args := []string{"bench", "live", "--base-url", url, "--key-env", "BENCH_TEST_KEY", "--model", "scripted-perfect",
		"--out", out, "--style", "compact,classic"}
	got := callwire("", args...)
	if got.code != exitOK || !strings.Contains(got.stdout, "scripted-perfect, wire style=classic") || requests() != 90 {
		t.Fatalf("%d requests, %+v", requests(), got)
	}
	again := callwire("", append(args, "--json")...)
	var r report.Report
	err := json.Unmarshal([]byte(again.stdout), &r)
	if err != nil || requests() != 90 || !strings.Contains(again.stderr, "90 trials had been measured before") || len(r.Groups[0].Arms) != 3 {
		t.Errorf("%d requests, %v: %.500v", requests(), err, again)
	}
	other := callwire("", append(args, "--max-tokens", "9")...)
	if other.code != exitFailed || !strings.Contains(other.stderr, "use another --out file") {
		t.Errorf("%+v", other)
	}
	page := callwire("", "bench", "report", out, "--out", dir)
	if page.code != exitOK || !strings.Contains(page.stderr, "report.md") {
		t.Errorf("%+v", page)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 3 {
		t.Errorf("%v", files)
	}
	for _, file := range files {
		if text := readFile(t, file); strings.Contains(text, "very-secret") || strings.Contains(text, "headphones. Show") {
			t.Errorf("%s has the key or a prompt", file)
		}
	}
	cold := filepath.Join(dir, "cold.jsonl")
	args[slices.Index(args, out)] = cold
	if got := callwire("", append(args, "--temperature", "0", "--mode", "wire")...); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	mixed := callwire("", "bench", "report", out, cold, "--json")
	if mixed.code != exitFailed || !strings.Contains(mixed.stderr, "differently") {
		t.Errorf("runs with different settings: %+v", mixed)
	}
	stopped := callwire("", "bench", "live", "--base-url", url, "--key-env", "BENCH_TEST_KEY", "--model", "scripted-perfect",
		"--out", filepath.Join(dir, "budget.jsonl"), "--budget", "12000", "--max-tokens", "100")
	if stopped.code != exitFound || !strings.Contains(stopped.stderr, "budget") || !strings.Contains(stopped.stdout, "scripted-perfect, native") {
		t.Errorf("%+v", stopped)
	}
}

// TestBenchJudge: misses with a call are shown to the judge, once each; its verdicts change no
// figure but their own, and another run asks nothing.
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
		case q.Model == "broken":
			http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
			return
		case q.Model == "j":
			questions = append(questions, last)
			say = "WRONG"
			if strings.Contains(last, "City of Rome") {
				say = "The capital is meant. RIGHT"
			}
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
	out := filepath.Join(t.TempDir(), "run.jsonl")
	args := []string{"bench", "live", "--base-url", server.URL, "--model", "m", "--mode", "wire", "--concurrency", "1",
		"--tools", tools, "--cases", writeFile(t, lines.String()), "--out", out, "--judge"}
	broken := callwire("", append(args, "broken")...)
	if broken.code != exitFound || !strings.Contains(broken.stderr, "the judge: the endpoint has no such path or model") || !strings.Contains(broken.stdout, "m, wire") {
		t.Errorf("%+v", broken)
	}
	for range 2 {
		got := callwire("", append(args, "j", "--json")...)
		var r report.Report
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			t.Fatalf("%v: %+v", err, got)
		}
		if a := r.Groups[0].Arms[0]; a.Trials != 4 || a.Success.Mean != 0.25 || a.Judged != 2 || a.JudgedRight != 1 {
			t.Errorf("%+v", a)
		}
		if len(questions) != 2 || !strings.Contains(questions[0], `{"place":"Rome"}`) || !strings.Contains(questions[1], `{"place":"Bergen"}`) {
			t.Errorf("%q", questions)
		}
	}
}

// TestBenchRefused: what is wrong with an endpoint is one line, without the key.
func TestBenchRefused(t *testing.T) {
	url, _ := benchEndpoint(t, "sk-right")
	html := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>hello") }))
	defer html.Close()
	t.Setenv("BENCH_TEST_KEY", "sk-something-else")
	for url, want := range map[string]string{url: "does not accept the key", html.URL: "page for people"} {
		got := callwire("", "bench", "live", "--model", "scripted-perfect", "--out", filepath.Join(t.TempDir(), "run.jsonl"),
			"--base-url", url, "--key-env", "BENCH_TEST_KEY")
		if got.code != exitFailed || !strings.Contains(got.stderr, want) || strings.Contains(got.stderr, "something-else") {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}
