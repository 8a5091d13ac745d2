package middleware

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/callwire/callwire/internal/rawjson"
)

// A chunkForm is the form of chat completions, Gemini and Ollama: chunks, each a part
// of one choice or of several.
type chunkForm struct {
	*chunkShape
	x       *exchange
	last    []byte  // the last chunk
	events  []event // memory for the events of a chunk
	id      []byte  // of the response
	choices map[int]*chunkChoice
	usage   heldUsage

	continued  bool // the message continues one that was sent back
	hasRole    bool // a role was written
	hasThought bool // reasoning was written
	noThoughts bool // by an earlier message, so no more is
}

// A chunkChoice is the state of one choice.
type chunkChoice struct {
	next     int          // index of the next call
	current  int          // index of the call being written
	upstream map[int]int  // index of each of the upstream's calls, by the upstream's index
	ours     map[int]bool // calls of the custom tool that replaces all tools
	others   bool         // there are other calls of the upstream
	ended    bool
}

func newChunkForm(x *exchange, shape *chunkShape) form {
	return &chunkForm{chunkShape: shape, x: x, choices: make(map[int]*chunkChoice)}
}

func (c *chunkForm) choice(index int) *chunkChoice {
	choice := c.choices[index]
	if choice == nil {
		choice = &chunkChoice{upstream: make(map[int]int), ours: make(map[int]bool)}
		c.choices[index] = choice
	}
	return choice
}

// read implements form.
func (c *chunkForm) read(f *frame, o object) (list []event) {
	if isFailure(f.name, o) {
		return []event{{kind: kindFailure}}
	}
	choices := c.choicesOf(o)
	list = append(c.events[:0], event{kind: kindMeta, id: o.Text(c.chunkShape.id)})
	for i, source := range choices {
		list = c.readChoice(list, source, i, c.delta)
	}
	usage := c.usageOf(o)
	if usage != nil {
		c.x.spent.note(usage)
		if !c.running && c.list != "" {
			list = append(list, event{kind: kindUsage, value: usage})
		}
	}
	if choices != nil {
		c.last = append(c.last[:0], f.data...)
		if c.id == nil {
			c.id = bytes.Clone(o.Get(c.chunkShape.id))
		}
	}
	c.events = list
	return list
}

// readChoice appends the events of a choice, whose delta has that key. N is its place
// among the choices, which some servers don't number.
func (c *chunkForm) readChoice(list []event, source object, n int, key string) []event {
	index, err := strconv.Atoi(string(source.Get("index")))
	if err != nil {
		index = n
	}
	delta := source.Object(key)
	content := delta.Get(c.text)
	rest := delta
	var said []event
	isSaid := len(content) > len(`""`) || len(delta) == 1 || key == c.message
	switch {
	case rawjson.IsString(content) && isSaid:
		rest = rest.Without(c.text)
		said = []event{{kind: kindText, value: content}}
	case len(content) > 0 && content[0] == '[':
		rest = rest.Without(c.text)
		said = readParts(content)
	}
	if c.calls != "" && len(delta.Array(c.calls)) > 0 {
		rest = rest.Without(c.calls)
		said = c.readCalls(said, c.choice(index), delta.Array(c.calls))
	}
	ends := c.ends(source)
	if c.list == "" && (len(said) > 0 || ends) {
		rest = rest.Without("role")
		if len(rest) == 1 && string(rest.Get(c.text)) == `""` {
			rest = nil
		}
	}
	from := len(list)
	if len(rest) > 0 || len(said) == 0 && !ends {
		list = append(list, event{kind: kindNativeMore, at: restOfDelta, value: rest.Append(nil)})
	}
	list = append(list, said...)
	if ends {
		list = append(list, event{})
	}
	for i := range list[from:] {
		list[from+i].choice, list[from+i].source = index, source
	}
	if ends {
		list[len(list)-1] = c.readEnd(index, source)
	}
	return list
}

// restOfDelta is the place of an event with what a delta contains besides text and
// calls.
const restOfDelta = -1

// readParts returns the events of a content that is a list of parts.
func readParts(content []byte) (list []event) {
	for _, raw := range rawjson.ParseArray(content) {
		part := rawjson.ParseObject(raw)
		switch {
		case isSpoken(part):
			list = append(list, event{kind: kindText, value: part.Get("text")})
		case part.Has("functionCall"):
			name := part.Object("functionCall").Text("name")
			list = append(list, event{kind: kindOther},
				event{kind: kindNative, value: raw, name: name})
		default:
			list = append(list, event{kind: kindOther, value: raw})
		}
	}
	return list
}

// readCalls appends the events of the upstream's calls. A call of the custom tool that
// replaces all tools is text.
func (c *chunkForm) readCalls(list []event, choice *chunkChoice, calls [][]byte) []event {
	for i, raw := range calls {
		call := rawjson.ParseObject(raw)
		at, err := strconv.Atoi(string(call.Get("index")))
		if err != nil { // each is a call of its own
			at = restOfDelta - 1 - i - len(choice.upstream)
		}
		custom := call.Object("custom")
		isOurs := choice.ours[at] || custom.Text("name") == c.x.custom
		if c.x.custom != "" && custom != nil && isOurs {
			choice.ours[at] = true
			if input := custom.Get("input"); rawjson.IsString(input) {
				list = append(list, event{kind: kindText, value: input, own: true})
			}
			continue
		}
		choice.others = true
		e := event{kind: kindNativeMore, at: at, value: raw}
		e.name = cmp.Or(call.Object("function").Text("name"), custom.Text("name"))
		_, known := choice.upstream[at]
		if !known && (err == nil || e.name != "") {
			e.kind = kindNative
		}
		list = append(list, e)
	}
	return list
}

