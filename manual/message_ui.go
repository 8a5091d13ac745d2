package manual

import (
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// This file reads the messages that the AI SDK keeps for user interfaces. They hold a call and its
// result in one part, and the parts of several steps in one message, with the key parts:
//
//	{"type":"tool-getWeather","toolCallId":"1","state":"output-available","input":{…},"output":…}
//	{"type":"dynamic-tool","toolName":"getWeather","toolCallId":"1","state":"output-error",
//	 "input":{…},"errorText":"…"}
//
// and in its fourth version {"type":"tool-invocation","toolInvocation":{…}}.

// stepStart is the type of the part that begins a step: an answer of the model and the results of
// its calls.
const stepStart = "step-start"

// readParts reads a list of parts. The results in tool parts come after all calls of their step,
// since calls of one step run in parallel. If no steps are marked, a step ends at the first part
// that isn't a tool's.
func (m *Message) readParts(list [][]byte) error {
	isMarked := false
	objects := make([]rawjson.Object, len(list))
	for i, raw := range list {
		objects[i] = rawjson.ParseObject(raw)
		isMarked = isMarked || objects[i].Text("type") == stepStart
	}
	var results []Part
	end := func() {
		m.Parts = append(m.Parts, results...)
		results = nil
	}
	for i, raw := range list {
		tool, ok := readTool(objects[i])
		if !ok {
			p, err := readPart(raw)
			if err != nil {
				return err
			}
			if !isMarked || objects[i].Text("type") == stepStart {
				end()
			}
			m.Parts = append(m.Parts, p)
			continue
		}
		m.Parts = append(m.Parts, tool.call)
		if tool.result != nil {
			results = append(results, *tool.result)
		}
		if tool.byProvider { // the model may refer to it next
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

// readTool reads a part with a call and its result; ok is false for any other part, and for one
// whose arguments are still arriving.
func readTool(o rawjson.Object) (t toolPart, ok bool) {
	name, isNamed := strings.CutPrefix(o.Text("type"), "tool-")
	switch {
	case name == "dynamic-tool":
		name = o.Text("toolName")
	case name == "invocation" && o.Get("toolInvocation") != nil:
		return readInvocation(o.Get("toolInvocation"))
	case !isNamed || name == "" || o.Get("toolName") != nil:
		return t, false
	}
	state := o.Text("state")
	if state == "" || state == "input-streaming" {
		return t, false
	}
	t = newToolPart(o, name, o.First("input", "rawInput"))
	t.byProvider = string(o.Get("providerExecuted")) == "true"
	approval := o.Object("approval")
	isDenied := string(approval.Get("approved")) == "false"
	switch {
	case state == "output-error" || o.Has("errorText"):
		t.answer(o.Get("errorText"), true)
	case state == "output-available" || o.Get("output") != nil || o.Get("result") != nil:
		t.answer(o.First("output", "result"), false)
	case state == "output-denied" || isDenied:
		t.answer(rawjson.Quote(denied(approval.Text("reason"))), true)
	}
	return t, true
}

// denied returns the result of a call that the user didn't allow.
func denied(reason string) string {
	return strings.TrimSuffix(userRefused+reason, ": ")
}

// readInvocations reads the calls that version 4 has beside a content, with their results after
// them.
func (m *Message) readInvocations(list [][]byte) {
	var results []Part
	for _, raw := range list {
		tool, ok := readInvocation(raw)
		if !ok {
			whole := appendMember([]byte(`{"type":"tool-invocation"`), "toolInvocation", raw)
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

// readInvocation reads a call as version 4 has it; ok is false while its arguments are arriving.
func readInvocation(raw []byte) (t toolPart, ok bool) {
	o := rawjson.ParseObject(raw)
	if o == nil {
		return toolPart{call: Part{Kind: Call, Input: raw}}, true
	}
	state := o.Text("state")
	if state == "partial-call" {
		return t, false
	}
	t = newToolPart(o, o.Text("toolName"), o.Get("args"))
	if state == "result" || o.Get("result") != nil {
		t.answer(o.Get("result"), false)
	}
	return t, true
}

func newToolPart(o rawjson.Object, name string, input []byte) toolPart {
	return toolPart{call: Part{Kind: Call, ID: o.ID("toolCallId"), Name: name, Input: input}}
}

// answer sets the result.
func (t *toolPart) answer(output []byte, failed bool) {
	t.result = &Part{Kind: Result, ID: t.call.ID, Name: t.call.Name, Failed: failed}
	t.result.setOutput(output)
}
