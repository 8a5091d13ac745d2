package protocol

// StreamRequest asks for the events of a text that comes in chunks.
type StreamRequest struct {
	Setting
	Text   Text    `json:"text"`
	Repeat *Repeat `json:"repeat,omitempty"`
	Cuts   []int   `json:"cuts"` // the offsets at which a chunk ends and the next begins, in order
}

// FeedRequest gives the next chunk to the stream ID. The first one begins the
// stream, by its setting; a chunk after it has none. CloseRequest and
// ResetRequest have the ID alone: close ends the input and the stream, reset
// takes the stream back to its beginning, its setting kept.
type FeedRequest struct {
	Setting
	ID     string  `json:"id"`
	Text   Text    `json:"text"`
	Repeat *Repeat `json:"repeat,omitempty"`
}

// The operations of protocol 2.
const (
	Feed  = "feed"
	Close = "close"
	Reset = "reset"
)

// StreamEvent is a step in the life of a message. The texts of the text-delta
// events between two others, joined, are the text there; the deltas of a call,
// joined, are its input.
type StreamEvent struct {
	Type string `json:"type"`
	ID   string `json:"id,omitempty"` // the same on all events of one call

	*Span                  // of tool-call and malformed, and of the tags of reasoning
	Name           string  `json:"name,omitempty"` // of tool-input-start and tool-call; as in [Event]
	*TextPart              // of text-delta and reasoning-delta
	Delta          *string `json:"delta,omitempty"` // of tool-input-delta: JSON
	*CallPart              // of tool-call
	*MalformedPart         // of malformed
}

// Span is a place in a text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}
