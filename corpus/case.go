package corpus

import (
	"bytes"
	"strings"
)

// A Case is one example: a question to an implementation, and the right answer.
type Case struct {
	ID    string   `json:"id"`    // topic/slug; never changes
	Op    string   `json:"op"`    // [Parse], [Format], [Sig] or [Manual]
	Level string   `json:"level"` // [Core] or [Extended]
	Rules []string `json:"rules"` // the rules that it exercises, the main one first
	Note  string   `json:"note"`  // why the answer is right, in one sentence

	Setting

	Text   Bytes   `json:"text,omitempty"`   // what a parse case reads
	Repeat *Repeat `json:"repeat,omitempty"` // for large texts: see [Case.Whole]
	Meant  *Meant  `json:"meant,omitempty"`  // for drift: the call that the model means
	Name   string  `json:"name,omitempty"`   // the tool that a format case calls
	Input  Bytes   `json:"input,omitempty"`  // its arguments, as JSON text

	Want Want `json:"want"`
}

// Meant is the call that a text means, whether or not a reader can know it.
type Meant struct {
	Name  string `json:"name"`
	Input string `json:"input"` // JSON text
}

// Want is the right answer: Events and perhaps After for a parse case, Text or Error for
// a format case, Lines for a sig case (one for each tool), Text for a manual case.
type Want struct {
	Events []Event  `json:"events,omitempty"`
	After  []After  `json:"after,omitempty"`
	Text   string   `json:"text,omitempty"`
	Lines  []string `json:"lines,omitempty"`
	Error  *Refusal `json:"error,omitempty"`
}

// After lists the steps that must be out once the first Bytes bytes of a streamed text
// have been read. More may follow; the last step may be the beginning of a longer delta.
type After struct {
	Bytes int     `json:"bytes"`
	Steps []Event `json:"steps"`
}

// Topic returns the part of the id before the slash, which is also the name of the file with
// the case.
func (c Case) Topic() string {
	topic, _, _ := strings.Cut(c.ID, "/")
	return topic
}

// Whole returns the text of a parse case with its repeated part written out. The offsets
// of Want count from its beginning.
func (c Case) Whole() Bytes {
	r := c.Repeat
	if r == nil {
		return c.Text
	}
	repeated := bytes.Repeat(c.Text[r.Start:r.End], r.Times)
	return bytes.Join([][]byte{c.Text[:r.Start], repeated, c.Text[r.End:]}, nil)
}
