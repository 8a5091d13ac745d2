package main

import (
	"strings"
	"testing"
)

// TestFormatLinear: lines that are all broken are read twice at most.
func TestFormatLinear(t *testing.T) {
	in := strings.Repeat("{\"a\":\n", 20_000)
	if got := callwire(in, "format"); strings.Count(got.stderr, "\n") != 20_000 {
		t.Errorf("%d lines", strings.Count(got.stderr, "\n"))
	}
}
