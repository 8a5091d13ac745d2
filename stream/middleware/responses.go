package middleware

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// A responsesForm is the form of OpenAI's Responses API: a sequence of items. A message
// that contains a call becomes several items, so items are renumbered, and the last
// event, which repeats all of them, is rewritten.
type responsesForm struct {
	x      *exchange
	number int    // of the next event
	id     []byte // of the response, as its first event had it

	continued bool        // the message continues one that was sent back
	output    [][]byte    // items
	indexes   map[int]int // of items that aren't read, by the upstream's index
	item      *messageItem
	call      struct { // the call being written
		itemID string
		out    int // index
	}

	reading map[int]bool // upstream items whose text is read
	fed     bool         // the custom tool's input was read
	cited   citations
}

// A messageItem is a message of the upstream's that is being written. It becomes
// several items if it contains calls.
type messageItem struct {
	in     int    // the upstream's index; -1 for a message of ours
	source object // as it began
	times  int    // items started
	split  bool   // it contains a call
	blank  []byte // whitespace that may be alone between calls

	// The item being written.
	open  bool
	out   int // index
	id    string
	parts [][]byte
	inner bool     // a part of text is open
	said  []byte   // text of that part
	from  int      // where it begins: see citations
	notes [][]byte // citations in it
}

func newResponsesForm(x *exchange) form {
	return &responsesForm{x: x, indexes: make(map[int]int), reading: make(map[int]bool)}
}

func (c *responsesForm) read(list []event, f *frame) []event {
	o := f.object
	at, _ := strconv.Atoi(string(o.Get("output_index")))
	kind, part := o.Text("type"), o.Object("part")
	e := event{kind: kindMeta, at: at, source: o}
	text := c.reading[at]
	isText := text && part.Text("type") == "output_text"
	if o.Has("output_index") {
		e.kind = kindNativeMore
	}
	switch kind {
	case "response.created", "response.in_progress", "response.queued":
		e.id = o.Object("response").Text("id")
	case "response.output_item.added":
		c.readItem(&e)
	case "response.output_item.done":
		return c.readItemEnd(list, e)
	case "response.content_part.added":
		switch {
		case isText: // it is written with its text
			c.cited.part, e.kind, e.source = c.cited.chars, kindMeta, nil
		case text:
			e.kind = kindOther
		}
	case "response.output_text.delta", "response.custom_tool_call_input.delta":
		isOutput := kind == "response.output_text.delta" // some servers begin no item
		if delta := o.Get("delta"); (text || isOutput) && rawjson.IsString(delta) {
			e = c.text(o, at, delta)
		}
	case "response.output_text.annotation.added":
		if text {
			e.kind, e.end = kindMeta, c.cited.part
		}
	case "response.output_text.done", "response.custom_tool_call_input.done":
		if text {
			e.kind, e.source = kindMeta, nil // the end of the part, or of the item, repeats it
		}
	case "response.content_part.done":
		if isText {
			e.kind = kindTextEnd
		}
	case "response.completed", "response.incomplete":
		c.x.spent.note(o.Object("response").Get("usage"))
		e.kind, e.cut, e.own = kindEnd, kind == "response.incomplete", true
	case "response.failed", "error":
		e.kind = kindFailure
	}
	return append(list, e)
}

// text returns a piece of text of an item.
func (c *responsesForm) text(o object, at int, value []byte) event {
	c.fed = true
	c.cited.hear(value)
	c.x.kept += len(value)
	return event{kind: kindText, at: at, value: value, source: o}
}

func (c *responsesForm) readItem(e *event) {
	item := e.source.Object("item")
	switch kind := item.Text("type"); {
	case kind == "message" || c.isOurs(item):
		c.reading[e.at], c.fed = true, false
	case kind == "function_call":
		e.kind, e.name = kindNative, item.Text("name")
	case strings.HasSuffix(kind, "_call") || kind == "mcp_approval_request":
		e.kind, e.name = kindOther, kind
	default:
		e.kind = kindOther
	}
}

