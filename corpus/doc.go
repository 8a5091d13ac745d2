// Package corpus holds the conformance cases of the callwire format: small,
// language-neutral examples of what a reader and a writer must do, each with
// its exact result.
//
// The cases are JSON files in the folder cases, one per topic; rules.json says
// in one sentence what each rule is that a case exercises. Both are embedded,
// so that a Go program needs nothing but this package:
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
// this module, and where an implementation and a case differ, it is the rules
// that decide which of them is wrong.
//
// An id is never given to another case, and a case never changes its meaning:
// a list of known failures that somebody keeps stays true.
package corpus
