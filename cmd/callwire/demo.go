package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream/middleware"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

func newDemo() *cobra.Command {
	var asJSON, fast bool
	color := terminal.ColorAuto
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole round trip of an agent, with a scripted model",
		Long: `demo runs an agent loop and shows each step: what the application sends, what the
model sees, what it writes, and the native tool calls that the application gets.
Between them is the middleware of package stream/middleware, as in callwire proxy.

The model is a script: it needs no key and no network, and writes the same each
time. It calls three tools at once, gets an error, writes a malformed call and
corrects it, and meets a tool result that tries to make it send an email.

--json prints what happens as JSON Lines, for programs.

Exit codes: 0 when all is done, 2 when the command line is wrong.`,
		Example: `  callwire demo
  callwire demo --json | jq -c 'select(.kind == "application-gets")'`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			s := terminal.ScreenOf(cmd.OutOrStdout(), color)
			out := bufio.NewWriter(cmd.OutOrStdout())
			var shows demoView = newDemoPage(out, s)
			if asJSON {
				shows = &demoLines{enc: jsonl.NewEncoder(out), out: out}
			}
			pause := time.Duration(0)
			if s.Redraw && !fast && !asJSON {
				pause = demoPause
			}
			if err := playDemo(shows, &demoHost{}, pause); err != nil {
				return err
			}
			return out.Flush()
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&asJSON, "json", "j", false, "print JSON Lines")
	f.BoolVar(&fast, "fast", false, "do not wait between the words that the model writes")
	f.Var(&color, "color", "when to use color: `auto|always|never`")
	f.SortFlags = false
	return cmd
}

// demoPause is the time between two words of the model.
const demoPause = 30 * time.Millisecond

// demoView sees both sides of the middleware.
type demoView interface {
	agentView
	sees(turns []conversation.Turn) // the conversation as the model sees it
	writes(piece string)            // the next piece of its answer
	wrote()                         // that was all of it
	end()
}

// playDemo plays the demonstration.
func playDemo(shows demoView, host *demoHost, pause time.Duration) error {
	model := &scripted.Model{Replies: demoReplies, Shape: scripted.Shape{Pause: pause}}
	transport := &middleware.Transport{
		Base:    &demoTap{model, shows},
		Options: middleware.Options{},
	}
	a := agent{
		client: &http.Client{Transport: transport},
		url:    "http://model.invalid/v1/chat/completions",
		tools:  json.RawMessage(strings.ReplaceAll(demoTools, "\n", "")),
		run:    host.run,
		shows:  shows,
	}
	_, err := a.answer(demoQuestion)
	shows.end()
	return err
}

// demoTap stands between the middleware and the model.
type demoTap struct {
	model http.RoundTripper
	shows demoView
}

func (t *demoTap) RoundTrip(r *http.Request) (*http.Response, error) {
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
	shows demoView
	line  []byte // that is not complete
}

func (b *tapBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	for _, c := range p[:n] {
		if b.line = append(b.line, c); c == '\n' {
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