// readEnd returns the end of a choice.
func (c *chunkForm) readEnd(index int, source object) event {
	e := event{kind: kindEnd, choice: index, source: source, reason: source.Text(c.finish)}
	choice := c.choice(index)
	if e.reason == "tool_calls" && len(choice.ours) > 0 && !choice.others {
		e.reason, e.own = "stop", true
		e.source = source.Set(c.finish, rawjson.Quote(e.reason))
	}
	e.cut = c.cutOff(e.reason)
	return e
}

// again implements form.
func (c *chunkForm) again(dst []byte) []byte {
	c.continued, c.noThoughts = true, c.noThoughts || c.hasThought
	c.usage = heldUsage{}
	for _, choice := range c.choices {
		choice.ended, choice.others = false, false
		clear(choice.ours)
	}
	return dst
}

// spend implements form.
func (c *chunkForm) spend(o object) (last bool) {
	usage := c.usageOf(o)
	c.x.spent.note(usage)
	if c.list == "" {
		return string(o.Get(c.ended)) == "true"
	}
	return usage != nil && len(o.Array(c.list)) == 0
}

// fault implements form.
func (c *chunkForm) fault(dst []byte, err *Error) []byte {
	return c.appendChunk(dst, c.x.dialect.fault(err))
}

// readWhole implements form.
func (c *chunkForm) readWhole(o object) (list []event) {
	if isFailure("", o) {
		return nil
	}
	c.x.spent.note(c.usageOf(o))
	for i, source := range c.choicesOf(o) {
		if source == nil {
			break
		}
		n := len(list)
		list = append(list, event{kind: kindMeta, id: o.Text(c.chunkShape.id)})
		list = c.readChoice(list, source, i, c.message)
		if list[len(list)-1].kind != kindEnd {
			list = append(list, event{kind: kindEnd, source: source})
		}
		for k := range list[n:] {
			list[n+k].choice = i
		}
	}
	return list
}

// writeWhole implements form.
func (c *chunkForm) writeWhole(o object, list []event) object {
	choices := c.choicesOf(o)
	for i, source := range choices {
		if list == nil {
			break
		}
		var mine []event
		for _, e := range list {
			if e.choice == i {
				mine = append(mine, e)
			}
		}
		isChanged := func(e event) bool { return !e.same || e.called && e.reason != c.called }
		if slices.ContainsFunc(mine, isChanged) ||
			len(mine) != len(c.readChoice(nil, source, i, c.message))+1 {
			choices[i] = c.wholeChoice(source, mine)
		}
	}
	switch {
	case c.list == "":
		o = choices[0]
		for _, m := range rawjson.ParseObject(c.x.spent.sum(c.x.spent.now)) {
			o = o.Set(m.Key, m.Value)
		}
		return o
	case list != nil:
		raws := make([][]byte, len(choices))
		for i := range choices {
			raws[i] = choices[i].Append(nil)
		}
		o = o.Set(c.list, rawjson.AppendArray(nil, raws))
	}
	if c.x.spent.before != nil {
		o = o.Set(c.chunkShape.usage, c.x.spent.sum(c.x.spent.now))
	}
	return o
}

// A wholeContent collects the content of a message.
type wholeContent struct {
	typed bool // parts have a type
	text  []byte
	parts [][]byte
}

// part adds a part that isn't text.
func (w *wholeContent) part(raw []byte) {
	w.flush()
	w.parts = append(w.parts, raw)
}

// flush makes a part of the text so far.
func (w *wholeContent) flush() {
	if len(w.text) == 0 {
		return
	}
	part := members("text", rawjson.Quote(w.text))
	if w.typed {
		part = append(members("type", "text"), part...)
	}
	w.parts, w.text = append(w.parts, part.Append(nil)), nil
}

// wholeChoice returns a choice that contains these events.
func (c *chunkForm) wholeChoice(source object, list []event) object {
	message := source.Object(c.message)
	content := wholeContent{typed: !c.parts()}
	var natives, calls [][]byte
	for _, e := range list {
		switch {
		case e.kind == kindText:
			content.text = append(content.text, e.text...)
		case e.kind == kindCallEnd && c.calls == "":
			content.part(c.chunkShape.call(0, e, true).Append(nil))
		case e.kind == kindCallEnd:
			call := c.chunkShape.call(len(calls), e, true)
			if c.list != "" {
				call = call.Without("index")
			}
			calls = append(calls, call.Append(nil))
		case e.kind == kindNative && c.calls != "":
			natives = append(natives, e.value)
		case (e.kind == kindOther || e.kind == kindNative) && e.value != nil:
			content.part(e.value)
		case e.kind == kindEnd && e.called && c.called != "":
			source = source.Set(c.finish, rawjson.Quote(c.called))
		case e.kind == kindEnd && e.own:
			source = source.Set(c.finish, rawjson.Quote(e.reason))
		}
	}
	switch {
	case len(message.Array(c.text)) > 0:
		content.flush()
		if len(content.parts) == 0 && c.parts() {
			content.parts = [][]byte{emptyText}
		}
		message = message.Set(c.text, rawjson.AppendArray(nil, content.parts))
	case len(content.text) == 0 && c.list != "":
		message = message.Set(c.text, []byte("null"))
	default:
		message = message.Set(c.text, rawjson.Quote(content.text))
	}
	if len(natives)+len(calls) > 0 {
		message = message.Set(c.calls, rawjson.AppendArray(nil, append(natives, calls...)))
	} else if c.calls != "" && len(message.Array(c.calls)) > 0 {
		message = message.Without(c.calls)
	}
	return source.Set(c.message, message.Append(nil))
}

// emptyText is a part of Gemini's without text. Clients drop a message with an empty
// list of parts.
var emptyText = []byte(`{"text":""}`)
