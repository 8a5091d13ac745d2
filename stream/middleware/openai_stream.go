package middleware

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
)

// maxChoices is how many choices a response may have, which is what OpenAI
// allows, and how many content blocks may be open at once.
const maxChoices = 128

// openAICodec reads the messages of chat completions.
type openAICodec struct {
	x       *exchange
	choices map[int]*choice
	failed  *Error
	over    bool // the upstream has failed: nothing is read any more

	replyID   []byte // the id in the chunks, JSON
	restarted bool
	begun     bool   // the role was delivered, of a message that may be sent back
	finished  int    // choices that have a finish_reason
	usageSent bool   // usage was delivered
	usage     []byte // that came too early, or nil
	last      []byte // the last chunk, where something of it is held back

	// Of the chunk being written.
	dst     []byte
	prefix  []byte // its lines that are no data
	chunk   object
	head    object // of the delta, what is not written yet
	fed     []byte // the text that it brought
	same    bool   // that text is to be delivered as it is, and is not written yet
	wrote   bool
	changed bool // it cannot be passed on as it came

	// Memory for what is read of each chunk.
	list   [][]byte
	source object
	delta  object
}

// choice is one of the messages that a response consists of.
type choice struct {
	*decoder
	codec  *openAICodec
	source object // the choice in the chunk being read

	done   bool
	next   int         // index of the next call
	native map[int]int // indexes of calls that the upstream made itself
}

func (openAI) codec(x *exchange) codec {
	return &openAICodec{x: x, choices: make(map[int]*choice)}
}

func (c *openAICodec) err() *Error { return c.failed }

func (c *openAICodec) restart() {
	clear(c.choices)
	c.restarted = true
	c.finished = 0
	c.usage, c.last = nil, nil
}

// choiceOf returns the choice that source is of; nil if there are too many.
func (c *openAICodec) choiceOf(source object) *choice {
	index, _ := strconv.Atoi(string(source.get("index")))
	ch := c.choices[index]
	if ch != nil {
		return ch
	}
	if len(c.choices) >= maxChoices {
		c.failed = &Error{Code: TooManyChoices, Limit: maxChoices}
		return nil
	}
	ch = &choice{codec: c, done: c.over}
	ch.decoder = c.x.newDecoder(ch, index)
	ch.reply = c.reply()
	c.choices[index] = ch
	return ch
}

// reply returns the id of the response.
func (c *openAICodec) reply() string {
	if isString(c.replyID) {
		return string(appendUnquoted(nil, c.replyID))
	}
	return ""
}

// event implements codec.
func (c *openAICodec) event(dst []byte, b *block, data object) []byte {
	if isFailure(b, data) {
		dst = c.flush(dst, true)
		c.over = true
		return append(dst, b.raw...)
	}
	choices := readArray(c.list[:0], data.get("choices"))
	if choices == nil {
		return append(dst, b.raw...)
	}
	c.list = choices
	if id := data.get("id"); c.replyID == nil && id != nil {
		c.replyID = bytes.Clone(id)
	}
	if len(choices) == 1 && !c.restarted && c.passes(choices[0], data) {
		c.begin(c.source)
		return append(dst, b.raw...)
	}
	c.dst, c.prefix = dst, b.prefix()
	c.wrote, c.changed = false, c.restarted || len(choices) > 1
	c.chunk = data.without("obfuscation")
	var usage []byte
	if data.has("usage") {
		usage = c.takeUsage(choices, data.get("usage"))
	}
	if c.restarted && c.replyID != nil {
		c.chunk = c.chunk.set("id", c.replyID)
	}
	for i, raw := range choices {
		source := readObject(nil, raw)
		ch := c.choiceOf(source)
		if ch == nil {
			return c.dst
		}
		if !ch.read(source) { // sent back: nothing of this chunk counts
			return c.dst
		}
		c.begin(source)
		if !c.wrote && !c.changed && (len(c.fed) == 0 || c.same) {
			c.dst = append(c.dst, b.raw...)
			break
		}
		c.settle(ch)
		c.tail(ch, i == len(choices)-1, usage)
	}
	switch {
	case len(choices) > 0:
	case !c.changed:
		c.dst = append(c.dst, b.raw...)
	case usage != nil || !data.has("usage"):
		c.write(nil, usage)
	}
	c.remember(b.data)
	return c.dst
}

// begin takes note of a role that is delivered: another message that comes in the
// place of this one must not bring it again.
func (c *openAICodec) begin(source object) {
	if !c.begun && c.x.retries > 0 {
		c.begun = source.object("delta").has("role")
	}
}

