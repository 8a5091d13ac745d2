// Package runner judges implementations of the callwire format, in whatever
// language they are written. It starts one as a child process, asks it what the
// cases of package corpus ask, and compares the answers with what they want:
//
//	report, err := runner.Run(ctx, runner.Config{
//		Command: []string{"python3", "callwire.py"},
//		Cases:   corpus.Cases(),
//	})
//
// # Terminology
//
// A check is one case under one operation. A format case gives one check. A
// parse case gives two: op parse reads the text whole, and op stream reads it in
// chunks, once for each cut list of the [Matrix]. A check passes if all of its
// answers are right.
//
// A breakdown is anything after which a child cannot be asked on: it crashes, it
// does not answer in time, or what it writes is no answer to the request that is
// due. The child is ended then and another one started.
//
// # Independence
//
// The package imports no other package of this module but corpus. It reads no
// call itself: the answers are compared as JSON, digit by digit.
package runner
