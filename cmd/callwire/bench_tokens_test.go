package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
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
	const vocabulary = "bench tokens --vocabulary cl100k_base"
	got := callwire("", strings.Fields(vocabulary)...)
	if got.code != exitOK || !strings.Contains(got.stdout, "Tokens of cl100k_base\n") || !strings.Contains(got.stdout, "758") {
		t.Errorf("%.400v", got)
	}
	for line := range strings.Lines(got.stdout) {
		if line = strings.TrimSuffix(line, "\n"); terminal.Cells(line) > helpWidth {
			t.Errorf("%d columns: %s", terminal.Cells(line), line)
		}
	}
	got = callwire("", append(strings.Fields(vocabulary+" --markdown"), args...)...)
	if got.code != exitOK || !strings.Contains(got.stdout, "Tokens of cl100k_base\n") || !strings.Contains(got.stdout, "| t a=42 |") {
		t.Errorf("%+v", got)
	}
}
