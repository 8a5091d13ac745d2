package live

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/sig"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		expected, input string
		soft, exact     bool
	}{
		{`{"input":{"a":"x"}}`, `{"a":"x"}`, true, true},
		{`{"input":{"a":"x"}}`, `{"a":"x","b":1}`, false, false},
		{`{"input":{"a":"x","b":1}}`, `{"a":"x"}`, false, false},
		{`{"input":{"a":"Lunch at 'one'."}}`, `{"a":"lunch at “one”"}`, true, false},
		{`{"input":{"a":"."}}`, `{"a":"!"}`, false, false},
		{`{"input":{"a":1}}`, `{"a":1.0}`, true, false},
		{`{"input":{"a":1e3}}`, `{"a":1000}`, true, false},
		{`{"input":{"a":1e999999999}}`, `{"a":1}`, false, false},
		{`{"input":{"a":12345678901234567890}}`, `{"a":12345678901234567891}`, false, false},
		{`{"input":{"a":1}}`, `{"a":"1"}`, false, false},
		{`{"input":{"a":[1,2]}}`, `{"a":[2,1]}`, false, false},
		{`{"input":{"a":[1,2]},"set":["a"]}`, `{"a":[2,1]}`, true, false},
		{`{"input":{"a":[1,2]},"set":["a"]}`, `{"a":[2,2]}`, false, false},
		{`{"input":{"a":"x"},"or":{"a":["y"]}}`, `{"a":"y"}`, true, true},
		{`{"input":{"a":{"b":"x"}},"or":{"a.b":["y"]}}`, `{"a":{"b":"Y"}}`, true, false},
		{`{"input":{"a":1,"b":2},"optional":["b"]}`, `{"a":1}`, true, true},
		{`{"input":{"a":1,"b":2},"optional":["b"]}`, `{"a":1,"b":3}`, false, false},
		{`{"input":{"a":1},"free":["a"]}`, `{"a":[true]}`, true, true},
		{`{"input":{"a":""},"contains":{"a":["7","maple"]}}`, `{"a":"MAPLE. 17 or 7°"}`, true, true},
		{`{"input":{"a":""},"contains":{"a":["7","maple"]}}`, `{"a":"maple 17"}`, false, false},
		{`{"input":{"a":""},"contains":{"a":["7","maple"]}}`, `{"a":"maples 7"}`, false, false},
		{`{"input":{"a":[]},"contains":{"a":["7","maple"]}}`, `{"a":["maple", "7"]}`, true, true},
		{`{"input":{"a":null}}`, `{"a":null}`, true, true},
		{`{"input":{}}`, `[]`, false, false},
	} {
		read, err := bench.ReadValues[Expected]([]byte(c.expected))
		if err != nil {
			t.Fatal(err)
		}
		e := read[0]
		call := bench.Call{Input: json.RawMessage(c.input)}
		if soft, exact := e.matches(call, false), e.matches(call, true); soft != c.soft || exact != c.exact {
			t.Errorf("%s, %s: soft %v, exact %v", c.expected, c.input, soft, exact)
		}
	}
}

// TestRight: calls come in any order, each once.
func TestRight(t *testing.T) {
	var want []Expected
	for _, input := range []string{`{"a":1}`, `{"a":2}`} {
		want = append(want, Expected{Call: bench.Call{Name: "t", Input: json.RawMessage(input)}})
	}
	for inputs, ok := range map[string]bool{"2 1": true, "1 2": true, "1 1": false, "1": false, "1 2 2": false, "": false} {
		var calls []bench.Call
		for _, a := range strings.Fields(inputs) {
			calls = append(calls, bench.Call{Name: "t", Input: json.RawMessage(`{"a":` + a + `}`)})
		}
		if right(want, calls, true) != ok {
			t.Errorf("%q: %v", inputs, !ok)
		}
	}
}

