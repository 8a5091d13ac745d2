package middleware

import (
	"bytes"
	"strconv"
)

// responsesCodec reads OpenAI's responses. A response is a sequence of items; a message
// that holds a call becomes several, so items are renumbered, and the last event, which
// has all of them, is rewritten. One decoder reads all text, part after part.
type responsesCodec struct {
	blockStream
	changed  bool // the output differs from the upstream's
	named    bool // events have names
	numbered bool // events have numbers

	number int    // of the next event
	digits []byte // memory for it
	output [][]byte
	items  map[int]*respItem // open items, by the upstream's index
	text   *respItem         // the message being read
	held   bool              // it ended with something held back

	calling respCall // the call being delivered
}

func newResponsesCodec(x *exchange) codec {
	c := &responsesCodec{blockStream: blockStream{x: x, textKey: "delta", pieceKey: "delta", loose: []string{"sequence_number", "obfuscation"}}, items: make(map[int]*respItem)}
	c.sink = respSink{c}
	return c
}

// fault implements codec.
func (c *responsesCodec) fault(dst []byte, err *Error) []byte {
	c.dst = dst
	c.emit("error", object{{"code", quoted(err.Code)}, {"message", quoted(err.Error())}, {"param", []byte("null")}})
	return c.dst
}

// restart implements codec. The delivered part of a message stays, as a message.
func (c *responsesCodec) restart() {
	if c.text != nil {
		c.shut(c.text)
	}
	clear(c.items)
	c.text, c.held, c.changed = nil, false, true
	c.anew()
}

// spend implements codec.
func (c *responsesCodec) spend(b *block, data object) (last bool) {
	response := data.object("response")
	if response.has("usage") {
		c.spent.note(response.get("usage"))
	}
	switch data.text("type") {
	case "response.completed", "response.incomplete", "response.failed":
		return true
	}
	return false
}

// event implements codec.
func (c *responsesCodec) event(dst []byte, b *block, data object) []byte {
	c.dst = dst
	c.bones.forget()
	if c.over {
		return append(dst, b.raw...)
	}
	c.named = c.named || b.name != ""
	c.numbered = c.numbered || data.has("sequence_number")
	kind := data.get("type")
	switch string(kind) {
	case `"response.output_text.delta"`:
		c.textDelta(b, data)
	case `"response.created"`, `"response.in_progress"`, `"response.queued"`:
		response := data.object("response")
		c.reply = response.text("id")
		if !c.restarted || !c.begun {
			c.pass(b, data.set("response", c.asAsked(response).appendTo(nil)), true)
		}
		c.begun = true
	case `"response.output_item.added"`:
		if c.endHeld(true) {
			c.add(b, data)
		}
	case `"response.output_item.done"`:
		c.itemDone(b, data)
	case `"response.content_part.added"`:
		c.addPart(b, data)
	case `"response.output_text.done"`:
		c.textDone(b, data)
	case `"response.content_part.done"`:
		c.partDone(b, data)
	case `"response.completed"`, `"response.incomplete"`:
		c.spend(b, data)
		c.complete(b, data, string(kind) == `"response.incomplete"`)
	case `"response.failed"`, `"error"`:
		c.breakOff()
		c.over = true
		if response := data.object("response"); response != nil {
			data = data.set("response", c.asAsked(response).appendTo(nil))
		}
		c.pass(b, data, true)
	default:
		c.other(b, data)
	}
	return c.dst
}

// pass writes an upstream event under its number here.
func (c *responsesCodec) pass(b *block, data object, changed bool) {
	if at := c.count(); at != nil {
		if old := data.get("sequence_number"); !bytes.Equal(old, at) {
			data, changed = data.set("sequence_number", at), true
		}
	}
	if !changed {
		c.dst = append(c.dst, b.raw...)
		return
	}
	c.dst = append(c.dst, b.rest...)
	c.dst = appendEvent(c.dst, b.name, data.appendTo(nil))
}

// emit writes an event of our own.
func (c *responsesCodec) emit(kind string, members object) {
	data := object{{"type", quoted(kind)}}
	if at := c.count(); at != nil {
		data = append(data, member{"sequence_number", at})
	}
	data = append(data, members...)
	name := ""
	if c.named {
		name = kind
	}
	c.dst = appendEvent(c.dst, name, data.appendTo(nil))
}

// renumbered passes an event of an item on under its new index.
func (c *responsesCodec) renumbered(b *block, data object, item *respItem) {
	if item.drop {
		return
	}
	changed := item.out != item.in
	if changed {
		data = data.set("output_index", number(item.out))
	}
	if item.message && item.times > 1 && data.has("item_id") {
		data, changed = data.set("item_id", quoted(item.id)), true
	}
	c.pass(b, data, changed)
}

