// Command mutate measures the tests: it makes the sources of a package wrong in
// one place at a time and counts how many of these mutants the tests kill. No
// file is touched: a mutant exists only in the overlay of a build.
//
//	go run ./fuzz/mutate                                # all mutants of lexer, parse, stream, sig and manual: days
//	go run ./fuzz/mutate -sample 200 -seed 1            # 200 of each package
//	go run ./fuzz/mutate -for 1h                        # as many as that allows
//	go run ./fuzz/mutate -suite corpus                  # what the corpus alone kills
//	go run ./fuzz/mutate -suite quick -sample 20        # without package fuzz: minutes
//	go run ./fuzz/mutate -only 'Lexer.introduced bool'  # the mutants whose description matches
//	go run ./fuzz/mutate -list                          # the mutants, none run
//
// # Mutants
//
// A mutant is one change of text in one function, of a kind that the table of
// operators lists: a statement left out, a comparison or its boundary, a case, a
// constant, a swapped delimiter, a dropped escape, an event one byte early, a
// condition, an operation. A mutant that does not compile does not count; a build
// that fails for another reason, as on a full disk, ends the run with an error.
//
// They run in the order of a hash of their description and the seed, whatever the
// place, so that the first ones are a sample, and a change to one function leaves
// the sample of the others alone. An interrupt ends a run with what it has.
//
// # Suites
//
// The tests run from cheap to dear, and a mutant is dead with the first that
// fails: those of its package, the corpus, those of lexer, sig, parse and stream,
// package fuzz with a fixed seed, everything else that depends on it. Tests that
// take several times as much of the processor as without a mutant, or more memory
// than they may, count as killing it; time-outs are told apart in the report.
//
// The corpus is judged as a stranger would: the runner of package corpus asks a
// callwire serve that was built with the mutant, about every case, whole and in
// chunks. The suite corpus is this alone, quick ends before package fuzz.
//
// # Reasons
//
// The file reasons.txt says why a mutant that survives may: it does not change
// what the package promises. Reasons are found by function and text, not by line;
// mutants of one function that read alike are numbered in the order of the sources,
// which -list shows at the end of the line, and a reason is for one of them. A reason
// without its mutant is an error, and so is one whose mutant dies.
package main
