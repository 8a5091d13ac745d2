package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
)

const (
	benchTools = `[{"name":"t","description":"Do it.","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]`
	benchCalls = `{"name":"t","input":{"a":"x y"}}` + "\n" + `{"name":"t","arguments":"{\"a\":\"42\"}"}`
)

// benchReport runs bench tokens --json.
func benchReport(t *testing.T, args ...string) tokens.Report {
	t.Helper()
	got := callwire("", append([]string{"bench", "tokens", "--json"}, args...)...)
	var r tokens.Report
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.code != exitOK || got.stderr != "" {
		t.Fatalf("%v: %v, %.400v", args, err, got)
	}
	return r
}

func TestBenchTokens(t *testing.T) {
	if r := benchReport(t); len(r.Calls) != 19 || r.Counts[0].Total[tokens.Native] != 762 || r.Prices != tokens.DefaultPrices {
		t.Errorf("%d calls, %v", len(r.Calls), r.Counts[0].Total)
	}
	args := []string{"--tools", writeFile(t, benchTools), "--calls", writeFile(t, benchCalls)}
	mine := benchReport(t, append(args, "--open", "((", "--close", "))", "--price-input", "8", "--price-cache-read", "2")...)
	if want := (tokens.Prices{Input: 8, Output: 15, CacheWrite: 10, CacheRead: 2}); mine.Prices != want {
		t.Errorf("prices %v, want %v", mine.Prices, want)
	}
	if tags := mine.Counts[0].Tags; tags[0].Open != "((" || tags[0].Close != "))" {
		t.Errorf("tags %v", tags)
	}
	if mine.Tools != 1 || len(mine.Calls) != 2 || mine.Calls[1].Text[tokens.Wire] != "<call>t a=42</call>" {
		t.Errorf("%+v", mine.Calls)
	}
	for _, form := range []string{"", "--markdown"} {
		got := callwire("", strings.Fields("bench tokens --vocabulary cl100k_base "+form)...)
		if got.code != exitOK || !strings.Contains(got.stdout, "Tokens of cl100k_base\n") || !strings.Contains(got.stdout, "758") {
			t.Errorf("%s: %.400v", form, got)
		}
	}
}

// TestBenchInto writes into a file that has a place for it, and nothing into one
// that has none.
func TestBenchInto(t *testing.T) {
	file := writeFile(t, "# Mine\n\n<!-- callwire bench tokens -->\nold\n<!-- end -->\nrest\n")
	for range 2 {
		if got := callwire("", "bench", "tokens", "--into", file); got != (result{}) {
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

// TestReadme: the README has the tokens that this program counts.
func TestReadme(t *testing.T) {
	const readme = "../../README.md"
	before, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	file := writeFile(t, string(before))
	if got := callwire("", "bench", "tokens", "--into", file); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if after, _ := os.ReadFile(file); string(after) != string(before) {
		t.Error("the README has other figures; write them anew: go generate ./cmd/callwire")
	}
}

// TestBenchRefuses: what is wrong with flags and files is said in one line.
func TestBenchRefuses(t *testing.T) {
	tools, calls := writeFile(t, benchTools), writeFile(t, benchCalls)
	both := "tokens --tools " + tools + " --calls "
	for args, want := range map[string]string{
		"tokns":                                                           "not \"tokns\"",
		"tokens extra":                                                    "no argument",
		"tokens --tools " + tools:                                         "belong together",
		"tokens --calls " + calls:                                         "belong together",
		"tokens --open ((":                                                "belong together",
		"tokens --open ab --close b":                                      "punctuation",
		"tokens --vocabulary p50k_base":                                   "--vocabulary is",
		"tokens --price-input 0":                                          "--price-input must be more than 0",
		"tokens --price-cache-read -1":                                    "--price-cache-read must be more than 0",
		"tokens --price-output NaN":                                       "--price-output must be more than 0",
		"tokens --json --markdown":                                        "none of the others can be",
		"tokens --into nowhere":                                           "no file nowhere",
		"tokens --tools nowhere --calls " + calls:                         "no file nowhere",
		both + "nowhere":                                                  "no file nowhere",
		both + writeFile(t, ""):                                           "no call",
		both + writeFile(t, "{"):                                          "ends too early",
		both + writeFile(t, benchCalls+"x"):                               "no JSON after",
		both + writeFile(t, `{"name":"t"}`):                               "call 1: it has no input",
		both + writeFile(t, benchCalls+`{"name":1}`):                      "call 3: ",
		both + writeFile(t, `{"name":"u","input":{}}`):                    "call 1, u: unknown-tool",
		both + writeFile(t, `{"name":"t","input":{"a":1,"a":2}}`):         "call 1, t: duplicate-key",
		"tokens --tools " + writeFile(t, "no JSON") + " --calls " + calls: "file: ",
		"tokens --tools " + writeFile(t, `{"tools":[{"name":""}]}`) + " --calls " + calls: "call 1, t: unknown-tool",
	} {
		got := callwire("", append([]string{"bench"}, strings.Fields(args)...)...)
		lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
		if got.code != exitFailed || got.stdout != "" || !strings.HasPrefix(lines[len(lines)-1], "callwire: ") || !strings.Contains(got.stderr, want) {
			t.Errorf("bench %s: %+v\nwant %s", args, got, want)
		}
	}
}
