package live

import (
	"encoding/json"
	"time"

	"github.com/callwire/callwire/manual"
)

// answer is what a model answers.
type answer struct {
	message  manual.Message
	raw      Raw
	usage    Usage
	time     time.Duration
	scripted bool // no model answered, but a program of this package
}

// completion is an answer of chat completions.
type completion struct {
	Choices []struct {
		Message      json.RawMessage
		FinishReason string `json:"finish_reason"`
	}
	Usage struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
		Read   struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		Wrote struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
}

// readOpenAI reads an answer of chat completions.
func readOpenAI(data []byte) (*answer, error) {
	var c completion
	if err := json.Unmarshal(data, &c); err != nil || len(c.Choices) == 0 {
		return nil, notAPI(data)
	}
	m, err := manual.ChatCompletions.ParseMessage(c.Choices[0].Message)
	if err != nil {
		return nil, notAPI(data)
	}
	u := c.Usage
	return &answer{
		message: m, raw: rawOf(m, c.Choices[0].FinishReason),
		usage: Usage{
			Input: u.Input, Cached: u.Read.Cached, Output: u.Output,
			Reasoning: u.Wrote.Reasoning,
		},
	}, nil
}

// readAnthropic reads an answer of messages.
func readAnthropic(data []byte) (*answer, error) {
	var e struct {
		Type       string
		StopReason string `json:"stop_reason"`
		Usage      struct {
			Input      int `json:"input_tokens"`
			Output     int `json:"output_tokens"`
			CacheWrite int `json:"cache_creation_input_tokens"`
			CacheRead  int `json:"cache_read_input_tokens"`
		}
	}
	if err := json.Unmarshal(data, &e); err != nil || e.Type != "message" {
		return nil, notAPI(data)
	}
	m, err := manual.Anthropic.ParseMessage(data)
	if err != nil {
		return nil, notAPI(data)
	}
	m.Extra = nil // of the answer, not of the message
	u := e.Usage
	return &answer{
		message: m, raw: rawOf(m, e.StopReason),
		usage: Usage{
			Input: u.Input + u.CacheRead + u.CacheWrite, Cached: u.CacheRead, Output: u.Output,
		},
	}, nil
}

// rawOf returns a message for the record.
func rawOf(m manual.Message, finish string) Raw {
	raw := Raw{Finish: finish}
	for _, p := range m.Parts {
		switch p.Kind {
		case manual.Text:
			raw.Text += p.Text
		case manual.Call:
			raw.Calls = append(raw.Calls, RawCall{p.Name, argumentsOf(p)})
		}
	}
	return raw
}

// argumentsOf returns the arguments of a native call as the model wrote them.
func argumentsOf(p manual.Part) string {
	var text string
	if json.Unmarshal(p.Input, &text) != nil {
		text = string(p.Input)
	}
	if text == "" {
		return "{}" // how some models write that there are none
	}
	return text
}
