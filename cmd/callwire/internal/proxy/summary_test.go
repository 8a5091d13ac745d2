package proxy

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware"
)

// TestSummary: a request is as long as its tokens or, where nobody counts these, bytes.
func TestSummary(t *testing.T) {
	for want, count := range map[string]func(string) int{
		"2 tokens became 1": func(text string) int { return strings.Count(text, ",") },
		"4 bytes became 3":  nil,
	} {
		var s summary
		s.take(middleware.Rewrite{Stage: middleware.Request, API: "chat", Before: []byte("{,,}"), After: []byte("{,}")}, count)
		if got := s.line(0); !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}
