package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	tools  json.RawMessage
	run    func(name string, arguments []byte) (string, error)
	show   func(line)
	step   int
}

// manySteps bounds the loop.
const manySteps = 10

// answer loops until the model answers without a call.
func (a *agent) answer(question string) error {
	var messages []chatMessage
	fresh := []chatMessage{{Role: "user", Content: question}}
	for range manySteps {
		messages = append(messages, fresh...)
		a.step++
		a.show(line{Kind: "application-sends", Messages: fresh,
			Tools: len(rawjson.ParseArray(a.tools))})
		answer, finish, err := a.ask(messages)
		if err != nil {
			return err
		}
		a.show(line{Kind: "application-gets", Text: answer.Content, Calls: answer.ToolCalls,
			Finish: finish})
		if len(answer.ToolCalls) == 0 {
			return nil
		}
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
	}
	return fmt.Errorf("the model did not finish within %d steps", manySteps)
}

// ask sends the conversation and reads the answer.
func (a *agent) ask(messages []chatMessage) (answer chatMessage, finish string, err error) {
	request := map[string]any{"model": "scripted", "messages": messages, "tools": a.tools}
	body, err := json.Marshal(request)
	if err != nil {
		return answer, "", err
	}
	const url = "http://model.invalid/v1/chat/completions"
	response, err := a.client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return answer, "", err
	}
	defer response.Body.Close()
	var completion struct {
		Choices []struct {
			Message      chatMessage
			FinishReason string `json:"finish_reason"`
		}
	}
	err = json.NewDecoder(response.Body).Decode(&completion)
	if err != nil || response.StatusCode != http.StatusOK || len(completion.Choices) == 0 {
		return answer, "", fmt.Errorf("%s: not a completion: %v", response.Status, err)
	}
	first := completion.Choices[0]
	for i := range first.Message.ToolCalls {
		first.Message.ToolCalls[i].Index = i
	}
	return first.Message, first.FinishReason, nil
}