// count returns the number of the next event; nil if events have none. It is valid
// until the next call.
func (c *responsesCodec) count() []byte {
	if !c.numbered {
		return nil
	}
	c.number++
	c.digits = strconv.AppendInt(c.digits[:0], int64(c.number-1), 10)
	return c.digits
}

func number(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }

// itemOf returns the item that an event is about, nil for an unknown one.
func (c *responsesCodec) itemOf(data object) *respItem {
	index, _ := strconv.Atoi(string(data.get("output_index")))
	return c.items[index]
}

// add takes the beginning of an item. A message begins for the application once
// something is in it.
func (c *responsesCodec) add(b *block, data object) {
	if len(c.items) >= maxChoices {
		c.failed = &Error{Code: TooManyChoices, Limit: maxChoices}
		return
	}
	index, _ := strconv.Atoi(string(data.get("output_index")))
	item := &respItem{in: index}
	c.items[index] = item
	source := data.object("item")
	switch source.text("type") {
	case "message":
		item.message = true
		raw := source.appendTo(nil)
		item.source = readObject(nil, raw)
		return
	case "reasoning":
		item.drop = c.thinking
		c.thought = true
	case "function_call":
		item.drop = !c.native(source.text("name"))
	default:
		c.decoderOf().fixed = true // what the upstream did must not be done again
	}
	if item.drop {
		c.changed = true
		return
	}
	item.out, item.open = len(c.output), true
	c.changed = c.changed || item.out != item.in
	c.output = append(c.output, data.get("item"))
	c.output[item.out] = bytes.Clone(c.output[item.out])
	c.renumbered(b, data, item)
}

// native takes a call that the upstream made itself, and reports whether it is
// delivered. If not, the reason becomes a message of its own.
func (c *responsesCodec) native(name string) bool {
	item := &respItem{message: true, source: object{{"id", quoted("msg_" + c.x.ids.id(c.reply, 0, -1-c.number)[len("call_"):])}, {"type", []byte(`"message"`)}, {"role", []byte(`"assistant"`)}}}
	c.text = item
	d := c.decoderOf()
	delivered := d.native(name)
	d.newline = false
	c.shut(item)
	c.text = nil
	return delivered
}

// textDelta takes a piece of text.
func (c *responsesCodec) textDelta(b *block, data object) {
	item := c.itemOf(data)
	text := data.get("delta")
	if item == nil || !item.message || !isString(text) {
		c.other(b, data)
		return
	}
	c.text = item
	d := c.decoderOf()
	if d.carry == nil && highSurrogate(text) == nil && len(item.blank) == 0 {
		if plain := d.unquote(text); len(plain) > 0 && (item.part || !item.split || !isBlank(plain)) && d.plain(plain) {
			c.openPart(item)
			item.said = append(item.said, plain...)
			if item.times > 1 || len(item.parts) > 0 {
				data = data.set("content_index", number(len(item.parts)))
			}
			start := len(c.dst)
			c.renumbered(b, data, item)
			c.learn(b, text, c.dst[start:])
			return
		}
	}
	c.learn(b, text, nil)
	d.feed(d.unquote(text))
}

// addPart takes the beginning of a part. A part of text begins for the application once
// there is text.
func (c *responsesCodec) addPart(b *block, data object) {
	item := c.itemOf(data)
	if item == nil || !item.message || data.object("part").text("type") == "output_text" {
		if item == nil || !item.message {
			c.other(b, data)
		} else if text := data.object("part").get("text"); isString(text) && len(text) > len(`""`) {
			c.text = item
			d := c.decoderOf()
			d.feed(d.unquote(text))
		}
		return
	}
	c.foreign(b, data, item)
}

// foreign passes on an event about a part of a message that is not text.
func (c *responsesCodec) foreign(b *block, data object, item *respItem) {
	c.text = item
	c.decoderOf().interrupt()
	c.shutPart(item)
	c.open(item)
	for _, m := range c.place(item) {
		data = data.set(m.key, m.value)
	}
	c.pass(b, data, true)
}

// textDone takes the end of a text. If something is held back, what comes next says
// whether it was cut off.
func (c *responsesCodec) textDone(b *block, data object) {
	item := c.itemOf(data)
	if item == nil || !item.message {
		c.other(b, data)
		return
	}
	c.text = item
	if c.held = !c.decoderOf().idle(); c.held {
		return
	}
	if item.times == 0 && !item.split && !c.restarted && !c.decoderOf().less() {
		c.openPart(item) // an empty one
	}
	item.asCame = item.part && item.times == 1 && !item.split && data.text("text") == string(item.said)
	if item.asCame { // with the upstream's annotations
		item.part = false
		c.renumbered(b, data, item)
	}
	c.endPart(item, true)
}

