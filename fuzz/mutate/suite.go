package main

import (
	"cmp"
	"slices"
)

// step is one part of a suite: the tests of one package, or the corpus.
type step struct {
	kind   kind
	folder string // the tests to run; "" for the corpus
}

// kind says why a step is in the suite. They run in this order, from cheap to expensive.
type kind int

const (
	own    kind = iota // the tests of the mutated package
	judged             // the corpus
	core               // the tests of the packages around it
	fuzzed             // package fuzz
	rest               // all others
)

func (k kind) String() string { return [...]string{"own", "corpus", "core", "fuzz", "rest"}[k] }

// suites maps the name of each suite to the kind of its last step.
var suites = map[string]kind{"all": rest, "quick": core, "corpus": judged}

// steps returns the suite with that name for mutants of the package in the folder target.
func (m *module) steps(suite, target string) []step {
	var all []step
	if m.find("cmd/callwire") != nil {
		all = append(all, step{kind: judged})
	}
	if suite == "corpus" {
		return all
	}
	for _, f := range m.tested(target) {
		s := step{rest, f}
		switch {
		case f == target:
			s.kind = own
		case slices.Contains([]string{"lexer", "sig", "parse", "stream"}, f):
			s.kind = core
		case f == "fuzz":
			s.kind = fuzzed
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b step) int { return cmp.Compare(a.kind, b.kind) })
	return slices.DeleteFunc(all, func(s step) bool { return s.kind > suites[suite] })
}
