package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = `# comment

p f
- if x < 0 {
+ if x <= 0 {
- x++
+
  Zero is
  never asked.

p g
- a
+ b
  Because.
`

func TestParseReasons(t *testing.T) {
	all, err := parseReasons(example)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for key, r := range byKey(all) {
		got[key] = r.text
	}
	want := map[string]string{
		keyOf("p", "f", "if x < 0 {", "if x <= 0 {"): "Zero is never asked.",
		keyOf("p", "f", "x++", ""):                   "Zero is never asked.",
		keyOf("p", "g", "a", "b"):                    "Because.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReasonsThatAreNone(t *testing.T) {
	for _, text := range []string{"p", "p f\n- a\n", "p f\n- a\n+ b\n", "p f\n+ b\n  why\n", "p f\n  why\n", "p f\nwhat\n"} {
		if _, err := parseReasons(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// A reason must name a mutant that exists, in the packages that are mutated.
func TestStale(t *testing.T) {
	all, err := parseReasons("p f\n- return x < 0\n+ return x <= 0\n  Kept.\n\np f\n- return x > 0\n+ return x >= 0\n  Gone.\n\nq f\n- a\n+ b\n  Not asked.\n")
	if err != nil {
		t.Fatal(err)
	}
	wrong := stale(all, "p", parsed(t, "func f(x int) bool {\n\treturn x < 0\n}\n").mutants())
	if len(wrong) != 1 || !strings.Contains(wrong[0], "reasons.txt:6:") || !strings.Contains(wrong[0], "x >= 0") {
		t.Errorf("%q", wrong)
	}
}

// The reasons that are written can be read, and each mutant has one only.
func TestWrittenReasons(t *testing.T) {
	all, err := parseReasons(written)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, r := range all {
		for _, k := range r.keys {
			if at := seen[k]; at > 0 {
				t.Errorf("reasons.txt:%d: %s has a reason in line %d", r.line, k, at)
			}
			seen[k] = r.line
		}
	}
}
