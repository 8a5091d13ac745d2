package proxy

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"sync"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/turns"
	"github.com/callwire/callwire/stream/middleware"
)

// A screen shows conversations to people, as the model sees them.
type screen struct {
	terminal.Screen
	out  io.Writer
	seed maphash.Seed

	mu    sync.Mutex
	shown map[uint64]bool // turns that were shown in full
}

// manyTurns is how many turns are remembered.
const manyTurns = 4096

// rewrite shows what was rewritten in a request: a headline, with lines under it.
func (s *screen) rewrite(n int64, r middleware.Rewrite) {
	style, headline := terminal.Calling, ""
	var lines []string
	switch r.Stage {
	case middleware.Request:
		headline = fmt.Sprintf("%s: %d bytes become %d; the model sees",
			r.API, len(r.Before), len(r.After))
		lines = s.conversation(r.After)
	case middleware.Retry:
		style, headline = terminal.Doubt, "sent back to the model, which sees"
		lines = s.conversation(r.After)
	case middleware.Load:
		headline = "tools are loaded; the model sees"
		lines = s.conversation(r.After)
	case middleware.Untouched:
		style, headline = terminal.Dim, "sent unchanged: "+r.Reason
	case middleware.Invented:
		style, headline = terminal.Doubt, r.Reason
	case middleware.Call:
		headline = terminal.CallMark + string(r.Before)
		lines = []string{"becomes " + terminal.Visible(r.After)}
		if len(r.Repairs) > 0 {
			lines[0] += ", repaired: " + strings.Join(r.Repairs, ", ")
		}
	case middleware.Malformed:
		style, headline = terminal.Wrong, terminal.MalformedMark+string(r.Before)
		lines = visibleLines(r.Reason)
	default:
		return
	}
	var b bytes.Buffer
	number := s.Paint(terminal.Dim, fmt.Sprintf("#%d", n))
	fmt.Fprintf(&b, "%s %s\n", number, s.Paint(style, terminal.Visible(headline)))
	for _, line := range lines {
		b.WriteString(terminal.Margin + line + "\n")
	}
	s.out.Write(b.Bytes())
}

// conversation returns the turns of a request in lines. What was shown before isn't
// shown again: conversations grow at their end.
func (s *screen) conversation(body []byte) []string {
	var lines []string
	for _, t := range turns.Of(body) {
		role := fmt.Sprintf("%-9s ", terminal.Visible(t.Role))
		if !s.isNew(t) {
			size := terminal.Count(len(t.Text), "byte")
			lines = append(lines, s.Paint(terminal.Dim, role+"│ as before, "+size))
			continue
		}
		for _, text := range visibleLines(t.Text) {
			line := strings.TrimRight(s.Paint(terminal.Dim, "│")+" "+text, " ")
			lines = append(lines, s.Paint(terminal.Key, role)+line)
			role = strings.Repeat(" ", len(role))
		}
	}
	return lines
}

// isNew reports whether a turn was not shown yet, and remembers it.
func (s *screen) isNew(t turns.Turn) bool {
	sum := maphash.Comparable(s.seed, t)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown[sum] {
		return false
	}
	if len(s.shown) == manyTurns {
		clear(s.shown)
	}
	s.shown[sum] = true
	return true
}

// visibleLines returns the lines of text as they are safe to print.
func visibleLines(text string) []string {
	return strings.Split(strings.TrimSuffix(terminal.VisibleText(text), "\n"), "\n")
}
