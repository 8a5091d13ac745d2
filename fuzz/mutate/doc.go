// Command mutate measures the tests: it breaks the sources of a package in one place
// at a time and counts how many of these mutants the tests kill. It does not touch
// any file: a mutant exists only in a build overlay.
//
//	go run ./fuzz/mutate                                # all mutants of lexer, parse, stream, sig and manual: days
//	go run ./fuzz/mutate -sample 200 -seed 1            # 200 of each package
//	go run ./fuzz/mutate -for 1h                        # as many as fit in that time
//	go run ./fuzz/mutate -suite corpus                  # what the corpus alone kills
//	go run ./fuzz/mutate -suite quick -sample 20        # without package fuzz: minutes
//	go run ./fuzz/mutate -only 'Lexer.introduced bool'  # the mutants whose description matches
//	go run ./fuzz/mutate -list                          # the mutants, none run
//
// # Mutants
//
// A mutant is one change of text in one function, of a kind in the table of
// operators: a removed statement, a comparison or its boundary, a case, a constant, a
// swapped delimiter, a dropped escape, an event one byte early, a condition, an
// operation. A mutant that does not compile does not count; a build that fails for
// another reason, such as a full disk, ends the run with an error.
//
// They run in the order of a hash of their description and the seed, independent of
// their position, so that the first ones are a sample, and a change to one function
// does not affect the sample of the others. An interrupt ends a run with the results
// so far.
//
// # Suites
//
// The tests run from cheap to expensive, and the first that fails kills the mutant:
// those of its package, the corpus, those of lexer, sig, parse and stream, package
// fuzz with a fixed seed, everything else that depends on it. Tests that take several
// times as much CPU time as without a mutant, or too much memory, count as killing it;
// the report lists time-outs separately.
//
// The corpus is checked from outside: the runner of package corpus asks a callwire
// serve that was built with the mutant about every case, whole and in chunks. The suite
// corpus is only this; quick stops before package fuzz.
//
// # Reasons
//
// The file reasons.txt explains why a mutant may survive: it does not break a promise of
// the package. Reasons are matched by function and text, not by line; mutants of one
// function with the same text are numbered in source order, as -list shows at the end of
// the line, and a reason is for one of them. A reason without a mutant is an error, and
// so is one whose mutant is killed.
package main
