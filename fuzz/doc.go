// Package fuzz holds the proofs: generators, the differential harness, property
// tests and native fuzz targets. README.md lists what is claimed, and the test,
// the target and the command that check it.
//
// # Readers
//
// The lexer, the parser and the decoder read through one interface, [Reader],
// into one normal form, [Part], in which it does not show where chunks end. While
// they read, what must hold at every step is checked.
//
// # The differential
//
// [Diff] reads a text twice: by the formal grammar with its checker, and by the
// lexer and the parser. Both must say the same of every byte: where text, calls
// and malformed spans are, code and offset of each fault, the leaves of each
// call with kind, span and decoded text, and its untyped JSON. There is no list
// of exceptions.
//
// # Generators
//
// Every generator is a plain function of a [Source] of choices, which are random
// numbers, what rapid draws and shrinks, or the bytes of a native target.
//
// # Targets
//
// Each native target takes two or three byte slices, a text and the lengths of its
// chunks in most, so that both shrink.
package fuzz
