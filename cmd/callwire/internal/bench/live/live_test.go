package live

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// allCases returns our cases and tasks.
func allCases(t *testing.T) (cases, tasks []Case) {
	t.Helper()
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	cases, err = ReadCases(OurCases, KindLive, suite.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err = ReadCases(OurTasks, KindAgent, nil)
	if err != nil {
		t.Fatal(err)
	}
	return cases, tasks
}

// plan returns a plan whose endpoint plays the cases. Trouble, if set, may replace the answer to
// request n.
func plan(t *testing.T, cases []Case, modes []string, settings map[string][]string, models ...string) Plan {
	t.Helper()
	arms, err := Matrix(modes, settings)
	if err != nil {
		t.Fatal(err)
	}
	c := client(t, NewScripted(cases, arms), 0)
	return Plan{Client: c, Models: models, Params: rawjson.Make("max_tokens", 100), Arms: arms, Cases: cases, Reps: 1, Steps: 14}
}

func client(t *testing.T, base http.RoundTripper, budget int) *Client {
	t.Helper()
	c, err := NewClient("http://127.0.0.1", ClientOptions{API: manual.ChatCompletions, Base: base, Tries: 21, Pause: time.Millisecond, Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// measure runs a plan and returns the records.
func measure(t *testing.T, p Plan) []Record {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run.jsonl")
	s, err := into(t, name, p, context.Background())
	if err != nil || s.Stopped != nil || s.Failed > 0 {
		t.Fatal(s, err)
	}
	return readLog(t, name)
}

func into(t *testing.T, name string, p Plan, ctx context.Context) (Summary, error) {
	t.Helper()
	p.Concurrency = 4
	return p.Run(ctx, name)
}

func readLog(t *testing.T, name string) []Record {
	t.Helper()
	records, _, err := ReadLog(name)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// troubled makes every few answers of a model fail.
func troubled(m *scripted.Model) *scripted.Model {
	play := m.Script
	return &scripted.Model{Script: func(n int, r scripted.Request) scripted.Reply {
		switch n % 7 {
		case 2:
			return scripted.Reply{Status: http.StatusTooManyRequests, Raw: "{}", Header: http.Header{"Retry-After": {"0"}}}
		case 4:
			return scripted.Reply{Status: http.StatusInternalServerError, Raw: "{}"}
		case 6:
			reply := play(n, r)
			reply.Break = 60
			return reply
		}
		return play(n, r)
	}}
}

// results writes a line for each model and arm: how many records succeeded, the codes of malformed
// calls, the repairs, and the failed calls of tasks.
func results(b *strings.Builder, records []Record) {
	slices.SortFunc(records, func(a, b Record) int {
		return strings.Compare(a.Model+" "+a.Mode+" "+a.Variant, b.Model+" "+b.Mode+" "+b.Variant)
	})
	isSame := func(a, b Record) bool { return a.Model == b.Model && a.Mode == b.Mode && a.Variant == b.Variant }
	for start, end := 0, 0; start < len(records); start = end {
		right, failed, codes := 0, 0, map[string]int{}
		for end = start; end < len(records) && isSame(records[start], records[end]); end++ {
			r := records[end]
			if r.Success {
				right++
			}
			failed += r.Failed
			for _, code := range append(r.Malformed, r.Repaired...) {
				codes[code]++
			}
		}
		r := records[start]
		arm := strings.TrimSpace(r.Mode + " " + r.Variant)
		fmt.Fprintf(b, "%s, %s: %d/%d, %d failed %v\n", r.Model, arm, right, end-start, failed, codes)
	}
}

// TestKnownModels: what is measured of models of known quality is their quality, in all modes and
// under all settings, even if the network fails. It is in testdata/known.txt.
func TestKnownModels(t *testing.T) {
	cases, tasks := allCases(t)
	var b strings.Builder
	for _, x := range []struct {
		cases    []Case
		modes    []string
		settings string
		models   []string
	}{
		{cases, Modes[:2], "repairs=on,off", DemoModels},
		{cases, Modes, "style=classic", DemoModels[:1]},
		{cases, Modes[1:2], "manual=off", DemoModels[:1]},
		{cases, Modes[1:2], "placement=first", DemoModels[:1]},
		{cases, Modes[1:2], "parameters=off", DemoModels[:1]},
		{cases, Modes[1:2], "examples=off", DemoModels[:1]},
		{cases, Modes[1:2], "delims=<!|!>", DemoModels[:1]},
		{cases, Modes[1:2], "strict=on", DemoModels},
		{cases, Modes[:2], "retries=0,1 repairs=off", DemoModels[1:2]},
		{tasks, []string{"native", "wire", "wire-json", "hermes"}, "repairs=off", DemoModels},
	} {
		settings := make(map[string][]string)
		for _, setting := range strings.Fields(x.settings) {
			name, values, _ := strings.Cut(setting, "=")
			settings[name] = strings.Split(values, ",")
		}
		p := plan(t, x.cases, x.modes, settings, x.models...)
		p.Client, p.Seed = client(t, troubled(NewScripted(x.cases, p.Arms)), 0), new(int)
		records := measure(t, p)
		for _, r := range records {
			isCounted := r.Usage.Input > 0 && r.Usage.Output > 0 && !r.Usage.Estimated && len(r.Raw) == r.Steps
			if !r.Scripted || !isCounted || r.Time == 0 || r.Success && r.Kind == KindAgent && !r.Exact {
				t.Errorf("%+v", r)
			}
		}
		fmt.Fprintf(&b, "%s\n", x.settings)
		results(&b, records)
	}
	golden.Assert(t, b.String(), "known.txt")
}

// TestResume: a run that is broken off anywhere, and continued, has what one that was not has.
func TestResume(t *testing.T) {
	cases, _ := allCases(t)
	p := plan(t, cases[:8], []string{"native", "wire"}, nil, "scripted-forgets-quotes")
	p.Reps, p.Seed = 2, new(int)
	timeless := func(records []Record) []Record {
		records = Latest(records)
		for i := range records {
			records[i].Time = 0
		}
		slices.SortFunc(records, func(a, b Record) int { return strings.Compare(fmt.Sprint(a.Key), fmt.Sprint(b.Key)) })
		return records
	}
	want := timeless(measure(t, p))
	dir := t.TempDir()
	for _, after := range []int{1, 5, 17, 31} {
		ctx, cancel := context.WithCancel(context.Background())
		stopping := p
		model := NewScripted(p.Cases, p.Arms)
		play := model.Script
		stopping.Client = client(t, &scripted.Model{Script: func(n int, r scripted.Request) scripted.Reply {
			if n >= after {
				cancel()
			}
			return play(n, r)
		}}, 0)
		name := filepath.Join(dir, fmt.Sprint(after))
		s, err := into(t, name, stopping, ctx)
		cancel()
		if err != nil || s.Stopped == nil || s.Done >= len(want) {
			t.Fatal(s, err)
		}
		s, err = into(t, name, p, context.Background())
		if err != nil || s.Done+s.Skipped != len(want) {
			t.Fatal(s, err)
		}
		if got := timeless(readLog(t, name)); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped after %d requests: %d records\n%+v\nwant\n%+v", after, len(got), got, want)
		}
	}
	whole := filepath.Join(dir, "whole")
	if _, err := into(t, whole, p, context.Background()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	cuts := []int{len(text), len(text) - 1, len(text) - 2} // killed while a line was written
	for cut := 0; cut < len(text); cut += len(text)/9 + 1 {
		cuts = append(cuts, cut)
	}
	for _, cut := range cuts {
		name := filepath.Join(dir, fmt.Sprint("cut", cut))
		if err := os.WriteFile(name, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := into(t, name, p, context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got, written := timeless(readLog(t, name)), bytes.Count(text[:min(cut+1, len(text))], []byte("\n"))
		if !reflect.DeepEqual(got, want) || s.Skipped != written {
			t.Errorf("cut after %d bytes: %d records, %d skipped", cut, len(got), s.Skipped)
		}
	}
	foreign := filepath.Join(dir, "foreign")
	if err := os.WriteFile(foreign, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = into(t, foreign, p, context.Background())
	if text, _ := os.ReadFile(foreign); err == nil || string(text) != "{}" {
		t.Errorf("a file without records became %q, %v", text, err)
	}
	p.Params = rawjson.Make("max_tokens", 101)
	if _, err := into(t, whole, p, context.Background()); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Error("another plan was recorded in the same file:", err)
	}
}

// TestBudget: a run stops before its budget is exceeded, and continues with a larger one.
func TestBudget(t *testing.T) {
	cases, _ := allCases(t)
	p := plan(t, cases, []string{"native", "wire"}, nil, "scripted-perfect")
	const budget = 20_000
	p.Client = client(t, NewScripted(cases, p.Arms), budget)
	name := filepath.Join(t.TempDir(), "run.jsonl")
	s, err := into(t, name, p, context.Background())
	if err != nil || s.Stopped == nil {
		t.Fatal(s, err)
	}
	records, spent := readLog(t, name), 0
	for _, r := range records {
		spent += r.Usage.Input + r.Usage.Output
	}
	if spent > budget || spent < budget/2 {
		t.Errorf("%d tokens of %d", spent, budget)
	}
	p.Client = client(t, NewScripted(cases, p.Arms), 1_000_000)
	if s, err := into(t, name, p, context.Background()); err != nil || s.Stopped != nil || s.Done+s.Skipped != 60 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestFailures: a refused request is a failed trial, and a refused key ends the run.
func TestFailures(t *testing.T) {
	cases, _ := allCases(t)
	p := plan(t, cases, []string{"wire"}, nil, "scripted-perfect")
	for status, isFatal := range map[int]bool{http.StatusBadRequest: false, http.StatusUnauthorized: true} {
		p.Client = client(t, &scripted.Model{Script: func(int, scripted.Request) scripted.Reply {
			return scripted.Reply{Status: status, Raw: `{"error":{"message":"no"}}`}
		}}, 0)
		s, err := into(t, filepath.Join(t.TempDir(), "run.jsonl"), p, context.Background())
		if (err != nil) != isFatal || !isFatal && (s.Failed != len(cases) || s.Why == nil) {
			t.Errorf("status %d: %+v, %v", status, s, err)
		}
	}
}
