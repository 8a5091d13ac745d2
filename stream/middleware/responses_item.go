package middleware

// respItem is an item of the upstream.
type respItem struct {
	in      int
	out     int // its index, while it is open
	message bool
	drop    bool
	source  object // the item as it began
	id      string // that it has, while it is open

	open   bool     // it was begun for the application
	split  bool     // it became a call
	asCame bool     // its parts so far are as the upstream sent them
	parts  [][]byte // its parts that have ended
	part   bool     // a part of text is open
	said   []byte   // text of that
	blank  []byte   // whitespace that may stand alone between calls
	times  int      // how often it was begun
}

// open begins the message for the application, and a part of text in it.
func (c *responsesCodec) open(item *respItem) {
	if !item.open {
		item.open = true
		item.times++
		item.out = len(c.output)
		c.changed = c.changed || item.out != item.in
		item.id = item.source.text("id")
		if item.times > 1 {
			item.id = "msg_" + c.x.ids.id(item.id, item.in, item.times)[len("call_"):]
			c.changed = true
		}
		item.parts = nil
		c.output = append(c.output, nil)
		c.emit("response.output_item.added", object{{"output_index", number(item.out)}, {"item", c.itemJSON(item, "in_progress")}})
	}
}

// openPart begins a part of text.
func (c *responsesCodec) openPart(item *respItem) {
	c.open(item)
	if !item.part {
		item.part, item.said = true, item.said[:0]
		c.shown.forget() // it has the numbers of another part
		c.emit("response.content_part.added", append(c.place(item), member{"part", textPart(nil)}))
	}
}

// place returns the members that identify a part.
func (c *responsesCodec) place(item *respItem) object {
	return object{{"item_id", quoted(item.id)}, {"output_index", number(item.out)}, {"content_index", number(len(item.parts))}}
}

// textPart returns a part of text.
func textPart(text []byte) []byte {
	return object{{"type", []byte(`"output_text"`)}, {"text", quoted(text)}, {"annotations", []byte("[]")}, {"logprobs", []byte("[]")}}.appendTo(nil)
}

// itemJSON returns a message as it is so far.
func (c *responsesCodec) itemJSON(item *respItem, status string) []byte {
	return append(object(nil), item.source...).set("id", quoted(item.id)).set("status", quoted(status)).set("content", appendArray(nil, item.parts)).appendTo(nil)
}

// say writes text of the message being read. Whitespace alone between calls does not
// become a message.
func (c *responsesCodec) say(text []byte) {
	item := c.text
	if !item.part {
		if isBlank(text) && item.split {
			item.blank = append(item.blank, text...)
			return
		}
		c.openPart(item)
		if len(item.blank) > 0 {
			text = append(item.blank, text...)
			item.blank = nil
		}
	}
	item.said = append(item.said, text...)
	c.emit("response.output_text.delta", append(c.place(item), member{"delta", quoted(text)}, member{"logprobs", []byte("[]")}))
}

// shutPart ends a part of text for the application.
func (c *responsesCodec) shutPart(item *respItem) {
	if !item.part {
		return
	}
	item.part = false
	part := textPart(item.said)
	c.emit("response.output_text.done", append(c.place(item), member{"text", quoted(item.said)}, member{"logprobs", []byte("[]")}))
	c.emit("response.content_part.done", append(c.place(item), member{"part", part}))
	item.parts = append(item.parts, part)
}

// shut ends the message for the application.
func (c *responsesCodec) shut(item *respItem) {
	c.shutPart(item)
	if !item.open {
		return
	}
	item.open = false
	c.output[item.out] = c.itemJSON(item, "completed")
	c.emit("response.output_item.done", object{{"output_index", number(item.out)}, {"item", c.output[item.out]}})
}
