package middleware

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// responsesForm is the form of OpenAI's responses: a sequence of items. A message that
// holds a call becomes several, so items are renumbered, and the last event, which has
// all of them, is rewritten.
type responsesForm struct {
	x         *exchange
	begun     bool   // the beginning of the response was written
	id        []byte // of the response, as its first event had it
	continued bool   // it continues another
	thinking  bool   // reasoning was written, of a message that was sent back
	thought   bool   // reasoning was written
	changed   bool   // the output differs from the upstream's
	named     bool   // events have names
	numbered  bool   // and numbers
	number    int    // of the next event
	output    [][]byte
	indexes   map[int]int // of open items that are no messages, by the upstream's

	reading map[int]bool // items whose text is read
	inText  bool         // a part of text is being read
	fed     bool         // some of a custom tool's input was

	item *respItem // the message being written; nil if none is
	call respCall  // the call being written
}

// respItem is a message of the upstream's.
type respItem struct {
	in, out int
	source  object // as it began
	id      string // that it has, while it is open
	open    bool   // it was begun
	done    bool   // the upstream has ended it
	split   bool   // it became a call
	less    bool   // some of its text is left out
	asCame  bool   // its last part is as the upstream sent it
	part    bool   // a part of text is open
	said    []byte // text of that
	blank   []byte // whitespace that may stand alone between calls
	parts   [][]byte
	times   int // how often it was begun
}

// respCall is a call as an item.
type respCall struct {
	itemID, id, name string
	out              int
}

func newResponsesForm(x *exchange) form {
	return &responsesForm{x: x, indexes: make(map[int]int), reading: make(map[int]bool)}
}

// read implements form.
func (c *responsesForm) read(f *frame, o object) []event {
	c.named = c.named || f.name != ""
	c.numbered = c.numbered || o.has("sequence_number")
	at, _ := strconv.Atoi(string(o.get("output_index")))
	e := event{kind: kindMeta, at: at, source: o}
	text := c.reading[at]
	switch o.text("type") {
	case "response.created", "response.in_progress", "response.queued":
		e.id = o.object("response").text("id")
	case "response.output_item.added":
		switch item := o.object("item"); {
		case item.text("type") == "message" || c.isOurs(item):
			e.kind, c.reading[at], c.inText, c.fed = kindNativeMore, true, false, false
		case item.text("type") == "function_call":
			e.kind, e.name = kindNative, item.text("name")
		case item.text("type") == "reasoning":
			e.kind = kindNativeMore
		default:
			e.kind, e.cut = kindOther, true // what the upstream did must not be done again
		}
	case "response.content_part.added":
		switch part := o.object("part"); {
		case !text:
			e.kind = kindNativeMore
		case part.text("type") != "output_text":
			e.kind = kindOther
		case len(part.text("text")) > 0:
			c.inText = true
			return []event{e, {kind: kindText, at: at, value: part.get("text")}}
		}
	case "response.output_text.delta", "response.custom_tool_call_input.delta":
		if e.kind = kindNativeMore; text && isString(o.get("delta")) {
			e.kind, e.value, c.inText, c.fed = kindText, o.get("delta"), true, true
		}
	case "response.output_text.done":
		if e.kind = kindNativeMore; text {
			e.kind, c.inText = kindTextEnd, false
		}
	case "response.custom_tool_call_input.done":
		if e.kind = kindNativeMore; text && !c.fed && o.has("input") {
			c.inText, c.fed = true, true
			return []event{{kind: kindText, at: at, value: o.get("input"), own: true}}
		}
	case "response.content_part.done":
		if e.kind = kindAfterText; !text || o.object("part").text("type") != "output_text" {
			e.kind = kindNativeMore
		}
	case "response.output_item.done":
		if e.kind = kindNativeMore; text {
			e.kind = kindAfterText
			delete(c.reading, at)
			if input := o.object("item").get("input"); isString(input) && !c.fed {
				return []event{{kind: kindText, at: at, value: input, own: true}, {kind: kindTextEnd, at: at, source: o}, e}
			}
			if c.inText {
				c.inText = false
				return []event{{kind: kindTextEnd, at: at, source: o}, e}
			}
		}
	case "response.completed", "response.incomplete":
		c.spend(o)
		e.kind, e.cut = kindEnd, o.text("type") == "response.incomplete"
		if c.inText {
			c.inText = false
			return []event{{kind: kindTextEnd, at: c.item.in}, e}
		}
	case "response.failed", "error":
		e.kind = kindFailure
	default:
		if o.has("output_index") {
			e.kind = kindNativeMore
		}
	}
	return []event{e}
}

