package tokens

import (
	"github.com/callwire/callwire/lexer"
)

// Report is what has been counted. Its JSON is stable: members keep their names,
// and new ones may join them.
type Report struct {
	Tools  int     `json:"tools"`
	Calls  []Call  `json:"calls"`
	Prices Prices  `json:"prices"`
	Counts []Count `json:"counts"` // one for each vocabulary
}

// Call is one call as it is written in each form.
type Call struct {
	Name string          `json:"name"`
	Text map[Form]string `json:"text"`
}

// Count is a report by one vocabulary. All figures are tokens.
type Count struct {
	Vocabulary string         `json:"vocabulary"`
	Calls      []map[Form]int `json:"calls"` // as in Report.Calls
	Total      map[Form]int   `json:"total"`
	Envelope   map[Form]int   `json:"envelope"`       // of Total: the calls without their arguments
	Unspaced   int            `json:"hermesUnspaced"` // Hermes without the spaces after commas and colons
	Savings    []Saving       `json:"savings"`
	Prompt     Prompt         `json:"prompt"`
	Announced  []Definition   `json:"announced"` // the same tools in several ways
	Large      []Catalogue    `json:"large"`     // 500 such tools
	Tags       []Tags         `json:"tags"`
	BreakEven  []BreakEven    `json:"breakEven"`
}

// Saving is how many tokens the wire format saves on all calls against another
// form, and which part of them is only the envelope, the other being the
// arguments. Either part may be negative.
type Saving struct {
	Against   Form `json:"against"`
	Tokens    int  `json:"tokens"`
	Envelope  int  `json:"envelope"`
	Arguments int  `json:"arguments"`
}

// Prompt is what the tools cost before any call.
type Prompt struct {
	Manual      int `json:"manual"`      // of the wire format
	Signatures  int `json:"signatures"`  // of it, the lines of the tools; the other part is the same for any number of tools
	Definitions int `json:"definitions"` // {"name","description","input_schema"}, without whitespace
	Functions   int `json:"functions"`   // {"type":"function","function":{"name","description","parameters"}}, without whitespace
}

// Tags are the wire format with other tags.
type Tags struct {
	Open   string `json:"open"`
	Close  string `json:"close"`
	Calls  int    `json:"calls"`  // all calls
	Manual int    `json:"manual"` // that explains them
}

// BreakEven says in which conversations the wire format, its manual included, is
// not dearer than another form with the JSON definitions of the tools.
type BreakEven struct {
	Against     Form `json:"against"`
	Definitions int  `json:"definitions"` // tokens that the other form pays for its definitions; 0 where they are taken to be free
	Plain       Span `json:"plain"`       // without caching of prompts
	Cached      Span `json:"cached"`
}

// alternatives are tags to compare with: the shortest that are legal and still
// readable, and some that models know.
var alternatives = []lexer.Delims{
	{Open: "<c>", Close: "</c>"},
	{Open: "<<", Close: ">>"},
	{Open: "((", Close: "))"},
	{Open: "<tool_call>", Close: "</tool_call>"},
}
