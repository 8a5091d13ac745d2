// Package fuzz holds the proofs: generators, the differential harness, property
// tests and native fuzz targets.
//
// # The differential
//
// [Diff] reads a text twice: by the formal grammar with its checker, and by the
// lexer and the parser. Both must say the same of every byte: where text, calls
// and malformed spans are, code and offset of each fault, the leaves of each
// call with kind, span and decoded text, and its untyped JSON. There is no list
// of exceptions. [Split] reads a text in chunks and compares with the text read
// whole.
//
// # Targets
//
// Each target takes (in, cuts []byte), so that both the text and the chunking
// shrink: cuts are the lengths of the chunks, the last chunk takes the rest.
package fuzz
