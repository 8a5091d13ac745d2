package engine

import (
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/sig"
)

// Request is what the page asks.
type Request struct {
	Text     string `json:"text"`
	Tools    string `json:"tools"`    // JSON; "" knows no tools and types nothing
	Protocol string `json:"protocol"` // its name; "" is the wire format
	Open     string `json:"open"`     // tags; "" are the default ones
	Close    string `json:"close"`

	Strict             bool `json:"strict"`
	StopAfterMalformed bool `json:"stopAfterMalformed"`
	AcceptAtEnd        bool `json:"acceptAtEnd"`
	Salvage            bool `json:"salvage"`

	Cut        int  `json:"cut"` // bytes, where the text is cut in two for the events
	EverySplit bool `json:"everySplit"`
}

// Answer is what the page shows. Offsets are bytes.
type Answer struct {
	Error     string        `json:"error,omitempty"`      // of the options: nothing was read
	ToolError string        `json:"toolsError,omitempty"` // the tools were left out
	Problems  []sig.Problem `json:"problems,omitempty"`   // of the tools
	Segments  []Segment     `json:"segments"`
	Chunks    []Chunk       `json:"chunks"`           // the text as it is cut, and at last its end
	Splits    *Splits       `json:"splits,omitempty"` // if the request has every split
	Tools     Tools         `json:"tools"`
	Protocols []string      `json:"protocols"`
}

// Segment is a part of the text.
type Segment struct {
	corpus.Event
	Text     string  `json:"text"`               // the source
	Before   string  `json:"before,omitempty"`   // of Text, up to the fault
	Feedback string  `json:"feedback,omitempty"` // for the model
	Tokens   []Token `json:"tokens,omitempty"`   // of a call in the wire format
}

// Token is a word of a call: a lexeme of the lexer, or space, mark or damage beside them.
type Token struct {
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"` // of a fault its code
}

// Chunk is a piece of the text, and the events that it completes.
type Chunk struct {
	Text   string         `json:"text"`
	Events []corpus.Event `json:"events"`
}

// Splits reports whether the text reads the same at every cut.
type Splits struct {
	Tried  int  `json:"tried"`
	Of     int  `json:"of"`
	Same   bool `json:"same"`
	Differ int  `json:"differ,omitempty"` // the first cut that changes an event
}

// Tools is what a model reads about the tools.
type Tools struct {
	Signatures []string `json:"signatures"`
	Manual     string   `json:"manual"`
	Schema     int      `json:"schema"` // bytes of the tools as JSON
}
