package clients

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/callwire/callwire/stream/middleware"
)

// openAIResponses is an application that uses openai-go with responses.
type openAIResponses struct {
	client  openai.Client
	params  responses.ResponseNewParams
	items   responses.ResponseInputParam
	streams bool
}

func newOpenAIResponses(url string, r route, o middleware.Options, streams bool) conversation {
	c := &openAIResponses{client: openAIClient(url, r, o), streams: streams}
	c.params.Model = "scripted"
	for _, t := range tools {
		c.params.Tools = append(c.params.Tools, responses.ToolUnionParam{OfFunction: &responses.FunctionToolParam{
			Name: t.name, Description: openai.String(t.description), Parameters: t.members(), Strict: openai.Bool(false),
		}})
	}
	return c
}

func (c *openAIResponses) say(text string) {
	c.items = append(c.items, responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser))
}

func (c *openAIResponses) give(results []result) {
	for _, r := range results {
		item := responses.ResponseInputItemFunctionCallOutputParam{CallID: openai.String(r.id)}
		item.Output.OfString = openai.String(r.text)
		c.items = append(c.items, responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &item})
	}
}

func (c *openAIResponses) ask() (step, error) {
	c.params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: c.items}
	answer, said, err := c.respond()
	var refused *openai.Error
	if errors.As(err, &refused) {
		return step{}, fmt.Errorf("%w: %s", err, refused.Message) // it does not say so itself
	}
	if err != nil {
		return step{text: said}, err
	}
	s := step{text: answer.OutputText(), finish: string(answer.Status), tokens: answer.Usage.OutputTokens}
	if c.streams && said != s.text {
		return step{}, fmt.Errorf("the deltas are %q, the text is %q", said, s.text)
	}
	for _, item := range answer.Output {
		c.items = append(c.items, param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(item.RawJSON())))
		if item.Type == "function_call" {
			k := item.AsFunctionCall()
			s.calls = append(s.calls, call{k.CallID, k.Name, k.Arguments})
		}
	}
	return s, nil
}

// respond returns the response, and the text that came in pieces.
func (c *openAIResponses) respond() (answer *responses.Response, said string, err error) {
	ctx := context.Background()
	if !c.streams {
		answer, err = c.client.Responses.New(ctx, c.params)
		return answer, "", err
	}
	stream := c.client.Responses.NewStreaming(ctx, c.params)
	defer stream.Close()
	for stream.Next() {
		switch e := stream.Current(); e.Type {
		case "response.output_text.delta":
			said += e.Delta
		case "response.completed":
			done := e.AsResponseCompleted().Response
			answer = &done
		case "error":
			return nil, said, errors.New(e.Message)
		}
	}
	if err := stream.Err(); err != nil || answer == nil {
		return nil, said, errors.Join(err, errors.New("no end"))
	}
	return answer, said, nil
}
