// Package runner judges implementations of the callwire format in any language. It starts
// one as a child process, asks it what the cases of package corpus ask, and compares the
// answers with what they want:
//
//	report, err := runner.Run(ctx, runner.Config{
//		Command: []string{"python3", "callwire.py"},
//		Cases:   corpus.Cases(),
//	})
//	if err != nil {
//		return err // it can't be judged at all
//	}
//	return report.WriteText(os.Stdout)
//
// # Terms
//
// A check is one case under one operation. A parse case gives two checks: op parse reads
// the text whole, and op stream reads it in chunks, once for each cut list of the matrix.
// A check passes if all of its answers are right.
//
// A question is one request, or one stream from its first chunk to its end. A child is
// asked one question at a time, so a breakdown can be blamed on one question.
//
// A breakdown is anything after which a child can't be asked any more: it crashes, doesn't
// answer in time, or writes something that isn't an answer to the request. The runner then
// ends the child and starts another one.
//
// # Independence
//
// The package imports only corpus from this module. It doesn't read calls itself. It compares
// answers as JSON, digit by digit.
package runner
