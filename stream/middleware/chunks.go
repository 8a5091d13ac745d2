package middleware

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
)

// chunkCodec reads responses that come in chunks.
type chunkCodec struct {
	*chunkShape
	x       *exchange
	choices map[int]*choiceText
	failed  *Error
	over    bool // the upstream has failed: nothing more is read

	bones     skeleton // of the last chunk of one choice with text
	of        *choiceText
	piece     skeleton // of what was written for such a chunk that is a piece of arguments
	silent    bool     // such a chunk delivers only the text
	learning  bool     // the chunk being read is such a chunk
	quick     []byte   // the chunk being read, while only its text was looked at
	spent     spending
	replyID   []byte // the id in the chunks, JSON
	restarted bool
	begun     bool   // the role was delivered, of a message that may be sent back
	thinking  bool   // reasoning was
	thought   bool   // reasoning of a message sent back was delivered
	finished  int    // choices that have ended
	usageSent bool   // usage was delivered
	usage     []byte // usage that came too early, or nil
	last      []byte // the last chunk, if part of it is held back

	// The last chunk with usage, until it is clear that no fuller one follows.
	held     []byte // as it will be written
	heldBare []byte // without its usage

	// Of the chunk being written.
	dst     []byte
	prefix  []byte // its lines that are not data
	chunk   object
	head    object // of the delta, what is not written yet
	fed     []byte // its text
	same    bool   // that text can be delivered unchanged, and is not written yet
	wrote   bool
	changed bool // it cannot be passed on as it came

	// Memory for parsing each chunk.
	list    [][]byte
	sources object
	deltas  object
}

func newChunkCodec(x *exchange, shape *chunkShape) codec {
	return &chunkCodec{chunkShape: shape, x: x, choices: make(map[int]*choiceText)}
}

func (c *chunkCodec) err() *Error {
	if c.failed == nil {
		return c.x.failure()
	}
	return c.failed
}

func (c *chunkCodec) lines() bool { return c.chunkShape.lines }

// fault implements codec.
func (c *chunkCodec) fault(dst []byte, err *Error) []byte {
	return c.appendChunk(dst, c.failure(nil, err))
}

func (c *chunkCodec) appendChunk(dst, data []byte) []byte {
	if c.chunkShape.lines {
		return append(append(dst, data...), '\n')
	}
	return appendEvent(dst, "", data)
}

func (c *chunkCodec) restart() {
	clear(c.choices)
	c.restarted = true
	c.thought = c.thought || c.thinking
	c.finished = 0
	c.usage, c.last, c.held, c.heldBare = nil, nil, nil, nil
	c.spent.restart()
}

// spend implements codec.
func (c *chunkCodec) spend(b *block, data object) (last bool) {
	if c.chunkShape.usage == "" {
		c.spent.note(ollamaUsage(data).appendTo(nil))
		return string(data.get(c.ended)) == "true"
	}
	if data.has(c.chunkShape.usage) {
		c.spent.note(data.get(c.chunkShape.usage))
		return len(data.array(c.chunkShape.list)) == 0
	}
	return false
}

// choiceOf returns the choice that source belongs to; nil if there are too many.
func (c *chunkCodec) choiceOf(source object, at int) *choiceText {
	index, err := strconv.Atoi(string(source.get("index")))
	if err != nil {
		index = at
	}
	ch := c.choices[index]
	if ch != nil {
		return ch
	}
	if len(c.choices) >= maxChoices {
		c.failed = &Error{Code: TooManyChoices, Limit: maxChoices}
		return nil
	}
	ch = &choiceText{codec: c, done: c.over}
	ch.decoder = c.x.newDecoder(ch, index)
	ch.reply = c.reply()
	c.choices[index] = ch
	return ch
}

// reply returns the id of the response.
func (c *chunkCodec) reply() string {
	if isString(c.replyID) {
		return unquoted(c.replyID)
	}
	return ""
}

// choicesOf returns the choices of a chunk.
func (c *chunkCodec) choicesOf(dst [][]byte, chunk object, data []byte) [][]byte {
	if c.chunkShape.list != "" {
		return readArray(dst, chunk.get(c.chunkShape.list))
	}
	if !chunk.has(c.delta) && !c.ends(chunk) {
		return nil
	}
	return append(dst, data)
}

