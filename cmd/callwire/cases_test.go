package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// TestCasesJSON reads all cases back.
func TestCasesJSON(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := run([]string{"cases", "--json"}, nil, &stdout, &stderr); code != exitOK {
		t.Fatal(stderr.String())
	}
	d := json.NewDecoder(strings.NewReader(stdout.String()))
	for _, want := range corpus.Cases() {
		var got corpus.Case
		if err := d.Decode(&got); err != nil || got.ID != want.ID || string(got.Text) != string(want.Text) {
			t.Errorf("%s: %v, %+v", want.ID, err, got)
		}
	}
}
