package corpus

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Version is the version of the wire format that the cases describe.
const Version = "1.0"

// What a case asks for.
const (
	Parse  = "parse"  // read Text, want Want.Events
	Format = "format" // write Name and Input, want Want.Text or Want.Error
	Sig    = "sig"    // write the signatures of Tools, want Want.Lines
	Manual = "manual" // write the manual of Tools, want Want.Text
)

// Core is what every reader accepts and every writer writes; Extended is the
// relaxed rest, for readers that forgive what models get nearly right.
const (
	Core     = "core"
	Extended = "extended"
)

// The types of an [Event]. The last two are types of a [Step] too.
const (
	TextEvent      = "text"
	ToolCallEvent  = "tool-call"
	MalformedEvent = "malformed"
	ReasoningEvent = "reasoning" // of an Event alone
)

// The other types of a [Step].
const (
	TextDelta      = "text-delta"
	ToolInputStart = "tool-input-start"
	ToolInputDelta = "tool-input-delta"
	ToolInputEnd   = "tool-input-end"
)

//go:embed cases/*.json cases/more/*.json cases/protocols/*.json rules.json schema.json ids.txt README.md LICENSE
var files embed.FS

// Files returns the files of the corpus, for those who read them in another
// language: cases, schema.json, rules.json, ids.txt, README.md and LICENSE.
func Files() fs.FS { return files }

// A Case is one example with its expectation.
type Case struct {
	ID    string   `json:"id"`    // topic/slug, stable
	Op    string   `json:"op"`    // [Parse], [Format], [Sig] or [Manual]
	Level string   `json:"level"` // [Core] or [Extended]
	Rules []string `json:"rules"` // what it exercises, the main rule first
	Note  string   `json:"note"`  // why it is as it is, in one sentence

	// Protocol is the format that a case of [ProtocolCases] is about, by its name.
	Protocol string `json:"protocol,omitempty"`

	// Tools is the catalog, a JSON array of {name, description,
	// inputSchema}. It is nil where there is none and every value is untyped;
	// an empty array is a catalog that knows no tool.
	Tools   json.RawMessage `json:"tools,omitempty"`
	Options Options         `json:"options,omitzero"`

	Delims *Delims `json:"delims,omitempty"` // of [MoreCases]: the tags that are agreed on

	Text   Bytes   `json:"text,omitempty"`   // what a parse case reads
	Repeat *Repeat `json:"repeat,omitempty"` // of [MoreCases]: the part of Text that stands there many times
	Meant  *Meant  `json:"meant,omitempty"`  // of drift: the call that the model means by it
	Name   string  `json:"name,omitempty"`   // the tool that a format case calls
	Input  Bytes   `json:"input,omitempty"`  // its arguments, as JSON text

	Want Want `json:"want"`
}

// Meant is a call that a text means, whether a reader can know it or not.
type Meant struct {
	Name  string `json:"name"`
	Input string `json:"input"` // JSON text
}

// Topic returns the part of the id before the slash, which is also the name of
// the file that holds the case.
func (c Case) Topic() string {
	topic, _, _ := strings.Cut(c.ID, "/")
	return topic
}

// Options are the settings of a reader or writer that a case asks for. The
// zero value asks for none.
type Options struct {
	Strict             bool   `json:"strict,omitempty"`
	StopAfterMalformed bool   `json:"stopAfterMalformed,omitempty"`
	AcceptAtEnd        bool   `json:"acceptAtEnd,omitempty"`
	Salvage            bool   `json:"salvage,omitempty"`
	Reasoning          bool   `json:"reasoning,omitempty"`
	Code               bool   `json:"code,omitempty"`
	Limits             Limits `json:"limits,omitzero"`

	*Wording // of sig and manual; nil asks for none
}

// Wording are the settings with which tools are put into words. Zero is the
// default.
type Wording struct {
	Style        string `json:"style,omitempty"`       // compact or classic
	Syntax       string `json:"syntax,omitempty"`      // wire or json
	Fallback     string `json:"fallback,omitempty"`    // complex, error or force
	Description  int    `json:"description,omitempty"` // most characters of a tool's description; -1: none
	Parameters   string `json:"parameters,omitempty"`  // off, short or full
	HideDefaults bool   `json:"hideDefaults,omitempty"`

	// Of manual only.
	Open   string   `json:"open,omitempty"`
	Close  string   `json:"close,omitempty"`
	Header string   `json:"header,omitempty"`
	Lazy   []string `json:"lazy,omitempty"`   // names of tools without their signatures
	Loader string   `json:"loader,omitempty"` // name of the tool that shows them
}

// Limits bound one call. A zero is the default.
type Limits struct {
	Bytes     int `json:"bytes,omitempty"`
	Depth     int `json:"depth,omitempty"`
	Arguments int `json:"arguments,omitempty"`
	Name      int `json:"name,omitempty"`
}

// Want is the expectation: Events for a parse case, and perhaps After; Text or
// Error for a format case; Lines for a sig case, one for each tool; Text for a
// manual case.
type Want struct {
	Events []Event  `json:"events,omitempty"`
	After  []After  `json:"after,omitempty"`
	Text   string   `json:"text,omitempty"`
	Lines  []string `json:"lines,omitempty"`
	Error  *Refusal `json:"error,omitempty"`
}

// After says what must be out, at the least, once the first Bytes bytes of a
// text that is streamed have been read: Steps, and anything after them. The last
// of them may be the beginning of a longer delta.
type After struct {
	Bytes int    `json:"bytes"`
	Steps []Step `json:"steps"`
}

