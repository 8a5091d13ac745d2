package middleware_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/callwire/callwire/stream/middleware"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// One line to adopt: the client's transport. The application asks for tools and
// gets tool calls as it would without; the model has seen and written text.
func Example() {
	model := httptest.NewServer(&scripted.Model{Replies: []scripted.Reply{
		{Text: `Let me look. <call>getWeather location="New York"</call>`},
	}})
	defer model.Close()

	client := &http.Client{Transport: &middleware.Transport{}}

	resp, err := client.Post(model.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{
		"model": "any",
		"tools": [{"type": "function", "function": {"name": "getWeather", "parameters": {
			"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]}}}],
		"messages": [{"role": "user", "content": "How is the weather in New York?"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	var completion struct {
		Choices []struct {
			Message struct {
				Content   string
				ToolCalls []struct {
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	err = json.NewDecoder(resp.Body).Decode(&completion)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply := completion.Choices[0]
	fmt.Printf("text: %q\n", reply.Message.Content)
	for _, call := range reply.Message.ToolCalls {
		fmt.Printf("call: %s %s\n", call.Function.Name, call.Function.Arguments)
	}
	fmt.Println("finish_reason:", reply.FinishReason)
	// Output:
	// text: "Let me look. "
	// call: getWeather {"location":"New York"}
	// finish_reason: tool_calls
}

// Middleware is for SDKs that take a function, such as openai-go and
// anthropic-sdk-go: option.WithMiddleware(middleware.Middleware(options)).
func ExampleMiddleware() {
	intercept := middleware.Middleware(middleware.Options{
		OnRewrite: func(_ *http.Request, r middleware.Rewrite) {
			if r.Stage == middleware.Call {
				fmt.Printf("%s: %s\n", r.Stage, r.Before)
			}
		},
	})
	model := &scripted.Model{Replies: []scripted.Reply{{Text: `<call>getTime zone='Europe/Rome'</call>`}}}
	req, err := http.NewRequest("POST", "http://model/v1/messages", strings.NewReader(`{
		"model": "any", "max_tokens": 100,
		"tools": [{"name": "getTime", "input_schema": {"type": "object", "properties": {"zone": {"type": "string"}}}}],
		"messages": [{"role": "user", "content": "How late is it in Rome?"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := intercept(req, model.RoundTrip)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	var message struct {
		Content []struct {
			Type, Name string
			Input      json.RawMessage
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&message); err != nil {
		fmt.Println(err)
	}
	for _, block := range message.Content {
		fmt.Printf("%s: %s %s\n", block.Type, block.Name, block.Input)
	}
	// Output:
	// call: <call>getTime zone='Europe/Rome'</call>
	// tool_use: getTime {"zone":"Europe/Rome"}
}
