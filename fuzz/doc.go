// Package fuzz has the promises of reading and writing as a table of properties, which hold for
// every message in every format and under every option:
//
//	s := fuzz.SampleOf(fuzz.Drawn(t), protocol.Hermes)
//	for _, p := range fuzz.Properties {
//		if wrong := p.Check(s); wrong != "" {
//			t.Errorf("%s: %s\n%s", p.Name, s, wrong)
//		}
//	}
//
// [CheckFormat] checks them for a format of your own.
//
// A [Source] makes the choices of all generators: random numbers, values that rapid draws and
// shrinks, or the bytes of a native target. [Diff] compares a reading with that of the formal
// grammar. A [Trip] writes a call and reads it back.
package fuzz
