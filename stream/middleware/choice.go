package middleware

import (
	"bytes"
	"strconv"
)

// maxChoices is how many choices a response may have, as OpenAI allows, and how many
// content blocks may be open at once.
const maxChoices = 128

// choiceText is one of the messages that a response consists of.
type choiceText struct {
	*decoder
	codec  *chunkCodec
	source object // the choice in the chunk being read

	done    bool
	next    int         // index of the next call
	arrives int         // index of the call that is being delivered in pieces
	natives map[int]int // indexes of calls that the upstream made itself; -1 if not delivered
	called  bool        // it ended with calls
}

// read takes this choice's part of a chunk. It returns false if the message was sent
// back.
func (ch *choiceText) read(source object) bool {
	c := ch.codec
	ch.source, c.fed, c.same = source, nil, false
	delta := source.object(c.delta)
	defer ch.repeat()
	if c.restarted && c.begun {
		delta = delta.without("role")
	}
	if c.thought {
		delta = delta.without(c.thoughts...)
	}
	content := delta.get(c.text)
	c.head = delta
	if !ch.done {
		switch {
		case isString(content):
			c.head = delta.without(c.text)
			if text := ch.unquote(content); len(text) == 0 && len(delta) > 1 {
				c.head = delta // {"role":"assistant","content":""}
			} else {
				c.fed = text
				if !ch.feed(text) {
					return false
				}
			}
		case len(content) > 0 && content[0] == '[':
			if !ch.readParts(delta, content) {
				return false
			}
		}
	}
	if calls := readArrayOf(delta.get(c.calls)); c.calls != "" && len(calls) > 0 {
		c.head = c.takeHead().without(c.calls)
		if calls := ch.renumber(calls); calls != nil {
			c.head = c.head.set(c.calls, calls)
		}
	}
	if !c.ends(source) {
		return true
	}
	reason := source.text(c.finish)
	if ch.done {
		if ch.called && reason != c.called { // an earlier part gave another reason
			ch.source = source.set(c.finish, quoted(c.called))
			c.changed = true
		}
		return true
	}
	if cutOff := c.cutOff(reason); !ch.close(cutOff) || !ch.finish(cutOff) {
		return false
	}
	ch.done = true
	c.finished++
	if c.x.missing {
		ch.source = source.without(c.finish, c.ended)
		c.changed = true
		return true
	}
	if c.called != "" && ch.calls > 0 && c.isStop(reason) {
		ch.source = source.set(c.finish, quoted(c.called))
		ch.called, c.changed = true, true
	}
	return true
}

// repeat leaves out what repeats the model's text, if the application gets a different
// text.
func (ch *choiceText) repeat() {
	if c := ch.codec; ch.made > 0 || ch.damaged || ch.less() {
		for _, key := range c.repeats {
			if ch.source.has(key) {
				ch.source, c.changed = ch.source.without(key), true
			}
		}
	}
}

// readParts reads content that is a list of parts. Texts are read as one; other parts
// pass, and no call crosses them. It returns false if the message was sent back.
func (ch *choiceText) readParts(delta object, content []byte) bool {
	c := ch.codec
	parts := readArray(nil, content)
	if len(parts) == 1 && len(delta) <= 2 && !c.changed && !c.wrote {
		part := readObject(nil, parts[0])
		if text := part.get("text"); isSpoken(part) && ch.carry == nil && highSurrogate(text) == nil {
			if plain := ch.unquote(text); len(plain) > 0 && ch.plain(plain) {
				c.head, c.fed, c.same = delta.without(c.text), plain, true
				return true
			}
		}
	}
	c.head = delta.without(c.text)
	c.changed = true
	for _, raw := range parts {
		part := readObject(nil, raw)
		if isSpoken(part) {
			if !ch.feed(ch.unquote(part.get("text"))) {
				return false
			}
			continue
		}
		ch.interrupt()
		if part.has("functionCall") && !ch.native(part.object("functionCall").text("name")) {
			continue
		}
		ch.write(c.text, appendArray(nil, [][]byte{raw}))
	}
	return true
}

// isSpoken reports whether a part of the content is text that the model says.
func isSpoken(part object) bool {
	if !isString(part.get("text")) || string(part.get("thought")) == "true" {
		return false
	}
	kind := part.get("type")
	return kind == nil || string(kind) == `"text"` || string(kind) == `"output_text"`
}