// event implements codec.
func (c *chunkCodec) event(dst []byte, b *block, data object) []byte {
	if isFailure(b, data) {
		dst = c.flush(dst, true, false)
		c.over = true
		return append(dst, b.raw...)
	}
	if c.held != nil {
		dst = c.release(dst, data.has(c.chunkShape.usage))
	}
	choices := c.choicesOf(c.list[:0], data, b.data)
	if choices == nil {
		return append(dst, b.raw...)
	}
	c.list = choices
	if id := data.get(c.id); c.replyID == nil && id != nil {
		c.replyID = bytes.Clone(id)
	}
	if len(choices) == 1 && !c.restarted && c.passes(choices[0], data) {
		c.begin(c.deltas)
		if value := c.deltas.get(c.text); isString(value) {
			c.learn(b, c.choiceOf(c.sources, 0), value)
		}
		return append(dst, b.raw...)
	}
	start := len(dst)
	c.dst, c.prefix = dst, b.prefix()
	c.wrote, c.changed = false, c.restarted || len(choices) > 1
	c.chunk = data.without("obfuscation")
	if c.chunkShape.list == "" {
		c.chunk = nil
	}
	usage, hold := c.takeUsage(choices, data)
	if c.restarted && c.replyID != nil && c.chunk != nil {
		c.chunk = c.chunk.set(c.id, c.replyID)
	}
	c.learning = false
	for i, raw := range choices {
		source := readObject(nil, raw)
		ch := c.choiceOf(source, i)
		if ch == nil {
			return c.dst
		}
		delta := source.object(c.delta)
		if value := delta.get(c.text); len(choices) == 1 && isString(value) && !c.ends(source) && !delta.has(c.calls) && !data.has(c.chunkShape.usage) {
			c.learn(b, ch, value)
			c.learning = true
		}
		if !ch.read(source) { // sent back: nothing of this chunk counts
			return c.dst
		}
		c.begin(delta)
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
	case usage != nil || !data.has(c.chunkShape.usage):
		c.write(nil, usage)
	}
	c.silent = c.silent || c.learning && len(c.dst) == start
	c.remember(b.data)
	if hold && c.x.failure() == nil {
		c.hold(start, usage)
	}
	return c.dst
}

// again implements codec.
func (c *chunkCodec) again(dst []byte, from *scanner) ([]byte, bool) {
	if c.of == nil || c.of.done || c.of.carry != nil || c.held != nil || c.restarted || c.over {
		return dst, false
	}
	event, in := c.bones.match(from.ahead())
	if event == nil {
		return dst, false
	}
	from.skip(len(event))
	text := c.bones.spelled(in[ofText])
	if c.of.plain(text) {
		return append(dst, event...), true
	}
	return c.feed(dst, event, text), true
}

// learn takes the bones of a chunk with text for a choice.
func (c *chunkCodec) learn(b *block, ch *choiceText, value []byte) {
	if c.bones.learn(b, value, c.loose) || c.of != ch {
		c.piece.forget()
		c.silent = false
	}
	c.of = ch
}

// feed takes a chunk that differs from one before only in its text, which may be part
// of a call: most of them are a piece of arguments, or bring nothing yet. Only if more
// comes of it is it read as a whole, which takes eleven times as long (8.9 microseconds
// of CPU, not 0.8: BenchmarkChunk/argument).
func (c *chunkCodec) feed(dst, event, text []byte) []byte {
	ch := c.of
	c.dst, c.quick, c.learning = dst, event, true
	c.fed, c.same, c.wrote, c.changed = text, false, false, false
	if !ch.feed(text) {
		c.quick = nil
		return c.dst
	}
	if c.quick == nil || c.same || !c.wrote && !c.silent {
		c.wake()
		if ch.repeat(); !c.wrote && !c.changed && c.same {
			c.dst = append(c.dst, event...)
		} else {
			c.settle(ch)
			c.tail(ch, true, nil)
		}
	}
	c.quick = nil
	c.remember(c.bones.data(event))
	return c.dst
}

// wake reads the rest of a chunk whose text alone was read so far.
func (c *chunkCodec) wake() {
	if c.quick == nil {
		return
	}
	b := blockOf(c.quick, c.chunkShape.lines)
	c.quick = nil
	chunk := readObject(nil, bytes.TrimSpace(b.data))
	c.of.source = readObject(nil, c.choicesOf(nil, chunk, b.data)[0])
	if c.chunk = nil; c.chunkShape.list != "" {
		c.chunk = chunk.without("obfuscation")
	}
	if c.head, c.prefix = nil, nil; !c.wrote { // else they were written
		c.head, c.prefix = c.of.source.object(c.delta).without(c.text), b.prefix()
	}
}

