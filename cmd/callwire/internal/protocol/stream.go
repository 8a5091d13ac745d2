package protocol

import "encoding/json"

// StreamRequest asks for the events of a text that comes in chunks.
type StreamRequest struct {
	Tools   json.RawMessage `json:"tools,omitempty"` // absent: everything is untyped
	Options Options         `json:"options,omitzero"`
	Text    Text            `json:"text"`
	Cuts    []int           `json:"cuts"` // the offsets at which a chunk ends and the next begins, in order
}

// StreamEvent is a step in the life of a message. The texts of the text-delta
// events between two others, joined, are the text there; the deltas of a call,
// joined, are its input.
type StreamEvent struct {
	Type string `json:"type"`
	ID   string `json:"id,omitempty"` // the same on all events of one call

	*Span                  // of tool-call and malformed
	Name           string  `json:"name,omitempty"` // of tool-input-start and tool-call; as in [Event]
	*TextPart              // of text-delta
	Delta          *string `json:"delta,omitempty"` // of tool-input-delta: JSON
	*CallPart              // of tool-call
	*MalformedPart         // of malformed
}

// Span is a place in a text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}
