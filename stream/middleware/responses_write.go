package middleware

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwire/callwire/internal/rawjson"
)

func (c *responsesForm) write(list []event) {
	for _, e := range list {
		switch e.kind {
		case kindText:
			c.say(e)
		case kindTextEnd:
			c.endText(e)
		case kindCallStart, kindCallInput, kindCallEnd:
			c.writeCall(e)
		default:
			c.pass(e)
		}
	}
}

// endText ends a part of the upstream's text.
func (c *responsesForm) endText(e event) {
	theirs := e.source.Object("part")
	isLate := len(theirs.Array("annotations")) > c.cited.count // no other event has them
	if !c.endPart(theirs) && isLate {
		c.x.warn(lostCitation)
	}
	c.loseCitations()
	c.cited.skip(e.end)
	c.cited.count = 0
}

// pass writes what is neither text nor one of our calls.
func (c *responsesForm) pass(e event) {
	o := e.source
	response := o.Object("response")
	out, known := c.indexes[e.at]
	switch kind := o.Text("type"); {
	case o == nil:
	case e.kind == kindEnd:
		c.shut()
		c.loseCitations()
		// The conversation may go on after the response whose id the client has.
		if id := rawjson.Text(c.id); id != "" && c.continued {
			c.x.stored.set(id, response.Text("id"), 1, mostStored)
		}
		response = c.asAsked(response).With("output", c.output)
		if c.x.spent.before != nil {
			response = response.Set("usage", c.x.spent.sum())
		}
		c.upstream(c.x.edit(o, "response", response))
	case response != nil && e.kind == kindMeta && c.continued && c.number > 0: // it has begun
	case response != nil:
		if c.id == nil {
			c.id = bytes.Clone(response.Get("id"))
		}
		c.upstream(c.x.edit(o, "response", c.asAsked(response)))
	case kind == "response.output_item.added":
		c.passItem(e)
	case !o.Has("output_index"):
		c.upstream(o)
	case c.isMessage(e):
		c.passMessage(e)
	case known:
		if kind == "response.output_item.done" {
			c.output[out] = bytes.Clone(o.Get("item"))
			c.x.kept += len(c.output[out])
			delete(c.indexes, e.at)
		}
		c.renumbered(e, out)
	}
}

// passItem writes the beginning of an item. The beginning of a message is written with its text.
func (c *responsesForm) passItem(e event) {
	c.shut()
	item := e.source.Object("item")
	if c.isOurs(item) {
		item = members("id", c.madeID(item.Text("id"), e.at, 0), "type", "message",
			"status", "in_progress", "role", "assistant")
	}
	if item.Text("type") == "message" {
		c.item = &messageItem{in: e.at, source: clone(item)}
		return
	}
	out := len(c.output)
	c.indexes[e.at] = out
	c.output = append(c.output, bytes.Clone(e.source.Get("item")))
	c.renumbered(e, out)
}

// passMessage writes an event about the message that isn't its text.
func (c *responsesForm) passMessage(e event) {
	i, o, isEnd := c.item, e.source, e.source.Text("type") == "response.content_part.done"
	switch {
	case o.Text("type") == "response.output_item.done":
		if item := o.Object("item"); item.Text("type") == "message" {
			i.source = clone(item)
		}
		if !i.inner { // otherwise the last of its text is held back
			c.shut()
		}
	case o.Text("type") == "response.output_text.annotation.added":
		c.cite(e)
	default: // about a refusal, for example
		if o.Has("part") {
			c.endPart(nil)
			c.startItem()
		}
		if !i.open {
			return
		}
		c.placed(o)
		if isEnd {
			i.parts = append(i.parts, bytes.Clone(o.Get("part")))
		}
	}
}

func (c *responsesForm) isMessage(e event) bool {
	_, known := c.indexes[e.at]
	return c.item != nil && c.item.in == e.at && !known
}

// upstream writes an event of the upstream's under its number here.
func (c *responsesForm) upstream(o object) {
	o = c.numbered(o, "sequence_number", c.number)
	c.number++
	c.x.put(o)
}

// numbered returns an event with a number, which it may have already.
func (c *responsesForm) numbered(o object, key string, n int) object {
	var buf [20]byte
	if bytes.Equal(o.Get(key), strconv.AppendInt(buf[:0], int64(n), 10)) {
		return o
	}
	return c.x.edit(o, key, n)
}

// renumbered writes an event of an item under its index here.
func (c *responsesForm) renumbered(e event, out int) {
	c.upstream(c.numbered(e.source, "output_index", out))
}

// placed writes an event of the upstream's about the part of the message that is being written.
func (c *responsesForm) placed(o object) {
	i := c.item
	o = c.numbered(o, "output_index", i.out)
	o = c.numbered(o, "content_index", len(i.parts))
	id := o.Get("item_id")
	if rawjson.IsString(id) && string(id[1:len(id)-1]) != i.id {
		o = c.x.edit(o, "item_id", i.id)
	}
	c.upstream(o)
}

