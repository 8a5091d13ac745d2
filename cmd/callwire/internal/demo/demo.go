// Package demo is the demonstration of the whole round trip: an agent loop (agent.go), the
// middleware, and a scripted model (script.go), each seen from the other side. It is shown
// to people (page.go) or to programs.
package demo

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/turns"
	"github.com/callwire/callwire/stream/middleware"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// rhythm is the time between two words of the model.
const rhythm = 30 * time.Millisecond

// A line is one thing that happens on either side of the middleware, as programs see it.
type line struct {
	Step     int               `json:"step"`
	Kind     string            `json:"kind"`
	Messages []json.RawMessage `json:"messages,omitempty"` // application-sends: the new ones
	Tools    int               `json:"tools,omitempty"`
	Turns    []turns.Turn      `json:"turns,omitempty"` // model-sees
	Text     string            `json:"text,omitempty"`  // model-writes, application-gets
	Calls    []json.RawMessage `json:"tool_calls,omitempty"`
	Finish   string            `json:"finish_reason,omitempty"`
	ID       string            `json:"tool_call_id,omitempty"` // tool-returns
	Result   string            `json:"result,omitempty"`
	Failed   bool              `json:"failed,omitempty"`

	tool string // tool-returns
}

// Page shows the demonstration to people. On a terminal the model takes its time, unless fast is
// set.
func Page(out io.Writer, s terminal.Screen, fast bool) error {
	page := &page{Screen: s, out: bufio.NewWriter(out)}
	if s.Redraw && !fast {
		page.pause = rhythm
	}
	err := play(page.show)
	if err != nil {
		return err
	}
	page.end()
	return page.out.Flush()
}

// Lines shows the demonstration to programs: one JSON object in a line.
func Lines(out io.Writer) error {
	w := bufio.NewWriter(out)
	enc := jsonl.NewEncoder(w)
	err := play(func(l line) { enc.Encode(l) })
	if err != nil {
		return err
	}
	return w.Flush()
}

// play plays the demonstration, and shows all that happens.
func play(show func(line)) error {
	var a agent
	a.show = func(l line) {
		l.Step = a.step
		show(l)
	}
	model := &scripted.Model{Script: func(n int, r scripted.Request) scripted.Reply {
		a.show(line{Kind: "model-sees", Turns: r.Turns()})
		a.show(line{Kind: "model-writes", Text: replies[n]})
		return scripted.Reply{Text: replies[n]}
	}}
	a.client = &http.Client{Transport: &middleware.Transport{Base: model}}
	return a.answer(question)
}