// isOurs reports whether an item is a call of the custom tool that stands for all tools.
func (c *responsesForm) isOurs(item object) bool {
	return c.x.custom != "" && item.text("type") == "custom_tool_call" && item.text("name") == c.x.custom
}

// spend implements form.
func (c *responsesForm) spend(o object) (last bool) {
	c.x.spent.note(o.object("response").get("usage"))
	switch o.text("type") {
	case "response.completed", "response.incomplete", "response.failed":
		return true
	}
	return false
}

// write implements form.
func (c *responsesForm) write(dst []byte, list []event, as *frame) []byte {
	for _, e := range list {
		switch e.kind {
		case kindText:
			dst = c.say(dst, e, as)
		case kindTextEnd:
			dst = c.close(dst, e, as)
		case kindCallStart:
			dst = c.begin(dst, e)
		case kindCallInput:
			dst = c.piece(dst, e.text)
		case kindCallEnd:
			status := "completed"
			if e.cut {
				status = "incomplete"
			}
			dst = c.complete(dst, e.text, status)
		default:
			dst = c.pass(dst, e, as)
		}
	}
	return dst
}

// pass writes what is neither text nor one of our calls.
func (c *responsesForm) pass(dst []byte, e event, as *frame) []byte {
	o := e.source
	switch kind := o.text("type"); kind {
	case "":
		return dst
	case "response.created", "response.in_progress", "response.queued":
		if c.continued && c.begun {
			return dst
		}
		c.begun = true
		response := o.object("response")
		if c.id == nil {
			c.id = bytes.Clone(response.get("id"))
		}
		return c.upstream(dst, o.set("response", c.asAsked(response).appendTo(nil)), nil)
	case "response.completed", "response.incomplete":
		dst = c.shut(dst, "completed")
		return c.upstream(dst, o.set("response", c.finished(o.object("response")).appendTo(nil)), nil)
	case "response.failed", "error":
		response := o.object("response")
		if response != nil {
			o = o.set("response", c.sameID(c.asAsked(response)).appendTo(nil))
		}
		return c.upstream(dst, o, nil)
	case "response.output_item.added":
		item := o.object("item")
		switch kind := item.text("type"); {
		case kind == "message" || c.isOurs(item):
			if kind != "message" {
				item = object{{"id", item.get("id")}, {"type", quoted("message")}, {"status", quoted("in_progress")}, {"role", quoted("assistant")}}
			}
			dst = c.shut(dst, "completed")
			c.item = &respItem{in: e.at, source: readObject(nil, item.appendTo(nil))}
			return dst
		case kind == "reasoning":
			if c.thinking {
				c.changed = true
				return dst
			}
			c.thought = true
		}
		dst = c.shut(dst, "completed")
		c.indexes[e.at] = len(c.output)
		c.output = append(c.output, bytes.Clone(o.get("item")))
	case "response.content_part.added", "response.content_part.done":
		if part := o.object("part"); c.mine(e) && part.text("type") != "output_text" {
			return c.foreign(dst, o, kind)
		} else if c.mine(e) && (kind == "response.content_part.added" || !c.item.asCame) {
			return dst
		} else if c.mine(e) {
			c.item.parts = append(c.item.parts, bytes.Clone(o.get("part")))
		}
	case "response.custom_tool_call_input.done":
		if c.mine(e) {
			return dst
		}
	case "response.output_item.done":
		if c.mine(e) {
			return c.itemDone(dst, e, as)
		}
		if out, known := c.indexes[e.at]; known {
			c.output[out] = bytes.Clone(o.get("item"))
		}
	}
	if !o.has("output_index") {
		return c.upstream(dst, o, as)
	}
	if c.mine(e) {
		if !c.item.open || c.item.split {
			return dst
		}
		return c.renumbered(dst, e, as, c.item.out)
	}
	out, known := c.indexes[e.at]
	if !known {
		return dst
	}
	if o.text("type") == "response.output_item.done" {
		delete(c.indexes, e.at)
	}
	return c.renumbered(dst, e, as, out)
}

