package manual

import (
	"encoding/json"
	"strings"
)

// This file reads the messages that the AI SDK keeps for user interfaces. They
// hold a call and its result in one part, and the parts of several steps in one
// message, under the name parts:
//
//	{"type":"tool-getWeather","toolCallId":"1","state":"output-available","input":{…},"output":…}
//	{"type":"dynamic-tool","toolName":"getWeather","toolCallId":"1","state":"output-error","input":{…},"errorText":"…"}
//
// and in its fourth version {"type":"tool-invocation","toolInvocation":{…}}.

// form is the shape of the JSON that a message was read from, and is written in.
type form uint8

const (
	contentForm form = iota
	partsForm        // parts instead of content
	bothForm         // parts, and their texts as content
)

// stepStart is the type of the part that begins a step: an answer of the model and the
// results of its calls.
const stepStart = "step-start"

// typedList reads a list of objects that all have a type; in other APIs, parts are
// something else.
func typedList(data json.RawMessage) (list []json.RawMessage, ok bool) {
	if !isList(data) || json.Unmarshal(data, &list) != nil {
		return nil, false
	}
	for _, raw := range list {
		if typeOf(raw) == "" {
			return nil, false
		}
	}
	return list, true
}

// typeOf returns the type of a part, or "".
func typeOf(raw json.RawMessage) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return ""
	}
	return stringIn(members["type"])
}

// readParts reads a list of parts. The results in tool parts come after all calls of
// their step, since calls of one step run in parallel. If no steps are marked, a step
// ends at the first part that is not a tool's.
func (m *Message) readParts(list []json.RawMessage) error {
	marked := false
	for _, raw := range list {
		marked = marked || typeOf(raw) == stepStart
	}
	var results []Part
	end := func() {
		m.Parts = append(m.Parts, results...)
		results = nil
	}
	for _, raw := range list {
		tool, ok := readTool(raw)
		if !ok {
			p, err := readPart(raw)
			if err != nil {
				return err
			}
			if !marked || typeOf(raw) == stepStart {
				end()
			}
			m.Parts = append(m.Parts, p)
			continue
		}
		m.Parts = append(m.Parts, tool.call)
		if tool.result != nil {
			results = append(results, *tool.result)
		}
		if tool.byProvider { // what the model says next refers to this
			end()
		}
	}
	end()
	return nil
}

// toolPart is a part with a call and, once there is one, its result.
type toolPart struct {
	call       Part
	result     *Part
	byProvider bool // executed within the step
}

// readTool reads a part with a call and its result; ok is false for any other part, and
// for one whose arguments are still arriving.
func readTool(raw json.RawMessage) (t toolPart, ok bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return t, false
	}
	name, named := strings.CutPrefix(stringIn(members["type"]), "tool-")
	switch {
	case name == "dynamic-tool":
		name = stringIn(members["toolName"])
	case name == "invocation" && members["toolInvocation"] != nil:
		return readInvocation(members["toolInvocation"])
	case !named || name == "" || members["toolName"] != nil:
		return t, false
	}
	state := stringIn(members["state"])
	if state == "" || state == "input-streaming" {
		return t, false
	}
	input := members["input"]
	if isNull(input) {
		input = members["rawInput"]
	}
	t = newToolPart(members, name, input)
	t.byProvider = string(members["providerExecuted"]) == "true"
	var approval struct {
		Approved *bool  `json:"approved"`
		Reason   string `json:"reason"`
	}
	json.Unmarshal(members["approval"], &approval)
	switch wrong := members["errorText"]; {
	case state == "output-error" || !isNull(wrong):
		t.answer(outputOf(wrong), true)
	case state == "output-available" || members["output"] != nil || members["result"] != nil:
		t.answer(outputOf(firstOf(members["output"], members["result"])), false)
	case state == "output-denied" || approval.Approved != nil && !*approval.Approved:
		t.answer(denied(approval.Reason), true)
	}
	return t, true
}

// readInvocations reads the calls that version 4 has beside a content, with their
// results after them.
func (m *Message) readInvocations(list []json.RawMessage) {
	var results []Part
	for _, raw := range list {
		tool, ok := readInvocation(raw)
		if !ok {
			whole := append(append([]byte(`{"type":"tool-invocation","toolInvocation":`), raw...), '}')
			m.Parts = append(m.Parts, Part{Kind: Other, Raw: whole})
			continue
		}
		m.Parts = append(m.Parts, tool.call)
		if tool.result != nil {
			results = append(results, *tool.result)
		}
	}
	m.Parts = append(m.Parts, results...)
}

// readInvocation reads a call as version 4 has it.
func readInvocation(raw json.RawMessage) (t toolPart, ok bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return toolPart{call: Part{Kind: Call, Input: raw}}, true
	}
	state := stringIn(members["state"])
	if state == "partial-call" {
		return t, false
	}
	t = newToolPart(members, stringIn(members["toolName"]), members["args"])
	if state == "result" || members["result"] != nil {
		t.answer(outputOf(members["result"]), false)
	}
	return t, true
}

func newToolPart(members map[string]json.RawMessage, name string, input json.RawMessage) toolPart {
	return toolPart{call: Part{Kind: Call, ID: idOf(members["toolCallId"]), Name: name, Input: input}}
}

// answer sets the result.
func (t *toolPart) answer(output any, failed bool) {
	t.result = &Part{Kind: Result, ID: t.call.ID, Name: t.call.Name, Output: output, Failed: failed}
}

// denied returns the result of a call that was not allowed.
func denied(reason string) string {
	return strings.TrimSuffix("The user did not allow this call: "+reason, ": ")
}

// stringIn returns the value of a JSON string, or "" for other JSON.
func stringIn(data json.RawMessage) (text string) {
	json.Unmarshal(data, &text) // otherwise it stays ""
	return text
}

// textOf returns the texts of parts, each on a line of its own.
func textOf(parts []Part) string {
	var texts []string
	for i := range parts {
		if parts[i].Kind == Text {
			texts = append(texts, parts[i].Text)
		}
	}
	return strings.Join(texts, "\n")
}
