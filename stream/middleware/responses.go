package middleware

import (
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// A responsesForm is the form of OpenAI's Responses API: a sequence of items. A message
// that contains a call becomes several items, so items are renumbered, and the last
// event, which repeats all of them, is rewritten.
type responsesForm struct {
	x      *exchange
	number int // of the next event

	id           []byte // of the response, as its first event had it
	started      bool   // the first event was written
	continued    bool   // the message continues one that was sent back
	hasReasoning bool   // reasoning was written
	noReasoning  bool   // by an earlier message, so no more is

	output  [][]byte    // items
	indexes map[int]int // of items that aren't read, by the upstream's index
	item    *messageItem
	call    struct { // the call being written
		itemID string
		out    int // index
	}

	reading map[int]bool // upstream items whose text is read
	inText  bool         // a part of text is being read
	fed     bool         // input of the custom tool was read
}

// A messageItem is a message of the upstream's that is being written. It becomes
// several items if it contains calls.
type messageItem struct {
	in      int    // the upstream's index; -1 for a message of ours
	source  object // as it began
	times   int    // items started
	split   bool   // it contains a call
	less    bool   // some of its text is left out
	ended   bool   // the upstream has ended it
	blank   []byte // whitespace that may be alone between calls
	current struct {
		open  bool
		out   int // index
		id    string
		parts [][]byte
		inner bool   // a part of text is open
		said  []byte // text of that part
	}
}

func newResponsesForm(x *exchange) form {
	return &responsesForm{x: x, indexes: make(map[int]int), reading: make(map[int]bool)}
}

// read implements form.
func (c *responsesForm) read(_ *frame, o object) []event {
	at, _ := strconv.Atoi(string(o.Get("output_index")))
	e := event{kind: kindMeta, at: at, source: o}
	switch kind := o.Text("type"); kind {
	case "response.created", "response.in_progress", "response.queued":
		e.id = o.Object("response").Text("id")
	case "response.output_item.added":
		return []event{c.readItem(e, o.Object("item"))}
	case "response.output_item.done":
		return c.readItemEnd(e)
	case "response.completed", "response.incomplete":
		c.spend(o)
		e.kind, e.cut = kindEnd, kind == "response.incomplete"
		if c.inText {
			c.inText = false
			return []event{{kind: kindTextEnd, at: c.item.in}, e}
		}
	case "response.failed", "error":
		e.kind = kindFailure
	default:
		return c.readPart(e, kind)
	}
	return []event{e}
}

// readItem returns the beginning of an item.
func (c *responsesForm) readItem(e event, item object) event {
	kind := item.Text("type")
	switch {
	case kind == "message" || c.isOurs(item):
		e.kind, c.reading[e.at], c.inText, c.fed = kindNativeMore, true, false, false
	case kind == "function_call":
		e.kind, e.name = kindNative, item.Text("name")
	case kind == "reasoning":
		e.kind = kindNativeMore
	default:
		e.kind, e.cut = kindOther, true // the upstream's action must not be repeated
	}
	return e
}

// readItemEnd returns the end of an item.
func (c *responsesForm) readItemEnd(e event) []event {
	if !c.reading[e.at] {
		e.kind = kindNativeMore
		return []event{e}
	}
	e.kind = kindAfterText
	delete(c.reading, e.at)
	end := event{kind: kindTextEnd, at: e.at, source: e.source}
	input := e.source.Object("item").Get("input")
	switch {
	case rawjson.IsString(input) && !c.fed:
		return []event{{kind: kindText, at: e.at, value: input, own: true}, end, e}
	case c.inText:
		c.inText = false
		return []event{end, e}
	}
	return []event{e}
}

// readPart returns an event about a part of an item.
func (c *responsesForm) readPart(e event, kind string) []event {
	o, text := e.source, c.reading[e.at]
	part := o.Object("part")
	isText := text && part.Text("type") == "output_text"
	if kind != "response.content_part.added" && o.Has("output_index") {
		e.kind = kindNativeMore
	}
	switch kind {
	case "response.content_part.added":
		switch {
		case !text:
			e.kind = kindNativeMore
		case !isText:
			e.kind = kindOther
		case len(part.Text("text")) > 0:
			c.inText = true
			return []event{e, {kind: kindText, at: e.at, value: part.Get("text")}}
		}
	case "response.output_text.delta", "response.custom_tool_call_input.delta":
		if text && rawjson.IsString(o.Get("delta")) {
			e.kind, e.value, c.inText, c.fed = kindText, o.Get("delta"), true, true
		}
	case "response.output_text.done":
		if text {
			e.kind, e.source = kindMeta, nil // the end of the part repeats it
		}
	case "response.custom_tool_call_input.done":
		if text && !c.fed && o.Has("input") {
			c.inText, c.fed = true, true
			return []event{{kind: kindText, at: e.at, value: o.Get("input"), own: true}}
		}
	case "response.content_part.done":
		if isText {
			e.kind, c.inText = kindTextEnd, false
		}
	}
	return []event{e}
}

// isOurs reports whether an item is a call of the custom tool that replaces all tools.
func (c *responsesForm) isOurs(item object) bool {
	return c.x.custom != "" && item.Text("type") == "custom_tool_call" &&
		item.Text("name") == c.x.custom
}

// spend implements form.
func (c *responsesForm) spend(o object) (last bool) {
	c.x.spent.note(o.Object("response").Get("usage"))
	switch o.Text("type") {
	case "response.completed", "response.incomplete", "response.failed":
		return true
	}
	return false
}

// end implements form.
func (c *responsesForm) end(dst []byte) []byte { return dst }

// again implements form. The part of a message that was written stays, as a message.
func (c *responsesForm) again(dst []byte) []byte {
	dst = c.shut(dst)
	clear(c.indexes)
	clear(c.reading)
	c.item, c.inText = nil, false
	c.continued, c.noReasoning = true, c.noReasoning || c.hasReasoning
	return dst
}

// fault implements form.
func (c *responsesForm) fault(dst []byte, err *Error) []byte {
	return c.emit(dst, "error",
		field("code", rawjson.Quote(err.Code)), field("message", rawjson.Quote(err.Error())),
		field("param", []byte("null")))
}

// textPart returns a part of text.
func textPart(text []byte) object {
	return members("type", "output_text", "text", rawjson.Quote(text),
		"annotations", []byte("[]"), "logprobs", []byte("[]"))
}

// callItem returns a call as an item.
func callItem(e event, status string) []byte {
	return members(
		"id", callItemID(e.id), "type", "function_call", "status", status,
		"arguments", rawjson.Quote(e.text), "call_id", e.id, "name", e.name,
	).Append(nil)
}

// callItemID returns the id of the item that is the call of an id.
func callItemID(id string) string { return "fc_" + strings.TrimPrefix(id, "call_") }

// madeUp begins the ids of messages that the upstream doesn't know. They don't go up:
// see withoutMadeUp.
const madeUp = "msg_callwire_"

// madeID returns the id of a message that the upstream doesn't know.
func (c *responsesForm) madeID(id string, at, n int) string {
	return madeUp + strings.TrimPrefix(c.x.ids.id(id, at, n), "call_")
}

// finished returns the response that has ended.
func (c *responsesForm) finished(response object) object {
	response = c.asAsked(response).Set("output", rawjson.AppendArray(nil, c.output))
	if rawjson.IsString(response.Get("output_text")) {
		response = response.Set("output_text", rawjson.Quote(textOf(c.output)))
	}
	if c.x.spent.before != nil {
		response = response.Set("usage", c.x.spent.sum(c.x.spent.now))
	}
	return c.sameID(response)
}

// sameID returns a response with the id that its first event had, even if another one
// continues it. Clients take events with another id for those of another response.
func (c *responsesForm) sameID(response object) object {
	if c.id == nil || !c.continued {
		return response
	}
	return response.Set("id", c.id)
}

// textOf returns the text of a list of items.
func textOf(output [][]byte) (text string) {
	for _, raw := range output {
		for _, part := range rawjson.ParseObject(raw).Array("content") {
			text += rawjson.ParseObject(part).Text("text")
		}
	}
	return text
}

// asAsked returns a response that repeats the request as the application sent it.
func (c *responsesForm) asAsked(response object) object {
	if c.x.rescues {
		return response
	}
	keys := [...]string{"instructions", "tools", "tool_choice", "parallel_tool_calls", "text"}
	for _, key := range keys {
		asked := c.x.source.Get(key)
		switch {
		case response.Get(key) == nil:
		case asked != nil:
			response = response.Set(key, asked)
		case key == "instructions":
			response = response.Set(key, []byte("null"))
		}
	}
	return response
}

// unroll implements form.
func (c *responsesForm) unroll(o object) (events []object) {
	if o.Array("output") == nil {
		return nil
	}
	for i, raw := range o.Array("output") {
		add := func(kind string, more ...member) {
			event := members("type", kind, "output_index", number(i))
			events = append(events, append(event, more...))
		}
		item := rawjson.ParseObject(raw)
		add("response.output_item.added", field("item", raw))
		if item.Text("type") == "message" {
			for k, raw := range item.Array("content") {
				at, part := field("content_index", number(k)), field("part", raw)
				add("response.content_part.added", at, part)
				add("response.content_part.done", at, part)
			}
		}
		add("response.output_item.done", field("item", raw))
	}
	kind := "response.incomplete"
	if o.Text("status") == "completed" || !o.Has("status") {
		kind = "response.completed"
	}
	return append(events, members("type", kind, "response", o.Append(nil)))
}

// fold implements form.
func (c *responsesForm) fold(_ object, list []event) object {
	written := c.x.write(c, list)
	return written[len(written)-1].Object("response")
}
