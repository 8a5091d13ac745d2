package middleware

import (
	"bytes"
	"strconv"
)

// anthropicCodec reads Anthropic's messages. A message is a sequence of content blocks;
// a text block that holds a call becomes several blocks, so blocks are renumbered. One
// decoder reads all text blocks in turn: a call cannot cross into another block, but a
// malformed one affects the whole message.
type anthropicCodec struct {
	blockStream
	next    int               // index of the next block delivered
	calling int               // index of the call being delivered
	blocks  map[int]*outBlock // open blocks, by the upstream's index
	text    *outBlock         // the text block being read
	ending  *outBlock         // that block, if it has ended with something held back

	memory object // of the delta being read
}

// outBlock is a content block of the upstream.
type outBlock struct {
	in     int
	text   bool
	drop   bool   // it is not delivered
	out    int    // its index, while it is open
	open   bool   // content_block_start was delivered for out
	start  []byte // the event that began it, as it came
	source object // its data
	memory []byte // of source
	blank  []byte // whitespace that may stand alone between calls
	split  bool   // it became a call, or the text before one
}

func newAnthropicCodec(x *exchange) codec {
	c := &anthropicCodec{blockStream: blockStream{x: x, textKey: "text", pieceKey: "partial_json"}, blocks: make(map[int]*outBlock)}
	c.sink = blockSink{c}
	return c
}

// fault implements codec.
func (c *anthropicCodec) fault(dst []byte, err *Error) []byte {
	e := object{{"type", []byte(`"api_error"`)}, {"message", quoted(err.Error())}}
	return appendEvent(dst, "error", object{{"type", []byte(`"error"`)}, {"error", e.appendTo(nil)}}.appendTo(nil))
}

// restart implements codec. The delivered part of a block stays, as a block.
func (c *anthropicCodec) restart() {
	for _, ob := range c.blocks {
		c.shut(ob)
	}
	clear(c.blocks)
	c.text, c.ending = nil, nil
	c.anew()
}

// spend implements codec.
func (c *anthropicCodec) spend(b *block, data object) (last bool) {
	switch string(data.get("type")) {
	case `"message_start"`:
		c.spent.note(data.object("message").get("usage"))
	case `"message_delta"`:
		if usage := data.object("usage"); usage != nil { // it covers the whole message
			so := readObject(nil, orObject(c.spent.now))
			for _, m := range usage {
				if string(m.value) != "null" {
					so = so.set(m.key, m.value)
				}
			}
			c.spent.note(so.appendTo(nil))
		}
		return true
	}
	return false
}

// event implements codec.
func (c *anthropicCodec) event(dst []byte, b *block, data object) []byte {
	c.dst = dst
	c.bones.forget()
	if c.over {
		c.pass(b)
		return c.dst
	}
	kind := data.get("type")
	if c.ending != nil && string(kind) != `"ping"` {
		if !c.finish(cutOffBy(kind, data)) {
			return c.dst
		}
	}
	switch string(kind) {
	case `"message_start"`:
		c.spend(b, data)
		c.reply = data.object("message").text("id")
		if !c.begun {
			c.pass(b)
		}
		c.begun = true
	case `"content_block_start"`:
		c.start(b, data)
	case `"content_block_delta"`:
		c.delta(b, data)
	case `"content_block_stop"`:
		c.stop(b, data)
	case `"message_delta"`:
		c.spend(b, data)
		c.messageDelta(b, data)
	case `"error"`:
		c.breakOff()
		c.over = true
		c.pass(b)
	default: // message_stop, ping, and events that the protocol may add
		c.pass(b)
	}
	return c.dst
}

// passing implements textSink.
func (s blockSink) passing() bool { return s.c.text.open && len(s.c.text.blank) == 0 }

// passed implements textSink.
func (s blockSink) passed([]byte) {}

// count implements textSink.
func (s blockSink) count() []byte { return nil }

// pass passes an event on as it came.
func (c *anthropicCodec) pass(b *block) { c.dst = append(c.dst, b.raw...) }

// cutOffBy reports whether the event after a text block says that the message
// was cut off there.
func cutOffBy(kind []byte, data object) bool {
	if string(kind) != `"message_delta"` {
		return true
	}
	return !ended(data.object("delta").text("stop_reason"))
}

func indexOf(data object) int {
	index, _ := strconv.Atoi(string(data.get("index")))
	return index
}

