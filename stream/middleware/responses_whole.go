package middleware

// whole implements codec.
func (c *responsesCodec) whole(dst, data []byte) (out []byte, restarted bool) {
	x := c.x
	reply := readObject(nil, data)
	if reply.array("output") == nil {
		return append(dst, data...), false
	}
	c.spent.note(reply.get("usage"))
	cutOff := reply.text("status") != "completed" && reply.has("status")
	m := &respItems{c: c}
	d := x.newDecoder(m, 0)
	d.whole, d.reply = true, reply.text("id")
	var text []byte
	for i, raw := range reply.array("output") {
		item := readObject(nil, raw)
		switch item.text("type") {
		case "message":
			text = append(text, m.read(d, item, raw, i, cutOff)...)
		case "function_call":
			m.source, m.split = object{{"id", quoted("msg_" + x.ids.id(d.reply, i, -1)[len("call_"):])}, {"type", []byte(`"message"`)}, {"role", []byte(`"assistant"`)}}, true
			if d.native(item.text("name")) {
				m.out = append(m.out, raw)
			} else {
				m.changed = true
				m.flush()
			}
			d.newline = false
		default:
			m.out = append(m.out, raw)
		}
	}
	if x.retryWhole(text, d, cutOff) {
		return dst, true
	}
	if x.misses(d.calls) && !cutOff {
		x.missing = true
	}
	if m.changed || d.damaged || d.less() {
		reply = reply.set("output", appendArray(nil, m.out))
		if isString(reply.get("output_text")) {
			reply = reply.set("output_text", quoted(textOf(m.out)))
		}
	}
	if c.spent.before != nil {
		reply = reply.set("usage", c.spent.sum(c.spent.now))
	}
	return c.asAsked(reply).appendTo(dst), false
}

// respItems is the output of a response that is not streamed.
type respItems struct {
	c       *responsesCodec
	out     [][]byte
	changed bool

	source object // the message being read
	index  int
	times  int
	split  bool     // it became a call
	parts  [][]byte // its parts that are not in a message yet
	said   []byte   // text that is not in a part yet
}

// read reads a message, and returns its text.
func (m *respItems) read(d *decoder, item object, raw []byte, index int, cutOff bool) (text []byte) {
	m.source, m.index, m.times, m.split, m.parts, m.said = item, index, 0, false, nil, nil
	damaged := d.damaged
	for _, raw := range item.array("content") {
		part := readObject(nil, raw)
		if part.text("type") != "output_text" || !isString(part.get("text")) {
			m.endPart()
			m.parts = append(m.parts, raw)
			continue
		}
		piece := appendUnquoted(nil, part.get("text"))
		text = append(text, piece...)
		d.feed(piece)
		d.close(cutOff)
		d.newline = false
		d.reset()
		if string(m.said) == string(piece) {
			m.said = nil
			m.parts = append(m.parts, raw)
		} else {
			m.endPart()
		}
	}
	if !m.split && d.damaged == damaged && !d.less() {
		m.out = append(m.out, raw)
		return text
	}
	m.changed = true
	m.flush()
	return text
}

// endPart makes a part of the text so far. Whitespace alone between calls does not
// count.
func (m *respItems) endPart() {
	if len(m.said) > 0 && !(m.split && isBlank(m.said)) {
		m.parts = append(m.parts, textPart(m.said))
	}
	m.said = nil
}

// flush makes a message of the parts so far.
func (m *respItems) flush() {
	m.endPart()
	if len(m.parts) == 0 {
		return
	}
	m.times++
	id := m.source.text("id")
	if m.times > 1 {
		id = "msg_" + m.c.x.ids.id(id, m.index, m.times)[len("call_"):]
	}
	item := append(object(nil), m.source...).set("id", quoted(id)).set("status", []byte(`"completed"`)).set("content", appendArray(nil, m.parts))
	m.out = append(m.out, item.appendTo(nil))
	m.parts = nil
}

// text implements sink.
func (m *respItems) text(text []byte) { m.said = append(m.said, text...) }

// call implements sink.
func (m *respItems) call(id, name string, input []byte) {
	m.split = true
	m.flush()
	m.out = append(m.out, callItem("fc_"+id[len("call_"):], id, name, quoted(input), "completed"))
}
