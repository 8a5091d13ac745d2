package main

import "testing"

// TestBenchDrift: with Salvage nothing is silent and wrong, and without it some is, so
// that the count can fail.
func TestBenchDrift(t *testing.T) {
	r, err := measureDrift()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Forms) < 105 || r.Salvage[wasSilent] != 0 || r.Strict[wasSilent] == 0 {
		t.Errorf("%d forms, %v with Salvage, %v without", len(r.Forms), r.Salvage, r.Strict)
	}
	for _, f := range r.Forms {
		if f.Salvage == wasSilent {
			t.Errorf("%s: %s", f.ID, f.Form)
		}
	}
}
