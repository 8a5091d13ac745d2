// Package record keeps what a run has measured, one JSON object a line.
//
// A line stands for one trial: one case, put to one model, in one mode. Its [Key]
// says which, so that a run that was broken off goes on where it stopped, and a
// later line of the same key stands for the earlier one. A line that was cut, as
// the last one may be where a machine lost power, counts as not written. Prompts
// are in it as hashes only, keys never.
package record
