package middleware

// whole implements codec.
func (c *openAICodec) whole(dst, data []byte) (out []byte, restarted bool) {
	reply := readObject(nil, data)
	choices := reply.array("choices")
	changed := false
	for i, raw := range choices {
		if i == maxChoices {
			break
		}
		source := readObject(nil, raw)
		m := &message{codec: c}
		rewritten, restarted := m.read(reply, source, i)
		if restarted {
			return dst, true
		}
		if rewritten != nil {
			choices[i] = rewritten.appendTo(nil)
			changed = true
		}
	}
	if !changed {
		return append(dst, data...), false
	}
	return reply.set("choices", appendArray(nil, choices)).appendTo(dst), false
}

// message is one choice of a response that is not streamed.
type message struct {
	codec *openAICodec
	said  []byte
	calls [][]byte
}

// read reads a choice. It returns nil where the choice can stay as it is.
func (m *message) read(reply, source object, index int) (rewritten object, restarted bool) {
	content := source.object("message").get("content")
	if !isString(content) {
		return nil, false
	}
	x := m.codec.x
	d := x.newDecoder(m, index)
	d.whole, d.reply = true, reply.text("id")
	text := appendUnquoted(nil, content)
	d.feed(text)
	reason := source.text("finish_reason")
	cutOff := reason != "stop" && reason != "tool_calls"
	d.close(cutOff)
	if len(d.faults) > 0 && !cutOff && x.mayRetry() && x.retryWhole(text, d.faults) {
		return nil, true
	}
	if d.calls == 0 && !d.damaged {
		return nil, false
	}
	message := source.object("message")
	message = message.set("content", contentOf(m.said))
	if d.calls > 0 {
		calls := append(message.array("tool_calls"), m.calls...)
		message = message.set("tool_calls", appendArray(nil, calls))
		if reason == "stop" {
			source = source.set("finish_reason", []byte(`"tool_calls"`))
		}
	}
	return source.set("message", message.appendTo(nil)), false
}

// contentOf returns a content: null where there is no text beside the calls.
func contentOf(text []byte) []byte {
	if len(text) == 0 {
		return []byte("null")
	}
	return quoted(text)
}

// text implements sink.
func (m *message) text(text []byte) { m.said = append(m.said, text...) }

// call implements sink.
func (m *message) call(id, name string, input []byte) {
	function := object{{"name", quoted(name)}, {"arguments", quoted(input)}}
	call := object{{"id", quoted(id)}, {"type", []byte(`"function"`)}, {"function", function.appendTo(nil)}}
	m.calls = append(m.calls, call.appendTo(nil))
}
