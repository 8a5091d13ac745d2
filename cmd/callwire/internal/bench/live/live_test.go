package live

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
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
	records, err := ReadLog(name)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// share returns how many records of a model and an arm succeeded.
func share(records []Record, model, arm string) string {
	right, all := 0, 0
	for _, r := range records {
		if r.Model == model && strings.TrimSpace(r.Mode+" "+r.Variant) == arm {
			all++
			if r.Success {
				right++
			}
		}
	}
	return fmt.Sprintf("%d/%d", right, all)
}

// codes counts the codes of malformed calls, and the repairs.
func codes(records []Record, model, arm string) map[string]int {
	n := make(map[string]int)
	for _, r := range records {
		if r.Model == model && strings.TrimSpace(r.Mode+" "+r.Variant) == arm {
			for _, code := range append(r.Malformed, r.Repaired...) {
				n[code]++
			}
		}
	}
	return n
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

// TestKnownModels: what is measured of models of known quality is their quality, even if
// the network fails.
func TestKnownModels(t *testing.T) {
	cases, _ := allCases(t)
	const all, none = "30/30", "6/30" // none: only those for which no tool fits
	want := map[string]struct{ native, repaired, wire string }{
		"scripted-perfect":        {all, all, all},
		"scripted-native-only":    {all, none, none},
		"scripted-prose-only":     {none, none, none},
		"scripted-drifts-spaces":  {all, all, none},
		"scripted-drifts-strings": {all, all, "22/30"},
	}
	models := slices.Collect(maps.Keys(want))
	p := plan(t, cases, []string{"native", "wire"}, map[string][]string{"repairs": {"on", "off"}}, models...)
	p.Client = client(t, troubled(NewScripted(cases, p.Arms)), 0)
	records := measure(t, p)
	for _, model := range models {
		w := want[model]
		for arm, want := range map[string]string{"native": w.native, "wire": w.repaired, "wire repairs=off": w.wire} {
			if got := share(records, model, arm); want != "" && got != want {
				t.Errorf("%s, %s: %s, want %s", model, arm, got, want)
			}
		}
	}
	if got := codes(records, "scripted-drifts-strings", "wire")["coerced"]; got != 11 {
		t.Errorf("%d repairs, want one for each of 11 numbers and booleans", got)
	}
	if got := codes(records, "scripted-drifts-spaces", "wire"); !reflect.DeepEqual(got, map[string]int{"spaced-equals": 31}) {
		t.Errorf("%v, want a named repair for each call", got)
	}
	tries := 0
	for _, r := range records {
		tries += r.Tries
		isCounted := r.Usage.Input > 0 && r.Usage.Output > 0 && !r.Usage.Estimated
		if !r.Scripted || !isCounted || r.Time == 0 {
			t.Fatalf("%+v", r)
		}
	}
	if tries == 0 {
		t.Error("no request was sent again")
	}
}

// TestFormats: a model that writes another format without a mistake is right in all cases.
func TestFormats(t *testing.T) {
	cases, _ := allCases(t)
	records := measure(t, plan(t, cases, Modes, map[string][]string{"style": {"classic"}}, "scripted-perfect"))
	arms := map[string]bool{}
	for _, r := range records {
		arms[strings.TrimSpace(r.Mode+" "+r.Variant)] = true
		if !r.Success || len(r.Malformed) > 0 {
			t.Errorf("%s, %s: %+v", strings.TrimSpace(r.Mode+" "+r.Variant), r.Case, r.Outcome)
		}
	}
	if len(arms) != len(Modes) {
		t.Errorf("%v, want those of %v", arms, Modes)
	}
}

// TestTasks: calls of tools that act are judged, and malformed calls are answered.
func TestTasks(t *testing.T) {
	_, tasks := allCases(t)
	models := []string{"scripted-perfect", "scripted-native-only", "scripted-prose-only", "scripted-forgets-quotes", "scripted-drifts-spaces"}
	records := measure(t, plan(t, tasks, []string{"native", "wire", "wire-json", "hermes"}, map[string][]string{"repairs": {"off"}}, models...))
	for of, want := range map[string]string{
		"perfect, native": "6/6", "perfect, wire": "6/6", "perfect, wire syntax=json": "6/6", "perfect, hermes": "6/6",
		"native-only, native": "6/6", "native-only, wire": "0/6", "prose-only, native": "0/6", "prose-only, wire": "0/6",
		"forgets-quotes, native": "6/6", "forgets-quotes, wire": "6/6", "drifts-spaces, wire": "0/6",
	} {
		model, arm, _ := strings.Cut(of, ", ")
		arm += " repairs=off"
		if got := share(records, "scripted-"+model, arm); got != want {
			t.Errorf("%s: %s, want %s", of, got, want)
		}
	}
	for _, r := range records {
		isCounted := r.Steps >= 3 && r.Requests == r.Steps && len(r.Raw) == r.Steps
		if r.Success && !(r.Exact && isCounted) {
			t.Errorf("%+v", r)
		}
		if r.Success && r.Case == "busy-archive" && r.Failed != 2 {
			t.Errorf("%s: %d calls failed", r.Case, r.Failed)
		}
	}
	if got := codes(records, "scripted-forgets-quotes", "wire repairs=off"); len(got) != 1 {
		t.Errorf("%v, want one malformed call", got)
	}
}

// TestAblations: the settings have an effect, and it is measured.
func TestAblations(t *testing.T) {
	cases, _ := allCases(t)
	for setting, want := range map[string][2]string{ // of the perfect model, and of one that writes strings
		"":                {"30/30", "30/30"},
		"manual=off":      {"6/30", "6/30"},
		"placement=first": {"30/30", "30/30"},
		"style=classic":   {"30/30", "30/30"},
		"parameters=off":  {"30/30", "30/30"},
		"examples=off":    {"30/30", "30/30"},
		"delims=<!|!>":    {"30/30", "30/30"},
		"strict=on":       {"30/30", "22/30"},
		"repairs=off":     {"30/30", "22/30"},
	} {
		settings := make(map[string][]string)
		name, value, ok := strings.Cut(setting, "=")
		if ok {
			settings[name] = []string{value}
		}
		p := plan(t, cases, []string{"wire"}, settings, "scripted-perfect", "scripted-drifts-strings")
		records := measure(t, p)
		for i, model := range p.Models {
			if got := share(records, model, strings.TrimSpace("wire "+setting)); got != want[i] {
				t.Errorf("%q, %s: %s, want %s", setting, model, got, want[i])
			}
		}
	}
}

// TestRetries: a model that forgets quotes writes them after it was corrected, and only then.
func TestRetries(t *testing.T) {
	cases, _ := allCases(t)
	settings := map[string][]string{"retries": {"0", "1"}, "repairs": {"off"}}
	p := plan(t, cases[:19], []string{"native", "wire"}, settings, "scripted-forgets-quotes")
	p.Reps, p.Seed = 5, new(int)
	malformed, missed := map[string]int{}, map[string]int{}
	for _, r := range measure(t, p) {
		malformed[r.Mode+" "+r.Variant] += len(r.Malformed)
		if !r.Success {
			missed[r.Mode+" "+r.Variant]++
		}
	}
	for _, mode := range []string{"native ", "wire "} {
		once, twice := mode+"repairs=off", mode+"retries=1 repairs=off"
		if malformed[once] == 0 || malformed[once] != malformed[twice] || missed[once] != malformed[once] || missed[twice] != 0 {
			t.Errorf("%s: malformed %v, missed %v", mode, malformed, missed)
		}
	}
}

// TestResume: a run that is broken off anywhere, and continued, has what one that was not has.
func TestResume(t *testing.T) {
	cases, _ := allCases(t)
	p := plan(t, cases[:8], []string{"native", "wire"}, nil, "scripted-forgets-quotes")
	p.Reps, p.Seed = 2, new(int)
	timeless := func(records []Record) []Record {
		records = Latest(records)
		for i := range records {
			records[i].Time, records[i].Tries = 0, 0
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
	for cut := 0; cut <= len(text); cut += len(text)/9 + 1 { // killed while a line was written
		name := filepath.Join(dir, fmt.Sprint("cut", cut))
		if err := os.WriteFile(name, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := into(t, name, p, context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := timeless(readLog(t, name)); !reflect.DeepEqual(got, want) {
			t.Errorf("cut after %d bytes: %d records", cut, len(got))
		}
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
