package middleware

import (
	"testing"
)

// TestHighSurrogate: half of a pair is found only at the end of a string, and only if it
// is an escape.
func TestHighSurrogate(t *testing.T) {
	for quoted, want := range map[string]string{
		`"\ud83d"`:       `\ud83d`,
		`"x\uD83D"`:      `\uD83D`,
		`"\\\ud83d"`:     `\ud83d`,
		`"\\ud83d"`:      "",
		`"\ud83d\ude00"`: "",
		`"\u0041"`:       "",
		`"ud83d"`:        "",
		`"\ud83d."`:      "",
		`""`:             "",
	} {
		if got := string(highSurrogate([]byte(quoted))); got != want {
			t.Errorf("%s: %q, want %q", quoted, got, want)
		}
	}
}