// mine reports whether an event is about the message being written.
func (c *responsesForm) mine(e event) bool {
	_, known := c.indexes[e.at]
	return c.item != nil && c.item.in == e.at && !known
}

// upstream writes an upstream event under its number here.
func (c *responsesForm) upstream(dst []byte, o object, as *frame) []byte {
	if c.numbered {
		at := number(c.number)
		if c.number++; !bytes.Equal(o.get("sequence_number"), at) {
			o, as = o.set("sequence_number", at), nil
		}
	}
	if as != nil {
		return append(dst, as.raw...)
	}
	name := ""
	if c.named {
		name = o.text("type")
	}
	return appendFrame(dst, c.x.lineEnd, name, o.appendTo(nil))
}

// emit writes an event of our own.
func (c *responsesForm) emit(dst []byte, kind string, members ...member) []byte {
	o := object{{"type", quoted(kind)}}
	if c.numbered {
		o = append(o, member{"sequence_number", nil})
	}
	return c.upstream(dst, append(o, members...), nil)
}

// renumbered writes an event of an item under its index here.
func (c *responsesForm) renumbered(dst []byte, e event, as *frame, out int) []byte {
	if out != e.at {
		e.source, as, c.changed = e.source.set("output_index", number(out)), nil, true
	}
	if c.mine(e) && c.item.times > 1 && e.source.has("item_id") {
		e.source, as = e.source.set("item_id", quoted(c.item.id)), nil
	}
	return c.upstream(dst, e.source, as)
}

// say writes text. Whitespace alone between calls does not become a message.
func (c *responsesForm) say(dst []byte, e event, as *frame) []byte {
	if len(e.text) == 0 {
		return dst
	}
	if c.item == nil { // of ours
		c.item = &respItem{in: -1, source: object{{"id", quoted(c.madeID("", 0, -1-c.number))}, {"type", quoted("message")}, {"role", quoted("assistant")}}}
	}
	i := c.item
	if !i.part && isBlank(e.text) && i.split {
		i.blank = append(i.blank, e.text...)
		return dst
	}
	dst = c.openPart(dst)
	if len(i.blank) > 0 {
		e.text, e.source = append(i.blank, e.text...), nil
		i.blank = nil
	}
	i.said = append(i.said, e.text...)
	if e.source == nil || as == nil || e.source.text("type") != "response.output_text.delta" {
		return c.emit(dst, "response.output_text.delta", append(c.place(), member{"delta", quoted(e.text)}, member{"logprobs", []byte("[]")})...)
	}
	if i.times > 1 || len(i.parts) > 0 {
		e.source, as = e.source.set("content_index", number(len(i.parts))), nil
	}
	return c.renumbered(dst, e, as, i.out)
}

// open begins the message.
func (c *responsesForm) open(dst []byte) []byte {
	i := c.item
	if i.open {
		return dst
	}
	i.open, i.parts, i.out = true, nil, len(c.output)
	i.times++
	c.changed = c.changed || i.out != i.in || i.times > 1
	if i.id = i.source.text("id"); i.times > 1 {
		i.id = c.madeID(i.id, i.in, i.times)
	}
	c.output = append(c.output, nil)
	return c.emit(dst, "response.output_item.added", member{"output_index", number(i.out)}, member{"item", i.json("in_progress")})
}

