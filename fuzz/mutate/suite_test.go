package main

import "testing"

// TestSteps: tests that cannot notice a change do not run, and cheap ones come first.
func TestSteps(t *testing.T) {
	m, err := openModule(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	at := map[step]int{}
	for i, s := range m.steps("all", "parse") {
		at[s] = i + 1
	}
	for _, s := range []step{{rest, "grammar"}, {rest, "corpus"}, {rest, "fuzz/mutate"}, {core, "lexer"}} {
		if at[s] != 0 {
			t.Errorf("%v is asked about parse", s)
		}
	}
	order := []step{{own, "parse"}, {judged, ""}, {core, "stream"}, {fuzzed, "fuzz"}, {rest, "cmd/callwire"}}
	for i, s := range order {
		if at[s] == 0 || i > 0 && at[s] < at[order[i-1]] {
			t.Errorf("%v is number %d", s, at[s])
		}
	}
	if got := m.steps("corpus", "parse"); len(got) != 1 || got[0].kind != judged {
		t.Errorf("the corpus alone is %v", got)
	}
	quick := m.steps("quick", "parse")
	if last := quick[len(quick)-1]; last.kind != core || quick[0] != (step{own, "parse"}) {
		t.Errorf("the quick suite is %v", quick)
	}
	if p := m.find("fuzz"); !p.draws() {
		t.Error("package fuzz does not draw")
	}
	if p := m.find("lexer"); p.draws() {
		t.Error("package lexer draws")
	}
}