func (c *anthropicCodec) start(b *block, data object) {
	in := indexOf(data)
	if len(c.blocks) >= maxChoices {
		c.failed = &Error{Code: TooManyChoices, Limit: maxChoices}
		return
	}
	ob := &outBlock{in: in}
	c.blocks[in] = ob
	content := data.object("content_block")
	if content.text("type") != "text" {
		switch content.text("type") {
		case "thinking", "redacted_thinking":
			ob.drop = c.thinking
			c.thought = true
		case "tool_use":
			ob.drop = !c.native(content.text("name"))
		default:
			c.decoderOf().fixed = true // what the upstream did must not be done again
		}
		if ob.drop {
			return
		}
		ob.out, ob.open = c.next, true
		c.shown.forget() // it has the number of another block
		c.next++
		c.renumbered(b, data, ob)
		return
	}
	ob.text = true
	ob.start = bytes.Clone(b.raw)
	text := content.get("text")
	ob.memory = content.set("text", []byte(`""`)).appendTo(nil)
	ob.memory = data.set("content_block", ob.memory).appendTo(nil)
	ob.source = readObject(nil, ob.memory)
	if len(text) > len(`""`) && isString(text) {
		ob.start = nil
		c.feed(ob, text)
	}
}

// native takes a call that the upstream made itself, and reports whether it is
// delivered. If not, the reason is delivered as text, in a block of its own.
func (c *anthropicCodec) native(name string) bool {
	ob := &outBlock{in: -1, text: true, source: object{
		{"type", []byte(`"content_block_start"`)}, {"index", []byte("0")}, {"content_block", []byte(`{"type":"text","text":""}`)},
	}}
	c.text = ob
	d := c.decoderOf()
	delivered := d.native(name)
	d.newline = false
	c.shut(ob)
	c.text = nil
	return delivered
}

// feed reads text of a block.
func (c *anthropicCodec) feed(ob *outBlock, quoted []byte) {
	c.text = ob
	d := c.decoderOf()
	d.feed(d.unquote(quoted))
}

// renumbered passes an event of a block on under its new index.
func (c *anthropicCodec) renumbered(b *block, data object, ob *outBlock) {
	if ob.out == ob.in {
		c.pass(b)
		return
	}
	c.dst = append(c.dst, b.rest...)
	data = data.set("index", strconv.AppendInt(nil, int64(ob.out), 10))
	c.dst = appendEvent(c.dst, b.name, data.appendTo(nil))
}

func (c *anthropicCodec) delta(b *block, data object) {
	ob := c.blocks[indexOf(data)]
	if ob == nil {
		c.pass(b)
		return
	}
	if ob.drop {
		return
	}
	delta := readObject(c.memory[:0], data.get("delta"))
	if delta == nil {
		c.renumbered(b, data, ob)
		return
	}
	c.memory = delta
	text := delta.get("text")
	if !ob.text || string(delta.get("type")) != `"text_delta"` || !isString(text) {
		if !ob.open { // a citation before the text
			c.open(ob)
		}
		c.renumbered(b, data, ob)
		return
	}
	c.text = ob
	d := c.decoderOf()
	if d.carry == nil && highSurrogate(text) == nil && len(ob.blank) == 0 {
		if plain := d.unquote(text); (ob.open || !isBlank(plain)) && d.plain(plain) {
			if !ob.open {
				c.open(ob)
			}
			start := len(c.dst)
			c.renumbered(b, data, ob)
			c.learn(b, text, c.dst[start:])
			return
		}
	}
	c.learn(b, text, nil)
	d.feed(d.unquote(text))
}

// open begins the block for the application.
func (c *anthropicCodec) open(ob *outBlock) {
	ob.out, ob.open = c.next, true
	c.shown.forget() // it has the number of another block
	c.next++
	if ob.out == ob.in && ob.start != nil {
		c.dst = append(c.dst, ob.start...)
		return
	}
	data := ob.source.set("index", strconv.AppendInt(nil, int64(ob.out), 10))
	c.dst = appendEvent(c.dst, "content_block_start", data.appendTo(nil))
}

// shut ends the block for the application.
func (c *anthropicCodec) shut(ob *outBlock) {
	if ob.open {
		ob.open = false
		c.emit("content_block_stop", ob.out, "}")
	}
}

// emit writes an event about the block with that index; rest is the JSON after the
// index.
func (c *anthropicCodec) emit(name string, index int, rest string) {
	data := append([]byte(`{"type":`), quoted(name)...)
	data = strconv.AppendInt(append(data, `,"index":`...), int64(index), 10)
	c.dst = appendEvent(c.dst, name, append(data, rest...))
}

// say writes text of the block being read. Whitespace alone between calls does not
// become a block: the API would reject it when the message comes back.
func (c *anthropicCodec) say(text []byte) {
	ob := c.text
	if !ob.open {
		if isBlank(text) {
			ob.blank = append(ob.blank, text...)
			return
		}
		c.open(ob)
		if len(ob.blank) > 0 {
			text = append(ob.blank, text...)
			ob.blank = nil
		}
	}
	c.textDelta(ob, text)
}

// blockSink is the sink of a stream.
type blockSink struct{ c *anthropicCodec }

func (s blockSink) text(text []byte) { s.c.say(text) }

// call implements sink.
func (s blockSink) call(id, name string, input []byte) { s.c.call(id, name, input) }

