// Package relaxed reads JSON as models and people write it: RFC 8259, and those
// deviations from it that the caller allows, each of which is told. Numbers keep the
// digits they were written with, and keys their order; nothing is ever rounded.
//
//	json, tolerated, err := relaxed.Options{Allow: relaxed.All}.Parse(text)
//
// [Decoder] does the same for text that comes in chunks, [Scanner] reads tokens in
// place, at any split, without allocating. Package protocol reads the bodies of
// calls with it.
package relaxed
