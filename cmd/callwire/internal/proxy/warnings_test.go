package proxy

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// What is not constrained is told.
func TestWarns(t *testing.T) {
	var said strings.Builder
	log := slog.New(warnings{newLog(&said, terminal.Screen{}, false, nil)})
	log.Warn("callwire", "problem", "not constrained: \x1b[31m")
	log.With("a", "b").Info("callwire", "problem", "not told")
	if got := said.String(); !strings.HasPrefix(got, "callwire: not constrained: ") || strings.Contains(got, "\x1b") || strings.Contains(got, "not told") {
		t.Errorf("%q", got)
	}
}
