package fuzz

import (
	"testing"

	"github.com/callwire/callwire/internal/engine"
)

// TestLinearWork counts the steps of reading what is expensive for a careless reader: twice the
// text takes at most 2.2 times the work, at any size of chunks.
func TestLinearWork(t *testing.T) {
	const n = 1 << 13
	for i, a := range Adversaries {
		if !*long && i%6 != 0 {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			for _, s := range a.Setups() {
				for _, size := range []int{1, 61, 4096} {
					once, twice := steps(t, s, a.Text(n), size), steps(t, s, a.Text(2*n), size)
					if float64(twice) > 2.2*float64(once)+2000 {
						t.Errorf("chunks of %d, %+v: %d steps, twice the text %d", size, s.Options, once, twice)
					}
				}
			}
		})
	}
}

// steps returns the work of reading a text in chunks of one size.
func steps(t *testing.T, s Setup, text string, size int) int {
	t.Helper()
	p, err := engine.NewParser(s.Catalog, &engine.Options{
		Format: s.Format, Tags: s.Tags, Limits: s.Limits, Strict: s.Strict, Repair: s.Repair,
		AllowAfterMalformed: s.AllowAfterMalformed,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Sized([]byte(text), size) {
		p.Feed(c)
	}
	p.Close()
	return p.Steps()
}
