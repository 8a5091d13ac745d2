package middleware

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

func (c *responsesForm) write(dst []byte, list []event) []byte {
	for _, e := range list {
		switch e.kind {
		case kindText:
			dst = c.say(dst, e)
		case kindTextEnd:
			dst = c.endPart(dst, e.source.Object("part"))
		case kindCallStart, kindCallInput, kindCallEnd:
			dst = c.writeCall(dst, e)
		default:
			dst = c.pass(dst, e)
		}
	}
	return dst
}

// pass writes what is neither text nor one of our calls.
func (c *responsesForm) pass(dst []byte, e event) []byte {
	o := e.source
	response := o.Object("response")
	switch {
	case o == nil:
		return dst
	case e.kind == kindEnd:
		dst = c.shut(dst)
		response = c.asAsked(response).With("output", c.output)
		if c.x.spent.before != nil {
			response = response.Set("usage", c.x.spent.sum(c.x.spent.now))
		}
		return c.upstream(dst, c.x.edit(o, "response", response))
	case response != nil && e.kind == kindMeta && c.continued && c.number > 0:
		return dst
	case response != nil:
		if c.id == nil {
			c.id = bytes.Clone(response.Get("id"))
		}
		return c.upstream(dst, c.x.edit(o, "response", c.asAsked(response)))
	case o.Text("type") == "response.output_item.added":
		return c.passItem(dst, e)
	}
	if !o.Has("output_index") {
		return c.upstream(dst, o)
	}
	if c.isMessage(e) {
		return c.passMessage(dst, e)
	}
	out, known := c.indexes[e.at]
	if !known {
		return dst
	}
	if o.Text("type") == "response.output_item.done" {
		c.output[out] = bytes.Clone(o.Get("item"))
		delete(c.indexes, e.at)
	}
	return c.renumbered(dst, e, out)
}

// passItem writes the beginning of an item. The beginning of a message is written with its text.
func (c *responsesForm) passItem(dst []byte, e event) []byte {
	dst = c.shut(dst)
	item := e.source.Object("item")
	if c.isOurs(item) {
		item = members("id", item.Get("id"), "type", "message",
			"status", "in_progress", "role", "assistant")
	}
	if item.Text("type") == "message" {
		c.item = &messageItem{in: e.at, source: rawjson.ParseObject(item.Append(nil))}
		return dst
	}
	out := len(c.output)
	c.indexes[e.at] = out
	c.output = append(c.output, bytes.Clone(e.source.Get("item")))
	return c.renumbered(dst, e, out)
}

// passMessage writes an event about the message that isn't its text.
func (c *responsesForm) passMessage(dst []byte, e event) []byte {
	i, o, isEnd := c.item, e.source, e.source.Text("type") == "response.content_part.done"
	switch {
	case o.Text("type") == "response.output_item.done":
		if item := o.Object("item"); item.Text("type") == "message" {
			i.source = rawjson.ParseObject(item.Append(nil))
		}
		if i.inner { // the last of its text is held back
			return dst
		}
		return c.shut(dst)
	case o.Has("part"): // a refusal, for example
		dst = c.startItem(c.endPart(dst, nil))
		for _, m := range c.place() {
			o = c.x.edit(o, m.Key, m.Value)
		}
		if isEnd {
			i.parts = append(i.parts, bytes.Clone(o.Get("part")))
		}
		return c.upstream(dst, o)
	case !i.open || i.split:
		return dst
	}
	return c.renumbered(dst, e, i.out)
}

func (c *responsesForm) isMessage(e event) bool {
	_, known := c.indexes[e.at]
	return c.item != nil && c.item.in == e.at && !known
}

// upstream writes an event of the upstream's under its number here.
func (c *responsesForm) upstream(dst []byte, o object) []byte {
	at := rawjson.Value(c.number)
	c.number++
	if !bytes.Equal(o.Get("sequence_number"), at) {
		o = c.x.edit(o, "sequence_number", at)
	}
	return c.x.put(dst, o.Text("type"), o)
}

// renumbered writes an event of an item under its index here.
func (c *responsesForm) renumbered(dst []byte, e event, out int) []byte {
	if out != e.at {
		e.source = c.x.edit(e.source, "output_index", out)
	}
	if c.isMessage(e) && c.item.times > 1 && e.source.Has("item_id") {
		e.source = c.x.edit(e.source, "item_id", c.item.id)
	}
	return c.upstream(dst, e.source)
}

