// Package tokens counts what tool calls, and the explanation of tools, cost a
// model in each of the notations that are in use.
//
//	suite, err := bench.Published()
//	report, err := tokens.Measure(suite, tokens.Options{})
//	report.WriteText(os.Stdout, 100)
//
// # What is counted
//
// A call is counted alone, as the text that a model would write, by the
// vocabularies o200k_base and cl100k_base, which are part of the program: nothing
// is downloaded. Every call in the wire format is read back and compared before
// it is counted.
//
// # What is not
//
// How a provider renders native calls for its model is not public, nor whether
// the model writes every byte of the envelope or the service adds some. So the
// saving against native JSON is given in two parts: what the envelope costs, and
// what the arguments do. Only the second one is a property of the notation.
package tokens
