package middleware

import (
	"crypto/sha256"
	"regexp"
	"testing"
)

// TestIDs differ by everything that they are derived from, and by nothing else.
func TestIDs(t *testing.T) {
	seen := make(map[string]bool)
	for _, request := range []string{"1", "2"} {
		x := &exchange{dialect: chatAPI, hash: sha256.Sum256([]byte(request))}
		for _, response := range []string{"", "r", "1/r"} {
			for choice := range 12 {
				for n := range 12 {
					id := x.callID(response, choice, n)
					if seen[id] {
						t.Fatalf("%s twice, for %q %d %d", id, response, choice, n)
					}
					seen[id] = true
					if id != x.callID(response, choice, n) {
						t.Fatal("another id for the same call")
					}
					if !regexp.MustCompile(`^call_[0-9a-f]{24}$`).MatchString(id) {
						t.Fatalf("id %q", id)
					}
				}
			}
		}
	}
}
