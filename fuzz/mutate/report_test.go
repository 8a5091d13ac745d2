package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	ms := parsed(t, "func f(x int) bool { return x < 0 }\n").mutants()
	s := &Score{Package: "p", Exist: 100, By: map[string]int{}}
	s.add(ms[0], verdict{Unbuilt: true}, "")
	s.add(ms[0], verdict{Killer: "own"}, "")
	s.add(ms[0], verdict{Killer: "fuzz", Timeout: true}, "")
	s.add(ms[1], verdict{}, "")
	ms[2].nth = 2
	s.add(ms[2], verdict{}, "Why not.")
	r := Report{Packages: []*Score{s, {Package: "q"}}, Wrong: []string{"something"}}
	if got := r.Least(); got != 75 {
		t.Errorf("least %g, want 75", got)
	}
	var out bytes.Buffer
	if err := r.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"p 100 4 2 1 2 1 50.0 %", "q 0 0 0 0 0 0 –", "p: 1 do not compile; killed fuzz 1 own 1", "f #2, const", "Why not.", "something"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// A package of which few mutants were run counts with the others only.
func TestLeastOfFew(t *testing.T) {
	for want, packages := range map[float64][]*Score{
		0:   {{Package: "a"}},
		90:  {{Run: 2}, {Run: 18, Killed: 18}},
		20:  {{Run: 10, Killed: 2}, {Run: 90, Killed: 90}},
		100: {{Run: 3, Killed: 3}, {}},
	} {
		r := Report{Packages: packages}
		if got := r.Least(); got != want {
			t.Errorf("least %g, want %g", got, want)
		}
	}
}
