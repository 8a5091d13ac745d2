package middleware

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

// write implements form.
func (c *responsesForm) write(dst []byte, list []event, as *frame) []byte {
	for _, e := range list {
		switch e.kind {
		case kindText:
			dst = c.say(dst, e, as)
		case kindTextEnd:
			dst = c.endText(dst, e)
		case kindCallStart:
			dst = c.startCall(dst, e)
		case kindCallInput:
			members := append(c.callPlace(), field("delta", rawjson.Quote(e.text)))
			dst = c.emit(dst, "response.function_call_arguments.delta", members...)
		case kindCallEnd:
			dst = c.endCall(dst, e)
		default:
			dst = c.pass(dst, e, as)
		}
	}
	return dst
}

// pass writes what is neither text nor one of our calls.
func (c *responsesForm) pass(dst []byte, e event, as *frame) []byte {
	o := e.source
	switch kind := o.Text("type"); kind {
	case "":
		return dst
	case "response.created", "response.in_progress", "response.queued":
		return c.passStart(dst, o)
	case "response.completed", "response.incomplete":
		dst = c.shut(dst)
		return c.upstream(dst, o.Set("response", c.finished(o.Object("response")).Append(nil)), nil)
	case "response.failed", "error":
		response := o.Object("response")
		if response != nil {
			o = o.Set("response", c.sameID(c.asAsked(response)).Append(nil))
		}
		return c.upstream(dst, o, nil)
	case "response.output_item.added":
		return c.passItem(dst, e, as)
	case "response.output_item.done":
		if c.isMessage(e) {
			return c.endItem(dst, e)
		}
		out, known := c.indexes[e.at]
		if known {
			c.output[out] = bytes.Clone(o.Get("item"))
		}
	case "response.content_part.added", "response.content_part.done":
		if c.isMessage(e) {
			return c.passPart(dst, e, kind)
		}
	case "response.custom_tool_call_input.done":
		if c.isMessage(e) {
			return dst
		}
	}
	return c.passAbout(dst, e, as)
}

// passAbout writes an event about an item, or about the response.
func (c *responsesForm) passAbout(dst []byte, e event, as *frame) []byte {
	if !e.source.Has("output_index") {
		return c.upstream(dst, e.source, as)
	}
	if c.isMessage(e) {
		if !c.item.current.open || c.item.split {
			return dst
		}
		return c.renumbered(dst, e, as, c.item.current.out)
	}
	out, known := c.indexes[e.at]
	if !known {
		return dst
	}
	if e.source.Text("type") == "response.output_item.done" {
		delete(c.indexes, e.at)
	}
	return c.renumbered(dst, e, as, out)
}

// passStart writes an event that begins the response.
func (c *responsesForm) passStart(dst []byte, o object) []byte {
	if c.continued && c.started {
		return dst
	}
	c.started = true
	response := o.Object("response")
	if c.id == nil {
		c.id = bytes.Clone(response.Get("id"))
	}
	return c.upstream(dst, o.Set("response", c.asAsked(response).Append(nil)), nil)
}

// passItem writes the beginning of an item. The beginning of a message is written with its
// text.
func (c *responsesForm) passItem(dst []byte, e event, as *frame) []byte {
	item := e.source.Object("item")
	switch kind := item.Text("type"); {
	case kind == "message" || c.isOurs(item):
		if kind != "message" {
			item = members(
				"id", item.Get("id"), "type", "message",
				"status", "in_progress", "role", "assistant",
			)
		}
		dst = c.shut(dst)
		c.item = &messageItem{in: e.at, source: rawjson.ParseObject(item.Append(nil))}
		return dst
	case kind == "reasoning" && c.noReasoning:
		return dst
	case kind == "reasoning":
		c.hasReasoning = true
	}
	dst = c.shut(dst)
	c.indexes[e.at] = len(c.output)
	c.output = append(c.output, bytes.Clone(e.source.Get("item")))
	return c.passAbout(dst, e, as)
}

