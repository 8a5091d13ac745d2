package middleware

import (
	"slices"
	"strconv"

	"github.com/callwire/callwire/internal/rawjson"
)

// A messagesForm is the form of Anthropic's messages: a sequence of content blocks. A
// text block that contains a call becomes several blocks, so blocks are renumbered.
type messagesForm struct {
	x       *exchange
	started bool        // the beginning of the message was written
	indexes map[int]int // of open blocks, by the upstream's index
	next    int         // index of the next block
	call    int         // index of the call being written

	// The upstream's text block.
	reading int     // its index, -1 outside of one
	source  object  // the event that began it
	open    bool    // a text block is open; its index is next-1
	blank   []byte  // whitespace that the next text block begins with
	cited   []event // citations for the text block that comes next

	thought   bool // a block of thinking was written
	noThought bool // by a message that was sent back: the API takes no further one
}

func newMessagesForm(x *exchange) form {
	return &messagesForm{x: x, indexes: make(map[int]int), reading: -1}
}

func (c *messagesForm) read(list []event, f *frame) []event {
	o := f.object
	at, _ := strconv.Atoi(string(o.Get("index")))
	e := event{kind: kindNativeMore, at: at, source: o}
	switch o.Text("type") {
	case "message_start":
		message := o.Object("message")
		c.note(message.Object("usage"))
		e.kind, e.id = kindMeta, message.Text("id")
	case "content_block_start":
		return c.readStart(list, e)
	case "content_block_delta":
		delta := o.Object("delta")
		text := delta.Get("text")
		switch {
		case at != c.reading:
		case delta.Text("type") == "text_delta" && rawjson.IsString(text):
			e.kind, e.value = kindText, text
		default: // a citation
			e.kind = kindMeta
		}
	case "content_block_stop":
		if at == c.reading {
			e.kind, c.reading = kindTextEnd, -1
		}
	case "message_delta":
		c.note(o.Object("usage"))
		delta := o.Object("delta")
		e.kind, e.reason = kindEnd, delta.Text("stop_reason")
		if e.reason == "" {
			next := f.following()
			if next != nil && next.Text("type") != "message_stop" { // there is only usage
				e.kind = kindMeta
			}
		}
		e.own = e.reason == "stop_sequence" && !c.x.rescues &&
			delta.Text("stop_sequence") == resultOpener(&c.x.opts.Manual)
		if e.own { // the stop sequence isn't the application's
			e.reason = "end_turn"
		}
		e.cut = !slices.Contains(stopped, e.reason)
	case "error":
		e.kind = kindFailure
	default:
		e.kind = kindMeta
	}
	return append(list, e)
}

func (c *messagesForm) readStart(list []event, e event) []event {
	block := e.source.Object("content_block")
	switch kind := block.Text("type"); kind {
	case "text":
		e.kind, c.reading = kindTextStart, e.at
		text := block.Get("text")
		if rawjson.IsString(text) && len(text) > len(`""`) {
			return readBlock(list, e, block.With("text", ""), text)
		}
	case "tool_use":
		e.kind, e.name = kindNative, block.Text("name")
	case "server_tool_use", "mcp_tool_use":
		e.kind, e.name = kindOther, kind
	default:
		e.kind = kindOther
	}
	return append(list, e)
}

// readBlock appends the events of a block that has text from its start on, perhaps with citations.
func readBlock(list []event, e event, block object, text []byte) []event {
	citations := block.Array("citations")
	if citations != nil {
		block = block.Set("citations", emptyList)
	}
	e.source = e.source.With("content_block", block)
	list = append(list, e)
	for _, citation := range citations {
		delta := members("type", "citations_delta", "citation", citation)
		list = append(list, event{at: e.at, source: members("type", "content_block_delta",
			"index", e.at, "delta", delta)})
	}
	return append(list, event{kind: kindText, at: e.at, value: text})
}

// note notes the usage in an event. That of a delta covers the whole message.
func (c *messagesForm) note(usage object) {
	isUnknown := func(m rawjson.Member) bool { return rawjson.IsNull(m.Value) }
	if usage != nil {
		known := slices.DeleteFunc(usage, isUnknown)
		c.x.spent.note(merge(rawjson.ParseObject(c.x.spent.now), known).Append(nil))
	}
}

func (c *messagesForm) write(list []event) {
	for _, e := range list {
		switch e.kind {
		case kindText:
			c.say(e)
		case kindTextEnd:
			c.shut()
			for range c.cited {
				c.x.warn(lostCitation)
			}
			c.cited = nil
		case kindCallStart:
			c.shut()
			c.blank, c.call = nil, c.next
			c.next++
			call := members("type", "tool_use", "id", e.id, "name", e.name, "input", object{})
			c.emit("content_block_start", c.call, "content_block", call)
		case kindCallInput:
			c.delta(c.call, "input_json_delta", "partial_json", e.text)
		case kindCallEnd:
			c.emit("content_block_stop", c.call)
		case kindEnd:
			c.finish(e)
		default:
			c.pass(e)
		}
	}
}