// openPart begins a part of text.
func (c *responsesForm) openPart(dst []byte) []byte {
	dst = c.open(dst)
	if c.item.part {
		return dst
	}
	c.item.part, c.item.said = true, nil
	return c.emit(dst, "response.content_part.added", append(c.place(), member{"part", textPart(nil)})...)
}

// madeUp begins the ids of messages that the upstream doesn't know. They don't go up:
// see withoutMadeUp.
const madeUp = "msg_callwire_"

// madeID returns the id of a message that the upstream doesn't know.
func (c *responsesForm) madeID(id string, at, n int) string {
	return madeUp + strings.TrimPrefix(c.x.ids.id(id, at, n), "call_")
}

// place returns the members that identify a part.
func (c *responsesForm) place() []member {
	return []member{{"item_id", quoted(c.item.id)}, {"output_index", number(c.item.out)}, {"content_index", number(len(c.item.parts))}}
}

func (i *respItem) json(status string) []byte {
	return slices.Clone(i.source).set("id", quoted(i.id)).set("status", quoted(status)).set("content", appendArray(nil, i.parts)).appendTo(nil)
}

// textPart returns a part of text.
func textPart(text []byte) []byte {
	return object{{"type", quoted("output_text")}, {"text", quoted(text)}, {"annotations", []byte("[]")}, {"logprobs", []byte("[]")}}.appendTo(nil)
}

// close ends a part of text, with the upstream's annotations if it is as it came.
func (c *responsesForm) close(dst []byte, e event, as *frame) []byte {
	i := c.item
	if i == nil {
		return dst
	}
	i.less = i.less || e.cut
	if i.times == 0 && !i.split && !c.continued && !i.less {
		dst = c.openPart(dst) // an empty one
	}
	i.asCame = as != nil && i.part && i.times == 1 && !i.split && e.source.text("text") == string(i.said)
	if i.asCame {
		i.part = false
		dst = c.renumbered(dst, e, as, i.out)
	}
	dst = c.shutPart(dst)
	if i.done {
		dst = c.shut(dst, "completed")
	}
	return dst
}

// shutPart ends a part of text.
func (c *responsesForm) shutPart(dst []byte) []byte {
	if c.item == nil || !c.item.part {
		return dst
	}
	c.item.part = false
	text, part := quoted(c.item.said), textPart(c.item.said)
	dst = c.emit(dst, "response.output_text.done", append(c.place(), member{"text", text}, member{"logprobs", []byte("[]")})...)
	dst = c.emit(dst, "response.content_part.done", append(c.place(), member{"part", part})...)
	c.item.parts = append(c.item.parts, part)
	return dst
}

// shut ends the message.
func (c *responsesForm) shut(dst []byte, status string) []byte {
	if dst = c.shutPart(dst); c.item == nil || !c.item.open {
		return dst
	}
	c.item.open = false
	item := c.item.json(status)
	c.output[c.item.out] = item
	return c.emit(dst, "response.output_item.done", member{"output_index", number(c.item.out)}, member{"item", item})
}

// itemDone takes the end of the message.
func (c *responsesForm) itemDone(dst []byte, e event, as *frame) []byte {
	i := c.item
	i.done = true
	if i.times == 0 && !i.split && !c.continued && !i.less && e.source.object("item").text("type") == "message" {
		dst = c.open(dst) // without a part
		i.asCame = true
	}
	if i.asCame && i.open && !i.split {
		i.open = false
		c.output[i.out] = bytes.Clone(e.source.get("item"))
		return c.renumbered(dst, e, as, i.out)
	}
	return c.shut(dst, "completed")
}

