package live

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/actor"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/arm"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/price"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/trial"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

var long = flag.Bool("long", false, "measure both APIs, as the gate does")

func ourCases(t *testing.T) []Case {
	t.Helper()
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := Cases(suite.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestOurCases: every call of the published benchmark has its request.
func TestOurCases(t *testing.T) {
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	var singles []string
	groups := make(map[string]int)
	for _, c := range ourCases(t) {
		groups[c.Group]++
		if c.Group == Single {
			singles = append(singles, c.Answer[0].Name+" "+string(c.Answer[0].Input))
		}
	}
	var want []string
	for _, c := range suite.Calls {
		want = append(want, c.Name+" "+string(c.Input))
	}
	if !slices.Equal(singles, want) {
		t.Errorf("requests for\n%s\nthe benchmark has\n%s", strings.Join(singles, "\n"), strings.Join(want, "\n"))
	}
	if groups[Parallel] < 5 || groups[Irrelevant] < 5 {
		t.Errorf("%v", groups)
	}
}

// lab is an endpoint of scripted models.
type lab struct {
	*actor.Server
	url string
}

func newLab(t *testing.T, cases []Case) lab {
	t.Helper()
	s := &actor.Server{Scenes: Scenes(cases), Delims: []lexer.Delims{{Open: "((", Close: "))"}}, Key: "sk-of-the-lab"}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return lab{s, server.URL}
}

func (l lab) client(t *testing.T, api endpoint.API, meter endpoint.Meter) *endpoint.Client {
	t.Helper()
	c, err := endpoint.New(l.url, api, endpoint.Options{Key: l.Key, Retries: 20, Pause: time.Millisecond, Meter: meter})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// apis are those that are tested.
func apis() []endpoint.API {
	if !*long {
		return []endpoint.API{endpoint.Anthropic}
	}
	return []endpoint.API{endpoint.Anthropic, endpoint.OpenAI}
}

func arms(t *testing.T, modes []string, settings map[string][]string) []arm.Arm {
	t.Helper()
	arms, err := arm.Matrix(modes, settings)
	if err != nil {
		t.Fatal(err)
	}
	return arms
}

// measure runs a plan into a new file and returns the records.
func measure(t *testing.T, p Plan) []record.Record {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run.jsonl")
	if s, err := into(t, name, p, context.Background()); err != nil || s.Stopped != nil || s.Failed > 0 {
		t.Fatal(s, err)
	}
	records, err := record.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func into(t *testing.T, name string, p Plan, ctx context.Context) (trial.Summary, error) {
	t.Helper()
	trials, err := p.Trials()
	if err != nil {
		t.Fatal(err)
	}
	log, records, err := record.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	return trial.Run(ctx, trials, records, trial.Options{Log: log, Concurrency: 4})
}

// share returns how many records of a model and an arm are a success.
func share(records []record.Record, model, arm string, groups ...string) string {
	right, all := 0, 0
	for _, r := range records {
		if r.Model == model && r.Arm() == arm && (len(groups) == 0 || slices.Contains(groups, r.Group)) {
			all++
			if r.Success {
				right++
			}
		}
	}
	return fmt.Sprintf("%d/%d", right, all)
}

// codes counts the codes of malformed calls, and the repairs.
func codes(records []record.Record, model, arm string) map[string]int {
	n := make(map[string]int)
	for _, r := range records {
		if r.Model == model && r.Arm() == arm {
			for _, code := range append(r.Malformed, r.Repaired...) {
				n[code]++
			}
		}
	}
	return n
}

// TestKnownModels: what is measured of models of known quality is their quality.
func TestKnownModels(t *testing.T) {
	cases := ourCases(t)
	l := newLab(t, cases)
	l.Trouble = []actor.Trouble{actor.None, actor.Limited, actor.None, actor.Failure, actor.None, actor.CutShort, actor.Slow}
	var names []string
	for _, m := range actor.Models {
		names = append(names, m.Name)
	}
	ways := append(arms(t, []string{"native"}, nil), arms(t, []string{"wire"}, map[string][]string{"repairs": {"on", "off"}})...)
	p := Plan{Models: names, Arms: ways, Cases: cases, Reps: 1, Params: arm.Params{MaxTokens: 100}}
	const all, none = "30/30", "6/30" // none: only those for which no tool fits
	for _, api := range apis() {
		p.Client = l.client(t, api, nil)
		// How a model drifts does not depend on the API: one API is measured with all
		// models, the others with one of each kind, as the tests below do.
		if api != endpoint.Anthropic {
			p.Models = []string{"scripted-perfect", "scripted-native-only", "scripted-drifts-spaces", "scripted-drifts-strings"}
		}
		records := measure(t, p)
		for model, want := range map[string]struct {
			native, repaired, wire string         // wire: without repairs
			codes                  map[string]int // of that
		}{
			"scripted-perfect":            {all, all, all, map[string]int{}},
			"scripted-native-only":        {all, none, none, map[string]int{}},
			"scripted-prose-only":         {none, none, none, map[string]int{}},
			"scripted-drifts-no-close":    {all, "", none, map[string]int{"unterminated-call": 24, "expected-key": 7}},
			"scripted-drifts-spaces":      {all, all, none, map[string]int{"expected-equals": 31}},
			"scripted-drifts-colon":       {all, all, none, nil},
			"scripted-drifts-parentheses": {all, all, none, map[string]int{"bad-name": 31}},
			"scripted-drifts-fence":       {all, all, all, map[string]int{}},
			"scripted-drifts-envelope":    {all, all, none, map[string]int{"expected-name": 31}},
			"scripted-drifts-hermes":      {all, "", none, map[string]int{}},
			"scripted-drifts-strings":     {all, all, "", nil},
		} {
			if !slices.Contains(p.Models, model) {
				continue
			}
			for arm, want := range map[string]string{"native": want.native, "wire": want.repaired, "wire repairs=off": want.wire} {
				if got := share(records, model, arm); want != "" && got != want {
					t.Errorf("%s, %s, %s: %s, want %s", api, model, arm, got, want)
				}
			}
			if got := codes(records, model, "wire repairs=off"); want.codes != nil && !reflect.DeepEqual(got, want.codes) {
				t.Errorf("%s, %s: %v, want %v", api, model, got, want.codes)
			}
		}
		if got := codes(records, "scripted-drifts-strings", "wire")["coerced"]; got != 12 {
			t.Errorf("%s: %d repairs, want one for each of 12 numbers and booleans", api, got)
		}
		if got := codes(records, "scripted-drifts-spaces", "wire"); !reflect.DeepEqual(got, map[string]int{"spaced-equals": 31}) {
			t.Errorf("%s: %v, want a named repair for each call", api, got)
		}
		for _, r := range records {
			if !r.Scripted || r.Usage.Input == 0 || r.Usage.Output == 0 || r.Usage.Estimated || r.Times.Total < r.Times.FirstCall || r.Called > 0 && r.Times.FirstCall == 0 {
				t.Fatalf("%+v", r)
			}
		}
	}
}

// TestProtocols: a model that writes another protocol without a mistake is right in
// all cases.
func TestProtocols(t *testing.T) {
	cases := ourCases(t)
	l := newLab(t, cases)
	modes := slices.DeleteFunc(slices.Clone(arm.Modes), func(mode string) bool {
		_, ok := protocol.ByName(mode, yaml.XML).(parse.Prompter)
		return !ok
	})
	p := Plan{Client: l.client(t, endpoint.OpenAI, nil), Models: []string{"scripted-perfect", "scripted-prose-only"}, Cases: cases, Reps: 1,
		Arms: arms(t, modes, map[string][]string{"style": {"classic"}}), Params: arm.Params{MaxTokens: 100}}
	records := measure(t, p)
	for _, mode := range modes {
		if got := share(records, "scripted-perfect", mode); got != "30/30" {
			t.Errorf("%s: %s", mode, got)
		}
		if got := share(records, "scripted-prose-only", mode); got != "6/30" {
			t.Errorf("%s: %s", mode, got)
		}
	}
	for _, r := range records {
		if len(r.Malformed) > 0 {
			t.Errorf("%+v", r)
		}
	}
	if len(modes) < 3 || !slices.Contains(modes, "hermes") || !slices.Contains(modes, "qwen3-coder") {
		t.Errorf("modes %v", modes)
	}
}

// TestForgetsQuotes: a tenth of the messages whose call has a quoted string with
// white space in it, and of the others none.
func TestForgetsQuotes(t *testing.T) {
	cases := ourCases(t)
	l := newLab(t, cases)
	seed := int64(1)
	p := Plan{Client: l.client(t, endpoint.OpenAI, nil), Models: []string{"scripted-forgets-quotes"}, Cases: cases, Reps: 10,
		Arms: arms(t, []string{"native", "wire"}, map[string][]string{"retries": {"0", "1"}, "repairs": {"off"}}), Params: arm.Params{MaxTokens: 100, Seed: &seed}}
	records := measure(t, p) // 1200 trials
	const quotable = 13      // of 19 cases, in ten repetitions
	for name, want := range map[string]string{
		"wire repairs=off": fmt.Sprintf("%d/190", 190-quotable), "wire retries=1 repairs=off": "190/190",
		"native repairs=off": fmt.Sprintf("%d/190", 190-quotable), "native retries=1 repairs=off": "190/190",
	} {
		if got := share(records, "scripted-forgets-quotes", name, Single); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := share(records, "scripted-forgets-quotes", name, Parallel, Irrelevant); got != "110/110" {
			t.Errorf("%s: %s of the others", name, got)
		}
	}
	broken := 0
	for _, n := range codes(records, "scripted-forgets-quotes", "wire repairs=off") {
		broken += n
	}
	if broken != quotable {
		t.Errorf("%d malformed calls, want %d", broken, quotable)
	}
}

// TestAblations: what the settings do is measured.
func TestAblations(t *testing.T) {
	cases := ourCases(t)
	l := newLab(t, cases)
	p := Plan{Client: l.client(t, endpoint.OpenAI, nil), Models: []string{"scripted-perfect", "scripted-drifts-strings"}, Cases: cases, Reps: 1, Params: arm.Params{MaxTokens: 100}}
	for setting, want := range map[string]string{ // of the model that writes strings
		"":                "30/30",
		"manual=off":      "6/30",
		"placement=last":  "30/30",
		"style=classic":   "30/30",
		"parameters=full": "30/30",
		"examples=off":    "30/30",
		"delims=((|))":    "30/30",
		"strict=on":       "21/30",
		"repairs=off":     "21/30",
	} {
		settings := make(map[string][]string)
		if name, value, ok := strings.Cut(setting, "="); ok {
			settings[name] = []string{value}
		}
		p.Arms = arms(t, []string{"wire", "wire-json"}, settings)
		records := measure(t, p)
		perfect := "30/30"
		if setting == "manual=off" {
			perfect = "6/30"
		}
		for _, a := range p.Arms {
			if got := share(records, "scripted-perfect", a.String()); got != perfect {
				t.Errorf("%s: perfect %s, want %s", a, got, perfect)
			}
			if strings.Contains(a.Variant, "syntax=json") {
				continue // an exact body is not retyped
			}
			if got := share(records, "scripted-drifts-strings", a.String()); got != want {
				t.Errorf("%s: %s, want %s", a, got, want)
			}
		}
	}
}

// TestResume: a run that was broken off anywhere and goes on has what one that was
// not has, but for times.
func TestResume(t *testing.T) {
	cases := ourCases(t)[:8]
	l := newLab(t, cases)
	seed := int64(1)
	p := Plan{Client: l.client(t, endpoint.OpenAI, nil), Models: []string{"scripted-forgets-quotes"}, Cases: cases, Reps: 2,
		Arms: arms(t, []string{"native", "wire"}, nil), Params: arm.Params{MaxTokens: 100, Seed: &seed}}
	timeless := func(records []record.Record) []record.Record {
		records = record.Latest(records)
		for i := range records {
			records[i].Times, records[i].Tries = record.Times{}, 0
		}
		slices.SortFunc(records, func(a, b record.Record) int {
			return strings.Compare(fmt.Sprint(a.Key), fmt.Sprint(b.Key))
		})
		return records
	}
	want := timeless(measure(t, p))

	// Broken off by a signal, in the middle of requests.
	dir := t.TempDir()
	for _, after := range []int64{1, 5, 17, 31} {
		name := filepath.Join(dir, fmt.Sprint("signal", after))
		ctx, cancel := context.WithCancel(context.Background())
		from := l.Asked.Load()
		go func() {
			for l.Asked.Load()-from < after {
				time.Sleep(50 * time.Microsecond)
			}
			cancel()
		}()
		if _, err := into(t, name, p, ctx); err != nil {
			t.Fatal(err)
		}
		cancel()
		asked := l.Asked.Load()
		s, err := into(t, name, p, context.Background())
		if err != nil || s.Done+s.Skipped != len(want) || int(l.Asked.Load()-asked) > s.Done+4 { // 4 may still have been on their way
			t.Fatal(s, err)
		}
		records, _ := record.ReadFile(name)
		if got := timeless(records); !reflect.DeepEqual(got, want) {
			t.Errorf("broken off after %d requests: %d records\n%+v\nwant\n%+v", after, len(got), got, want)
		}
	}

	// Killed while a line was written.
	whole := filepath.Join(dir, "whole")
	if _, err := into(t, whole, p, context.Background()); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(whole)
	for cut := 0; cut <= len(text); cut += len(text)/9 + 1 {
		name := filepath.Join(dir, fmt.Sprint("cut", cut))
		if err := os.WriteFile(name, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := into(t, name, p, context.Background()); err != nil {
			t.Fatal(err)
		}
		records, err := record.ReadFile(name)
		if got := timeless(records); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("cut after %d bytes: %d records, %v", cut, len(got), err)
		}
	}

	// Another plan does not go into the same file.
	p.Params.MaxTokens++
	if _, err := into(t, whole, p, context.Background()); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Error(err)
	}
}

// TestBudgetHolds: a run stops before its budget is passed, and goes on with a
// larger one.
func TestBudgetHolds(t *testing.T) {
	cases := ourCases(t)
	l := newLab(t, cases)
	budget := &price.Budget{Tokens: 20_000}
	p := Plan{Client: l.client(t, endpoint.OpenAI, budget), Models: []string{"scripted-perfect"}, Cases: cases, Reps: 1,
		Arms: arms(t, []string{"native", "wire"}, nil), Params: arm.Params{MaxTokens: 100}}
	name := filepath.Join(t.TempDir(), "run.jsonl")
	s, err := into(t, name, p, context.Background())
	if err != nil || s.Stopped == nil {
		t.Fatal(s, err)
	}
	records, err := record.ReadFile(name)
	spent := 0
	for _, r := range records {
		spent += r.Usage.Input + r.Usage.Output
	}
	if err != nil || spent > budget.Tokens || spent < budget.Tokens/2 {
		t.Errorf("%d tokens of %d, %v", spent, budget.Tokens, err)
	}
	budget.Tokens = 1_000_000
	if s, err := into(t, name, p, context.Background()); err != nil || s.Stopped != nil || s.Skipped != len(records) || s.Done+s.Skipped != 60 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestBadKey: one line, and the key is nowhere.
func TestBadKey(t *testing.T) {
	cases := ourCases(t)
	l := newLab(t, cases)
	c, err := endpoint.New(l.url, endpoint.OpenAI, endpoint.Options{Key: "sk-of-somebody-else"})
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{Client: c, Models: []string{"scripted-perfect"}, Cases: cases, Reps: 1, Arms: arms(t, []string{"wire"}, nil)}
	name := filepath.Join(t.TempDir(), "run.jsonl")
	_, err = into(t, name, p, context.Background())
	if err == nil || !strings.Contains(err.Error(), "key") || strings.Contains(err.Error(), "somebody") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(name); len(text) > 0 {
		t.Errorf("%s", text)
	}
}

func TestReadCasesRefuses(t *testing.T) {
	suite, err := bench.Published()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                         "no case",
		"{":                        "no JSON",
		`{"id":"a","prompt":"p"}`:  "want",
		`{"prompt":"p","want":[]}`: "no id",
		`{"id":"a","want":[]}`:     "no prompt",
		`[{"id":"a","prompt":"p","want":[],"x":1}]`:                                                          "unknown field",
		`{"id":"a","prompt":"p","want":[]}` + `{"id":"a","prompt":"p","want":[]}`:                            "twice",
		`{"id":"a","prompt":"p","want":[{"name":"nothing","input":{}}]}`:                                     "no tool",
		`{"id":"a","prompt":"p","want":[{"name":"getTime","input":[]}]}`:                                     "no JSON object",
		`{"id":"a","prompt":"p","tools":3,"want":[]}`:                                                        "case a",
		`{"id":"a","prompt":"p","want":[{"name":"getTime","input":{"timezone":"UTC"},"optional":["zone"]}]}`: "zone",
	} {
		if _, err := ReadCases([]byte(text), suite.Catalog); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
