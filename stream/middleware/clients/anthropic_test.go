package clients

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/callwire/callwire/stream/middleware"
)

// anthropicSDK is an application that uses anthropic-sdk-go, with its
// accumulator.
type anthropicSDK struct {
	client  anthropic.Client
	params  anthropic.MessageNewParams
	streams bool
}

func newAnthropic(url string, r route, o middleware.Options, streams bool) conversation {
	options := []option.RequestOption{
		option.WithBaseURL(url), option.WithAPIKey("key"), option.WithMaxRetries(1), option.WithHTTPClient(client(r, o)),
	}
	if r == byMiddleware {
		options = append(options, option.WithMiddleware(middleware.Middleware(o)))
	}
	c := &anthropicSDK{client: anthropic.NewClient(options...), streams: streams}
	c.params.Model = "scripted"
	c.params.MaxTokens = 1000
	for _, t := range tools {
		m := t.members()
		var required []string
		for _, name := range m["required"].([]any) {
			required = append(required, name.(string))
		}
		c.params.Tools = append(c.params.Tools, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: t.name, Description: anthropic.String(t.description),
			InputSchema: anthropic.ToolInputSchemaParam{Properties: m["properties"], Required: required},
		}})
	}
	return c
}

func (c *anthropicSDK) say(text string) {
	c.params.Messages = append(c.params.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(text)))
}

func (c *anthropicSDK) give(results []result) {
	var blocks []anthropic.ContentBlockParamUnion
	for _, r := range results {
		blocks = append(blocks, anthropic.NewToolResultBlock(r.id, r.text, r.failed))
	}
	c.params.Messages = append(c.params.Messages, anthropic.NewUserMessage(blocks...))
}

func (c *anthropicSDK) ask() (step, error) {
	answer, err := c.complete()
	if answer == nil {
		return step{}, err
	}
	c.params.Messages = append(c.params.Messages, answer.ToParam())
	s := step{finish: string(answer.StopReason), tokens: answer.Usage.OutputTokens}
	for _, block := range answer.Content {
		switch b := block.AsAny().(type) {
		case anthropic.TextBlock:
			s.text += block.Text // which is there before its block has ended
		case anthropic.ToolUseBlock:
			s.calls = append(s.calls, call{b.ID, b.Name, string(b.Input)})
		}
	}
	return s, err
}

// complete returns the answer, accumulated where it is streamed.
func (c *anthropicSDK) complete() (*anthropic.Message, error) {
	ctx := context.Background()
	if !c.streams {
		return c.client.Messages.New(ctx, c.params)
	}
	stream := c.client.Messages.NewStreaming(ctx, c.params)
	defer stream.Close()
	var all anthropic.Message
	for stream.Next() {
		if err := all.Accumulate(stream.Current()); err != nil {
			return nil, err
		}
	}
	return &all, stream.Err()
}