// foreign writes an event about a part of a message that is no text.
func (c *responsesForm) foreign(dst []byte, o object, kind string) []byte {
	dst = c.open(c.shutPart(dst))
	for _, m := range c.place() {
		o = o.set(m.key, m.value)
	}
	if kind == "response.content_part.done" {
		c.item.parts = append(c.item.parts, bytes.Clone(o.get("part")))
	}
	return c.upstream(dst, o, nil)
}

// begin begins a call, which is an item of its own.
func (c *responsesForm) begin(dst []byte, e event) []byte {
	dst = c.shut(dst, "completed")
	if c.item != nil {
		c.item.split, c.item.blank = true, nil
	}
	c.changed = true
	c.call = respCall{"fc_" + e.id[len("call_"):], e.id, e.name, len(c.output)}
	c.output = append(c.output, c.call.item([]byte(`""`), "in_progress"))
	return c.emit(dst, "response.output_item.added", member{"output_index", number(c.call.out)}, member{"item", c.output[c.call.out]})
}

func (c *responsesForm) piece(dst, input []byte) []byte {
	return c.emit(dst, "response.function_call_arguments.delta", member{"item_id", quoted(c.call.itemID)}, member{"output_index", number(c.call.out)}, member{"delta", quoted(input)})
}

// complete ends a call.
func (c *responsesForm) complete(dst, input []byte, status string) []byte {
	place := member{"output_index", number(c.call.out)}
	dst = c.emit(dst, "response.function_call_arguments.done", member{"item_id", quoted(c.call.itemID)}, place, member{"name", quoted(c.call.name)}, member{"arguments", quoted(input)})
	c.output[c.call.out] = c.call.item(quoted(input), status)
	return c.emit(dst, "response.output_item.done", place, member{"item", c.output[c.call.out]})
}

// item returns the call as an item. The arguments are a JSON string.
func (r *respCall) item(arguments []byte, status string) []byte {
	return object{
		{"id", quoted(r.itemID)}, {"type", quoted("function_call")}, {"status", quoted(status)},
		{"arguments", arguments}, {"call_id", quoted(r.id)}, {"name", quoted(r.name)},
	}.appendTo(nil)
}

// finished returns the response that has ended.
func (c *responsesForm) finished(response object) object {
	if response = c.asAsked(response); c.changed || len(c.output) != len(response.array("output")) || textOf(c.output) != textOf(response.array("output")) {
		response = c.withOutput(response, c.output)
	}
	if c.x.spent.before != nil {
		response = response.set("usage", c.x.spent.sum(c.x.spent.now))
	}
	return c.sameID(response)
}

// sameID returns a response with the id that its first event had, even if another one
// continues it. Clients take events with another id for those of another response.
func (c *responsesForm) sameID(response object) object {
	if c.id == nil || !c.continued {
		return response
	}
	return response.set("id", c.id)
}

func (c *responsesForm) withOutput(response object, output [][]byte) object {
	response = response.set("output", appendArray(nil, output))
	if isString(response.get("output_text")) {
		response = response.set("output_text", quoted(textOf(output)))
	}
	return response
}

// textOf returns the text of a list of items.
func textOf(output [][]byte) (text string) {
	for _, raw := range output {
		for _, raw := range readObject(nil, raw).array("content") {
			text += readObject(nil, raw).text("text")
		}
	}
	return text
}