// hold keeps what was written last, a chunk with usage, until it is clear whether
// fuller usage follows.
func (c *chunkCodec) hold(start int, usage []byte) {
	written := c.dst[start:]
	at := bytes.LastIndex(written, usage)
	if at < 0 {
		return
	}
	// If several chunks were written, the last one has the usage.
	c.held = bytes.Clone(written)
	c.heldBare = append(append(bytes.Clone(written[:at]), "null"...), written[at+len(usage):]...)
	c.usage = bytes.Clone(usage)
	c.dst = c.dst[:start]
}

// release writes the chunk that was held, without its usage if another one follows.
func (c *chunkCodec) release(dst []byte, another bool) []byte {
	held := c.held
	if another {
		held, c.usageSent = c.heldBare, false
	}
	c.held, c.heldBare, c.usage = nil, nil, nil
	return append(dst, held...)
}

// begin records that a role, or reasoning, is delivered: a message that replaces this
// one must not repeat it.
func (c *chunkCodec) begin(delta object) {
	if c.x.opts.Retries <= 0 {
		return
	}
	c.begun = c.begun || delta.has("role")
	if !c.thinking {
		c.thinking = slices.ContainsFunc(c.thoughts, func(key string) bool { v := delta.get(key); return len(v) > 2 && string(v) != "null" })
	}
}

// isFailure reports whether an event says that the upstream cannot go on.
func isFailure(b *block, data object) bool {
	switch failure := string(data.get("error")); failure {
	case "", "null", `""`, "{}", "[]", "false":
	default:
		return true
	}
	return b.name == "error" || string(data.get("object")) == `"error"`
}

// prefix returns the lines of an event before its data.
func (b *block) prefix() []byte {
	if b.name == "" {
		return b.rest
	}
	return append([]byte("event: "+b.name+"\n"), b.rest...)
}

// passes reports whether a chunk of one choice can be passed on as it came, as nearly
// all can, and takes it if so.
func (c *chunkCodec) passes(raw []byte, chunk object) bool {
	if c.chunkShape.usage != "" && chunk.has(c.chunkShape.usage) {
		return false
	}
	source := readObject(c.sources[:0], raw)
	if source == nil || c.ends(source) {
		return false
	}
	c.sources = source
	delta := readObject(c.deltas[:0], source.get(c.delta))
	if delta == nil || c.calls != "" && delta.has(c.calls) {
		return false
	}
	c.deltas = delta
	content := delta.get(c.text)
	if content == nil || string(content) == "null" {
		return true
	}
	if !isString(content) {
		return content[0] != '['
	}
	ch := c.choiceOf(source, 0)
	if ch == nil || ch.done {
		return ch != nil
	}
	return ch.carry == nil && highSurrogate(content) == nil && ch.plain(ch.unquote(content))
}

// remember keeps a chunk while something is held back: its id, model and so on are
// needed if the stream ends without another one.
func (c *chunkCodec) remember(data []byte) {
	for _, ch := range c.choices {
		if !ch.done && (!ch.idle() || ch.made > 0) || c.usage != nil {
			c.last = append(c.last[:0], data...)
			return
		}
	}
}

// takeUsage returns the usage that this chunk must deliver, nil if none, and whether a
// later one may replace it. Clients add up usage, so only one chunk may have it; some
// servers send it with every chunk.
func (c *chunkCodec) takeUsage(choices [][]byte, chunk object) (usage []byte, hold bool) {
	key := c.chunkShape.usage
	if key == "" || !chunk.has(key) {
		return nil, false
	}
	usage = chunk.get(key)
	c.spent.note(usage)
	if c.running {
		if c.spent.before != nil {
			c.chunk = c.chunk.set(key, c.spent.sum(usage))
		}
		return nil, false
	}
	ending := 0
	for _, raw := range choices {
		if source := readObject(nil, raw); c.ends(source) {
			if index, err := strconv.Atoi(string(source.get("index"))); err != nil || c.choices[index] == nil || !c.choices[index].done {
				ending++
			}
		}
	}
	if usage = c.spent.sum(usage); c.spent.before != nil {
		c.changed = true
	}
	early := len(choices) > 0 && c.finished+ending < max(c.x.want.n, 1)
	if !c.usageSent && !early {
		c.usageSent = true
		c.chunk = c.chunk.set(key, []byte("null"))
		return usage, len(choices) > 0
	}
	if early {
		c.usage = bytes.Clone(usage)
	}
	c.chunk = c.chunk.set(key, []byte("null"))
	c.changed = true
	return nil, false
}

