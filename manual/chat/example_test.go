package chat_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/manual/chat"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

const roomTools = `[
	{"name": "findRooms", "description": "Finds free rooms.", "inputSchema": {"type": "object",
		"properties": {"seats": {"type": "integer"}, "day": {"type": "string"}}, "required": ["seats", "day"]}},
	{"name": "bookRoom", "description": "Books a room.", "inputSchema": {"type": "object",
		"properties": {"room": {"type": "string"}, "title": {"type": "string"}}, "required": ["room", "title"]}}]`

// answer asks a model a question, and runs tools until it calls no more of them.
func answer(catalog *sig.Catalog, question string, ask func([]manual.Message) io.Reader, run func(name string, input []byte) string) error {
	messages := []manual.Message{{Role: manual.User, Parts: []manual.Part{{Text: question}}}}
	conversation, err := chat.New(catalog, messages, nil) // writes the system prompt
	if err != nil {
		return err
	}
	for {
		turn, err := conversation.Reply(ask(conversation.Messages())) // calls and results as text
		if err != nil || turn.Final() {
			return err
		}
		for _, call := range turn.Calls { // Input is complete JSON; call.Issues lists misfits
			conversation.Result(call, run(call.Name, call.Input))
		} // a malformed call is never run; the model learns how to write it correctly
	}
}

// An agent on the library alone: the manual, a stream, calls that are run, their
// results, and feedback on a malformed call, which the model then writes correctly.
// The model is a script behind the HTTP interface of a real one.
func Example_agent() {
	model := &scripted.Model{Replies: []scripted.Reply{
		{Text: "I'll look. <call>findRooms seats = 4 day=tomorrow</call>"},
		{Text: "<call>findRooms seats=4 day=tomorrow</call>"},
		{Text: `<call>bookRoom room=R2 title="Sprint review"</call>`},
		{Text: "R2 is yours."},
	}}
	ask := func(messages []manual.Message) io.Reader { return asked(model, messages) }
	run := func(name string, input []byte) string {
		fmt.Println("run:", name, string(input))
		if name == "findRooms" {
			return `["R2","R7"]`
		}
		return "booked"
	}
	catalog, err := sig.Compile(roomTools) // as MCP, OpenAI, Anthropic or the AI SDK write them
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := answer(catalog, "A room for four tomorrow, please.", ask, run); err != nil {
		fmt.Println(err)
		return
	}
	last := model.Requests()[3]
	for _, turn := range last.Turns()[1:] { // after the manual
		first, _, _ := strings.Cut(turn.Text, "\n")
		fmt.Printf("%s: %s\n", turn.Role, first)
	}
	// Output:
	// run: findRooms {"seats":4,"day":"tomorrow"}
	// run: bookRoom {"room":"R2","title":"Sprint review"}
	// user: A room for four tomorrow, please.
	// assistant: I'll look. <call>findRooms seats = 4 day=tomorrow</call>
	// user: <tool-error name="findRooms">
	// assistant: <call>findRooms seats=4 day=tomorrow</call>
	// user: <tool-result name="findRooms">
	// assistant: <call>bookRoom room=R2 title="Sprint review"</call>
	// user: <tool-result name="bookRoom">
}

// asked asks the model over the interface of chat completions, and returns what it
// writes as it arrives.
func asked(model http.RoundTripper, messages []manual.Message) io.Reader {
	text, written := io.Pipe()
	go func() {
		body, err := json.Marshal(map[string]any{"model": "any", "stream": true, "messages": messages})
		if err != nil {
			written.CloseWithError(err)
			return
		}
		client := &http.Client{Transport: model}
		resp, err := client.Post("http://model.invalid/v1/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			written.CloseWithError(err)
			return
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() {
			var chunk struct {
				Choices []struct{ Delta struct{ Content string } }
			}
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if ok && json.Unmarshal([]byte(data), &chunk) == nil && len(chunk.Choices) > 0 {
				io.WriteString(written, chunk.Choices[0].Delta.Content)
			}
		}
		written.CloseWithError(lines.Err())
	}()
	return text
}