// TestOurCases: every wanted call fits its schema, as does the solution of each task.
func TestOurCases(t *testing.T) {
	cases, tasks := allCases(t)
	groups := map[string]int{}
	for _, c := range append(cases, tasks...) {
		groups[c.Group]++
		for _, step := range c.Solution {
			for _, call := range step {
				if !c.valid(call) {
					t.Errorf("%s: %s %s is not valid", c.ID, call.Name, call.Input)
				}
			}
		}
	}
	if got := fmt.Sprint(groups); got != "map[irrelevant:6 parallel:5 single:19 task:6]" {
		t.Error(got)
	}
}

func TestReadRefuses(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"f","inputSchema":{"type":"object","properties":{"a":{}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                         "no cases",
		"{":                        "case 1: invalid JSON",
		`{"id":"a","prompt":"p"}`:  `no "want"`,
		`{"prompt":"p","want":[]}`: "is empty",
		`{"id":"a","want":[]}`:     "no prompt",
		`[{"id":"a","prompt":"p","want":[],"x":1}]`:                                             "unknown field",
		`{"id":"a","prompt":"p","want":[]}` + `{"id":"a","prompt":"p","want":[]}`:               "twice",
		`{"id":"a","prompt":"p","want":[{"name":"g","input":{}}]}`:                              `no tool "g"`,
		`{"id":"a","prompt":"p","want":[{"name":"f","input":[]}]}`:                              "not a JSON object",
		`{"id":"a","prompt":"p","tools":3,"want":[]}`:                                           "case a",
		`{"id":"a","prompt":"p","want":[{"name":"f","input":{"a":{}},"optional":["a.b"]}]}`:     `"a.b"`,
		`{"id":"a","prompt":"p","want":[{"name":"f","input":{"b":1},"or":{"a":[2]}}]}`:          `"a"`,
		`{"id":"a","prompt":"p","want":[{"name":"f","input":{"a":1},"or":{"a":[2]},"x":true}]}`: "unknown field",
	} {
		if _, err := ReadCases([]byte(text), KindLive, catalog); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"[]":                                  "no cases",
		`[{"id":"a","prompt":"p"}]`:           `no "want"`,
		`[{"id":"a","prompt":"p","want":[]}]`: "wants no call",
		`[{"id":"a","nonsense":"b"}]`:         "unknown field",
		`[{"id":"a","prompt":["b"]}]`:         "case 1: prompt: want a string, found array",
		`[{"id":"a","want":[{"name":7}]}]`:    "case 1: want.name: want a string, found number",
		`{"id":"a","prompt":"p","tools":[{"name":"x","inputSchema":{},"answers":[{"input":[]}]}],"want":[{"name":"x","input":{}}]}`: "the input of x",
	} {
		if _, err := ReadCases([]byte(text), KindAgent, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestSolutions: each task is solved by its solution, by nothing less, and not by doing the last
// thing twice.
func TestSolutions(t *testing.T) {
	_, tasks := allCases(t)
	for _, c := range tasks {
		calls := slices.Concat(c.Solution...)
		solved := func(calls []bench.Call) bool {
			p := play{&c, map[string]int{}, nil}
			for _, call := range calls {
				p.call(call) // some fail on purpose
			}
			return p.isSolved()
		}
		if !solved(calls) {
			t.Errorf("%s: not solved by %v", c.ID, calls)
		}
		for n := range calls {
			if solved(calls[:n]) {
				t.Errorf("%s: done after %d of %d calls", c.ID, n, len(calls))
			}
		}
		last := calls[len(calls)-1]
		if solved(append(calls, last)) {
			t.Errorf("%s: done although %s was called twice", c.ID, last.Name)
		}
	}
}

// TestDocumented: the message and the task of BENCHMARKS.md can be read.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	if _, err := ReadCases(blocks[0][1], KindLive, nil); err != nil {
		t.Error(err)
	}
	tasks, err := ReadCases(blocks[1][1], KindAgent, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := play{&tasks[0], map[string]int{}, nil}
	for _, step := range [][2]string{
		{`getWeather {"city":"Oslo"}`, "failed: there is no station"},
		{`getWeather {"city":"Oslo"}`, `{"degrees":7}`},
		{`getWeather {"city":"Rome"}`, "failed: the station is closed"},
		{`getWeather {"city":"Lima"}`, "failed: there is no station"},
		{`sendMail {"to":"ana@example.com","body":"7 degrees"}`, `{"done":true}`},
	} {
		name, input, _ := strings.Cut(step[0], " ")
		got, err := p.call(bench.Call{Name: name, Input: []byte(input)})
		if err != nil {
			got = err.Error()
		}
		if got != step[1] {
			t.Errorf("%s: %s, want %s", step[0], got, step[1])
		}
	}
	if !p.isSolved() {
		t.Errorf("not solved by %v", p.done)
	}
}

// TestTaskTools: what the tools of a task answer.
func TestTaskTools(t *testing.T) {
	task := `{"id":"a","prompt":"p","want":[{"name":"x","input":{}}],"tools":[{"name":"x",
		"inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{}}},"answers":[
			{"input":{"a":1,"b":0},"optional":["b"],"result":{"b": 1.50}},
			{"input":{"a":2},"error":"taken"}]`
	for end, want := range map[string]string{
		`}]}|{"a":1}`:                          `{"b":1.50}`,
		`}]}|{"a":1,"b":0.0}`:                  `{"b":1.50}`,
		`}]}|{"a":2}`:                          "failed: taken",
		`}]}|{"a":3}`:                          "failed: nothing is known of that",
		`,"error":"no such a"}]}|{"a":3}`:      "failed: no such a",
		`,"acts":true}]}|{"a":3}`:              `{"done":true}`,
		`,"fails":1,"error":"busy"}]}|{"a":1}`: "failed: busy",
		`}]}|[]`:                               "failed: the arguments are not valid by the schema of x",
	} {
		end, input, _ := strings.Cut(end, "|")
		cases, err := ReadCases([]byte(task+end), KindAgent, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := play{&cases[0], map[string]int{}, nil}
		got, err := p.call(bench.Call{Name: "x", Input: json.RawMessage(input)})
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s %s: %s, want %s", end, input, got, want)
		}
	}
}

func TestMatrix(t *testing.T) {
	arms, err := Matrix([]string{"native", "wire", "wire-json", "hermes"}, map[string][]string{
		"style": {"compact", "classic"}, "retries": {"0", "1"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range arms {
		names = append(names, a.String())
	}
	want := "native; native retries=1; " +
		"wire; wire retries=1; wire style=classic; wire style=classic retries=1; " +
		"wire syntax=json; wire syntax=json retries=1; wire syntax=json style=classic; " +
		"wire syntax=json style=classic retries=1; hermes; hermes retries=1"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestConstrain: each engine finds the grammar where it looks for it.
func TestConstrain(t *testing.T) {
	cases, _ := allCases(t)
	for engine, path := range map[string]string{
		"llama.cpp": "grammar", "vllm": "structured_outputs grammar", "sglang": "ebnf", "fireworks": "response_format grammar",
	} {
		for _, mode := range []string{"wire", "hermes"} {
			p := plan(t, cases[:1], []string{mode}, map[string][]string{"constrain": {engine}}, "m")
			s, err := p.newTrial(0, &cases[0], "m", p.Arms[0])
			if err != nil {
				t.Fatal(err)
			}
			body, err := p.Client.body(s.request())
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := json.Unmarshal(body, &value); err != nil {
				t.Fatal(err)
			}
			for _, name := range strings.Fields(path) {
				value = value.(map[string]any)[name]
			}
			if !strings.Contains(fmt.Sprint(value), "root ::=") {
				t.Errorf("%s, %s: %.200s", engine, mode, body)
			}
		}
	}
}
