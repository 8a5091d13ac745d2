// Package relaxed reads JSON as models and people write it: RFC 8259, and those
// deviations from it that the caller allows, each of which is told. Numbers keep the
// digits they were written with, and keys their order; nothing is ever rounded.
//
//	json, tolerated, err := relaxed.Options{Allow: relaxed.All}.Parse(text)
//
// Of JSON5 it refuses, whatever is allowed, numbers that JSON does not have (0x1F, +1, .5,
// 5., Infinity, NaN: their digits could not be kept), white space that JSON does not have,
// and escapes in bare keys. The escapes of JSON5 alone (\x41, \v, \0, a backslash before a
// line end) are not decoded: under LooseEscapes they are text.
//
// [Decoder] does the same for text that comes in chunks, [Scanner] reads tokens in
// place, at any split, without allocating. Package protocol reads the bodies of
// calls with it.
package relaxed