// A Step is an event of a stream without its id and its place. Deltas that
// follow each other are one, and the events text-start and text-end are left
// out.
type Step struct {
	Type  string `json:"type"`            // [TextDelta] and so on
	Text  Bytes  `json:"text,omitempty"`  // of text-delta
	Name  string `json:"name,omitempty"`  // of tool-input-start and tool-call
	Delta string `json:"delta,omitempty"` // of tool-input-delta
	Input string `json:"input,omitempty"` // of tool-call
	Code  string `json:"code,omitempty"`  // of malformed
}

// A Refusal is a writer's answer to what it cannot write faithfully.
type Refusal struct {
	Code string `json:"code"`
}

// An Event is one part of the text that was read. The events of a case follow
// each other without gap from the first byte to the last.
type Event struct {
	Type  string `json:"type"` // [TextEvent], [ToolCallEvent], [MalformedEvent] or [ReasoningEvent]
	Start int    `json:"start"`
	End   int    `json:"end"`

	Text Bytes `json:"text,omitempty"` // of text: its bytes; of reasoning: those between its tags

	Name           string  `json:"name,omitempty"`           // of a call: the tool
	Input          string  `json:"input,omitempty"`          // of a call: the arguments, as compact JSON text
	AfterMalformed bool    `json:"afterMalformed,omitempty"` // of a call: something before it was malformed
	Issues         []Issue `json:"issues,omitempty"`         // of a call: what did not fit its schema

	Code   string `json:"code,omitempty"` // of malformed: what is wrong
	At     int    `json:"at,omitempty"`   // of malformed: the byte where it is wrong
	Closed bool   `json:"closed,omitempty"`
}

// An Issue says that a delivered value is not quite what the schema wants.
type Issue struct {
	Code string `json:"code"`
	Path string `json:"path"`
	At   int    `json:"at"`
}

// Bytes is text that need not be valid UTF-8. In JSON it is a string where it
// is valid, and {"b64": "…"} where it is not.
type Bytes []byte

// MarshalJSON writes a string, or base64 where a string would lose bytes.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false) // tags are easier to read as they are
		err := e.Encode(string(b))
		return bytes.TrimSpace(text.Bytes()), err
	}
	return json.Marshal(struct {
		B64 []byte `json:"b64"`
	}{b})
}

// UnmarshalJSON reads either form.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*b = Bytes(s)
		return nil
	}
	var form struct {
		B64 []byte `json:"b64"`
	}
	if err := decode(data, &form); err != nil {
		return err
	}
	*b = form.B64
	return nil
}

// A Rule is a part of the format that cases refer to by its id.
type Rule struct {
	ID   string `json:"id"`   // group.name, stable
	Text string `json:"text"` // the rule in one sentence
}

// Cases returns all cases of the wire format, by topic in alphabetical order and within
// a topic in the order of its file. Every call returns a new slice; what its cases refer
// to is shared, and not to be changed.
func Cases() []Case { return wire.read("cases/*.json") }

// ProtocolCases returns all cases of other formats, in the same order; the topic is the
// name of the format.
func ProtocolCases() []Case { return protocols.read("cases/protocols/*.json") }

// MoreCases returns the cases that ask with more than a text and options, in the same
// order: tags are of other tags, large are of texts that [Case.Whole] writes out. Only
// the second version of the runner's protocol can ask them.
func MoreCases() []Case { return more.read("cases/more/*.json") }

// decoded are cases that are read when they are first asked for. No variable refers to the
// files, so that the linker leaves them out of a program that never asks.
type decoded struct {
	once  sync.Once
	cases []Case
}

var wire, protocols, more decoded

func (d *decoded) read(pattern string) []Case {
	d.once.Do(func() { d.cases = casesOf(pattern) })
	return slices.Clone(d.cases)
}

func casesOf(pattern string) []Case {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic("corpus: " + err.Error())
	}
	var all []Case
	for _, name := range names {
		var file struct {
			Version string `json:"version"`
			Topic   string `json:"topic"`
			Cases   []Case `json:"cases"`
		}
		load(name, &file)
		all = append(all, file.Cases...)
	}
	return all
}

// RuleURL returns where the specification states a rule: those of signatures, of
// manuals and of other protocols are in its second document.
func RuleURL(id string) string {
	file := "SPEC.md"
	switch id {
	case "error.invalid-json", "error.invalid-yaml", "error.not-an-object", "error.unwritable-value": // the wire format has them of writers only
		file = "PROMPTS.md"
	}
	if strings.HasPrefix(id, "signature.") || strings.HasPrefix(id, "manual.") || strings.HasPrefix(id, "protocol.") {
		file = "PROMPTS.md"
	}
	return "https://github.com/callwire/callwire/blob/main/spec/" + file + "#" + id
}

// Rules returns all rules, in the order in which they are best read.
func Rules() []Rule {
	var file struct {
		Version string `json:"version"`
		Rules   []Rule `json:"rules"`
	}
	load("rules.json", &file)
	return file.Rules
}

// load reads an embedded file. The files are part of the program and its tests
// read them all, so that a fault in one is a fault in the program.
func load(name string, to any) {
	data, err := files.ReadFile(name)
	if err == nil {
		err = decode(data, to)
	}
	if err != nil {
		panic(fmt.Sprintf("corpus: %s: %v", name, err))
	}
}

// decode reads one JSON value that has no member which to does not know.
func decode(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(to)
}
