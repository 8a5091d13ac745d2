package clients

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/sashabaranov/go-openai"

	"github.com/callwire/callwire/stream/middleware"
)

// goOpenAI is an application that uses go-openai, which has no accumulator.
type goOpenAI struct {
	client  *openai.Client
	request openai.ChatCompletionRequest
	streams bool
}

func newGoOpenAI(url string, r route, o middleware.Options, streams bool) conversation {
	config := openai.DefaultConfig("key")
	config.BaseURL = url + "/v1"
	config.HTTPClient = client(r, o)
	config.EmptyMessagesLimit = 1 << 20 // lines between two chunks: a comment with each piece of a call is many
	c := &goOpenAI{client: openai.NewClientWithConfig(config), streams: streams}
	c.request.Model = "scripted"
	if streams {
		c.request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	for _, t := range tools {
		c.request.Tools = append(c.request.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: t.name, Description: t.description, Parameters: json.RawMessage(t.schema),
		}})
	}
	return c
}

func (c *goOpenAI) say(text string) {
	c.request.Messages = append(c.request.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: text})
}

func (c *goOpenAI) give(results []result) {
	for _, r := range results {
		c.request.Messages = append(c.request.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, Content: r.text, ToolCallID: r.id})
	}
}

func (c *goOpenAI) ask() (step, error) {
	message, s, err := c.complete()
	s.text = message.Content
	if err != nil {
		return s, err
	}
	c.request.Messages = append(c.request.Messages, message)
	for _, k := range message.ToolCalls {
		s.calls = append(s.calls, call{k.ID, k.Function.Name, k.Function.Arguments})
	}
	return s, nil
}

// complete returns the answer, put together as applications do it.
func (c *goOpenAI) complete() (message openai.ChatCompletionMessage, s step, err error) {
	ctx := context.Background()
	if !c.streams {
		answer, err := c.client.CreateChatCompletion(ctx, c.request)
		if err != nil {
			return message, s, err
		}
		s.finish, s.tokens = string(answer.Choices[0].FinishReason), int64(answer.Usage.CompletionTokens)
		return answer.Choices[0].Message, s, nil
	}
	stream, err := c.client.CreateChatCompletionStream(ctx, c.request)
	if err != nil {
		return message, s, err
	}
	defer stream.Close()
	message.Role = openai.ChatMessageRoleAssistant
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return message, s, nil
		}
		if err != nil {
			return message, s, err
		}
		if chunk.Usage != nil {
			s.tokens += int64(chunk.Usage.CompletionTokens)
		}
		for _, choice := range chunk.Choices {
			message.Content += choice.Delta.Content
			s.finish += string(choice.FinishReason)
			for _, k := range choice.Delta.ToolCalls {
				if *k.Index == len(message.ToolCalls) {
					message.ToolCalls = append(message.ToolCalls, openai.ToolCall{ID: k.ID, Type: k.Type})
				}
				function := &message.ToolCalls[*k.Index].Function
				function.Name += k.Function.Name
				function.Arguments += k.Function.Arguments
			}
		}
	}
}
