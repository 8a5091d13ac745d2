package middleware

import (
	"bytes"
	"strconv"
)

// anthropicCodec reads Anthropic's messages. A message is a sequence of content
// blocks; a text block that has a call in it becomes several blocks, so blocks
// are numbered anew. One decoder reads all text blocks, one after the other: a
// call does not go beyond its block, but what is malformed counts for the whole
// message.
type anthropicCodec struct {
	x       *exchange
	decoder *decoder
	failed  *Error

	begun  bool              // message_start was delivered
	over   bool              // the upstream has failed: nothing is read any more
	reply  string            // id of the message
	next   int               // index of the next block delivered
	blocks map[int]*outBlock // open ones, by the index that the upstream gave them
	text   *outBlock         // the text block being read
	ending *outBlock         // it, when it has ended with something held back

	dst    []byte // being written
	memory object // of the delta being read
}

// outBlock is a content block of the upstream's.
type outBlock struct {
	in     int
	text   bool
	out    int    // its index, while it is open
	open   bool   // content_block_start was delivered for out
	start  []byte // the event that began it, as it came
	source object // its data
	memory []byte // of source
	blank  []byte // white space that may stand alone between calls
	split  bool   // a call came of it, or text before one
}

func (anthropic) codec(x *exchange) codec {
	return &anthropicCodec{x: x, blocks: make(map[int]*outBlock)}
}

func (c *anthropicCodec) err() *Error { return c.failed }

func (c *anthropicCodec) restart() {
	clear(c.blocks)
	c.decoder, c.text, c.ending = nil, nil, nil
}

// event implements codec.
func (c *anthropicCodec) event(dst []byte, b *block, data object) []byte {
	c.dst = dst
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
		c.messageDelta(b, data)
	case `"error"`:
		c.breakOff()
		c.over = true
		c.pass(b)
	default: // message_stop, ping, and what may be added to the protocol
		c.pass(b)
	}
	return c.dst
}

// pass passes an event on as it came.
func (c *anthropicCodec) pass(b *block) { c.dst = append(c.dst, b.raw...) }

// cutOffBy reports whether the event behind a text block says that the message
// was cut off there.
func cutOffBy(kind []byte, data object) bool {
	if string(kind) != `"message_delta"` {
		return true
	}
	reason := data.object("delta").text("stop_reason")
	return reason != "end_turn" && reason != "stop_sequence" && reason != "tool_use"
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
		default:
			c.decoderOf().said = true // a call of the upstream's own, or its result
		}
		ob.out, ob.open = c.next, true
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

// decoderOf returns the decoder of the message.
func (c *anthropicCodec) decoderOf() *decoder {
	if c.decoder == nil {
		c.decoder = c.x.newDecoder(blockSink{c}, 0)
	}
	c.decoder.reply = c.reply
	return c.decoder
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
			c.renumbered(b, data, ob)
			return
		}
	}
	d.feed(d.unquote(text))
}

// open begins the block for the application.
func (c *anthropicCodec) open(ob *outBlock) {
	ob.out, ob.open = c.next, true
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

// emit writes an event about the block of that index; rest is the JSON behind
// the index.
func (c *anthropicCodec) emit(name string, index int, rest string) {
	data := append([]byte(`{"type":`), quoted(name)...)
	data = strconv.AppendInt(append(data, `,"index":`...), int64(index), 10)
	c.dst = appendEvent(c.dst, name, append(data, rest...))
}

// say writes text of the block being read. White space alone between calls is no
// block of its own: the API would refuse it when the message comes back.
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

// deliver writes a call as a block of its own.
func (c *anthropicCodec) deliver(id, name string, input []byte) {
	ob := c.text
	c.shut(ob)
	ob.split, ob.blank = true, nil
	index := c.next
	c.next++
	content := object{{"type", []byte(`"tool_use"`)}, {"id", quoted(id)}, {"name", quoted(name)}, {"input", []byte("{}")}}
	c.emit("content_block_start", index, `,"content_block":`+string(content.appendTo(nil))+"}")
	whole := func(yield func([]byte) bool) { yield(input) }
	if c.x.opts.SplitDeltas {
		whole = pieces(input)
	}
	for piece := range whole {
		c.emit("content_block_delta", index, `,"delta":{"type":"input_json_delta","partial_json":`+string(quoted(piece))+"}}")
	}
	c.emit("content_block_stop", index, "}")
}

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
	c.renumbered(b, data, ob)
}

// finish ends the text block that is ending. It returns false where the message
// was sent back.
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

// drain writes what is held back of a text block. It returns false where the
// message was sent back.
func (c *anthropicCodec) drain(ob *outBlock, cutOff bool) bool {
	c.text = ob
	d := c.decoderOf()
	said := d.said
	if !d.close(cutOff) {
		return false
	}
	d.said = said || ob.open || ob.split
	d.newline = false
	d.reset()
	if !ob.open && !ob.split {
		c.open(ob)
		if len(ob.blank) > 0 {
			c.textDelta(ob, ob.blank)
		}
	}
	return true
}

// breakOff writes what is held back where the upstream ends within a message. A
// block that it has not ended stays open.
func (c *anthropicCodec) breakOff() {
	c.x.retries = 0 // it is too late for another message
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
	reason := delta.text("stop_reason")
	if c.decoder == nil || c.decoder.calls == 0 || reason != "end_turn" && reason != "stop_sequence" {
		c.pass(b)
		return
	}
	c.dst = append(c.dst, b.rest...)
	data = data.set("delta", delta.set("stop_reason", []byte(`"tool_use"`)).appendTo(nil))
	c.dst = appendEvent(c.dst, b.name, data.appendTo(nil))
}

// done implements codec. Anthropic has no such event, but others who speak the
// protocol may send it.
func (c *anthropicCodec) done(dst []byte, b *block) []byte { return append(c.end(dst), b.raw...) }

// end implements codec.
func (c *anthropicCodec) end(dst []byte) []byte {
	c.dst = dst
	c.breakOff()
	return c.dst
}

// blockSink is the sink of a stream.
type blockSink struct{ c *anthropicCodec }

func (s blockSink) text(text []byte)                   { s.c.say(text) }
func (s blockSink) call(id, name string, input []byte) { s.c.deliver(id, name, input) }
