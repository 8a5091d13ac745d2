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

// view sees both sides of the middleware.
type view interface {
	agentView
	sees(turns []conversation.Turn) // the conversation as the model sees it
	writes(piece string)            // the next piece of its answer
	wrote()                         // that was all of it
	end()
}

// Page shows the demonstration to people. On a terminal the model takes its time, unless
// it is to be fast.
func Page(out io.Writer, s terminal.Screen, fast bool) error {
	pause := rhythm
	if fast || !s.Redraw {
		pause = 0
	}
	w := bufio.NewWriter(out)
	if err := play(newPage(w, s), &host{}, pause); err != nil {
		return err
	}
	return w.Flush()
}

// Lines shows the demonstration to programs: one JSON object in a line.
func Lines(out io.Writer) error {
	w := bufio.NewWriter(out)
	if err := play(&lines{enc: jsonl.NewEncoder(w), out: w}, &host{}, 0); err != nil {
		return err
	}
	return w.Flush()
}

// play plays the demonstration.
func play(shows view, h *host, pause time.Duration) error {
	model := &scripted.Model{Replies: replies, Shape: scripted.Shape{Pause: pause}}
	transport := &middleware.Transport{
		Base:    &tap{model, shows},
		Options: middleware.Options{},
	}
	a := agent{
		client: &http.Client{Transport: transport},
		url:    "http://model.invalid/v1/chat/completions",
		tools:  json.RawMessage(strings.ReplaceAll(tools, "\n", "")),
		run:    h.run,
		shows:  shows,
	}
	_, err := a.answer(question)
	shows.end()
	return err
}

// tap is between the middleware and the model.
type tap struct {
	model http.RoundTripper
	shows view
}

func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	t.shows.sees(conversation.Turns(body))
	out := r.Clone(r.Context())
	out.Body = io.NopCloser(strings.NewReader(string(body)))
	answer, err := t.model.RoundTrip(out)
	if err == nil {
		answer.Body = &tapBody{ReadCloser: answer.Body, shows: t.shows}
	}
	return answer, err
}

// tapBody shows what a model writes while it is read.
type tapBody struct {
	io.ReadCloser
	shows view
	line  []byte // that is not complete
}

func (b *tapBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	for _, c := range p[:n] {
		b.line = append(b.line, c)
		if c == '\n' {
			b.show()
		}
	}
	return n, err
}

// show shows the line that is complete.
func (b *tapBody) show() {
	data, ok := strings.CutPrefix(strings.TrimSpace(string(b.line)), "data: ")
	b.line = b.line[:0]
	if !ok {
		return
	}
	var chunk struct {
		Choices []struct{ Delta struct{ Content string } }
	}
	if json.Unmarshal([]byte(data), &chunk) == nil {
		for _, c := range chunk.Choices {
			b.shows.writes(c.Delta.Content)
		}
	}
	if data == "[DONE]" {
		b.shows.wrote()
	}
}