// passPart writes the beginning or the end of a part of the message that isn't text.
func (c *responsesForm) passPart(dst []byte, e event, kind string) []byte {
	o := e.source
	if o.Object("part").Text("type") == "output_text" {
		return dst
	}
	dst = c.startItem(c.endPart(dst, nil))
	for _, m := range c.place() {
		o = o.Set(m.Key, m.Value)
	}
	if kind == "response.content_part.done" {
		c.item.current.parts = append(c.item.current.parts, bytes.Clone(o.Get("part")))
	}
	return c.upstream(dst, o, nil)
}

// isMessage reports whether an event is about the message being written.
func (c *responsesForm) isMessage(e event) bool {
	_, known := c.indexes[e.at]
	return c.item != nil && c.item.in == e.at && !known
}

// upstream writes an event of the upstream's under its number here.
func (c *responsesForm) upstream(dst []byte, o object, as *frame) []byte {
	at := number(c.number)
	c.number++
	if !bytes.Equal(o.Get("sequence_number"), at) {
		o, as = o.Set("sequence_number", at), nil
	}
	if as != nil {
		return as.pass(dst)
	}
	return c.x.put(dst, o.Text("type"), o)
}

// emit writes an event of our own.
func (c *responsesForm) emit(dst []byte, kind string, more ...member) []byte {
	o := members("type", kind, "sequence_number", nil)
	return c.upstream(dst, append(o, more...), nil)
}

// renumbered writes an event of an item under its index here.
func (c *responsesForm) renumbered(dst []byte, e event, as *frame, out int) []byte {
	if out != e.at {
		e.source, as = e.source.Set("output_index", number(out)), nil
	}
	if c.isMessage(e) && c.item.times > 1 && e.source.Has("item_id") {
		e.source, as = e.source.Set("item_id", rawjson.Quote(c.item.current.id)), nil
	}
	return c.upstream(dst, e.source, as)
}

// say writes text. Whitespace alone between calls does not become a message.
func (c *responsesForm) say(dst []byte, e event, as *frame) []byte {
	if len(e.text) == 0 {
		return dst
	}
	if c.item == nil { // of ours
		source := members("id", rawjson.Quote(c.madeID("", 0, -1-c.number)), "type", "message",
			"role", "assistant")
		c.item = &messageItem{in: -1, source: source}
	}
	i := c.item
	if !i.current.inner && i.split && isBlank(e.text) {
		i.blank = append(i.blank, e.text...)
		return dst
	}
	dst = c.startPart(dst)
	if len(i.blank) > 0 {
		e.text, e.source = append(i.blank, e.text...), nil
		i.blank = nil
	}
	i.current.said = append(i.current.said, e.text...)
	if e.source == nil || as == nil || e.source.Text("type") != "response.output_text.delta" {
		members := append(c.place(), field("delta", rawjson.Quote(e.text)),
			field("logprobs", []byte("[]")))
		return c.emit(dst, "response.output_text.delta", members...)
	}
	if n := len(i.current.parts); i.times > 1 || n > 0 {
		e.source, as = e.source.Set("content_index", number(n)), nil
	}
	return c.renumbered(dst, e, as, i.current.out)
}

// startItem begins an item of the message, if none is open.
func (c *responsesForm) startItem(dst []byte) []byte {
	i := c.item
	if i.current.open {
		return dst
	}
	i.times++
	i.current.open, i.current.parts, i.current.out = true, nil, len(c.output)
	i.current.id = i.source.Text("id")
	if i.times > 1 {
		i.current.id = c.madeID(i.current.id, i.in, i.times)
	}
	return c.emitItem(dst, "added", i.current.out, i.json("in_progress"))
}

// emitItem writes the beginning or the end of an item.
func (c *responsesForm) emitItem(dst []byte, what string, out int, item []byte) []byte {
	if out == len(c.output) {
		c.output = append(c.output, nil)
	}
	c.output[out] = item
	return c.emit(dst, "response.output_item."+what,
		field("output_index", number(out)), field("item", item))
}

