package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/callwire/callwire/internal/rawjson"
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
	show   func(line)
	step   int
}

// chatRequest is what the application sends.
type chatRequest struct {
	Model    string          `json:"model"`
	Messages []chatMessage   `json:"messages"`
	Tools    json.RawMessage `json:"tools"`
}

// manySteps bounds the loop.
const manySteps = 10

// answer loops until the model answers without a call.
func (a *agent) answer(question string) error {
	request := chatRequest{Model: "scripted", Tools: a.tools}
	fresh := []chatMessage{{Role: "user", Content: question}}
	for range manySteps {
		request.Messages = append(request.Messages, fresh...)
		a.step++
		a.show(line{Kind: "application-sends", Messages: fresh,
			Tools: len(rawjson.ParseArray(a.tools))})
		answer, finish, err := a.ask(request)
		if err != nil {
			return err
		}
		a.show(line{Kind: "application-gets", Text: answer.Content, Calls: answer.ToolCalls,
			Finish: finish})
		fresh = []chatMessage{answer}
		for _, call := range answer.ToolCalls {
			result, err := a.run(call.Function.Name, []byte(call.Function.Arguments))
			if err != nil {
				result = "error: " + err.Error()
			}
			a.show(line{Kind: "tool-returns", ID: call.ID, Result: result, Failed: err != nil,
				tool: call.Function.Name})
			fresh = append(fresh, chatMessage{Role: "tool", Content: result, ToolCallID: call.ID})
		}
		if len(answer.ToolCalls) == 0 {
			return nil
		}
	}
	return fmt.Errorf("the model did not finish within %d steps", manySteps)
}

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
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, "", err
	}
	var completion struct {
		Choices []struct {
			Message      chatMessage
			FinishReason string `json:"finish_reason"`
		}
	}
	err = json.Unmarshal(text, &completion)
	if err != nil || response.StatusCode != http.StatusOK || len(completion.Choices) == 0 {
		return answer, "", fmt.Errorf("%s: %s", response.Status, text)
	}
	first := completion.Choices[0]
	for i := range first.Message.ToolCalls {
		first.Message.ToolCalls[i].Index = i
	}
	return first.Message, first.FinishReason, nil
}
