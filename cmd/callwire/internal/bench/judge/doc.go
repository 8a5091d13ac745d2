// Package judge asks another model about calls that were taken for wrong.
//
// Comparing decides first: only misses that made calls are asked about, and what
// the judge says changes no figure of success. It is told apart. The same question
// is asked once: answers are found again by the hash of the question, in the
// records.
package judge
