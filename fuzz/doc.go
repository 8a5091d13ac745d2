// Package fuzz contains generators, the differential harness, property tests and
// native fuzz targets. README.md lists each promise with the test, the target and
// the command that check it.
//
// # Readers
//
// The lexer, the parser and the decoder share an interface, [Reader], and a normal
// form of output, [Part], that does not depend on chunk boundaries. Readers check
// invariants at every step.
//
// # The differential
//
// [Diff] reads a text twice: with the formal grammar and its checker, and with the
// lexer and the parser. Both must agree on every byte: the positions of text, calls
// and malformed spans, the code and offset of each fault, the leaves of each call
// with kind, span and decoded text, and its untyped JSON. There is no list of
// exceptions.
//
// # Generators
//
// Every generator is a plain function of a [Source] of choices: random numbers,
// values that rapid draws and shrinks, or the bytes of a native target.
//
// # Targets
//
// Each native target takes two or three byte slices, usually a text and the lengths
// of its chunks, so that both shrink.
package fuzz
