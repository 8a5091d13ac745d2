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

// agent talks to a model and runs the tools that it calls.
type agent struct {
	client *http.Client
	show   func(line)
	step   int
}

// manySteps bounds the loop.
const manySteps = 10

// answer loops until the model answers without a call.
func (a *agent) answer(question string) error {
	var messages []json.RawMessage
	fresh := []json.RawMessage{message("user", question)}
	for range manySteps {
		messages = append(messages, fresh...)
		a.step++
		a.show(line{Kind: "application-sends", Messages: fresh,
			Tools: len(rawjson.ParseArray(tools))})
		choice, err := a.ask(messages)
		if err != nil {
			return err
		}
		answer := choice.Object("message")
		l := line{Kind: "application-gets", Text: answer.Text("content"),
			Finish: choice.Text("finish_reason")}
		for _, call := range answer.Array("tool_calls") {
			l.Calls = append(l.Calls, call)
		}
		a.show(l)
		if len(l.Calls) == 0 {
			return nil
		}
		fresh = []json.RawMessage{
			message("assistant", l.Text, "tool_calls", answer.Get("tool_calls")),
		}
		for _, call := range l.Calls {
			fresh = append(fresh, a.call(rawjson.ParseObject(call)))
		}
	}
	return fmt.Errorf("the model did not finish within %d steps", manySteps)
}

// call runs a call, and returns the message with the result.
func (a *agent) call(call rawjson.Object) json.RawMessage {
	function, id := call.Object("function"), call.Text("id")
	name := function.Text("name")
	result, err := run(name, []byte(function.Text("arguments")))
	if err != nil {
		result = "error: " + err.Error()
	}
	a.show(line{Kind: "tool-returns", ID: id, Result: result, Failed: err != nil, tool: name})
	return message("tool", result, "tool_call_id", id)
}

func message(role, content string, more ...any) json.RawMessage {
	return rawjson.Make(append([]any{"role", role, "content", content}, more...)...).Append(nil)
}

// ask sends the conversation and returns the choice of the answer.
func (a *agent) ask(messages []json.RawMessage) (rawjson.Object, error) {
	body, err := json.Marshal(map[string]any{
		"model": "scripted", "messages": messages, "tools": json.RawMessage(tools),
	})
	if err != nil {
		return nil, err
	}
	const url = "http://model.invalid/v1/chat/completions"
	response, err := a.client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	choices := rawjson.ParseObject(data).Array("choices")
	if err != nil || response.StatusCode != http.StatusOK || len(choices) == 0 {
		return nil, fmt.Errorf("%s: not a completion: %v", response.Status, err)
	}
	return rawjson.ParseObject(choices[0]), nil
}