// asAsked returns a response that repeats the request as the application sent it.
func (c *responsesForm) asAsked(response object) object {
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

// end implements form.
func (c *responsesForm) end(dst []byte) []byte { return dst }

// again implements form. The part of a message that was written stays, as a message.
func (c *responsesForm) again(dst []byte) []byte {
	dst = c.shut(dst, "completed")
	clear(c.indexes)
	clear(c.reading)
	c.item, c.inText, c.continued, c.changed, c.thinking = nil, false, true, true, c.thinking || c.thought
	return dst
}

// fault implements form.
func (c *responsesForm) fault(dst []byte, err *Error) []byte {
	return c.emit(dst, "error", member{"code", quoted(err.Code)}, member{"message", quoted(err.Error())}, member{"param", []byte("null")})
}

// readWhole implements form.
func (c *responsesForm) readWhole(o object) []event {
	if o.array("output") == nil {
		return nil
	}
	c.x.spent.note(o.get("usage"))
	cut := o.text("status") != "completed" && o.has("status")
	list := []event{{kind: kindMeta, id: o.text("id"), cut: cut}}
	for i, raw := range o.array("output") {
		item := readObject(nil, raw)
		e := event{kind: kindOther, at: i, value: raw, source: item}
		switch {
		case item.text("type") == "message":
			for _, raw := range item.array("content") {
				part := readObject(nil, raw)
				if part.text("type") == "output_text" && isString(part.get("text")) {
					list = append(list, event{kind: kindText, at: i, value: part.get("text")}, event{kind: kindTextEnd, at: i, source: part, value: raw})
				} else {
					list = append(list, event{kind: kindNativeMore, at: i, value: raw})
				}
			}
			e.kind = kindAfterText
		case c.isOurs(item):
			message := object{{"id", item.get("id")}, {"type", quoted("message")}, {"role", quoted("assistant")}}
			list = append(list, event{kind: kindText, at: i, value: orEmpty(item.get("input")), own: true}, event{kind: kindTextEnd, at: i, source: object{{"text", []byte(`""`)}}})
			e.kind, e.source, e.value = kindAfterText, message, nil
		case item.text("type") == "function_call":
			e.kind, e.name = kindNative, item.text("name")
		}
		list = append(list, e)
	}
	return append(list, event{kind: kindEnd, cut: cut})
}

// writeWhole implements form.
func (c *responsesForm) writeWhole(o object, list []event) object {
	var out, parts [][]byte
	var text []byte
	split, changed, times := false, false, 0
	part := func() {
		if len(text) > 0 && !(split && isBlank(text)) {
			parts = append(parts, textPart(text))
		}
		changed, text = changed || text != nil, nil
	}
	message := func(i int, source object) {
		if part(); len(parts) == 0 {
			return
		}
		if source == nil {
			source = object{{"id", quoted(c.madeID("", i, -1))}, {"type", quoted("message")}, {"role", quoted("assistant")}}
			for _, e := range list[i:] {
				if e.kind == kindAfterText && e.at == list[i].at && e.source != nil {
					source = e.source
					break
				}
			}
		}
		id := source.text("id")
		if times++; times > 1 {
			id = c.madeID(id, list[i].at, times)
		}
		out = append(out, slices.Clone(source).set("id", quoted(id)).set("status", quoted("completed")).set("content", appendArray(nil, parts)).appendTo(nil))
		parts = nil
	}
	for i, e := range list {
		switch {
		case e.kind == kindText:
			text = append(text, e.text...)
		case e.kind == kindTextEnd && !split && string(text) == e.source.text("text"):
			parts, text = append(parts, e.value), nil
		case e.kind == kindTextEnd:
			part()
			changed = true
		case e.kind == kindNativeMore:
			part()
			parts = append(parts, e.value)
		case e.kind == kindAfterText && e.source == nil:
		case e.kind == kindAfterText && !split && !changed && e.value != nil:
			out, parts = append(out, e.value), nil
		case e.kind == kindAfterText:
			message(i, e.source)
			split, changed, times = false, false, 0
		case e.kind == kindCallEnd:
			message(i, nil)
			split = true
			call := respCall{itemID: "fc_" + e.id[len("call_"):], id: e.id, name: e.name}
			out = append(out, call.item(quoted(e.text), "completed"))
		case e.kind == kindNative || e.kind == kindOther:
			message(i, nil)
			out = append(out, e.value)
		case e.kind == kindEnd:
			message(i, nil)
		}
	}
	if list != nil {
		o = c.withOutput(o, out)
	}
	if c.x.spent.before != nil {
		o = o.set("usage", c.x.spent.sum(c.x.spent.now))
	}
	return c.asAsked(o)
}
