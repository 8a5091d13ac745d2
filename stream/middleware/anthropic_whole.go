package middleware

import "bytes"

// whole implements codec.
func (c *anthropicCodec) whole(dst, data []byte) (out []byte, restarted bool) {
	x := c.x
	reply := readObject(nil, data)
	reason := reply.text("stop_reason")
	cutOff := reason != "end_turn" && reason != "stop_sequence" && reason != "tool_use"
	m := &blocks{}
	d := x.newDecoder(m, 0)
	d.whole, d.reply = true, reply.text("id")
	var text []byte
	for _, raw := range reply.array("content") {
		m.begin(raw)
		if m.source == nil {
			continue
		}
		content := appendUnquoted(nil, m.source.get("text"))
		text = append(text, content...)
		d.feed(content)
		d.close(cutOff)
		d.newline = false
		d.reset()
		m.flush(raw)
	}
	if len(d.faults) > 0 && !cutOff && x.mayRetry() && x.retryWhole(text, d.faults) {
		return dst, true
	}
	if d.calls == 0 && !d.damaged {
		return append(dst, data...), false
	}
	reply = reply.set("content", appendArray(nil, m.out))
	if d.calls > 0 && (reason == "end_turn" || reason == "stop_sequence") {
		reply = reply.set("stop_reason", []byte(`"tool_use"`))
	}
	return reply.appendTo(dst), false
}

// blocks is the content of a message that is not streamed.
type blocks struct {
	out    [][]byte
	source object // the text block being read; nil: another one
	said   []byte // text of it that is in no block yet
	split  bool   // a call came of it
}

// begin takes the next block; one that is no text is done with.
func (m *blocks) begin(raw []byte) {
	m.source, m.said, m.split = readObject(nil, raw), nil, false
	if m.source.text("type") != "text" || !isString(m.source.get("text")) {
		m.source = nil
		m.out = append(m.out, raw)
	}
}

// flush ends a block of text. White space alone between calls is none.
func (m *blocks) flush(raw []byte) {
	switch text := m.source.get("text"); {
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
