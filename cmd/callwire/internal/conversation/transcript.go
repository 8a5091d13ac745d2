package conversation

import (
	"slices"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Transcript is a conversation whose calls and results are parts of messages.
type Transcript struct {
	Catalog  *sig.Catalog
	Options  parse.Options // by which calls in text are read
	Messages []manual.Message
	Exact    bool // the assistant's text keeps its whitespace, since it is written as it was read
}

// ReadTranscript reads the messages of a conversation, and the system text of Anthropic.
func ReadTranscript(data []byte) (*Transcript, error) {
	messages, err := Read(data)
	if err != nil {
		return nil, err
	}
	return &Transcript{Messages: messages}, nil
}

// Native reports whether a call or result is there as such.
func (t *Transcript) Native() bool {
	return slices.ContainsFunc(t.Messages, func(m manual.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p manual.Part) bool { return p.Kind == manual.Call || p.Kind == manual.Result })
	})
}