// isFailure reports whether an event says that the upstream cannot go on.
func isFailure(b *block, data object) bool {
	return data.has("error") || b.name == "error" || data.text("object") == "error"
}

// prefix returns the lines of an event that stand before its data.
func (b *block) prefix() []byte {
	if b.name == "" {
		return b.rest
	}
	return append([]byte("event: "+b.name+"\n"), b.rest...)
}

// passes reports whether a chunk of one choice can be passed on as it came,
// which is so for nearly all of them, and takes it then.
func (c *openAICodec) passes(raw []byte, chunk object) bool {
	if chunk.has("usage") {
		return false
	}
	source := readObject(c.source[:0], raw)
	if source == nil || ends(source) {
		return false
	}
	c.source = source
	delta := readObject(c.delta[:0], source.get("delta"))
	if delta == nil || delta.has("tool_calls") {
		return false
	}
	c.delta = delta
	content := delta.get("content")
	if content == nil || !isString(content) {
		return true
	}
	ch := c.choiceOf(source)
	if ch == nil || ch.done {
		return ch != nil
	}
	return ch.carry == nil && highSurrogate(content) == nil && ch.plain(ch.unquote(content))
}

// remember keeps a chunk while something is held back, to write that with its
// id, model and so on if the stream ends without another.
func (c *openAICodec) remember(data []byte) {
	for _, ch := range c.choices {
		if !ch.done && !ch.idle() || c.usage != nil {
			c.last = append(c.last[:0], data...)
			return
		}
	}
}

// takeUsage returns the usage that this chunk is to deliver, nil if none. Clients
// add up what they get, so only one chunk may have it; some servers send it with
// every one.
func (c *openAICodec) takeUsage(choices [][]byte, usage []byte) []byte {
	ending := 0
	for _, raw := range choices {
		if ends(readObject(nil, raw)) {
			ending++
		}
	}
	early := len(choices) > 0 && c.finished+ending < max(c.x.n, 1)
	if !c.usageSent && !early {
		c.usageSent = true
		c.chunk = c.chunk.set("usage", []byte("null"))
		return usage
	}
	if early {
		c.usage = bytes.Clone(usage)
	}
	c.chunk = c.chunk.set("usage", []byte("null"))
	c.changed = true
	return nil
}

// read takes the part of a chunk that is of this choice. It returns false where
// the message was sent back.
func (ch *choice) read(source object) bool {
	c := ch.codec
	ch.source, c.fed, c.same = source, nil, false
	delta := source.object("delta")
	if c.restarted && c.begun {
		delta = delta.without("role")
	}
	content := delta.get("content")
	c.head = delta
	if isString(content) && !ch.done {
		c.head = delta.without("content", "tool_calls")
		if text := ch.unquote(content); len(text) == 0 && len(delta) > 1 {
			c.head = delta // {"role":"assistant","content":""}
		} else {
			c.fed = text
			if !ch.feed(text) {
				return false
			}
		}
	}
	if calls := delta.array("tool_calls"); len(calls) > 0 {
		c.head = c.head.set("tool_calls", ch.renumber(calls))
	}
	if !ends(source) || ch.done {
		return true
	}
	reason := source.text("finish_reason")
	if !ch.close(reason != "stop" && reason != "tool_calls") {
		return false
	}
	ch.done = true
	c.finished++
	if reason == "stop" && ch.calls > 0 {
		ch.source = source.set("finish_reason", []byte(`"tool_calls"`))
		c.changed = true
	}
	return true
}

// ends reports whether a choice ends with this chunk. Some servers send an empty
// reason with every chunk but the last.
func ends(source object) bool {
	return source.has("finish_reason") && string(source.get("finish_reason")) != `""`
}

// renumber gives calls that the upstream made itself indexes that none of ours
// has.
func (ch *choice) renumber(calls [][]byte) []byte {
	ch.said = true
	if ch.native == nil {
		ch.native = make(map[int]int)
	}
	for i, raw := range calls {
		call := readObject(nil, raw)
		index, err := strconv.Atoi(string(call.get("index")))
		if err != nil {
			continue
		}
		to, known := ch.native[index]
		if !known {
			to = ch.next
			ch.next++
			ch.native[index] = to
		}
		ch.codec.changed = ch.codec.changed || to != index
		calls[i] = call.set("index", strconv.AppendInt(nil, int64(to), 10)).appendTo(nil)
	}
	return appendArray(nil, calls)
}

