package main

import (
	"io"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz"
)

// Each family has a row for each chunk size, with a pair of numbers for each text size.
func TestTable(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-sizes", "1,2", "-chunks", "4096,16"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, a := range fuzz.Adversaries {
		rows := 0
		for _, line := range strings.Split(out.String(), "\n") {
			rest, ok := strings.CutPrefix(line, a.Name+" ")
			if fields := strings.Fields(rest); ok && len(fields) >= 7 && (fields[0] == "4096" || fields[0] == "16") {
				rows++
			}
		}
		if rows != 2 {
			t.Errorf("%s has %d rows", a.Name, rows)
		}
	}
}

// -only selects rows.
func TestPart(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-sizes", "1", "-chunks", "7", "-limits", "none", "-only", "^prose$"}, &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 4 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
}

// Invalid arguments are errors.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-sizes", "x"}, {"-sizes", "0"}, {"-chunks", "1,,2"}, {"-only", "("}, {"-limits", "some"}} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