// tail writes what is left of a chunk for this choice: what its delta has besides the
// text, why it ended, and the usage.
func (c *chunkCodec) tail(ch *choiceText, last bool, usage []byte) {
	if !last {
		usage = nil
	}
	head := c.head
	if c.chunkShape.list == "" && len(c.fed) > 0 { // each of its chunks has a role
		head = head.without("role")
	}
	if len(head) == 0 && !c.ends(ch.source) && usage == nil && (c.wrote || !ch.source.has("logprobs")) {
		return
	}
	source := ch.source
	if len(c.fed) > 0 { // which was written, or is held back
		source = source.without(c.repeats...)
	}
	if head := c.takeHead(); len(head) > 0 || source.has(c.delta) {
		if c.parts() && head.get(c.text) == nil {
			head = append(slices.Clone(head), member{c.text, []byte("[]")})
		}
		source = source.set(c.delta, head.appendTo(nil))
	}
	c.write(source, usage)
}

// parts reports whether contents are lists.
func (c *chunkCodec) parts() bool { return c.text == "parts" }

func (c *chunkCodec) takeHead() object {
	head := c.head
	c.head = nil
	return head
}

// write writes a chunk with one choice, or with none.
func (c *chunkCodec) write(source object, usage []byte) {
	c.wrote = true
	var chunk object
	if c.chunkShape.list == "" {
		if chunk = source; c.spent.before != nil && c.ends(source) {
			for _, m := range readObject(nil, c.spent.sum(ollamaUsage(source).appendTo(nil))) {
				chunk = chunk.set(m.key, m.value)
			}
		}
	} else {
		choices := []byte("[]")
		if source != nil {
			choices = append(source.appendTo([]byte("[")), ']')
		}
		chunk = append(object(nil), c.chunk...).set(c.chunkShape.list, choices)
		if usage != nil {
			chunk = chunk.set(c.chunkShape.usage, usage)
		}
	}
	c.dst = append(c.dst, c.prefix...)
	c.prefix = nil
	c.dst = c.appendChunk(c.dst, chunk.appendTo(nil))
}

// open returns a part of a choice without the members that say that it has ended.
func (c *chunkCodec) open(source object) object {
	if c.ended != "" {
		source = source.without(c.finish)
		for _, m := range ollamaUsage(source) {
			source = source.without(m.key)
		}
		return source.set(c.ended, []byte("false"))
	}
	if c.parts() {
		return source.without(c.finish)
	}
	return source.set(c.finish, []byte("null"))
}

// settle writes text that was going to pass with its chunk.
func (c *chunkCodec) settle(ch *choiceText) {
	if c.same {
		c.same = false
		ch.write(c.text, c.textValue(c.fed))
	}
}

// textValue returns text as content.
func (c *chunkCodec) textValue(text []byte) []byte {
	if c.parts() {
		return appendArray(nil, [][]byte{object{{"text", quoted(text)}}.appendTo(nil)})
	}
	return quoted(text)
}

// done implements codec.
func (c *chunkCodec) done(dst []byte, b *block) []byte {
	dst = c.flush(dst, true, true)
	return append(dst, b.raw...)
}

// end implements codec.
func (c *chunkCodec) end(dst []byte, clean bool) []byte { return c.flush(dst, true, clean) }

// flush writes what is held back of choices that got no finish reason, and usage that
// came before the end. A message with calls ends with the reason for calls, if the
// upstream has ended it.
func (c *chunkCodec) flush(dst []byte, cutOff, ended bool) []byte {
	if c.held != nil {
		dst = c.release(dst, false)
	}
	c.dst, c.prefix, c.chunk = dst, nil, nil
	var last object
	if c.last != nil {
		last = readObject(nil, c.last)
		c.chunk = last.without("obfuscation")
		if c.chunkShape.usage != "" && c.chunk.has(c.chunkShape.usage) {
			c.chunk = c.chunk.set(c.chunkShape.usage, []byte("null"))
		}
	}
	for _, index := range slices.Sorted(maps.Keys(c.choices)) {
		ch := c.choices[index]
		if ch.done {
			continue
		}
		c.head, c.fed, c.same = nil, nil, false
		ch.source = object{{"index", strconv.AppendInt(nil, int64(index), 10)}, {c.delta, []byte("{}")}, {c.finish, []byte("null")}}
		if c.chunkShape.list == "" {
			ch.source = c.open(last.without(c.delta))
		} else if c.parts() {
			ch.source = ch.source.without(c.finish)
		}
		ch.close(cutOff)
		ch.done = true
		c.finished++
		if ended && ch.calls > 0 && c.called != "" {
			ch.called = true
			c.write(ch.source.set(c.delta, []byte("{}")).set(c.finish, quoted(c.called)), nil)
		}
	}
	if c.usage != nil && !c.usageSent {
		c.usageSent = true
		c.write(nil, c.usage)
	}
	c.usage = nil
	return c.dst
}