// tail writes what is left of a chunk for this choice: what its delta has beside
// the text, why it ended, and the usage.
func (c *openAICodec) tail(ch *choice, last bool, usage []byte) {
	if !last {
		usage = nil
	}
	if len(c.head) == 0 && !ends(ch.source) && usage == nil && (c.wrote || !ch.source.has("logprobs")) {
		return
	}
	source := ch.source.set("delta", c.takeHead().appendTo(nil))
	c.write(source, usage)
}

func (c *openAICodec) takeHead() object {
	head := c.head
	c.head = nil
	return head
}

// write writes a chunk with one choice, or with none.
func (c *openAICodec) write(source object, usage []byte) {
	c.wrote = true
	choices := []byte("[]")
	if source != nil {
		choices = append(source.appendTo([]byte("[")), ']')
	}
	chunk := append(object(nil), c.chunk...).set("choices", choices)
	if usage != nil {
		chunk = chunk.set("usage", usage)
	}
	c.dst = append(c.dst, c.prefix...)
	c.prefix = nil
	c.dst = appendEvent(c.dst, "", chunk.appendTo(nil))
}

// delta writes a chunk with a delta that has this member, and what is left of the
// head.
func (ch *choice) delta(key string, value []byte) {
	c := ch.codec
	c.settle(ch)
	source := append(object(nil), ch.source...)
	if source.has("finish_reason") {
		source = source.set("finish_reason", []byte("null"))
	}
	if source.has("logprobs") {
		source = source.set("logprobs", []byte("null"))
	}
	delta := append(c.takeHead().without("content", key), member{key, value})
	c.write(source.set("delta", delta.appendTo(nil)), nil)
}

// settle writes the text that was to be passed on with its chunk.
func (c *openAICodec) settle(ch *choice) {
	if c.same {
		c.same = false
		ch.delta("content", quoted(c.fed))
	}
}

// text implements sink.
func (ch *choice) text(text []byte) {
	if c := ch.codec; !c.wrote && !c.same && len(c.fed) > 0 && bytes.Equal(text, c.fed) {
		c.same = true // what is fed stays as it is until the next chunk
		return
	}
	ch.delta("content", quoted(text))
}

// call implements sink.
func (ch *choice) call(id, name string, input []byte) {
	index := ch.next
	ch.next++
	at := strconv.AppendInt([]byte(`[{"index":`), int64(index), 10)
	first := append(at[:len(at):len(at)], `,"id":`...)
	first = appendQuoted(first, id)
	first = append(first, `,"type":"function","function":{"name":`...)
	first = appendQuoted(first, name)
	first = append(first, `,"arguments":`...)
	if !ch.x.opts.SplitDeltas {
		ch.delta("tool_calls", append(appendQuoted(first, input), "}}]"...))
		return
	}
	ch.delta("tool_calls", append(first, `""}}]`...))
	for piece := range pieces(input) {
		rest := append(at[:len(at):len(at)], `,"function":{"arguments":`...)
		ch.delta("tool_calls", append(appendQuoted(rest, piece), "}}]"...))
	}
}

// done implements codec.
func (c *openAICodec) done(dst []byte, b *block) []byte {
	dst = c.flush(dst, false)
	return append(dst, b.raw...)
}

// end implements codec.
func (c *openAICodec) end(dst []byte) []byte { return c.flush(dst, true) }

// flush writes what is held back of choices that got no finish_reason, and usage
// that only came before the end.
func (c *openAICodec) flush(dst []byte, cutOff bool) []byte {
	c.dst, c.prefix, c.chunk = dst, nil, nil
	if c.last != nil {
		c.chunk = readObject(nil, c.last).without("obfuscation")
		if c.chunk.has("usage") {
			c.chunk = c.chunk.set("usage", []byte("null"))
		}
	}
	for _, index := range slices.Sorted(maps.Keys(c.choices)) {
		ch := c.choices[index]
		if ch.done {
			continue
		}
		c.head, c.fed, c.same = nil, nil, false
		ch.source = object{{"index", strconv.AppendInt(nil, int64(index), 10)}, {"delta", []byte("{}")}, {"finish_reason", []byte("null")}}
		c.x.retries = 0 // it is too late for another message
		ch.close(cutOff)
		ch.done = true
		c.finished++
	}
	if c.usage != nil && !c.usageSent {
		c.usageSent = true
		c.write(nil, c.usage)
	}
	c.usage = nil
	return c.dst
}
