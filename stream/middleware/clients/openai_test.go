package clients

import (
	"context"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/callwire/callwire/stream/middleware"
)

// openAI is an application that uses openai-go, with its accumulator.
type openAI struct {
	client  openai.Client
	params  openai.ChatCompletionNewParams
	streams bool
}

// openAIClient returns a client of openai-go.
func openAIClient(url string, r route, o middleware.Options) openai.Client {
	options := []option.RequestOption{
		option.WithBaseURL(url + "/v1"), option.WithAPIKey("key"), option.WithMaxRetries(1), option.WithHTTPClient(client(r, o)),
	}
	if r == byMiddleware {
		options = append(options, option.WithMiddleware(middleware.Middleware(o)))
	}
	return openai.NewClient(options...)
}

func newOpenAI(url string, r route, o middleware.Options, streams bool) conversation {
	c := &openAI{client: openAIClient(url, r, o), streams: streams}
	c.params.Model = "scripted"
	if streams {
		c.params.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	for _, t := range tools {
		c.params.Tools = append(c.params.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: t.name, Description: openai.String(t.description), Parameters: t.members(),
		}))
	}
	return c
}

func (c *openAI) say(text string) {
	c.params.Messages = append(c.params.Messages, openai.UserMessage(text))
}

func (c *openAI) give(results []result) {
	for _, r := range results {
		c.params.Messages = append(c.params.Messages, openai.ToolMessage(r.text, r.id))
	}
}

func (c *openAI) ask() (step, error) {
	answer, err := c.complete()
	var refused *openai.Error
	if errors.As(err, &refused) {
		return step{}, fmt.Errorf("%w: %s", err, refused.Message) // it does not say so itself
	}
	if err != nil && answer != nil && len(answer.Choices) == 1 {
		return step{text: answer.Choices[0].Message.Content}, err
	}
	if err != nil {
		return step{}, err
	}
	if len(answer.Choices) != 1 {
		return step{}, errors.New("not one choice")
	}
	choice := answer.Choices[0]
	c.params.Messages = append(c.params.Messages, choice.Message.ToParam())
	s := step{text: choice.Message.Content, finish: choice.FinishReason, tokens: answer.Usage.CompletionTokens}
	for _, k := range choice.Message.ToolCalls {
		s.calls = append(s.calls, call{k.ID, k.Function.Name, k.Function.Arguments})
	}
	return s, nil
}

// complete returns the answer, accumulated where it is streamed.
func (c *openAI) complete() (*openai.ChatCompletion, error) {
	ctx := context.Background()
	if !c.streams {
		return c.client.Chat.Completions.New(ctx, c.params)
	}
	stream := c.client.Chat.Completions.NewStreaming(ctx, c.params)
	defer stream.Close()
	var all openai.ChatCompletionAccumulator
	finished := 0
	for stream.Next() {
		if !all.AddChunk(stream.Current()) {
			return nil, errors.New("the accumulator refuses a chunk: " + stream.Current().RawJSON())
		}
		if _, ok := all.JustFinishedToolCall(); ok {
			finished++
		}
	}
	if stream.Err() == nil && len(all.Choices) == 1 && finished != len(all.Choices[0].Message.ToolCalls) {
		return nil, errors.New("the accumulator does not see the end of each call")
	}
	return &all.ChatCompletion, stream.Err()
}
