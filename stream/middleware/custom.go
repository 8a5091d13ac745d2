package middleware

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwire/callwire/lexer"
)

// OpenAI's models follow a grammar only in custom tools. A request offers one, which
// stands for all functions: its input is calls as they are written in text. If a
// response calls it, the input becomes text of the message before anything else reads
// the response.

// customTool returns the declaration of a custom tool whose input follows a grammar, in
// Lark.
func customTool(d *dialect, name, grammar string, delims lexer.Delims) []byte {
	tool := object{{"name", quoted(name)}, {"description", quoted("The place for calls of the tools that the instructions explain. Where these say to write calls in a reply, write them here: one or several, each between " + delims.Open + " and " + delims.Close + ".")}}
	format := object{{"syntax", []byte(`"lark"`)}, {"definition", quoted(grammar)}}
	kind := []byte(`"grammar"`)
	if d == responsesAPI {
		format = append(object{{"type", kind}}, format...)
		return append(object{{"type", customKind}}, append(tool, member{"format", format.appendTo(nil)})...).appendTo(nil)
	}
	tool = append(tool, member{"format", object{{"type", kind}, {"grammar", format.appendTo(nil)}}.appendTo(nil)})
	return object{{"type", customKind}, {"custom", tool.appendTo(nil)}}.appendTo(nil)
}

var customKind = []byte(`"custom"`)

// offer adds a custom tool to a request, beside the upstream's own tools, and returns
// its name.
func (d *dialect) offer(body object, want *demand, grammar string, delims lexer.Delims) (object, string) {
	name := "call"
	for slices.ContainsFunc(want.native, func(raw []byte) bool {
		tool := readObject(nil, raw)
		return tool.text("name") == name || tool.object("custom").text("name") == name
	}) {
		name += "s"
	}
	body = body.set("tools", appendArray(nil, append(slices.Clone(want.native), customTool(d, name, grammar, delims))))
	if want.mode == required {
		chosen := object{{"name", quoted(name)}}
		if d != responsesAPI {
			chosen = object{{"custom", chosen.appendTo(nil)}}
		}
		body = body.setAt(d.choice.at, append(object{{"type", customKind}}, chosen...).appendTo(nil))
	}
	if want.one {
		body = body.setAt(d.serial, []byte(d.serialIs))
	}
	return body, name
}

// customCodec turns calls of a custom tool into text, for the codec that it wraps.
type customCodec struct {
	codec
	name    string
	choices map[int]*customChoice // of chat completions
	items   map[int]*customItem   // of responses: calls that are open
}

// customChoice is what is known about a choice's calls.
type customChoice struct {
	ours         map[int]bool // by index
	some, others bool         // there are calls of the tool, and of other tools
}

// customItem is a call as an item.
type customItem struct {
	begun bool // some of its input came
	ended bool // the end of its input came
}

func newCustomCodec(c codec, name string) codec {
	return &customCodec{c, name, make(map[int]*customChoice), make(map[int]*customItem)}
}

// restart implements codec.
func (c *customCodec) restart() {
	clear(c.choices)
	clear(c.items)
	c.codec.restart()
}

// event implements codec.
func (c *customCodec) event(dst []byte, b *block, data object) []byte {
	var list []object
	switch {
	case bytes.Contains(b.data, []byte("custom_tool_call")):
		list = c.itemEvents(data)
	case bytes.Contains(b.data, []byte("tool_calls")) && data.has("choices"):
		list = []object{c.chat(data, "delta")}
	default:
		return c.codec.event(dst, b, data)
	}
	for _, data := range list {
		event := block{data: data.appendTo(nil), rest: b.rest}
		if b.name != "" {
			event.name = data.text("type")
		}
		event.raw = appendEvent(nil, event.name, event.data)
		dst = c.codec.event(dst, &event, readObject(nil, event.data))
	}
	return dst
}

// whole implements codec.
func (c *customCodec) whole(dst, data []byte) (out []byte, restarted bool) {
	switch reply := readObject(nil, data); {
	case reply.has("choices"):
		data = c.chat(reply, "message").appendTo(nil)
	case reply.has("output"):
		data = c.withOutput(reply).appendTo(nil)
	}
	return c.codec.whole(dst, data)
}

// chat returns a chat completion, or a chunk of one, with text in place of calls.
// What a choice says stands at key.
func (c *customCodec) chat(data object, key string) object {
	list := data.array("choices")
	for i, raw := range list {
		choice := readObject(nil, raw)
		index, _ := strconv.Atoi(string(choice.get("index")))
		known := c.choices[index]
		if known == nil {
			known = &customChoice{ours: make(map[int]bool)}
			c.choices[index] = known
		}
		message := choice.object(key)
		text, kept := known.split(message.array("tool_calls"), c.name)
		if text != nil {
			if message = message.without("tool_calls"); len(kept) > 0 {
				message = append(message, member{"tool_calls", appendArray(nil, kept)})
			}
			if len(text) > len(`""`) {
				message = message.set("content", joined(message.get("content"), text))
			}
			choice = choice.set(key, message.appendTo(nil))
		}
		if known.some && !known.others && choice.text("finish_reason") == "tool_calls" {
			choice = choice.set("finish_reason", []byte(`"stop"`))
		}
		list[i] = choice.appendTo(nil)
	}
	if list == nil {
		return data
	}
	return data.set("choices", appendArray(nil, list))
}

