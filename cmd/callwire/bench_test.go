package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/memory"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/speed"
)

// TestBenchInto writes into a file that has a place for it, and nothing into one
// that has none.
func TestBenchInto(t *testing.T) {
	file := writeFile(t, "# Mine\n\n<!-- callwire bench tokens -->\nold\n<!-- end -->\nrest\n")
	tools, calls := writeFile(t, benchTools), writeFile(t, benchCalls) // few: TestBenchmarks counts ours
	for range 2 {
		if got := callwire("", "bench", "tokens", "--tools", tools, "--calls", calls, "--into", file); got != (result{}) {
			t.Fatalf("%+v", got)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); !strings.HasPrefix(got, "# Mine\n\n<!-- callwire bench tokens -->\n\nTokens of o200k_base") ||
		!strings.HasSuffix(got, "\n<!-- end -->\nrest\n") || strings.Count(got, "| total |") != 1 {
		t.Errorf("%s", got)
	}
	none := writeFile(t, "# Mine\n")
	if got := callwire("", "bench", "tokens", "--into", none); got.code != exitFailed || !strings.Contains(got.stderr, "<!-- callwire bench tokens -->") {
		t.Errorf("%+v", got)
	}
}

// TestBenchmarks: the page has the tokens that this program counts.
func TestBenchmarks(t *testing.T) {
	const page = "BENCHMARKS.md"
	before, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	file := writeFile(t, string(before))
	if got := callwire("", "bench", "tokens", "--into", file); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if after, _ := os.ReadFile(file); string(after) != string(before) {
		t.Error("BENCHMARKS.md has other figures; write them anew: go generate ./cmd/callwire")
	}
}

// TestBenchSpeed measures a little, in every form.
func TestBenchSpeed(t *testing.T) {
	chart := filepath.Join(t.TempDir(), "speed.svg")
	args := []string{"bench", "speed", "--quick", "--run", "transcript", "--rounds", "1"}
	got := callwire("", append(args, "--json", "--chart", chart)...)
	var r speed.Report
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.code != exitOK || got.stderr != "" || len(r.Cells) != 5 {
		t.Errorf("%v, %d cells: %.400v", err, len(r.Cells), got)
	}
	if text, err := os.ReadFile(chart); err != nil || !strings.HasPrefix(string(text), "<svg ") {
		t.Errorf("%v: %.100s", err, text)
	}
	args[4] = "calls"
	for form, want := range map[string]string{
		"--benchstat": "BenchmarkRead/text=calls/chunk=0/reader=wire-",
		"--markdown":  "| calls, each a chunk |",
		"--rounds=2":  "calls, each a chunk ",
	} {
		if !*long && form != "--rounds=2" {
			continue
		}
		if got := callwire("", append(args, form)...); got.code != exitOK || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %.400v\nwant %s", form, got, want)
		}
	}
}

// TestBenchMemory weighs a few decoders.
func TestBenchMemory(t *testing.T) {
	got := callwire("", "bench", "memory", "--decoders", "20", "--json")
	var r memory.Report
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.code != exitOK || r.Concurrent.Decoders != 20 {
		t.Errorf("%v: %.400v", err, got)
	}
	if !*long {
		return
	}
	if got := callwire("", "bench", "memory", "--decoders", "20"); got.code != exitOK || !strings.Contains(got.stdout, "\n20 decoders at once") {
		t.Errorf("%.1000v", got)
	}
}

// TestBenchHelp: bench alone says what can be measured.
func TestBenchHelp(t *testing.T) {
	got := callwire("", "bench")
	for _, want := range []string{"tokens", "speed", "memory", "Examples:"} {
		if got.code != exitOK || !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in %+v", want, got)
		}
	}
}

// TestBenchRefuses: what is wrong with flags and files is said in one line.
func TestBenchRefuses(t *testing.T) {
	tools, calls := writeFile(t, benchTools), writeFile(t, benchCalls)
	both := "tokens --tools " + tools + " --calls "
	for args, want := range map[string]string{
		"tokns":                                                   "not \"tokns\"",
		"tokens extra":                                            "no argument",
		"tokens --tools " + tools:                                 "belong together",
		"tokens --calls " + calls:                                 "belong together",
		"tokens --open ((":                                        "belong together",
		"tokens --open ab --close b":                              "punctuation",
		"tokens --vocabulary p50k_base":                           "--vocabulary is",
		"tokens --price-input 0":                                  "--price-input must be more than 0",
		"tokens --price-cache-read -1":                            "--price-cache-read must be more than 0",
		"tokens --price-output NaN":                               "--price-output must be more than 0",
		"tokens --json --markdown":                                "none of the others can be",
		"speed extra":                                             "no argument",
		"speed --rounds 0":                                        "--rounds must be 1",
		"speed --run nothing":                                     "no text matches",
		"speed --json --benchstat":                                "none of the others can be",
		"speed --run calls --quick --chart no/dir/c":              "no folder no/dir",
		"memory extra":                                            "no argument",
		"memory --decoders 0":                                     "--decoders must be 1",
		"memory --decoders 1 --into nowhere":                      "no file nowhere",
		"tokens --into nowhere":                                   "no file nowhere",
		"tokens --tools nowhere --calls " + calls:                 "no file nowhere",
		both + "nowhere":                                          "no file nowhere",
		both + writeFile(t, ""):                                   "no call",
		both + writeFile(t, "{"):                                  "ends too early",
		both + writeFile(t, benchCalls+"x"):                       "no JSON after",
		both + writeFile(t, `{"name":"t"}`):                       "call 1: it has no input",
		both + writeFile(t, benchCalls+`{"name":1}`):              "call 3: ",
		both + writeFile(t, `{"name":"u","input":{}}`):            "call 1, u: unknown-tool",
		both + writeFile(t, `{"name":"t","input":{"a":1,"a":2}}`): "call 1, t: duplicate-key",
		"tokens --tools " + writeFile(t, "no JSON") + " --calls " + calls:                 "file: ",
		"tokens --tools " + writeFile(t, `{"tools":[{"name":""}]}`) + " --calls " + calls: "has no tool that can be read",
	} {
		got := callwire("", append([]string{"bench"}, strings.Fields(args)...)...)
		lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
		if got.code != exitFailed || got.stdout != "" || !strings.HasPrefix(lines[len(lines)-1], "callwire: ") || !strings.Contains(got.stderr, want) {
			t.Errorf("bench %s: %+v\nwant %s", args, got, want)
		}
	}
}
