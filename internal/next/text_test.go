package next

import (
	"strings"
	"testing"
)

// Near misses and openers of other formats, in the cases where nothing is repaired.
func TestNearMisses(t *testing.T) {
	judge(t, unrepaired(load(t, cases+"*.json")))
}

func unrepaired(list []testCase) []testCase {
	var kept []testCase
	for _, c := range list {
		if c.Options["salvage"] != true {
			continue
		}
		if s := strings.Join(wantLines(c.Want.Events), " "); strings.Contains(s, "!repaired") || strings.Contains(s, "!doubtful") {
			continue
		}
		delete(c.Options, "salvage")
		c.Options["repair"] = true
		kept = append(kept, c)
	}
	return kept
}
