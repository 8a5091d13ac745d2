// Package speed times how fast calls are read, against encoding/json reading the
// equivalent native calls, and against the least that reading can take.
//
//	report, err := speed.Measure(speed.Options{})
//	report.Page().WriteText(os.Stdout, 100)
//
// # How it is measured
//
// A workload is a text, the same on every machine. A cell is a workload that
// arrives in chunks of one size. All readers of a cell take turns in one process,
// many rounds of at least a millisecond each; the ratio of a round is the time of
// the wire format by that of the other reader beside it, so that what else the
// machine does hits both. Time is that of the processor, where the system tells
// it, which is the time of the clock where nothing else runs. A ratio is reported as the median of its rounds with
// their quartiles.
//
// # What is compared
//
// The wire reader is stream.Decoder with every check on and all events taken. The
// JSON readers decode the same calls in native JSON, and the text between them,
// from a reader that gives the same chunk sizes, to raw JSON arguments: nothing
// is unescaped for which wire would do less. IndexByte looks at every < and
// does nothing else; noop is called with each chunk, through an interface, and
// does nothing at all.
package speed
