package middleware

import "bytes"

// whole implements codec.
func (c *anthropicCodec) whole(dst, data []byte) (out []byte, restarted bool) {
	x := c.x
	reply := readObject(nil, data)
	reason, theirs := x.stopOf(reply)
	cutOff := !ended(reason)
	m := &blocks{}
	d := x.newDecoder(m, 0)
	d.whole, d.reply = true, reply.text("id")
	c.spent.note(reply.get("usage"))
	var text []byte
	changed := false
	for _, raw := range reply.array("content") {
		if block := readObject(nil, raw); block.text("type") == "tool_use" {
			m.source = object{{"type", []byte(`"text"`)}, {"text", []byte(`""`)}}
			if d.native(block.text("name")) {
				m.out = append(m.out, raw)
			} else {
				m.split, changed = true, true
				m.flush(nil)
			}
			d.newline = false
			continue
		}
		m.begin(raw)
		if m.source == nil {
			continue
		}
		m.cut = d.speech.over
		content := appendUnquoted(nil, m.source.get("text"))
		text = append(text, content...)
		d.feed(content)
		d.close(cutOff)
		d.newline = false
		d.reset()
		m.cut = m.cut || d.stripped
		m.flush(raw)
	}
	if x.retryWhole(text, d, cutOff) {
		return dst, true
	}
	if x.misses(d.calls) && !cutOff {
		x.missing = true
	}
	if d.made == 0 && !d.damaged && !changed && !d.less() && theirs && c.spent.before == nil {
		return append(dst, data...), false
	}
	reply = reply.set("content", appendArray(nil, m.out))
	if d.calls > 0 && ended(reason) {
		reason = "tool_use"
	}
	if reason != reply.text("stop_reason") {
		reply = reply.set("stop_reason", quoted(reason))
	}
	if !theirs {
		reply = reply.set("stop_sequence", []byte("null"))
	}
	if c.spent.before != nil {
		reply = reply.set("usage", c.spent.sum(c.spent.now))
	}
	return reply.appendTo(dst), false
}

// blocks is the content of a message that is not streamed.
type blocks struct {
	out    [][]byte
	source object // the text block being read; nil for another block
	said   []byte // text of it that is in no block yet
	split  bool   // it became a call
	cut    bool   // it comes after what the model invented
}

// begin takes the next block. A block that is not text is then complete.
func (m *blocks) begin(raw []byte) {
	m.source, m.said, m.split = readObject(nil, raw), nil, false
	if m.source.text("type") != "text" || !isString(m.source.get("text")) {
		m.source = nil
		m.out = append(m.out, raw)
	}
}

// flush ends a block of text. Whitespace alone between calls does not count.
func (m *blocks) flush(raw []byte) {
	switch text := m.source.get("text"); {
	case len(m.said) == 0 && m.cut:
	case !m.split && bytes.Equal(m.said, appendUnquoted(nil, text)):
		m.out = append(m.out, raw)
	case !m.split || !isBlank(m.said):
		source := append(object(nil), m.source...)
		m.out = append(m.out, source.set("text", quoted(m.said)).appendTo(nil))
	}
	m.said = nil
}

// text implements sink.
func (m *blocks) text(text []byte) { m.said = append(m.said, text...) }

// call implements sink.
func (m *blocks) call(id, name string, input []byte) {
	m.split = true
	m.flush(nil)
	call := object{{"type", []byte(`"tool_use"`)}, {"id", quoted(id)}, {"name", quoted(name)}, {"input", input}}
	m.out = append(m.out, call.appendTo(nil))
}