// pass writes what is neither text nor one of our calls.
func (c *messagesForm) pass(e event) {
	index := e.at
	switch e.source.Text("type") {
	case "message_start":
		if c.started {
			return
		}
		c.started = true
	case "content_block_start":
		c.shut()
		switch kind := e.source.Object("content_block").Text("type"); kind {
		case "text":
			c.source = clone(e.source)
			return
		case "thinking", "redacted_thinking":
			if c.noThought {
				return
			}
			c.thought = true
		}
		c.indexes[e.at], c.blank = c.next, nil
		c.next++
		index = c.indexes[e.at]
	case "content_block_delta", "content_block_stop":
		to, known := c.indexes[e.at]
		switch {
		case known:
			index = to
		case e.kind != kindMeta: // of a block that isn't delivered
			return
		case !c.open: // a citation before its text
			c.cited = append(c.cited, c.x.keep(e))
			return
		default: // a citation
			index = c.next - 1
		}
		if e.source.Text("type") == "content_block_stop" {
			delete(c.indexes, e.at)
		}
	}
	c.renumbered(e, index)
}

// renumbered writes an event of the upstream's with the index of its block here.
func (c *messagesForm) renumbered(e event, index int) {
	if index != e.at {
		e.source = c.x.edit(e.source, "index", index)
	}
	c.x.put(e.source)
}

// say writes text. Whitespace alone does not become a block, because the API would reject it
// when the message comes back. It becomes the beginning of the text block that follows.
func (c *messagesForm) say(e event) {
	if !c.open {
		if isBlank(e.text) {
			c.x.kept += len(e.text)
			c.blank = append(c.blank, e.text...)
			return
		}
		c.begin(e.at)
	}
	if len(c.blank) > 0 {
		e.text, e.source = append(c.blank, e.text...), nil
		c.blank = nil
	}
	if e.source == nil {
		c.delta(c.next-1, "text_delta", "text", e.text)
	} else {
		c.renumbered(e, c.next-1)
	}
}

// begin begins a text block with text of the upstream's block at an index.
func (c *messagesForm) begin(at int) {
	c.open = true
	c.next++
	if c.source == nil {
		c.source = members("type", "content_block_start", "index", null,
			"content_block", members("type", "text", "text", ""))
	}
	c.x.put(c.x.edit(slices.Clone(c.source), "index", c.next-1))
	for _, e := range c.cited {
		if e.at == at {
			c.x.put(c.x.edit(e.source, "index", c.next-1))
		} else { // of a block that was all a call
			c.x.warn(lostCitation)
		}
	}
	c.cited = nil
}

func (c *messagesForm) shut() {
	if c.open {
		c.open = false
		c.emit("content_block_stop", c.next-1)
	}
}

func (c *messagesForm) emit(name string, index int, more ...any) {
	o := members("type", name, "index", nil)
	c.x.put(append(c.x.edit(o, "index", index), members(more...)...))
}

func (c *messagesForm) delta(index int, kind, key string, text []byte) {
	delta := members("type", kind, key, rawjson.Quote(text))
	c.emit("content_block_delta", index, "delta", delta)
}

func (c *messagesForm) finish(e event) {
	if e.source == nil {
		return
	}
	c.shut()
	delta := e.source.Object("delta")
	e.finish("tool_use", "end_turn")
	if e.own { // our stop sequence ended it
		delta = delta.Set("stop_sequence", null)
	}
	if e.reason != delta.Text("stop_reason") {
		e.source = c.x.edit(e.source, "delta", delta.With("stop_reason", e.reason))
	}
	if c.x.spent.before != nil {
		e.source = c.x.edit(e.source, "usage", c.x.spent.sum())
	}
	c.x.put(e.source)
}

// end writes the usage of a message whose end is not written.
func (c *messagesForm) end() {
	if c.x.missing {
		delta := members("stop_reason", null, "stop_sequence", null)
		c.x.put(members("type", "message_delta", "delta", delta, "usage", c.x.spent.sum()))
	}
}

// The part of a block that was written stays, as a block.
func (c *messagesForm) again() {
	c.shut()
	clear(c.indexes)
	c.noThought = c.thought
	c.reading, c.source, c.blank, c.cited = -1, nil, nil, nil
}

func (c *messagesForm) fault(err *Error) { c.x.put(c.x.fault(err)) }

func (c *messagesForm) unroll(o object) []object {
	events := []object{members("type", "message_start", "message", o)}
	for i, block := range o.Array("content") {
		events = append(events,
			members("type", "content_block_start", "content_block", block, "index", i),
			members("type", "content_block_stop", "index", i))
	}
	return append(events, members("type", "message_delta", "delta", o))
}

func (c *messagesForm) fold(o object, list []event) object {
	var content, cited [][]byte
	var block object
	var text []byte // of block, which arrives in pieces
	for e := range c.x.writing(c, list) {
		delta := e.Object("delta")
		switch e.Text("type") {
		case "content_block_start":
			block, text, cited = e.Object("content_block"), nil, nil
		case "content_block_delta":
			text = append(text, delta.Text("text")+delta.Text("partial_json")...)
			if delta.Has("citation") {
				cited = append(cited, delta.Get("citation"))
			}
		case "content_block_stop":
			switch {
			case text == nil:
			case block.Text("type") == "text":
				block = block.With("text", string(text))
			default:
				block = block.Set("input", text)
			}
			if cited != nil {
				block = block.With("citations", cited)
			}
			content = append(content, block.Append(nil))
		case "message_delta":
			o = merge(o, delta)
			if e.Has("usage") {
				o = o.Set("usage", e.Get("usage"))
			}
		}
	}
	return o.With("content", content)
}
