package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// answer is what a model answers.
type answer struct {
	Raw
	usage     Usage
	firstByte time.Duration // since the request was sent
	firstCall time.Duration // to the end of the first native call; 0 without one
	total     time.Duration
	scripted  bool // no model answered, but a program of this package

	since    func() time.Duration
	watch    func(delta string) // sees text as it arrives
	counted  bool               // the provider has counted tokens
	meaning  bool               // something of the answer was understood
	complete bool
}

func (a *answer) addText(delta string) {
	a.Text += delta
	if a.watch != nil && delta != "" {
		a.watch(delta)
	}
}

// endCall ends a native call.
func (a *answer) endCall() {
	if a.firstCall == 0 && len(a.Calls) > 0 {
		a.firstCall = a.since()
	}
}

// openAIChunk is an event of a stream, or a complete answer.
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

// openAI reads an event or a complete answer of chat completions.
func (a *answer) openAI(data []byte) error {
	var c openAIChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return notAPI(data)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return &Error{Code: Broken, Detail: messageOf(data)}
	}
	if u := c.Usage; u != nil {
		a.counted, a.meaning = true, true
		a.usage = Usage{Input: u.PromptTokens, Output: u.CompletionTokens,
			CacheRead: u.PromptDetails.CachedTokens, Reasoning: u.CompletionDetails.ReasoningTokens}
	}
	if len(c.Choices) == 0 {
		return nil
	}
	choice := c.Choices[0]
	a.meaning = true
	a.addText(choice.Delta.Content + choice.Message.Content)
	for _, call := range append(choice.Delta.ToolCalls, choice.Message.ToolCalls...) {
		// A call continues if the index or, without one, the id is that of the last.
		i := len(a.Calls) - 1
		continues := i >= 0 && (call.ID == "" || call.ID == a.Calls[i].ID)
		if call.Index != nil {
			continues = *call.Index >= 0 && *call.Index <= i
			i = *call.Index
		}
		if !continues {
			a.endCall()
			a.Calls = append(a.Calls, RawCall{})
			i = len(a.Calls) - 1
		}
		to := &a.Calls[i]
		if call.ID != "" {
			to.ID = call.ID
		}
		to.Name += call.Function.Name
		to.Arguments += call.Function.Arguments
	}
	if choice.FinishReason != "" {
		a.Finish, a.complete = choice.FinishReason, true
		a.endCall()
	}
	return nil
}

// anthropicBlock is a block of content.
type anthropicBlock struct {
	Type, Text, ID, Name string
	Input                json.RawMessage
}

type anthropicUsage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
	CacheWrite   int `json:"cache_creation_input_tokens"`
	CacheRead    int `json:"cache_read_input_tokens"`
}

// anthropicEvent is an event of a stream, or a complete answer.
type anthropicEvent struct {
	Type    string
	Message struct{ Usage anthropicUsage }
	Block   anthropicBlock `json:"content_block"`
	Delta   struct {
		Text        string
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	}
	Usage anthropicUsage

	Content    []anthropicBlock
	StopReason string `json:"stop_reason"`
}

// anthropic reads an event or a complete answer of messages.
func (a *answer) anthropic(data []byte) error {
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return notAPI(data)
	}
	if e.Type == "error" {
		return &Error{Code: Broken, Detail: messageOf(data)}
	}
	a.meaning = a.meaning || e.Type != ""
	a.countAnthropic(e.Message.Usage)
	a.countAnthropic(e.Usage)
	switch e.Type {
	case "content_block_start":
		a.addBlock(e.Block)
	case "content_block_delta":
		a.addText(e.Delta.Text)
		if n := len(a.Calls); n > 0 {
			a.Calls[n-1].Arguments += e.Delta.PartialJSON
		}
	case "content_block_stop":
		a.endCall()
	case "message_delta":
		a.Finish = e.Delta.StopReason
	case "message_stop":
		a.complete = true
	case "message":
		for _, b := range e.Content {
			a.addBlock(b)
			a.endCall()
		}
		a.Finish, a.complete = e.StopReason, true
	}
	return nil
}

// addBlock begins a block. The input of a streamed call is empty and comes later.
func (a *answer) addBlock(b anthropicBlock) {
	a.addText(b.Text)
	if b.Type == "tool_use" {
		input := string(b.Input)
		if input == "{}" {
			input = ""
		}
		a.Calls = append(a.Calls, RawCall{b.ID, b.Name, input})
	}
}

// countAnthropic takes what the provider reports; later events repeat or correct it.
func (a *answer) countAnthropic(u anthropicUsage) {
	if u == (anthropicUsage{}) {
		return
	}
	a.counted = true
	if n := u.InputTokens + u.CacheRead + u.CacheWrite; n > 0 {
		a.usage.Input, a.usage.CacheRead, a.usage.CacheWrite = n, u.CacheRead, u.CacheWrite
	}
	a.usage.Output = max(a.usage.Output, u.OutputTokens)
}

// maxAnswer bounds an answer, and a line in it.
const maxAnswer = 32 << 20

// read reads a complete answer, or a stream of server-sent events, and calls take with the data.
func (a *answer) read(body io.Reader, isStream bool, take func(data []byte) error) error {
	var err error
	if isStream {
		err = readEvents(body, take)
	} else {
		var data []byte
		data, err = io.ReadAll(io.LimitReader(body, maxAnswer))
		if err == nil {
			err = take(data)
			a.complete = true
		}
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case err != nil:
		return &Error{Code: Broken, Detail: root(err).Error()}
	case !a.meaning:
		return &Error{Code: NotAPI, Detail: "nothing in it is an answer of a model"}
	case !a.complete:
		return &Error{Code: Broken, Detail: "it ends without a reason"}
	}
	return nil
}

func readEvents(body io.Reader, take func(data []byte) error) error {
	lines := bufio.NewScanner(io.LimitReader(body, maxAnswer))
	lines.Buffer(nil, maxAnswer)
	var data []byte
	for lines.Scan() {
		line := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
		}
		if len(line) > 0 {
			continue
		}
		if len(data) > 0 && string(data) != "[DONE]" {
			if err := take(data); err != nil {
				return err
			}
		}
		data = data[:0]
	}
	return lines.Err()
}
