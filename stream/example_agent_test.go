package stream_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

const roomTools = `[
	{"name": "findRooms", "description": "Finds free rooms.", "inputSchema": {"type": "object",
		"properties": {"seats": {"type": "integer"}, "day": {"type": "string"}}, "required": ["seats", "day"]}},
	{"name": "bookRoom", "description": "Books a room.", "inputSchema": {"type": "object",
		"properties": {"room": {"type": "string"}, "title": {"type": "string"}}, "required": ["room", "title"]}}]`

// agent is an application with tools and a model that writes text: no middleware
// is between them.
type agent struct {
	ask func(messages []manual.Message) io.Reader // sends messages to the model and streams its answer
	run func(name string, input []byte) string    // runs a tool and returns its result
}

// answer runs the loop until the model calls no more tools, and returns the
// conversation, with tool results and feedback on malformed calls in it.
func (a agent) answer(tools any, question string) ([]manual.Message, error) {
	catalog, err := sig.Compile(tools) // as MCP, OpenAI, Anthropic or the AI SDK write them
	if err != nil {
		return nil, err
	}
	history := manual.HistoryOptions{Manual: manual.Render(catalog, manual.Options{})} // the system prompt
	conversation := []manual.Message{{Role: manual.User, Parts: []manual.Part{{Text: question}}}}
	for {
		messages, err := history.Rewrite(catalog, conversation) // calls and results as text
		if err != nil {
			return nil, err
		}
		reply, results := manual.Message{Role: manual.Assistant}, manual.Message{Role: manual.User}
		options := stream.Options{Options: parse.Options{StopAfterMalformed: true}}
		for event, err := range stream.Events(a.ask(messages), catalog, options) {
			if err != nil {
				return conversation, err
			}
			switch event.Type {
			case stream.TextDelta: // prose, to show at once
				appendText(&reply, event.Delta)
			case stream.ToolCall: // Input is complete JSON, typed by the schema
				input := bytes.Clone(event.Input)
				reply.Parts = append(reply.Parts, manual.Part{Kind: manual.Call, ID: event.ID, Name: event.Name, Input: input})
				results.Parts = append(results.Parts, manual.Part{Kind: manual.Result, ID: event.ID, Text: a.run(event.Name, input)})
			case stream.Malformed: // never run; the model learns how to write it correctly
				appendText(&reply, event.Segment.Text)
				results.Parts = append(results.Parts, manual.Part{Kind: manual.Feedback, ID: event.ID, Text: manual.Options{}.Feedback(catalog, *event.Segment)})
			}
		}
		conversation = append(conversation, reply)
		if len(results.Parts) == 0 {
			return conversation, nil
		}
		conversation = append(conversation, results)
	}
}

// appendText adds text to a message.
func appendText(m *manual.Message, text []byte) {
	if last := len(m.Parts) - 1; last >= 0 && m.Parts[last].Kind == manual.Text {
		m.Parts[last].Text += string(text)
		return
	}
	m.Parts = append(m.Parts, manual.Part{Text: string(text)})
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
	a := agent{
		ask: func(messages []manual.Message) io.Reader { return asked(model, messages) },
		run: func(name string, input []byte) string {
			fmt.Println("run:", name, string(input))
			if name == "findRooms" {
				return `["R2","R7"]`
			}
			return "booked"
		},
	}
	if _, err := a.answer(roomTools, "A room for four tomorrow, please."); err != nil {
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
