package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMutantSaysWhatItChanges(t *testing.T) {
	s := parsed(t, `
func (b *box[T]) f(x int) int {
	if x < 3 { // small
		return 1
	}
	return 2
}
`)
	var got []string
	for _, m := range s.mutants() {
		got = append(got, m.String())
	}
	want := []string{
		"p/p.go:4: box.f bool: if x < 3 { // small => if false && (x < 3) { // small",
		"p/p.go:4: box.f bool: if x < 3 { // small => if true || x < 3 { // small",
		"p/p.go:4: box.f compare: if x < 3 { // small => if x <= 3 { // small",
		"p/p.go:4: box.f compare: if x < 3 { // small => if x >= 3 { // small",
		"p/p.go:4: box.f const: if x < 3 { // small => if x < (3 + 1) { // small",
		"p/p.go:4: box.f const: if x < 3 { // small => if x < (3 - 1) { // small",
		"p/p.go:5: box.f const: return 1 => return (1 + 1)",
		"p/p.go:5: box.f const: return 1 => return (1 - 1)",
		"p/p.go:7: box.f remove: return 2 => if false { return 2 }",
		"p/p.go:7: box.f const: return 2 => return (2 + 1)",
		"p/p.go:7: box.f const: return 2 => return (2 - 1)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMutantChangesOnePlace(t *testing.T) {
	s := parsed(t, "var a, b = 1, 2\n")
	m := s.mutants()[0]
	if got, want := string(m.apply()), "package p\nvar a, b = (1 + 1), 2\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := m.key(), "p a\n- var a, b = 1, 2\n+ var a, b = (1 + 1), 2"; got != want {
		t.Errorf("key %q, want %q", got, want)
	}
}

// A mutant of several lines is named by the first.
func TestFirst(t *testing.T) {
	for text, want := range map[string]string{"\ta\n\tb\n": "a …", "  a  ": "a", "": "", "a\n\n": "a"} {
		if got := first(text); got != want {
			t.Errorf("first(%q) = %q, want %q", text, got, want)
		}
	}
}