// endPart ends a part of text. It returns false if the message was sent back.
func (c *responsesCodec) endPart(item *respItem, cutOff bool) bool {
	c.text = item
	if !c.endText(cutOff) {
		return false
	}
	c.shutPart(item)
	return true
}

// endHeld ends a message that ended with something held back. It returns false if it
// was sent back.
func (c *responsesCodec) endHeld(cutOff bool) bool {
	item := c.text
	if !c.held {
		return true
	}
	c.held = false
	if !c.endPart(item, cutOff) {
		return false
	}
	c.shut(item)
	delete(c.items, item.in)
	return true
}

// partDone takes the end of a part.
func (c *responsesCodec) partDone(b *block, data object) {
	item := c.itemOf(data)
	part := data.get("part")
	switch {
	case item == nil || !item.message:
		c.other(b, data)
	case data.object("part").text("type") != "output_text":
		c.foreign(b, data, item)
		item.parts = append(item.parts, bytes.Clone(part))
	case item.asCame:
		c.renumbered(b, data, item)
		item.parts = append(item.parts, bytes.Clone(part))
	}
}

// itemDone takes the end of an item.
func (c *responsesCodec) itemDone(b *block, data object) {
	item := c.itemOf(data)
	switch {
	case item == nil:
		c.other(b, data)
	case item.message && c.held:
	case item.message:
		if item.times == 0 && !item.split && !c.restarted && !c.decoderOf().less() {
			c.open(item) // without a part
			item.asCame = true
		}
		if item.asCame && item.open {
			item.open = false
			c.output[item.out] = bytes.Clone(data.get("item"))
			c.renumbered(b, data, item)
		}
		c.shut(item)
		delete(c.items, item.in)
	default:
		delete(c.items, item.in)
		if !item.drop {
			c.output[item.out] = bytes.Clone(data.get("item"))
			c.renumbered(b, data, item)
		}
	}
}

// other passes on an event that is not read, whatever it is about.
func (c *responsesCodec) other(b *block, data object) {
	item := c.itemOf(data)
	switch {
	case !data.has("output_index"):
		c.pass(b, data, false)
	case item == nil:
	case !item.message:
		c.renumbered(b, data, item)
	case item.open && !item.split:
		c.renumbered(b, data, item)
	}
}

// complete takes the last event, which has all of the output.
func (c *responsesCodec) complete(b *block, data object, cutOff bool) {
	if c.text != nil && c.items[c.text.in] == c.text {
		c.held = true // the upstream did not say that it ended
	}
	if !c.endHeld(cutOff) {
		return
	}
	d := c.decoderOf()
	if !d.finish(cutOff) || c.x.missing {
		return
	}
	if c.text != nil {
		c.shut(c.text)
	}
	response := c.asAsked(data.object("response"))
	if c.changed || d.damaged || d.less() {
		response = response.set("output", appendArray(nil, c.output))
		if isString(response.get("output_text")) {
			response = response.set("output_text", quoted(textOf(c.output)))
		}
	}
	if c.spent.before != nil {
		response = response.set("usage", c.spent.sum(c.spent.now))
	}
	c.pass(b, data.set("response", response.appendTo(nil)), true)
}

// textOf returns the text of a list of items.
func textOf(output [][]byte) (text []byte) {
	for _, raw := range output {
		for _, raw := range readObject(nil, raw).array("content") {
			text = append(text, readObject(nil, raw).text("text")...)
		}
	}
	return text
}

// asAsked returns a response that repeats the request as the application sent it.
func (c *responsesCodec) asAsked(response object) object {
	if c.x.rescues {
		return response
	}
	for _, key := range [...]string{"instructions", "tools", "tool_choice", "parallel_tool_calls", "text"} {
		if asked := c.x.source.get(key); response.get(key) != nil && (asked != nil || key == "instructions") {
			if asked == nil {
				asked = []byte("null")
			}
			response = response.set(key, asked)
		}
	}
	return response
}

// breakOff writes what is held back if the upstream ends within a response.
func (c *responsesCodec) breakOff() {
	d := c.decoder
	if d == nil {
		return
	}
	d.fixed = true // it is too late for a new message
	if item := c.text; item != nil && (c.held || c.items[item.in] == item) {
		c.held = false
		c.endText(true)
	}
	c.text = nil
}

// done implements codec. OpenAI has no such event, but other servers with this API send
// it.
func (c *responsesCodec) done(dst []byte, b *block) []byte {
	return append(c.end(dst, true), b.raw...)
}

// end implements codec.
func (c *responsesCodec) end(dst []byte, clean bool) []byte {
	c.dst = dst
	if !c.over {
		c.breakOff()
	}
	return c.dst
}
