// Package arm holds the ways to let a model call tools that are compared with each
// other.
//
// An [Arm] is a mode, native or in text, and settings that are not as by default:
// "wire style=classic retries=1". A [Matrix] of modes and settings gives all of
// them, each once. A [Session] is a conversation under an arm: it asks a model,
// reads the calls in its answer, and tells it what became of them, in the way of
// that arm. What a request looks like and how an answer is read is decided here,
// by the packages that applications use: manual and parse.
package arm
