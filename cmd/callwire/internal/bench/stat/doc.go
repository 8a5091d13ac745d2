// Package stat says how sure one can be of the figures of a benchmark.
//
// The cases of a benchmark are a sample; what is repeated within a case is not
// independent. So intervals and tests look at one mean for each case and
// resample cases, never trials. All of it is deterministic.
package stat