// emit writes an event of our own, about a place.
func (c *responsesForm) emit(dst []byte, kind string, place object, more ...any) []byte {
	o := members("type", "response."+kind, "sequence_number", nil)
	return c.upstream(dst, slices.Concat(o, place, members(more...)))
}

// emitItem writes the beginning or the end of an item.
func (c *responsesForm) emitItem(dst []byte, what string, out int, item []byte) []byte {
	if out == len(c.output) {
		c.output = append(c.output, nil)
	}
	c.output[out] = item
	return c.emit(dst, "output_item."+what, nil, "output_index", out, "item", item)
}

// say writes text. Whitespace alone between calls does not become a message.
func (c *responsesForm) say(dst []byte, e event) []byte {
	if len(e.text) == 0 {
		return dst
	}
	if c.item == nil { // of ours
		source := members("id", c.madeID("", 0, -1-c.number), "type", "message",
			"role", "assistant")
		c.item = &messageItem{in: -1, source: source}
	}
	i := c.item
	if !i.inner && i.split && isBlank(e.text) {
		i.blank = append(i.blank, e.text...)
		return dst
	}
	dst = c.startPart(dst)
	if len(i.blank) > 0 {
		e.text, e.source = append(i.blank, e.text...), nil
		i.blank = nil
	}
	i.said = append(i.said, e.text...)
	if e.source == nil || e.source.Text("type") != "response.output_text.delta" {
		return c.emit(dst, "output_text.delta", c.place(),
			"delta", rawjson.Quote(e.text), "logprobs", emptyList)
	}
	if n := len(i.parts); i.times > 1 || n > 0 {
		e.source = c.x.edit(e.source, "content_index", n)
	}
	return c.renumbered(dst, e, i.out)
}

// startItem begins an item of the message, if none is open.
func (c *responsesForm) startItem(dst []byte) []byte {
	i := c.item
	if i.open {
		return dst
	}
	i.times++
	i.open, i.parts, i.out = true, nil, len(c.output)
	i.id = i.source.Text("id")
	if i.times > 1 {
		i.id = c.madeID(i.id, i.in, i.times)
	}
	return c.emitItem(dst, "added", i.out, i.json("in_progress"))
}

// startPart begins a part of text, if none is open.
func (c *responsesForm) startPart(dst []byte) []byte {
	dst = c.startItem(dst)
	if c.item.inner {
		return dst
	}
	c.item.inner, c.item.said = true, nil
	return c.emit(dst, "content_part.added", c.place(), "part", textPart(nil))
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
// upstream has it, with annotations for example, or nil.
func (c *responsesForm) endPart(dst []byte, theirs object) []byte {
	i := c.item
	if i == nil || !i.inner {
		return dst
	}
	i.inner = false
	part := theirs
	if part.Text("text") != string(i.said) || i.times > 1 || i.split {
		part = textPart(i.said)
	}
	logprobs := part.Get("logprobs")
	if logprobs == nil {
		logprobs = emptyList
	}
	raw := part.Append(nil)
	dst = c.emit(dst, "output_text.done", c.place(),
		"text", rawjson.Quote(i.said), "logprobs", logprobs)
	dst = c.emit(dst, "content_part.done", c.place(), "part", raw)
	i.parts = append(i.parts, raw)
	return dst
}

// shut ends the item of the message that is open, if one is.
func (c *responsesForm) shut(dst []byte) []byte {
	dst = c.endPart(dst, nil)
	i := c.item
	if i == nil || !i.open {
		return dst
	}
	i.open = false
	status := "completed"
	if i.source.Text("status") == "incomplete" {
		status = "incomplete"
	}
	return c.emitItem(dst, "done", i.out, i.json(status))
}

// writeCall writes a part of a call, which is an item of its own.
func (c *responsesForm) writeCall(dst []byte, e event) []byte {
	place := members("item_id", c.call.itemID, "output_index", c.call.out)
	switch e.kind {
	case kindCallStart:
		dst = c.shut(dst)
		if c.item != nil {
			c.item.split, c.item.blank = true, nil
		}
		c.call.itemID, c.call.out = callItemID(e.id), len(c.output)
		return c.emitItem(dst, "added", c.call.out, callItem(e, "in_progress"))
	case kindCallInput:
		return c.emit(dst, "function_call_arguments.delta", place, "delta", rawjson.Quote(e.text))
	}
	status := "completed"
	if e.cut {
		status = "incomplete"
	}
	dst = c.emit(dst, "function_call_arguments.done", place,
		"name", e.name, "arguments", rawjson.Quote(e.text))
	return c.emitItem(dst, "done", c.call.out, callItem(e, status))
}
