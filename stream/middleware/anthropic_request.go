package middleware

import (
	"github.com/callwire/callwire/manual"
)

// anthropic is the protocol of Anthropic's messages.
type anthropic struct{}

func (anthropic) idPrefix() string { return "toolu_" }

// read implements dialect.
func (anthropic) read(body object) (d demand, reason string) {
	if body.has("output_format") || body.object("output_config").has("format") {
		return d, "the output format asks for JSON"
	}
	if len(body.array("mcp_servers")) > 0 {
		return d, "hosted tools"
	}
	if body.has("tools") {
		if d.tools = body.array("tools"); d.tools == nil {
			return d, "tools is no array"
		}
	}
	for _, raw := range d.tools {
		tool := readObject(nil, raw)
		if kind := tool.get("type"); kind != nil && string(kind) != `"custom"` && string(kind) != "null" || tool.object("input_schema") == nil {
			return d, "a hosted tool"
		}
	}
	history, reason := anthropicHistory(body.array("messages"))
	switch {
	case reason != "":
		return d, reason
	case len(d.tools) == 0 && !history:
		return d, "no tools"
	}
	d.streams = string(body.get("stream")) == "true"
	d.n = 1
	choice := body.object("tool_choice")
	d.one = string(choice.get("disable_parallel_tool_use")) == "true"
	switch choice.text("type") {
	case "auto":
	case "none":
		d.mode = none
	case "any":
		d.mode = required
	case "tool":
		d.mode, d.tool = named, choice.text("name")
	default:
		if body.has("tool_choice") {
			return d, "a tool_choice that is not known"
		}
	}
	return d, ""
}

// anthropicHistory reports whether tools were used before, or why the
// conversation cannot be rewritten.
func anthropicHistory(messages [][]byte) (history bool, reason string) {
	if messages == nil {
		return false, "no messages"
	}
	for _, raw := range messages {
		m := readObject(nil, raw)
		if m == nil {
			return false, "a message is no object"
		}
		for _, raw := range m.array("content") {
			switch readObject(nil, raw).text("type") {
			case "tool_use", "tool_result":
				history = true
			}
		}
	}
	return history, ""
}

// rewrite implements dialect.
func (anthropic) rewrite(body object, d demand, history manual.HistoryOptions, set *toolset) (object, error) {
	messages, err := rewriteMessages(body.array("messages"), history, set)
	if err != nil {
		return nil, err
	}
	messages = instruct(messages, d.instruction())
	if text := d.system(set); text != "" {
		body = withSystem(body, text, history.Placement, cacheControl(d.tools))
	}
	body = body.without("tools", "tool_choice")
	return body.set("messages", appendArray(nil, messages)), nil
}

// cacheControl returns the last breakpoint on tools, nil if there is none: the
// manual comes in their place.
func cacheControl(tools [][]byte) []byte {
	for i := len(tools) - 1; i >= 0; i-- {
		if control := readObject(nil, tools[i]); control.has("cache_control") {
			return control.get("cache_control")
		}
	}
	return nil
}

// withSystem returns the request with the manual in its system text. With a
// breakpoint it is a block of its own.
func withSystem(body object, text string, place manual.Placement, control []byte) object {
	system := body.get("system")
	if control != nil {
		block := object{{"type", []byte(`"text"`)}, {"text", quoted(text)}, {"cache_control", control}}.appendTo(nil)
		return body.set("system", appendArray(nil, beside(systemBlocks(system), block, place)))
	}
	if !body.has("system") {
		return body.set("system", quoted(text))
	}
	if isString(system) {
		return body.set("system", quoted(manual.Merge(string(appendUnquoted(nil, system)), text, place)))
	}
	blocks := readArrayOf(system)
	for i := range blocks {
		at := i
		if place == manual.Last {
			at = len(blocks) - 1 - i
		}
		if block := readObject(nil, blocks[at]); isString(block.get("text")) {
			blocks[at] = block.set("text", quoted(manual.Merge(block.text("text"), text, place))).appendTo(nil)
			return body.set("system", appendArray(nil, blocks))
		}
	}
	block := object{{"type", []byte(`"text"`)}, {"text", quoted(text)}}.appendTo(nil)
	return body.set("system", appendArray(nil, beside(blocks, block, place)))
}

// systemBlocks returns the system text as a list of blocks.
func systemBlocks(system []byte) [][]byte {
	if isString(system) && len(system) > 2 {
		return [][]byte{object{{"type", []byte(`"text"`)}, {"text", system}}.appendTo(nil)}
	}
	return readArrayOf(system)
}

// beside returns the blocks with one more before or behind them.
func beside(blocks [][]byte, block []byte, place manual.Placement) [][]byte {
	if place == manual.Last {
		return append(blocks, block)
	}
	return append([][]byte{block}, blocks...)
}