// emit writes an event of our own, about a place.
func (c *responsesForm) emit(kind string, place object, more ...any) {
	o := members("type", "response."+kind, "sequence_number", nil)
	c.upstream(slices.Concat(o, place, members(more...)))
}

// emitItem writes the beginning or the end of an item.
func (c *responsesForm) emitItem(what string, out int, item []byte) {
	if out == len(c.output) {
		c.output = append(c.output, nil)
	}
	c.output[out] = item
	c.emit("output_item."+what, nil, "output_index", out, "item", item)
}

// say writes text. Whitespace alone between calls does not become a message.
func (c *responsesForm) say(e event) {
	if len(e.text) == 0 {
		return
	}
	if c.item == nil { // of ours
		source := members("id", c.madeID("", 0, -1-c.number), "type", "message",
			"role", "assistant")
		c.item = &messageItem{in: -1, source: source}
	}
	i := c.item
	if !i.inner && i.split && isBlank(e.text) {
		i.blank = append(i.blank, e.text...)
		return
	}
	c.startPart()
	if len(i.blank) > 0 {
		e.text, e.source = append(i.blank, e.text...), nil
		i.blank = nil
	}
	i.said = append(i.said, e.text...)
	c.cited.say(e.text)
	if e.source == nil || e.source.Text("type") != "response.output_text.delta" {
		c.emit("output_text.delta", c.place(),
			"delta", rawjson.Quote(e.text), "logprobs", emptyList)
		return
	}
	c.placed(e.source)
}

// startItem begins an item of the message, if none is open.
func (c *responsesForm) startItem() {
	i := c.item
	if i.open {
		return
	}
	i.times++
	i.open, i.parts, i.out = true, nil, len(c.output)
	i.id = i.source.Text("id")
	if i.times > 1 {
		i.id = c.madeID(i.id, i.in, i.times)
	}
	c.emitItem("added", i.out, i.json("in_progress"))
}

// startPart begins a part of text, if none is open.
func (c *responsesForm) startPart() {
	c.startItem()
	if c.item.inner {
		return
	}
	c.item.inner, c.item.said, c.item.notes = true, nil, nil
	c.item.from = c.cited.at
	c.emit("content_part.added", c.place(), "part", textPart(nil))
}

// place returns the members that identify a part.
func (c *responsesForm) place() object {
	i := c.item
	return members("item_id", i.id, "output_index", i.out, "content_index", len(i.parts))
}

func (i *messageItem) json(status string) []byte {
	item := slices.Clone(i.source).With("id", i.id).With("status", status)
	return item.With("content", i.parts).Append(nil)
}

// endPart ends the part of text that is open, if one is. Theirs is that part as the
// upstream has it, with annotations for example, or nil. It reports whether that was written.
func (c *responsesForm) endPart(theirs object) (isSame bool) {
	i := c.item
	if i == nil || !i.inner {
		return false
	}
	c.citeAll()
	i.inner = false
	part := theirs
	isSame = part.Text("text") == string(i.said) && i.times == 1 && !i.split
	if !isSame {
		part = textPart(i.said).With("annotations", i.notes)
	}
	logprobs := part.Get("logprobs")
	if logprobs == nil {
		logprobs = emptyList
	}
	raw := part.Append(nil)
	c.emit("output_text.done", c.place(),
		"text", rawjson.Quote(i.said), "logprobs", logprobs)
	c.emit("content_part.done", c.place(), "part", raw)
	i.parts = append(i.parts, raw)
	return isSame
}

// shut ends the item of the message that is open, if one is.
func (c *responsesForm) shut() {
	c.endPart(nil)
	i := c.item
	if i == nil || !i.open {
		return
	}
	i.open = false
	status := "completed"
	if i.source.Text("status") == "incomplete" {
		status = "incomplete"
	}
	c.emitItem("done", i.out, i.json(status))
}

// writeCall writes a part of a call, which is an item of its own.
func (c *responsesForm) writeCall(e event) {
	place := members("item_id", c.call.itemID, "output_index", c.call.out)
	switch e.kind {
	case kindCallStart:
		c.shut()
		if c.item != nil {
			c.item.split, c.item.blank = true, nil
		}
		c.call.itemID, c.call.out = callItemID(e.id), len(c.output)
		c.emitItem("added", c.call.out, callItem(e, "in_progress"))
	case kindCallInput:
		c.emit("function_call_arguments.delta", place, "delta", rawjson.Quote(e.text))
	case kindCallEnd:
		c.cited.skip(e.end)
		c.x.kept += len(e.text)
		status := "completed"
		if e.cut {
			status = "incomplete"
		}
		c.emit("function_call_arguments.done", place,
			"name", e.name, "arguments", rawjson.Quote(e.text))
		c.emitItem("done", c.call.out, callItem(e, status))
	}
}
