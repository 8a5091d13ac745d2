package proxy

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"sync"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
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

func newScreen(out io.Writer, s terminal.Screen) *screen {
	return &screen{Screen: s, out: out, seed: maphash.MakeSeed(), shown: make(map[uint64]bool)}
}

// rewrite shows what was rewritten in a request.
func (s *screen) rewrite(n int64, r middleware.Rewrite) {
	switch r.Stage {
	case middleware.Request:
		title := fmt.Sprintf("%s: %d bytes become %d; the model sees",
			r.API, len(r.Before), len(r.After))
		s.block(n, terminal.Calling, title, s.conversation(r.After)...)
	case middleware.Retry:
		s.block(n, terminal.Doubt, "sent back to the model, which sees", s.conversation(r.After)...)
	case middleware.Load:
		s.block(n, terminal.Calling, "tools are loaded; the model sees", s.conversation(r.After)...)
	case middleware.Untouched:
		s.block(n, terminal.Dim, "sent unchanged: "+r.Reason)
	case middleware.Invented:
		s.block(n, terminal.Doubt, r.Reason)
	case middleware.Call:
		becomes := "becomes " + terminal.Visible(r.After)
		if len(r.Repairs) > 0 {
			becomes += ", repaired: " + strings.Join(r.Repairs, ", ")
		}
		s.block(n, terminal.Calling, terminal.CallMark+string(r.Before), becomes)
	case middleware.Malformed:
		s.block(n, terminal.Wrong, terminal.MalformedMark+string(r.Before),
			visibleLines(r.Reason)...)
	}
}

// block shows a headline with lines under it.
func (s *screen) block(n int64, st terminal.Style, headline string, lines ...string) {
	var b bytes.Buffer
	number := s.Paint(terminal.Dim, fmt.Sprintf("#%d", n))
	fmt.Fprintf(&b, "%s %s\n", number, s.Paint(st, terminal.Visible(headline)))
	for _, line := range lines {
		b.WriteString(terminal.Margin + line + "\n")
	}
	s.out.Write(b.Bytes())
}

// conversation returns the turns of a request in lines. What was shown before isn't
// shown again: conversations grow at their end.
func (s *screen) conversation(body []byte) []string {
	var lines []string
	for _, t := range conversation.Turns(body) {
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
func (s *screen) isNew(t conversation.Turn) bool {
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
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, terminal.Visible(strings.TrimRight(line, "\r\n")))
	}
	return lines
}

// A syncWriter serializes the writes of the log and of the screen.
type syncWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *syncWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}
