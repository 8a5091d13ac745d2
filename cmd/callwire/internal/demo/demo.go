// Package demo is the demonstration of the whole round trip: an agent loop (agent.go), the
// middleware, and a scripted model (script.go), each seen from the other side. It is shown
// to people (page.go) or to programs (lines.go).
package demo

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream/middleware"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// rhythm is the time between two words of the model.
const rhythm = 30 * time.Millisecond

// view sees what happens on both sides of the middleware.
type view interface {
	sends(request chatRequest, fresh []chatMessage) // the application
	sees(turns []conversation.Turn)                 // the conversation as the model sees it
	writes(text string)                             // the model
	gets(answer chatMessage, finish string)         // the application
	ran(call chatToolCall, result string, failed bool)
	end()
}

// Page shows the demonstration to people. On a terminal the model takes its time, unless fast is
// set.
func Page(out io.Writer, s terminal.Screen, fast bool) error {
	w := bufio.NewWriter(out)
	page := newPage(w, s)
	if s.Redraw && !fast {
		page.pause = rhythm
	}
	if err := play(page, &host{}); err != nil {
		return err
	}
	return w.Flush()
}

// Lines shows the demonstration to programs: one JSON object in a line.
func Lines(out io.Writer) error {
	w := bufio.NewWriter(out)
	if err := play(&lines{enc: jsonl.NewEncoder(w)}, &host{}); err != nil {
		return err
	}
	return w.Flush()
}

// play plays the demonstration.
func play(shows view, h *host) error {
	model := &scripted.Model{Script: func(n int, r scripted.Request) scripted.Reply {
		shows.sees(conversation.Turns(r.Body))
		shows.writes(replies[n])
		return scripted.Reply{Text: replies[n]}
	}}
	a := agent{
		client: &http.Client{Transport: &middleware.Transport{Base: model}},
		url:    "http://model.invalid/v1/chat/completions",
		tools:  json.RawMessage(strings.ReplaceAll(tools, "\n", "")),
		run:    h.run,
		shows:  shows,
	}
	err := a.answer(question)
	shows.end()
	return err
}