// renumber gives calls that the upstream made itself indexes that ours do not use. It
// returns nil if none of them is delivered.
func (ch *choiceText) renumber(calls [][]byte) []byte {
	if ch.natives == nil {
		ch.natives = make(map[int]int)
	}
	kept := calls[:0]
	for i, raw := range calls {
		call := readObject(nil, raw)
		index, err := strconv.Atoi(string(call.get("index")))
		if err != nil { // each is a call of its own
			if index = -1 - len(ch.natives); !call.object("function").has("name") {
				kept = append(kept, calls[i])
				continue
			}
		}
		to, known := ch.natives[index]
		if !known {
			to = -1
			if ch.native(call.object("function").text("name")) {
				to = ch.next
				ch.next++
			}
			ch.natives[index] = to
		}
		if to < 0 {
			ch.codec.changed = true
			continue
		}
		if ch.codec.changed = ch.codec.changed || to != index && index >= 0; index >= 0 {
			raw = call.set("index", strconv.AppendInt(nil, int64(to), 10)).appendTo(nil)
		}
		kept = append(kept, raw)
	}
	if len(kept) == 0 {
		return nil
	}
	return appendArray(nil, kept)
}

// write writes a chunk whose delta has this member, and what is left of the head.
func (ch *choiceText) write(key string, value []byte) {
	c := ch.codec
	c.wake()
	c.settle(ch)
	source := ch.source.without(c.repeats...)
	if c.ends(source) {
		source = c.open(source)
	}
	if source.has("logprobs") {
		source = source.set("logprobs", []byte("null"))
	}
	head := c.takeHead()
	delta := append(head.without(c.text, key), member{key, value})
	if (c.parts() || c.chunkShape.list == "") && !delta.has("role") {
		role := []byte(`"assistant"`)
		if c.parts() {
			role = []byte(`"model"`)
		}
		delta = append(object{{"role", role}}, delta...)
		if c.chunkShape.list == "" && key != c.text {
			delta = append(delta, member{c.text, []byte(`""`)})
		}
	}
	if calls := head.get(c.calls); c.calls != "" && key != c.calls && calls != nil {
		c.head = object{{c.calls, calls}}
		delta = delta.without(c.calls)
	}
	c.write(source.set(c.delta, delta.appendTo(nil)), nil)
}

// text implements sink.
func (ch *choiceText) text(text []byte) {
	c := ch.codec
	if !c.wrote && !c.same && len(c.fed) > 0 && bytes.Equal(text, c.fed) {
		c.same = true // what is fed stays unchanged until the next chunk
		return
	}
	ch.write(c.text, c.textValue(text))
}

// call implements sink.
func (ch *choiceText) call(id, name string, input []byte) {
	c := ch.codec
	if c.pieces && ch.x.opts.SplitDeltas {
		callInPieces(ch, id, name, input)
		return
	}
	key := c.calls
	if key == "" {
		key = c.text
	}
	ch.write(key, append(c.chunkShape.call([]byte{'['}, ch.next, id, name, input, true), ']'))
	ch.next++
}

// splits implements liveSink.
func (ch *choiceText) splits() bool { return ch.codec.pieces }

// begin implements liveSink.
func (ch *choiceText) begin(id, name string) {
	c := ch.codec
	ch.write(c.calls, append(c.chunkShape.call([]byte{'['}, ch.next, id, name, nil, true), ']'))
	ch.arrives = ch.next
	ch.next++
	c.piece.forget()
}

// piece implements liveSink. The upstream may have begun a call since.
func (ch *choiceText) piece(input []byte) {
	c := ch.codec
	if c.quick != nil && !c.wrote && c.piece.known() {
		c.wrote = true
		c.dst = c.piece.appendTo(c.dst, &filling{ofText: c.piece.escaped(input)})
		return
	}
	first, start := !c.wrote && !c.same, len(c.dst)
	calls := append(c.chunkShape.call([]byte{'['}, ch.arrives, "", "", input, false), ']')
	if ch.write(c.calls, calls); first && c.learning {
		c.piece.made(c.dst[start:], "arguments", quoted(input), nil)
	}
}

// complete implements liveSink.
func (ch *choiceText) complete([]byte, bool) {}
