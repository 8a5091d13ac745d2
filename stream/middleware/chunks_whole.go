package middleware

// whole implements codec.
func (c *chunkCodec) whole(dst, data []byte) (out []byte, restarted bool) {
	reply := readObject(nil, data)
	if isFailure(&block{}, reply) {
		return append(dst, data...), false
	}
	choices := [][]byte{data}
	if c.chunkShape.list != "" {
		choices = reply.array(c.chunkShape.list)
	}
	changed := false
	if c.chunkShape.usage == "" {
		c.spent.note(ollamaUsage(reply).appendTo(nil))
	} else {
		c.spent.note(reply.get(c.chunkShape.usage))
	}
	for i, raw := range choices {
		if i == maxChoices {
			break
		}
		source := readObject(nil, raw)
		if source == nil {
			continue
		}
		m := &wholeChoice{codec: c}
		rewritten, restarted := m.read(reply, source, i)
		if restarted {
			return dst, true
		}
		if rewritten != nil {
			choices[i] = rewritten.appendTo(nil)
			changed = true
		}
	}
	if c.spent.before != nil {
		changed = true
		if c.chunkShape.usage != "" {
			reply = reply.set(c.chunkShape.usage, c.spent.sum(c.spent.now))
		}
	}
	switch {
	case !changed:
		return append(dst, data...), false
	case c.chunkShape.list != "":
		return reply.set(c.chunkShape.list, appendArray(nil, choices)).appendTo(dst), false
	}
	reply = readObject(nil, choices[0])
	for _, m := range readObject(nil, orObject(c.spent.sum(c.spent.now))) {
		reply = reply.set(m.key, m.value)
	}
	return reply.appendTo(dst), false
}

// wholeChoice is one choice of a response that is not streamed.
type wholeChoice struct {
	codec *chunkCodec
	plain []byte   // text that is not in a part yet
	parts [][]byte // if contents are lists
	calls [][]byte
}

// read reads a choice. It returns nil if the choice can stay as it is.
func (m *wholeChoice) read(reply, source object, index int) (rewritten object, restarted bool) {
	c, x := m.codec, m.codec.x
	message := source.object(c.message)
	content := message.get(c.text)
	d := x.newDecoder(m, index)
	d.whole, d.reply = true, reply.text(c.id)
	var text []byte
	list := len(content) > 0 && content[0] == '['
	switch {
	case isString(content):
		text = appendUnquoted(nil, content)
		d.feed(text)
	case list:
		for _, raw := range readArray(nil, content) {
			part := readObject(nil, raw)
			if isSpoken(part) {
				piece := d.unquote(part.get("text"))
				text = append(text, piece...)
				d.feed(piece)
				continue
			}
			d.interrupt()
			if part.has("functionCall") && !d.native(part.object("functionCall").text("name")) {
				continue
			}
			m.endText()
			m.parts = append(m.parts, raw)
		}
	}
	reason := source.text(c.finish)
	cutOff := c.cutOff(reason) && reason != ""
	d.close(cutOff)
	var natives [][]byte
	dropped := false
	if c.calls != "" {
		for _, raw := range message.array(c.calls) {
			if d.native(readObject(nil, raw).object("function").text("name")) {
				natives = append(natives, raw)
			} else {
				dropped = true
			}
		}
	}
	if x.retryWhole(text, d, cutOff) {
		return nil, true
	}
	if x.misses(d.calls) && !cutOff {
		x.missing = true
	}
	if d.made == 0 && !d.damaged && !dropped && !d.less() {
		return nil, false
	}
	if list {
		m.endText()
		message = message.set(c.text, appendArray(nil, m.parts))
	} else {
		message = message.set(c.text, c.contentOf(m.plain))
	}
	if len(m.calls)+len(natives) > 0 {
		message = message.set(c.calls, appendArray(nil, append(natives, m.calls...)))
	} else if dropped {
		message = message.without(c.calls)
	}
	if d.calls > 0 && c.called != "" && c.isStop(reason) {
		source = source.set(c.finish, quoted(c.called))
	}
	return source.set(c.message, message.appendTo(nil)), false
}

// contentOf returns a content: null if there is no text besides the calls.
func (c *chunkCodec) contentOf(text []byte) []byte {
	if len(text) == 0 && c.chunkShape.list != "" {
		return []byte("null")
	}
	return quoted(text)
}

// endText makes a part of the text so far.
func (m *wholeChoice) endText() {
	if len(m.plain) == 0 {
		return
	}
	part := object{{"text", quoted(m.plain)}}
	if !m.codec.parts() {
		part = append(object{{"type", []byte(`"text"`)}}, part...)
	}
	m.parts = append(m.parts, part.appendTo(nil))
	m.plain = nil
}

// text implements sink.
func (m *wholeChoice) text(text []byte) { m.plain = append(m.plain, text...) }

// call implements sink.
func (m *wholeChoice) call(id, name string, input []byte) {
	c := m.codec
	switch {
	case c.calls == "":
		m.endText()
		m.parts = append(m.parts, c.chunkShape.call(nil, 0, id, name, input, true))
	case c.chunkShape.list == "":
		m.calls = append(m.calls, c.chunkShape.call(nil, len(m.calls), id, name, input, true))
	default:
		function := object{{"name", quoted(name)}, {"arguments", quoted(input)}}
		call := object{{"id", quoted(id)}, {"type", []byte(`"function"`)}, {"function", function.appendTo(nil)}}
		m.calls = append(m.calls, call.appendTo(nil))
	}
}
