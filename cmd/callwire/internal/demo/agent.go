package demo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// This file is the application of the demonstration: an ordinary agent loop for OpenAI's chat
// completions. It doesn't know the format.

// chatMessage is a message as the application has it.
type chatMessage struct {
	Role       string         `json:"role"`
	Content    string         `json:"content"`
	ToolCalls  []chatToolCall `json:"tool_calls,omitempty"`
	ToolCallID string         `json:"tool_call_id,omitempty"`
}

// chatToolCall is a native call.
type chatToolCall struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// agent talks to a model and runs the tools that it calls.
type agent struct {
	client *http.Client
	url    string
	tools  json.RawMessage
	run    func(name string, arguments []byte) (string, error)
	shows  agentView
}

// agentView sees what an agent does.
type agentView interface {
	sends(request chatRequest, fresh []chatMessage)
	gets(answer chatMessage, finish string)
	ran(call chatToolCall, result string, failed bool)
}

// chatRequest is what the application sends.
type chatRequest struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	Messages []chatMessage   `json:"messages"`
	Tools    json.RawMessage `json:"tools"`
}

// manySteps bounds the loop.
const manySteps = 10

// answer loops until the model answers without a call, and returns the
// conversation.
func (a *agent) answer(question string) ([]chatMessage, error) {
	request := chatRequest{Model: "scripted", Stream: true, Tools: a.tools}
	fresh := []chatMessage{{Role: "user", Content: question}}
	for range manySteps {
		request.Messages = append(request.Messages, fresh...)
		a.shows.sends(request, fresh)
		answer, finish, err := a.ask(request)
		if err != nil {
			return nil, err
		}
		a.shows.gets(answer, finish)
		fresh = []chatMessage{answer}
		for _, call := range answer.ToolCalls {
			result, err := a.run(call.Function.Name, []byte(call.Function.Arguments))
			if err != nil {
				result = "error: " + err.Error()
			}
			a.shows.ran(call, result, err != nil)
			fresh = append(fresh, chatMessage{Role: "tool", Content: result, ToolCallID: call.ID})
		}
		if len(answer.ToolCalls) == 0 {
			return append(request.Messages, answer), nil
		}
	}
	return nil, fmt.Errorf("the model did not finish within %d steps", manySteps)
}

// ask sends a request and reads the streamed answer.
func (a *agent) ask(request chatRequest) (answer chatMessage, finish string, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return answer, "", err
	}
	response, err := a.client.Post(a.url, "application/json", bytes.NewReader(body))
	if err != nil {
		return answer, "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		return answer, "", fmt.Errorf("%s: %s", response.Status, text)
	}
	answer.Role = "assistant"
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var chunk struct {
			Choices []struct {
				Delta        chatMessage `json:"delta"`
				FinishReason string      `json:"finish_reason"`
			} `json:"choices"`
		}
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			return answer, "", err
		}
		for _, c := range chunk.Choices {
			answer.Content += c.Delta.Content
			finish += c.FinishReason
			for _, call := range c.Delta.ToolCalls {
				answer.add(call)
			}
		}
	}
	return answer, finish, lines.Err()
}

// add adds a piece of a call: its name first, then its arguments.
func (m *chatMessage) add(piece chatToolCall) {
	if piece.Index == len(m.ToolCalls) {
		m.ToolCalls = append(m.ToolCalls, piece)
		return
	}
	m.ToolCalls[piece.Index].Function.Arguments += piece.Function.Arguments
}
