package live

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/arm"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
)

func bfclCases(t *testing.T) []Case {
	t.Helper()
	questions, err := os.ReadFile("testdata/bfcl.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := os.ReadFile("testdata/bfcl_answers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := ReadBFCL(questions, answers)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestBFCL judges answers as the checker of the leaderboard does.
func TestBFCL(t *testing.T) {
	cases := make(map[string]Case)
	for _, c := range bfclCases(t) {
		cases[c.ID] = c
	}
	if len(cases) != 5 || cases["irrelevance_a"].Group != Irrelevant || cases["parallel_a"].Group != Parallel || cases["simple_b"].System != "You keep a garden." {
		t.Fatalf("%+v", cases)
	}
	for _, c := range []struct {
		id    string
		calls string // as in a file of calls
		right bool
	}{
		{"simple_a", `[{"name":"route_distance","input":{"origin":"Lyon","target":"Turin"}}]`, true},
		{"simple_a", `[{"name":"route_distance","input":{"origin":"lyon france","target":"TORINO","unit":"km","by":"Car"}}]`, true},
		{"simple_a", `[{"name":"route_distance","input":{"origin":"Lyon","target":"Turin","unit":"mi"}}]`, false},
		{"simple_a", `[{"name":"route_distance","input":{"origin":"Lyon"}}]`, false},
		{"simple_a", `[{"name":"route_distance","input":{"origin":"Lyon","target":"Turin","speed":3}}]`, false},
		{"simple_a", `[]`, false},
		{"simple_b", `[{"name":"water","input":{"beds":[2,5],"litres":7.50,"options":{"mode":"gently"}}}]`, true},
		{"simple_b", `[{"name":"water","input":{"beds":[2,5],"litres":7.5}}]`, true},
		{"simple_b", `[{"name":"water","input":{"beds":[5,2],"litres":7.5}}]`, false},
		{"simple_b", `[{"name":"water","input":{"beds":[2,5],"litres":"7.5"}}]`, false},
		{"simple_b", `[{"name":"water","input":{"beds":[2,5],"litres":7.5,"options":{"mode":"hard"}}}]`, false},
		{"simple_b", `[{"name":"water","input":{"beds":[2,5],"litres":7.5,"options":{}}}]`, false},
		{"simple_b", `[{"name":"water","input":{"beds":[2,5.0],"litres":7.5}}]`, false},
		{"simple_b", `[{"name":"water","input":{"beds":[2,5],"litres":7.5,"options":{"mode":"gently","pauses":0.0}}}]`, true},
		{"multiple_a", `[{"name":"boiling_point","input":{"substance":"ethanol","altitude":0}}]`, true},
		{"multiple_a", `[{"name":"boiling_point","input":{"substance":"ethanol","altitude":0.0}}]`, false},
		{"multiple_a", `[{"name":"boiling_point","input":{"substance":"ethanol","altitude":0e0}}]`, false},
		{"multiple_a", `[{"name":"melting_point","input":{"substance":"ethanol"}}]`, false},
		{"parallel_a", `[{"name":"convert","input":{"amount":25,"from":"EUR","to":"CHF"}},{"name":"convert","input":{"amount":10,"from":"euros","to":"chf"}}]`, true},
		{"parallel_a", `[{"name":"convert","input":{"amount":25,"from":"EUR","to":"CHF"}},{"name":"convert","input":{"amount":25,"from":"euros","to":"chf"}}]`, false},
		{"irrelevance_a", `[]`, true},
		{"irrelevance_a", `[{"name":"tide","input":{"harbour":"Brest"}}]`, false},
	} {
		var calls []score.Call
		if err := json.Unmarshal([]byte(c.calls), &calls); err != nil {
			t.Fatal(err)
		}
		if v := cases[c.id].Want.Judge(calls, func(score.Call) bool { return true }); v.Soft != c.right {
			t.Errorf("%s %s: %+v", c.id, c.calls, v)
		}
	}
}

// TestBFCLPlayed: a model that answers with what is possible is right in all of
// them, natively and in text, and its calls are valid.
func TestBFCLPlayed(t *testing.T) {
	cases := bfclCases(t)
	l := newLab(t, cases)
	records := measure(t, Plan{Client: l.client(t, endpoint.OpenAI, nil), Models: []string{"scripted-perfect"}, Cases: cases, Reps: 1,
		Arms: arms(t, []string{"native", "wire"}, nil), Params: arm.Params{MaxTokens: 100}})
	for _, r := range records {
		if !r.Success || !r.Valid {
			t.Errorf("%+v", r)
		}
	}
	if len(records) != 10 {
		t.Errorf("%d records", len(records))
	}
}

// TestBFCLRequired: what is required may not be missing, whatever the answers say.
func TestBFCLRequired(t *testing.T) {
	cases, err := ReadBFCL([]byte(`{"id":"simple_x","question":[[{"role":"user","content":"q"}]],"function":[{"name":"f","parameters":{"type":"dict","properties":{"a":{"type":"integer"},"type":{"type":"string","default":{"type":"HashMap"}}},"required":["a"]}}]}`),
		[]byte(`{"id":"simple_x","ground_truth":[{"f":{"a":[1,""]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for input, right := range map[string]bool{`{}`: false, `{"a":1}`: true} {
		if v := cases[0].Want.Judge([]score.Call{{Name: "f", Input: json.RawMessage(input)}}, func(score.Call) bool { return true }); v.Soft != right {
			t.Errorf("%s: %+v", input, v)
		}
	}
}

func TestReadBFCLRefuses(t *testing.T) {
	const question = `{"id":"a","question":[[{"role":"user","content":"q"}]],"function":[{"name":"f","parameters":{"type":"dict","properties":{}}}]}`
	for _, c := range []struct{ questions, answers, want string }{
		{"", "", "no question"},
		{"{", "", "line 1"},
		{question, "", "a has no possible answer"},
		{strings.Replace(question, `"dict"`, `"HashMap"`, 1), `{"id":"a","ground_truth":[]}`, "Java"},
		{strings.Replace(question, `{}}}]`, `{"x":{"type":"String"}}}}]`, 1), `{"id":"a","ground_truth":[]}`, `f: the type "String"`},
		{strings.Replace(question, `"a"`, `"simple_javascript_1"`, 1), `{"id":"simple_javascript_1","ground_truth":[]}`, "Java"},
		{question, `{"id":"a","ground_truth":[]}{"id":"b","ground_truth":[]}`, "answer to b"},
		{question, `{"id":"a"}`, "ground_truth"},
		{question, `{"id":"a","ground_truth":[{"g":{}}]}`, "no function"},
		{question, `{"id":"a","ground_truth":[{"f":[]}]}`, "no object"},
		{strings.Replace(question, `"}]],`, `"}],[]],`, 1), "", "2 turns"},
		{`{"id":"a","question":[[]],"function":3}`, "", "no function"},
	} {
		if _, err := ReadBFCL([]byte(c.questions), []byte(c.answers)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %s", c.questions, c.answers, err, c.want)
		}
	}
}
