// Package trial runs the trials of a benchmark: several at once, each once, and
// those that a record has already never again. However it ends, what was measured
// is in the record.
package trial
