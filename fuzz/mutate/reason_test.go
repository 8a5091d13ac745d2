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

p g #2
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
		keyOf("p", "g #2", "a", "b"):                 "Because.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestInvalidReasons(t *testing.T) {
	for _, text := range []string{"p", "p f 2\n- a\n+ b\n  why\n", "p f #2 #3\n- a\n+ b\n  why\n", "p f\n- a\n", "p f\n- a\n+ b\n", "p f\n+ b\n  why\n", "p f\n  why\n", "p f\nwhat\n"} {
		if _, err := parseReasons(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// A reason must name an existing mutant, in the packages that are mutated.
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

// A reason for one of several mutants with the same text names its number.
func TestReasonsAreForOne(t *testing.T) {
	all := parsed(t, "func f(x int) {\n\tx++\n\tx++\n}\n").mutants()
	number(all)
	for head, want := range map[string]string{"p f": "several are alike", "p f #1": "", "p f #2": "", "p f #3": "no such mutant"} {
		reasons, err := parseReasons(head + "\n- x++\n+ if false { x++ }\n  Why not.\n")
		if err != nil {
			t.Fatal(err)
		}
		wrong := strings.Join(stale(reasons, "p", all), "\n")
		if wrong == "" != (want == "") || !strings.Contains(wrong, want) {
			t.Errorf("%s: %q, want %q", head, wrong, want)
		}
	}
}

// Every reason in reasons.txt has a mutant.
func TestWrittenReasonsAreOfMutants(t *testing.T) {
	reasons, err := parseReasons(written)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{"lexer", "sig", "parse", "stream", "manual"} {
		all, err := mutants("../..", pkg)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range stale(reasons, pkg, all) {
			t.Error(line)
		}
	}
}

// reasons.txt is valid, and each mutant has only one reason.
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