// startPart begins a part of text, if none is open.
func (c *responsesForm) startPart(dst []byte) []byte {
	dst = c.startItem(dst)
	if c.item.current.inner {
		return dst
	}
	c.item.current.inner, c.item.current.said = true, nil
	return c.emit(dst, "response.content_part.added",
		append(c.place(), field("part", textPart(nil).Append(nil)))...)
}

// place returns the members that identify a part.
func (c *responsesForm) place() []member {
	current := &c.item.current
	return members("item_id", current.id, "output_index", number(current.out),
		"content_index", number(len(current.parts)))
}

func (i *messageItem) json(status string) []byte {
	item := slices.Clone(i.source).
		Set("id", rawjson.Quote(i.current.id)).
		Set("status", rawjson.Quote(status))
	return item.Set("content", rawjson.AppendArray(nil, i.current.parts)).Append(nil)
}

// endText ends a part of text.
func (c *responsesForm) endText(dst []byte, e event) []byte {
	i := c.item
	if i == nil {
		return dst
	}
	i.less = i.less || e.cut
	if c.isUntouched() {
		dst = c.startPart(dst) // an empty one
	}
	dst = c.endPart(dst, e.source.Object("part"))
	if i.ended {
		dst = c.shut(dst)
	}
	return dst
}

// isUntouched reports whether nothing of the message was written or left out.
func (c *responsesForm) isUntouched() bool {
	return c.item.times == 0 && !c.item.split && !c.item.less && !c.continued
}

// endPart ends the part of text that is open, if one is. Theirs is that part as the
// upstream has it, with annotations for example, or nil.
func (c *responsesForm) endPart(dst []byte, theirs object) []byte {
	if c.item == nil || !c.item.current.inner {
		return dst
	}
	current := &c.item.current
	current.inner = false
	part := theirs
	if part.Text("text") != string(current.said) || c.item.times > 1 || c.item.split {
		part = textPart(current.said)
	}
	logprobs := part.Get("logprobs")
	if logprobs == nil {
		logprobs = []byte("[]")
	}
	raw := part.Append(nil)
	dst = c.emit(dst, "response.output_text.done", append(c.place(),
		field("text", rawjson.Quote(current.said)), field("logprobs", logprobs))...)
	dst = c.emit(dst, "response.content_part.done", append(c.place(), field("part", raw))...)
	current.parts = append(current.parts, raw)
	return dst
}

// shut ends the item of the message that is open, if one is.
func (c *responsesForm) shut(dst []byte) []byte {
	dst = c.endPart(dst, nil)
	if c.item == nil || !c.item.current.open {
		return dst
	}
	current := &c.item.current
	current.open = false
	status := c.item.source.Text("status")
	if status != "incomplete" {
		status = "completed"
	}
	return c.emitItem(dst, "done", current.out, c.item.json(status))
}

// endItem takes the end of the message.
func (c *responsesForm) endItem(dst []byte, e event) []byte {
	i, item := c.item, e.source.Object("item")
	i.ended = true
	if item.Text("type") == "message" {
		i.source = rawjson.ParseObject(item.Append(nil))
		if c.isUntouched() {
			dst = c.startItem(dst) // without a part
		}
	}
	return c.shut(dst)
}

// startCall begins a call, which is an item of its own.
func (c *responsesForm) startCall(dst []byte, e event) []byte {
	dst = c.shut(dst)
	if c.item != nil {
		c.item.split, c.item.blank = true, nil
	}
	c.call.itemID, c.call.out = callItemID(e.id), len(c.output)
	return c.emitItem(dst, "added", c.call.out, callItem(e, "in_progress"))
}

// callPlace returns the members that identify the call.
func (c *responsesForm) callPlace() []member {
	return members("item_id", c.call.itemID, "output_index", number(c.call.out))
}

// endCall ends a call.
func (c *responsesForm) endCall(dst []byte, e event) []byte {
	status := "completed"
	if e.cut {
		status = "incomplete"
	}
	dst = c.emit(dst, "response.function_call_arguments.done", append(c.callPlace(),
		field("name", rawjson.Quote(e.name)), field("arguments", rawjson.Quote(e.text)))...)
	return c.emitItem(dst, "done", c.call.out, callItem(e, status))
}
