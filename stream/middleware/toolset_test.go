package middleware

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/manual"
)

// A budget that cannot be kept is reported once for the tools.
func TestBudgetIsTold(t *testing.T) {
	var log strings.Builder
	o := Options{Manual: manual.Options{Budget: 1}, OnRewrite: warnings(&log)}
	transport := &Transport{Base: says("Well.", "Well."), Options: shown(o)}
	for range 2 {
		resp, err := transport.RoundTrip(newRequest(chat, weatherRequest))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	if strings.Count(log.String(), "a budget of 1 tokens cannot be kept") != 1 {
		t.Error(log.String())
	}
}

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
