// Package corpus contains the conformance cases of the callwire format: small,
// language-neutral examples of what a reader and a writer must do, each with
// its exact result.
//
// The cases are JSON files in the folder cases, one per topic; rules.json states
// each rule that a case exercises in one sentence. Both are embedded, so a Go
// program needs only this package:
//
//	for _, c := range corpus.Cases() {
//		if c.Op == corpus.Parse {
//			got := read(c.Tools, c.Options, c.Text)
//			compare(got, c.Want.Events)
//		}
//	}
//
// Programs in other languages read the files themselves; README.md describes
// them, and how two results are compared.
//
// The expectations are worked out from the rules of the format and never taken
// from an implementation. The package therefore imports no other package of
// this module. Where an implementation and a case differ, the rules decide
// which of them is wrong.
//
// An id is never given to another case, and a case never changes its meaning:
// a list of known failures stays true.
package corpus