// split returns the input of the calls of the tool as a JSON string, nil if there are
// none, and the other calls.
func (c *customChoice) split(calls [][]byte, name string) (text []byte, others [][]byte) {
	for i, raw := range calls {
		call := readObject(nil, raw)
		index, err := strconv.Atoi(string(call.get("index")))
		if err != nil {
			index = -1 - i
		}
		custom := call.object("custom")
		if custom.has("name") || call.has("function") {
			c.ours[index] = custom.text("name") == name
		}
		if !c.ours[index] {
			others = append(others, raw)
			continue
		}
		text = joined(text, orEmpty(custom.get("input")))
		c.some = true
	}
	c.others = c.others || others != nil
	return text, others
}

// joined returns the content of a message with a text after it; both are JSON. A
// character may be split between them.
func joined(content, text []byte) []byte {
	switch {
	case isString(content):
		return append(bytes.Clone(content[:len(content)-1]), text[1:]...)
	case len(content) > 0 && content[0] == '[':
		part := object{{"type", []byte(`"text"`)}, {"text", text}}
		return appendArray(nil, append(readArray(nil, content), part.appendTo(nil)))
	}
	return text
}

// itemEvents returns the events that replace one of responses, which may be about a
// call of the tool.
func (c *customCodec) itemEvents(data object) []object {
	index, _ := strconv.Atoi(string(data.get("output_index")))
	item := c.items[index]
	source := data.object("item")
	kind := data.text("type")
	switch {
	case kind == "response.output_item.added" && c.isOurs(source):
		c.items[index] = new(customItem)
		return []object{data.set("item", messageOf(source, [][]byte{}).appendTo(nil))}
	case data.has("response"):
		return []object{data.set("response", c.withOutput(data.object("response")).appendTo(nil))}
	case item == nil:
		return []object{data}
	case kind == "response.custom_tool_call_input.delta":
		item.begun = true
		return []object{textEvent(data, "response.output_text.delta", member{"delta", orEmpty(data.get("delta"))})}
	case kind == "response.custom_tool_call_input.done":
		return item.end(data, orEmpty(data.get("input")))
	case kind == "response.output_item.done":
		delete(c.items, index)
		place := object{{"type", nil}, {"item_id", quoted(source.text("id"))}, {"output_index", data.get("output_index")}}
		if number := data.get("sequence_number"); number != nil {
			place = append(place, member{"sequence_number", number})
		}
		input := orEmpty(source.get("input"))
		message := messageOf(source, [][]byte{textPart(appendUnquoted(nil, input))})
		return append(item.end(place, input), data.set("item", message.appendTo(nil)))
	}
	return []object{data}
}

// end returns the events at the end of an input, which stands at place; none if it has
// ended before. Some servers send the whole input with it.
func (i *customItem) end(place object, input []byte) (list []object) {
	if i.ended {
		return nil
	}
	i.ended = true
	if !i.begun && len(input) > len(`""`) {
		list = append(list, textEvent(place, "response.output_text.delta", member{"delta", input}))
	}
	return append(list,
		textEvent(place, "response.output_text.done", member{"text", input}),
		textEvent(place, "response.content_part.done", member{"part", textPart(appendUnquoted(nil, input))}))
}

// textEvent returns an event about a message's text, in place of one about an input.
func textEvent(data object, kind string, m member) object {
	event := data.without("delta", "input").set("type", quoted(kind)).set("content_index", []byte("0"))
	if m.key != "part" {
		event = event.set("logprobs", []byte("[]"))
	}
	return append(event, m)
}

// isOurs reports whether an item is a call of the tool.
func (c *customCodec) isOurs(item object) bool {
	return item.text("type") == "custom_tool_call" && item.text("name") == c.name
}

// messageOf returns a message with that content in place of an item.
func messageOf(item object, content [][]byte) object {
	status := item.get("status")
	if status == nil {
		status = []byte(`"completed"`)
	}
	return object{{"id", quoted(item.text("id"))}, {"type", []byte(`"message"`)}, {"status", status}, {"role", []byte(`"assistant"`)}, {"content", appendArray(nil, content)}}
}

// withOutput returns a response with messages in place of calls of the tool.
func (c *customCodec) withOutput(response object) object {
	output := response.array("output")
	for i, raw := range output {
		if item := readObject(nil, raw); c.isOurs(item) {
			output[i] = messageOf(item, [][]byte{textPart(appendUnquoted(nil, orEmpty(item.get("input"))))}).appendTo(nil)
		}
	}
	if output == nil {
		return response
	}
	return response.set("output", appendArray(nil, output))
}
