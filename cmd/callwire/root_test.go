package main

import (
	"strings"
	"testing"
)

// TestWrongUsage runs command lines that cannot be done: each says so in one
// line that begins with the name of the program.
func TestWrongUsage(t *testing.T) {
	notTools := writeFile(t, "no JSON")
	for _, args := range []string{
		"prase", "zzz", "--nope",
		"parse --nope", "parse a b", "parse no/such/file", "parse .",
		"parse --tools no/such/file", "parse --tools " + notTools,
		"parse --open <x>", "parse --close </x>", "parse --open a --close b", "parse --open <x> --close <x>",
		"parse --max-bytes 0", "parse --max-depth -1", "parse --max-arguments x", "parse --max-name 0",
		"parse --color pink",
		"parse --chunk 0", "parse --chunk -1", "parse --chunk 65537", "parse --chunk x", "parse --follow --chunk 0",
		"parse --every-split --follow", "parse --every-split --chunk 2", "parse --every-split --json", "parse --every-split --check",
		"parse --every-split --open a --close b", "parse --every-split no/such/file", "parse --follow --tools " + notTools,
		"format --nope", "format a b", "format no/such/file", "format --tools " + notTools,
		"serve x", "version x",
	} {
		got := callwire("", strings.Fields(args)...)
		if got.code != exitFailed || got.stdout != "" {
			t.Errorf("%s: code %d, output %q", args, got.code, got.stdout)
		}
		if !strings.HasPrefix(got.stderr, "callwire: ") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: want one line, got %q", args, got.stderr)
		}
	}
}

func TestSuggestion(t *testing.T) {
	if got := callwire("", "prase"); !strings.Contains(got.stderr, `"parse"`) {
		t.Errorf("no suggestion: %q", got.stderr)
	}
}

// TestHelp looks for what everybody needs in the help of each command.
func TestHelp(t *testing.T) {
	if got := callwire(""); got.code != exitOK || !strings.Contains(got.stdout, "Read and write calls") {
		t.Errorf("without a command: %+v", got)
	}
	for _, command := range []string{"parse", "format", "demo", "proxy", "serve"} {
		got := callwire("", "help", command)
		for _, want := range []string{"Examples:", "Exit codes:"} {
			if got.code != exitOK || !strings.Contains(got.stdout, want) {
				t.Errorf("help %s: code %d, no %q", command, got.code, want)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	a, b := callwire("", "version"), callwire("", "--version")
	if a != b || a.code != exitOK || !strings.HasPrefix(a.stdout, "callwire ") {
		t.Errorf("version: %+v, --version: %+v", a, b)
	}
}
