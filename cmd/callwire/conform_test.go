package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// TestConform judges the program by a few topics of the corpus; with -long by all of it.
func TestConform(t *testing.T) {
	program := asProgram(t)
	cases := "[ltu]*/*"
	if *long {
		cases = "*/*"
	}
	got := callwire("", "conform", "--run", cases, "--splits", "ends", "--report", "json", "--", program, "serve")
	var report struct {
		OK     bool
		Levels map[string]map[string]int
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
		t.Fatalf("%v: %s", err, got.stderr)
	}
	for _, level := range []string{"core", "extended"} {
		if n := report.Levels[level]; n["pass"] == 0 || len(n) != 1 {
			t.Errorf("%s: %v, want all to pass", level, n)
		}
	}
	if got.code != exitOK || !report.OK { // a slow machine gets progress on stderr
		t.Errorf("code %d, OK %t, says %q", got.code, report.OK, got.stderr)
	}
}

// TestQuestions: the same seed gives the same questions, and another seed gives others.
func TestQuestions(t *testing.T) {
	first, second, other := slices.Collect(questions(1, 50)), slices.Collect(questions(1, 50)),
		slices.Collect(questions(2, 50))
	if !reflect.DeepEqual(first, second) || reflect.DeepEqual(first, other) {
		t.Errorf("%+v", first[0])
	}
}
