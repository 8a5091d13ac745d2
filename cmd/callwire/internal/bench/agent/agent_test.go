package agent

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/actor"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/arm"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/trial"
)

var long = flag.Bool("long", false, "measure both APIs, as the gate does")

func ourTasks(t *testing.T) []Task {
	t.Helper()
	tasks, err := Tasks()
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// TestSolutions: each task is solved by its solution, by nothing less, and not by
// doing something twice.
func TestSolutions(t *testing.T) {
	tasks := ourTasks(t)
	if len(tasks) != 6 {
		t.Errorf("%d tasks", len(tasks))
	}
	for _, task := range tasks {
		var calls []score.Call
		for _, step := range task.Solution {
			calls = append(calls, step...)
		}
		if len(calls) < 3 || len(calls) > 12 {
			t.Errorf("%s: %d calls", task.ID, len(calls))
		}
		play := func(calls []score.Call) []string {
			w := task.World.clone()
			for _, c := range calls {
				if text, err := task.call(&w, c); err != nil && !strings.HasPrefix(err.Error(), "failed: ") || strings.Contains(text, "\n") {
					t.Errorf("%s: %s %s: %q, %v", task.ID, c.Name, c.Input, text, err)
				}
			}
			return task.Goal.missed(task.World, w)
		}
		if missed := play(calls); missed != nil {
			t.Errorf("%s: %v", task.ID, missed)
		}
		for n := range calls {
			if missed := play(calls[:n]); missed == nil {
				t.Errorf("%s: done after %d of %d calls", task.ID, n, len(calls))
			}
		}
		if last := calls[len(calls)-1]; last.Name != "setStatus" && play(append(calls, last)) == nil {
			t.Errorf("%s: done although %s was called twice", task.ID, last.Name)
		}
		for _, c := range calls {
			if !task.schemas.Valid(c) {
				t.Errorf("%s: %s %s is not valid", task.ID, c.Name, c.Input)
			}
		}
	}
}

// TestKnownModels: what is measured of models of known quality is their quality.
func TestKnownModels(t *testing.T) {
	tasks := ourTasks(t)
	server := httptest.NewServer(&actor.Server{Scenes: Scenes(tasks), Trouble: []actor.Trouble{actor.None, actor.None, actor.None, actor.Failure, actor.None, actor.None, actor.CutShort}})
	defer server.Close()
	arms, err := arm.Matrix([]string{"native", "wire", "wire-json", "hermes", "qwen3-coder"}, map[string][]string{"repairs": {"off"}})
	if err != nil {
		t.Fatal(err)
	}
	apis := []endpoint.API{endpoint.OpenAI, endpoint.Anthropic}
	if !*long {
		apis = apis[:1]
	}
	for _, api := range apis {
		client, err := endpoint.New(server.URL, api, endpoint.Options{Retries: 20, Pause: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		p := Plan{Client: client, Tasks: tasks, Arms: arms, Reps: 2, Steps: 14, Params: arm.Params{MaxTokens: 200},
			Models: []string{"scripted-perfect", "scripted-native-only", "scripted-prose-only", "scripted-forgets-quotes", "scripted-drifts-spaces", "scripted-drifts-fence"}}
		trials, err := p.Trials()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "run.jsonl")
		log, _, err := record.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := trial.Run(context.Background(), trials, nil, trial.Options{Log: log, Concurrency: 4}); err != nil || s.Done != len(trials) {
			t.Fatal(s, err)
		}
		log.Close()
		records, err := record.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		success, exact, malformed := make(map[string]int), make(map[string]int), make(map[string]int)
		for _, r := range records {
			of := strings.TrimPrefix(r.Model, "scripted-") + ", " + strings.TrimSuffix(r.Arm(), " repairs=off")
			malformed[of] += len(r.Malformed)
			if r.Success {
				success[of]++
			}
			if r.Exact {
				exact[of]++
			}
			if r.Success && (r.Widest < 1 || r.Steps < 3 || r.Requests != r.Steps || len(r.Raw) != r.Steps) {
				t.Errorf("%+v", r)
			}
			if r.Case == "four-zones" && r.Success && r.Widest != 4 || r.Case == "busy-archive" && r.Success && r.Failed != 2 {
				t.Errorf("%s: %d calls at once, %d failed", r.Case, r.Widest, r.Failed)
			}
		}
		for of, want := range map[string]int{
			"perfect, native": 12, "perfect, wire": 12, "perfect, wire syntax=json": 12, "perfect, hermes": 12, "perfect, qwen3-coder": 12,
			"native-only, native": 12, "native-only, wire": 0, "prose-only, native": 0, "prose-only, wire": 0,
			"forgets-quotes, wire": 12, "drifts-spaces, wire": 0, "drifts-fence, wire": 12, "drifts-spaces, native": 12,
		} {
			if success[of] != want || exact[of] != want {
				t.Errorf("%s, %s: %d of 12, %d without a call too many; want %d", api, of, success[of], exact[of], want)
			}
		}
		// It is told, and writes it right: weather-mail alone has the number 0, and
		// one message with one call that has words in quotes.
		if got := malformed["forgets-quotes, wire"]; got != 2 {
			t.Errorf("%s: %d malformed calls, want one in each repetition", api, got)
		}
		// All 14 messages of each task are malformed, calls in parallel one by one.
		if got := malformed["drifts-spaces, wire"]; got < 2*6*14 {
			t.Errorf("%s: %d malformed calls", api, got)
		}
	}
}

func TestCalculate(t *testing.T) {
	for text, want := range map[string]string{
		"19.99 * (1 + 23 / 100)": "24.5877", "-7/2": "-3.5", "0.1+0.2": "0.3", "2*3+1": "7", "010": "10",
		"1/0": "", "x": "", "1<<9": "", `"a"`: "", "": "", "f(1)": "", strings.Repeat("(", 600): "",
	} {
		if got, err := evaluate(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%.20q: %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       bool
	}{{"Oslo 7°", "7", true}, {"17 degrees", "7", false}, {"17 or 7", "7", true}, {"MAPLE.", "maple", true}, {"maples", "maple", false}, {"", "a", false}} {
		if got := holds(c.text, c.word); got != c.want {
			t.Errorf("%q in %q: %t", c.word, c.text, got)
		}
	}
}

// TestActions: what a tool does with what does not fit.
func TestActions(t *testing.T) {
	w := World{Tables: map[string][]Row{"t": {{"a": json.Number("1"), "n": "Red Fox"}, {"a": json.Number("2"), "n": "Fox"}}}}.clone()
	for _, c := range []struct {
		action Action
		input  string
		want   string
	}{
		{Action{Find: "t", By: []string{"a"}}, `{"a":1.0}`, `{"a":1,"n":"Red Fox"}`},
		{Action{Find: "t", By: []string{"a"}}, `{"a":9}`, "failed: nothing is known of that"},
		{Action{List: "t", Contains: map[string]string{"n": "q"}, Show: []string{"a"}}, `{"q":"fox red"}`, `{"rows":[{"a":1}]}`},
		{Action{List: "t", Page: 1}, `{}`, `{"nextPage":2,"rows":[{"a":1,"n":"Red Fox"}]}`},
		{Action{List: "t", Page: 1}, `{"page":3}`, `{"rows":[]}`},
		{Action{List: "t", AtLeast: map[string]string{"a": "least"}, Show: []string{"a"}}, `{"least":2}`, `{"rows":[{"a":2}]}`},
		{Action{Insert: "t", Unique: []string{"a"}, Error: "taken"}, `{"a":2}`, "failed: taken"},
		{Action{Update: "t", By: []string{"a"}}, `{"a":9}`, "failed: nothing is known of that"},
		{Action{Update: "t", By: []string{"a"}, Show: []string{"n"}}, `{"a":2,"n":"Wolf"}`, `{"n":"Wolf"}`},
		{Action{Calculate: "e"}, `{"e":"1+"}`, `failed: "1+" is no expression of numbers, + - * / and brackets`},
	} {
		d := json.NewDecoder(strings.NewReader(c.input))
		d.UseNumber()
		var input map[string]any
		if err := d.Decode(&input); err != nil {
			t.Fatal(err)
		}
		got, err := w.call("x", c.action, input)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v %s: %s, want %s", c.action, c.input, got, c.want)
		}
	}
	if got := fmt.Sprint(w.Tables["t"]); got != "[map[a:1 n:Red Fox] map[a:2 n:Wolf]]" {
		t.Error(got)
	}
}

func TestReadTasksRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "no list",
		"[]":                          "no task",
		`[{}]`:                        "no id",
		`[{"id":"a"}]`:                "no prompt",
		`[{"id":"a","nonsense":"b"}]`: "unknown field",
	} {
		if _, err := ReadTasks([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
