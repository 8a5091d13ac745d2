package arm

import (
	"encoding/json"
	"errors"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/internal/bridge"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Message is what a model has written, as far as calls go.
type Message struct {
	Calls     []Call
	Malformed []Malformed
	Repaired  []string // a name for each repair
	Issues    []string // a code for each issue that is none
}

// Call is a call that is delivered.
type Call struct {
	ID string
	score.Call
}

// Malformed is a call that is not.
type Malformed struct {
	Code string

	id       string // of a native call
	feedback string // what the model is told
}

// note takes down the issues of a call that is delivered.
func (m *Message) note(issues []parse.Issue) {
	for _, issue := range issues {
		switch issue.Code {
		case lexer.Repaired:
			m.Repaired = append(m.Repaired, issue.Path)
		case lexer.Coerced:
			m.Repaired = append(m.Repaired, string(issue.Code))
		default:
			m.Issues = append(m.Issues, string(issue.Code))
		}
	}
}

// refused returns the issue for which a call is malformed under the settings.
func (a Arm) refused(issues []parse.Issue) (parse.Issue, bool) {
	for _, issue := range issues {
		if a.strict || a.exact && issue.Code == lexer.Coerced {
			return issue, true
		}
	}
	return parse.Issue{}, false
}

// reading returns how text is read.
func (a Arm) reading() parse.Options {
	return parse.Options{Protocol: a.protocol, Delims: lexer.Delims(a.manual.Tags), StopAfterMalformed: true, Salvage: !a.exact && !a.strict}
}

// readText reads the calls in a text, as an application does that executes them
// without asking: none after a malformed one. It returns the parts of the text
// for the history.
func (a Arm) readText(text string, tools *manual.Manual, newID func() string) (m Message, parts []manual.Part) {
	for _, s := range a.reading().Text(text, tools.Catalog()) {
		switch issue, refused := a.refused(s.Issues); {
		case s.Kind == parse.Prose:
			parts = append(parts, manual.Part{Kind: manual.Text, Text: string(s.Text)})
		case s.Kind == parse.Call && !refused:
			id := newID()
			m.note(s.Issues)
			m.Calls = append(m.Calls, Call{id, score.Call{Name: s.Name, Input: json.RawMessage(s.Input)}})
			parts = append(parts, manual.Part{Kind: manual.Call, ID: id, Name: s.Name, Input: json.RawMessage(s.Input)})
		default:
			code := issue.Code
			if s.Kind == parse.Malformed {
				code = s.Err.Code
			}
			m.Malformed = append(m.Malformed, Malformed{Code: string(code), feedback: tools.Feedback(bridge.Segment(s))})
			parts = append(parts, manual.Part{Kind: manual.Text, Text: string(s.Text)})
		}
	}
	return m, parts
}

// readNative reads native calls.
func (a Arm) readNative(calls []endpoint.Call, catalog *sig.Catalog) (m Message) {
	for _, c := range calls {
		given := []byte(c.Arguments)
		if len(given) == 0 {
			given = []byte("{}") // how some models write that there are none
		}
		input, issues, err := parse.Repair(catalog, c.Name, given)
		var fault *lexer.Error
		if errors.As(err, &fault) {
			m.Malformed = append(m.Malformed, Malformed{Code: string(fault.Code), id: c.ID, feedback: fault.Error()})
			continue
		}
		if issue, refused := a.refused(issues); refused {
			e := lexer.Error{Code: issue.Code, Offset: issue.At, Path: issue.Path, Tool: c.Name}
			m.Malformed = append(m.Malformed, Malformed{Code: string(issue.Code), id: c.ID, feedback: e.Error()})
			continue
		}
		m.note(issues)
		m.Calls = append(m.Calls, Call{c.ID, score.Call{Name: c.Name, Input: json.RawMessage(input)}})
	}
	return m
}