// splits implements liveSink.
func (s blockSink) splits() bool { return true }

// begin implements liveSink: a call is a block of its own.
func (s blockSink) begin(id, name string) {
	c, ob := s.c, s.c.text
	c.shut(ob)
	c.pieces.forget()
	ob.split, ob.blank = true, nil
	content := object{{"type", []byte(`"tool_use"`)}, {"id", quoted(id)}, {"name", quoted(name)}, {"input", []byte("{}")}}
	c.calling = c.next
	c.emit("content_block_start", c.calling, `,"content_block":`+string(content.appendTo(nil))+"}")
	c.next++
}

// piece implements liveSink. The upstream may have begun a block since.
func (s blockSink) piece(input []byte) { s.c.piece(input) }

// writePiece implements textSink.
func (s blockSink) writePiece(input []byte) {
	s.c.emit("content_block_delta", s.c.calling, `,"delta":{"type":"input_json_delta","partial_json":`+string(quoted(input))+"}}")
}

// complete implements liveSink.
func (s blockSink) complete([]byte, bool) { s.c.emit("content_block_stop", s.c.calling, "}") }

func (c *anthropicCodec) stop(b *block, data object) {
	in := indexOf(data)
	ob := c.blocks[in]
	if ob == nil {
		c.pass(b)
		return
	}
	if ob.text {
		c.text, c.ending = ob, ob
		if c.decoderOf().idle() {
			c.finish(true) // there is nothing to cut off
		}
		return
	}
	delete(c.blocks, in)
	if !ob.drop {
		c.renumbered(b, data, ob)
	}
}

// finish ends the text block that is ending. It returns false if the message was sent
// back.
func (c *anthropicCodec) finish(cutOff bool) bool {
	ob := c.ending
	c.ending = nil
	if !c.drain(ob, cutOff) {
		return false
	}
	c.shut(ob)
	delete(c.blocks, ob.in)
	return true
}

// drain writes the text of a block that is held back. It returns false if the message
// was sent back.
func (c *anthropicCodec) drain(ob *outBlock, cutOff bool) bool {
	c.text = ob
	if !c.endText(cutOff) {
		return false
	}
	if !ob.open && !ob.split && !c.decoder.less() && !c.restarted {
		c.open(ob)
		if len(ob.blank) > 0 {
			c.textDelta(ob, ob.blank)
		}
	}
	return true
}

// breakOff writes what is held back if the upstream ends within a message. A block that
// it has not ended stays open.
func (c *anthropicCodec) breakOff() {
	if c.decoder != nil {
		c.decoder.fixed = true // it is too late for a new message
	}
	switch ob := c.text; {
	case c.ending != nil:
		c.finish(true)
	case ob != nil && c.blocks[ob.in] == ob:
		c.drain(ob, true)
	}
	c.text = nil
}

func (c *anthropicCodec) textDelta(ob *outBlock, text []byte) {
	data := append([]byte(`,"delta":{"type":"text_delta","text":`), quoted(text)...)
	c.emit("content_block_delta", ob.out, string(append(data, "}}"...)))
}

func (c *anthropicCodec) messageDelta(b *block, data object) {
	delta := data.object("delta")
	reason, stop := c.x.stopOf(delta)
	d := c.decoderOf()
	if !d.finish(!ended(reason)) || c.x.missing {
		return
	}
	if d.calls > 0 && ended(reason) {
		reason = "tool_use"
	}
	if stop && reason == delta.text("stop_reason") && c.spent.before == nil {
		c.pass(b)
		return
	}
	delta = delta.set("stop_reason", quoted(reason))
	if !stop {
		delta = delta.set("stop_sequence", []byte("null"))
	}
	if data = data.set("delta", delta.appendTo(nil)); c.spent.before != nil {
		data = data.set("usage", c.spent.sum(c.spent.now))
	}
	c.dst = append(c.dst, b.rest...)
	c.dst = appendEvent(c.dst, b.name, data.appendTo(nil))
}

// stopOf returns why a message ended, and whether one of the application's stop
// sequences ended it.
func (x *exchange) stopOf(o object) (reason string, theirs bool) {
	if reason = o.text("stop_reason"); reason == "stop_sequence" && !x.rescues && o.text("stop_sequence") == resultOpener(&x.opts.Manual) {
		return "end_turn", false
	}
	return reason, true
}

// ended reports whether a reason says that the model finished on its own.
func ended(reason string) bool {
	return reason == "end_turn" || reason == "stop_sequence" || reason == "tool_use"
}

// done implements codec. Anthropic sends no such event, but other servers with this API
// may.
func (c *anthropicCodec) done(dst []byte, b *block) []byte {
	return append(c.end(dst, false), b.raw...)
}

// end implements codec.
func (c *anthropicCodec) end(dst []byte, clean bool) []byte {
	c.dst = dst
	c.breakOff()
	return c.dst
}
