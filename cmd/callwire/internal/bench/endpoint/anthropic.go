package endpoint

import "encoding/json"

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

// anthropicEvent is an event of a stream, or a whole answer.
type anthropicEvent struct {
	Type    string
	Message struct{ Usage anthropicUsage }
	Block   anthropicBlock `json:"content_block"`
	Delta   struct {
		Type, Text  string
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	}
	Usage *anthropicUsage

	Content    []anthropicBlock
	StopReason string `json:"stop_reason"`
}

// anthropic takes in an event of a stream, or a whole answer.
func (r *reading) anthropic(data []byte) error {
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return notJSON(data)
	}
	r.meaning = r.meaning || e.Type != ""
	switch e.Type {
	case "message_start":
		r.count(e.Message.Usage)
	case "content_block_start":
		r.block(e.Block)
	case "content_block_delta":
		r.text(e.Delta.Text)
		if n := len(r.Calls); n > 0 && e.Delta.Type == "input_json_delta" {
			r.Calls[n-1].Arguments += e.Delta.PartialJSON
		}
	case "content_block_stop":
		if len(r.Calls) > 0 {
			r.endCall()
		}
	case "message_delta":
		r.Finish = e.Delta.StopReason
		if e.Usage != nil {
			r.count(*e.Usage)
		}
	case "message_stop":
		r.completed = true
	case "message":
		for _, b := range e.Content {
			r.block(b)
			r.text(b.Text)
			if len(r.Calls) > 0 {
				r.endCall()
			}
		}
		r.Finish, r.completed = e.StopReason, true
		if e.Usage != nil {
			r.count(*e.Usage)
		}
	case "error":
		return &Error{Code: Broken, Detail: messageOf(data)}
	}
	return nil
}

// block begins a block. The input of a streamed one is empty and comes later.
func (r *reading) block(b anthropicBlock) {
	if b.Type != "tool_use" {
		return
	}
	input := string(b.Input)
	if input == "{}" {
		input = ""
	}
	r.Calls = append(r.Calls, Call{b.ID, b.Name, input})
}

func (r *reading) endCall() {
	if last := &r.Calls[len(r.Calls)-1]; last.Arguments == "" {
		last.Arguments = "{}"
	}
	r.callDone()
}

// count takes over what is told; later events repeat or correct it.
func (r *reading) count(u anthropicUsage) {
	r.reported = true
	if n := u.InputTokens + u.CacheRead + u.CacheWrite; n > 0 {
		r.Usage.Input, r.Usage.CacheRead, r.Usage.CacheWrite = n, u.CacheRead, u.CacheWrite
	}
	r.Usage.Output = max(r.Usage.Output, u.OutputTokens)
}
