package clients

import (
	"context"
	"encoding/json"

	"google.golang.org/genai"

	"github.com/callwire/callwire/stream/middleware"
)

// gemini is an application that uses Google's genai.
type gemini struct {
	client   *genai.Client
	config   genai.GenerateContentConfig
	contents []*genai.Content
	names    map[string]string // of calls, by their ids
	streams  bool
}

func newGemini(url string, r route, o middleware.Options, streams bool) conversation {
	made, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPClient: client(r, o), HTTPOptions: genai.HTTPOptions{BaseURL: url},
	})
	if err != nil {
		panic(err) // of constants
	}
	c := &gemini{client: made, names: make(map[string]string), streams: streams}
	var declared []*genai.FunctionDeclaration
	for _, t := range tools {
		declared = append(declared, &genai.FunctionDeclaration{Name: t.name, Description: t.description, ParametersJsonSchema: t.members()})
	}
	c.config.Tools = []*genai.Tool{{FunctionDeclarations: declared}}
	return c
}

func (c *gemini) say(text string) {
	c.contents = append(c.contents, genai.NewContentFromText(text, genai.RoleUser))
}

func (c *gemini) give(results []result) {
	content := &genai.Content{Role: genai.RoleUser}
	for _, r := range results {
		key := "output"
		if r.failed {
			key = "error"
		}
		content.Parts = append(content.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: r.id, Name: c.names[r.id], Response: map[string]any{key: r.text}}})
	}
	c.contents = append(c.contents, content)
}

func (c *gemini) ask() (s step, err error) {
	content := &genai.Content{Role: genai.RoleModel}
	take := func(answer *genai.GenerateContentResponse) {
		if answer.UsageMetadata != nil {
			s.tokens = int64(answer.UsageMetadata.CandidatesTokenCount)
		}
		for _, candidate := range answer.Candidates {
			if candidate.Content != nil {
				content.Parts = append(content.Parts, candidate.Content.Parts...)
			}
			s.finish += string(candidate.FinishReason)
		}
	}
	if c.streams {
		for answer, err := range c.client.Models.GenerateContentStream(context.Background(), "scripted", c.contents, &c.config) {
			if err != nil {
				return c.step(s, content), err
			}
			take(answer)
		}
	} else {
		answer, err := c.client.Models.GenerateContent(context.Background(), "scripted", c.contents, &c.config)
		if err != nil {
			return s, err
		}
		take(answer)
	}
	c.contents = append(c.contents, content)
	return c.step(s, content), nil
}

// step returns what is in a content.
func (c *gemini) step(s step, content *genai.Content) step {
	for _, p := range content.Parts {
		switch {
		case p.FunctionCall != nil:
			input, err := json.Marshal(p.FunctionCall.Args)
			if err != nil {
				panic(err) // it came out of JSON
			}
			c.names[p.FunctionCall.ID] = p.FunctionCall.Name
			s.calls = append(s.calls, call{p.FunctionCall.ID, p.FunctionCall.Name, string(input)})
		case !p.Thought:
			s.text += p.Text
		}
	}
	return s
}
