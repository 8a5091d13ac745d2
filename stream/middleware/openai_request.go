package middleware

import (
	"strconv"

	"github.com/callwire/callwire/manual"
)

// openAI is the protocol of chat completions.
type openAI struct{}

func (openAI) idPrefix() string { return "call_" }

// read implements dialect.
func (openAI) read(body object) (d demand, reason string) {
	if body.has("functions") || body.has("function_call") {
		return d, "legacy functions"
	}
	if format := body.object("response_format"); format != nil && format.text("type") != "text" {
		return d, "response_format asks for JSON"
	}
	if body.has("tools") {
		if d.tools = body.array("tools"); d.tools == nil {
			return d, "tools is no array"
		}
	}
	for _, raw := range d.tools {
		tool := readObject(nil, raw)
		if kind := tool.get("type"); kind != nil && string(kind) != `"function"` || tool.object("function") == nil {
			return d, "a hosted or custom tool"
		}
	}
	history, reason := openAIHistory(body.array("messages"))
	switch {
	case reason != "":
		return d, reason
	case len(d.tools) == 0 && !history:
		return d, "no tools"
	}
	d.streams = string(body.get("stream")) == "true"
	d.one = string(body.get("parallel_tool_calls")) == "false"
	d.n, _ = strconv.Atoi(string(body.get("n")))
	if d.mode, d.tool = openAIChoice(body); d.mode == foreign {
		return d, "a tool_choice that is not known"
	}
	return d, ""
}

// openAIHistory reports whether tools were used before, or why the conversation
// cannot be rewritten.
func openAIHistory(messages [][]byte) (history bool, reason string) {
	if messages == nil {
		return false, "no messages"
	}
	for _, raw := range messages {
		m := readObject(nil, raw)
		switch {
		case m == nil:
			return false, "a message is no object"
		case m.has("function_call") || m.text("role") == "function":
			return false, "legacy functions"
		case m.text("role") == manual.ToolRole:
			history = true
		}
		for _, raw := range m.array("tool_calls") {
			call := readObject(nil, raw)
			if kind := call.get("type"); kind != nil && string(kind) != `"function"` || call.object("function") == nil {
				return false, "a call of a custom tool"
			}
			history = true
		}
	}
	return history, ""
}

// openAIChoice reads tool_choice.
func openAIChoice(body object) (mode, string) {
	if !body.has("tool_choice") {
		return auto, ""
	}
	switch body.text("tool_choice") {
	case "auto":
		return auto, ""
	case "none":
		return none, ""
	case "required":
		return required, ""
	}
	choice := body.object("tool_choice")
	if name := choice.object("function").text("name"); choice.text("type") == "function" && name != "" {
		return named, name
	}
	return foreign, ""
}

// rewrite implements dialect.
func (openAI) rewrite(body object, d demand, history manual.HistoryOptions, set *toolset) (object, error) {
	history.Manual = d.system(set)
	messages, err := rewriteMessages(body.array("messages"), history, set)
	if err != nil {
		return nil, err
	}
	messages = instruct(messages, d.instruction())
	body = body.without("tools", "tool_choice", "parallel_tool_calls")
	return body.set("messages", appendArray(nil, messages)), nil
}