func (c *responsesForm) readItemEnd(list []event, e event) []event {
	if !c.reading[e.at] {
		return append(list, e)
	}
	delete(c.reading, e.at)
	e.kind = kindMeta
	item := e.source.Object("item")
	if !c.isOurs(item) {
		return append(list, e)
	}
	if input := item.Get("input"); rawjson.IsString(input) && !c.fed {
		said := c.text(nil, e.at, input)
		said.own = true
		list = append(list, said)
	}
	return append(list, event{kind: kindTextEnd, at: e.at, source: e.source}, e)
}

// isOurs reports whether an item is a call of the custom tool that replaces all tools.
func (c *responsesForm) isOurs(item object) bool {
	return c.x.custom != "" && item.Text("type") == "custom_tool_call" &&
		item.Text("name") == c.x.custom
}

func (c *responsesForm) end() {}

// The part of a message that was written stays, as a message.
func (c *responsesForm) again() {
	c.shut()
	c.loseCitations()
	clear(c.indexes)
	clear(c.reading)
	c.item, c.cited = nil, citations{}
	c.continued = true
}

func (c *responsesForm) fault(err *Error) {
	c.upstream(members("type", "error", "sequence_number", 0,
		"code", err.Code, "message", err.Error(), "param", nil))
}

// emptyList is a list of nothing.
var emptyList = []byte("[]")

func textPart(text []byte) object {
	return members("type", "output_text", "text", rawjson.Quote(text),
		"annotations", emptyList, "logprobs", emptyList)
}

func callItem(e event, status string) []byte {
	return members(
		"id", callItemID(e.id), "type", "function_call", "status", status,
		"arguments", rawjson.Quote(e.text), "call_id", e.id, "name", e.name,
	).Append(nil)
}

func callItemID(id string) string { return "fc_" + strings.TrimPrefix(id, "call_") }

// madeUp begins the ids of messages that the upstream doesn't know. They don't go up:
// see withoutMadeUp.
const madeUp = "msg_callwire_"

// madeID returns the id of a message that the upstream doesn't know.
func (c *responsesForm) madeID(id string, at, n int) string {
	return madeUp + strings.TrimPrefix(c.x.callID(id, at, n), "call_")
}

// asAsked returns a response that repeats the request as the application sent it. It has
// the id of the first event, even if it continues another one: clients take events with
// another id for those of another response.
func (c *responsesForm) asAsked(response object) object {
	if c.id != nil && c.continued {
		response = response.Set("id", c.id)
	}
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
			response = response.Set(key, null)
		}
	}
	return response
}

func (c *responsesForm) unroll(o object) (events []object) {
	if o.Array("output") == nil {
		return nil
	}
	for i, raw := range o.Array("output") {
		add := func(kind string, more ...any) {
			event := members("type", "response."+kind, "output_index", i)
			events = append(events, append(event, members(more...)...))
		}
		item := rawjson.ParseObject(raw)
		add("output_item.added", "item", raw)
		if item.Text("type") == "message" {
			for k, part := range item.Array("content") {
				text := rawjson.ParseObject(part)
				add("content_part.added", "content_index", k, "part", part)
				notes := text.Array("annotations")
				slices.SortStableFunc(notes, func(a, b []byte) int { return endOf(a) - endOf(b) })
				for _, note := range notes { // before the calls in the text
					add("output_text.annotation.added", "content_index", k, "annotation", note)
				}
				if text.Text("type") == "output_text" {
					add("output_text.delta", "content_index", k, "delta", text.Get("text"))
				}
				add("content_part.done", "content_index", k, "part", part)
			}
		}
		add("output_item.done", "item", raw)
	}
	kind := "response.incomplete"
	if o.Text("status") == "completed" || !o.Has("status") {
		kind = "response.completed"
	}
	return append(events, members("type", kind, "response", o))
}

func (c *responsesForm) fold(_ object, list []event) object {
	var end object
	for o := range c.x.writing(c, list) {
		end = o
	}
	return end.Object("response")
}
