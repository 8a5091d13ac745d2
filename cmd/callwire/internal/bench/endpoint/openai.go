package endpoint

import (
	"encoding/json"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// openAIChunk is an event of a stream, or a whole answer.
type openAIChunk struct {
	Choices []struct {
		Delta, Message struct {
			Content   string
			ToolCalls []struct {
				Index    *int
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
		PromptDetails    struct {
			CachedTokens int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionDetails struct {
			ReasoningTokens int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	Error json.RawMessage
}

// openAI takes in an event of a stream, or a whole answer.
func (r *reading) openAI(data []byte) error {
	var c openAIChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return notJSON(data)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return &Error{Code: Broken, Detail: messageOf(data)}
	}
	if u := c.Usage; u != nil {
		r.reported, r.meaning = true, true
		r.Usage = record.Usage{Input: u.PromptTokens, Output: u.CompletionTokens,
			CacheRead: u.PromptDetails.CachedTokens, Reasoning: u.CompletionDetails.ReasoningTokens}
	}
	if len(c.Choices) == 0 {
		return nil
	}
	choice := c.Choices[0]
	r.meaning = true
	r.text(choice.Delta.Content + choice.Message.Content)
	for _, call := range append(choice.Delta.ToolCalls, choice.Message.ToolCalls...) {
		last := len(r.Calls) - 1
		// A call goes on where the index or, without one, the id is the last one's.
		if last < 0 || call.Index != nil && *call.Index > last || call.Index == nil && call.ID != "" && call.ID != r.Calls[last].ID {
			if last >= 0 {
				r.callDone()
			}
			r.Calls = append(r.Calls, Call{})
			last++
		} else if call.Index != nil && *call.Index >= 0 && *call.Index < last {
			last = *call.Index
		}
		to := &r.Calls[last]
		if call.ID != "" {
			to.ID = call.ID
		}
		to.Name += call.Function.Name
		to.Arguments += call.Function.Arguments
	}
	if choice.FinishReason != "" {
		r.Finish, r.completed = choice.FinishReason, true
		if len(r.Calls) > 0 {
			r.callDone()
		}
	}
	return nil
}
