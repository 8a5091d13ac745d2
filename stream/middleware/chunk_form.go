package middleware

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

// chunkForm is the form of APIs whose responses come in chunks, each a part of one
// choice or of several.
type chunkForm struct {
	*chunkShape
	x        *exchange
	last     []byte // the last chunk
	id       []byte
	next     map[int]int    // index of the next call of a choice
	indexes  map[[2]int]int // of the upstream's calls, by choice and the upstream's index
	arriving map[int]int    // index of the call of a choice that is being written

	restarted, begun, thinking, thought bool

	ours   map[[2]int]bool // calls of the custom tool that stands for all tools
	others bool            // there are other calls

	live int // choices that have not ended
	seen map[int]bool
	held []byte // the last chunk with usage, until it is clear that no fuller one follows
	bare []byte // it without its usage
	lost []byte // usage that came too early to be delivered
}

func newChunkForm(x *exchange, shape *chunkShape) form {
	return &chunkForm{chunkShape: shape, x: x, next: make(map[int]int), indexes: make(map[[2]int]int), arriving: make(map[int]int), seen: make(map[int]bool), ours: make(map[[2]int]bool), live: max(1, x.want.n)}
}

// read implements form.
func (c *chunkForm) read(f *frame, o object) (list []event) {
	if isFailure(f.name, o) {
		return []event{{kind: kindFailure}}
	}
	choices := c.choicesOf(o)
	list = append(list, event{kind: kindMeta, id: o.text(c.chunkShape.id)})
	for i, source := range choices {
		list = c.readChoice(list, source, i, c.delta)
	}
	if usage := c.usageOf(o); usage != nil {
		c.x.spent.note(usage)
		if !c.running && c.list != "" {
			list = append(list, event{kind: kindUsage, value: usage})
		}
	}
	if choices != nil {
		c.last = append(c.last[:0], f.data...)
		if c.id == nil {
			c.id = bytes.Clone(o.get(c.chunkShape.id))
		}
	}
	return list
}

func (c *chunkForm) usageOf(o object) []byte {
	if c.chunkShape.usage == "" {
		if usage := ollamaUsage(o); usage != nil {
			return usage.appendTo(nil)
		}
	} else if o.has(c.chunkShape.usage) {
		return o.get(c.chunkShape.usage)
	}
	return nil
}

// choicesOf returns the choices of a chunk.
func (c *chunkForm) choicesOf(o object) []object {
	if c.list == "" {
		if !o.has(c.delta) && !c.ends(o) {
			return nil
		}
		return []object{o}
	}
	return readObjects(o.array(c.list))
}

// readChoice reads a choice; what it says stands at key.
func (c *chunkForm) readChoice(list []event, source object, n int, key string) []event {
	index, err := strconv.Atoi(string(source.get("index")))
	if err != nil {
		index = n
	}
	delta := source.object(key)
	head := delta
	add := func(e event) { e.choice = index; list = append(list, e) }
	var rest []event
	switch content := delta.get(c.text); {
	case isString(content) && (len(content) > len(`""`) || len(delta) == 1 || key == c.message):
		head = head.without(c.text)
		rest = append(rest, event{kind: kindText, value: content})
	case len(content) > 0 && content[0] == '[':
		head = head.without(c.text)
		for _, raw := range readArray(nil, content) {
			switch part := readObject(nil, raw); {
			case isSpoken(part):
				rest = append(rest, event{kind: kindText, value: part.get("text")})
			case part.has("functionCall"):
				rest = append(rest, event{kind: kindOther}, event{kind: kindNative, value: raw, name: part.object("functionCall").text("name")})
			default:
				rest = append(rest, event{kind: kindOther, value: raw})
			}
		}
	}
	if c.calls != "" {
		for i, raw := range delta.array(c.calls) {
			head = head.without(c.calls)
			call := readObject(nil, raw)
			at, err := strconv.Atoi(string(call.get("index")))
			if err != nil { // each is a call of its own
				at = -1 - i - len(c.indexes)
			}
			if custom := call.object("custom"); c.x.custom != "" && (custom.text("name") == c.x.custom || custom != nil && c.ours[[2]int{index, at}]) {
				c.ours[[2]int{index, at}] = true
				if input := custom.get("input"); isString(input) {
					rest = append(rest, event{kind: kindText, value: input, own: true})
				}
				continue
			}
			c.others = true
			_, known := c.indexes[[2]int{index, at}]
			e := event{kind: kindNativeMore, at: at, value: raw, name: cmp.Or(call.object("function").text("name"), call.object("custom").text("name"))}
			if !known && (err == nil || e.name != "") {
				e.kind = kindNative
			}
			rest = append(rest, e)
		}
	}
	if c.list == "" && (len(rest) > 0 || c.ends(source)) {
		if head = head.without("role"); len(head) == 1 && string(head.get(c.text)) == `""` {
			head = nil
		}
	}
	if len(head) > 0 || len(rest) == 0 && !c.ends(source) {
		add(event{kind: kindNativeMore, at: -1, value: head.appendTo(nil), source: source})
	}
	for _, e := range rest {
		e.source = source
		add(e)
	}
	if c.ends(source) {
		reason, own := source.text(c.finish), false
		if reason == "tool_calls" && len(c.ours) > 0 && !c.others {
			reason = "stop"
			source, own = source.set(c.finish, quoted(reason)), true
		}
		add(event{kind: kindEnd, source: source, reason: reason, cut: c.cutOff(reason), own: own})
	}
	return list
}

// isSpoken reports whether a part of the content is text that the model says.
func isSpoken(part object) bool {
	if !isString(part.get("text")) || string(part.get("thought")) == "true" {
		return false
	}
	kind := part.get("type")
	return kind == nil || string(kind) == `"text"` || string(kind) == `"output_text"`
}

// write implements form.
func (c *chunkForm) write(dst []byte, list []event, as *frame) []byte {
	var choices []object
	var usage []byte
	hold, told := false, false
	for _, e := range list {
		if e.kind == kindFailure {
			return append(c.release(dst, false), as.raw...)
		}
		if !c.seen[e.choice] && e.kind == kindEnd {
			c.seen[e.choice] = true
			c.live--
		}
		if e.kind == kindEnd && e.called && c.called != "" && e.reason != c.called && (e.reason != "" || e.source == nil) {
			as = nil
		}
		if e.kind == kindUsage {
			usage, told = e.value, true
		} else if choice := c.choice(e, &as); choice != nil {
			choices = append(choices, choice)
		}
	}
	if len(list) == 0 {
		return dst
	}
	dst = c.release(dst, usage != nil)
	switch {
	case usage == nil:
	case len(choices) > 0 && c.live > 0:
		c.lost, usage, as = bytes.Clone(usage), nil, nil
	default:
		hold, c.lost = true, nil
		if c.x.spent.before != nil {
			usage, as = c.x.spent.sum(usage), nil
		}
	}
	if c.restarted || told && usage == nil {
		as = nil
	}
	n := len(dst)
	if as != nil {
		dst = append(dst, as.raw...)
	} else {
		dst = c.chunks(dst, choices, usage)
	}
	if hold {
		c.held, c.bare = bytes.Clone(dst[n:]), c.chunks(nil, choices, nil)
		dst = dst[:n]
	}
	return dst
}

// envelope returns the last chunk without its choices.
func (c *chunkForm) envelope() object {
	return readObject(nil, orObject(c.last)).without("obfuscation", c.list)
}

// release writes the chunk that was held, without its usage if another one follows.
func (c *chunkForm) release(dst []byte, another bool) []byte {
	if another {
		dst = append(dst, c.bare...)
	} else {
		dst = append(dst, c.held...)
	}
	c.held, c.bare = nil, nil
	return dst
}

// chunks writes choices, each in a chunk, and usage with the last one.
func (c *chunkForm) chunks(dst []byte, choices []object, usage []byte) []byte {
	if usage != nil && len(choices) == 0 {
		choices = []object{nil}
	}
	for i, choice := range choices {
		chunk := choice
		if c.list != "" {
			chunk = c.envelope()
			if c.restarted && c.id != nil {
				chunk = chunk.set(c.chunkShape.id, c.id)
			}
			if c.running {
				if chunk.has(c.chunkShape.usage) {
					chunk = chunk.set(c.chunkShape.usage, c.x.spent.sum(chunk.get(c.chunkShape.usage)))
				}
			} else if chunk.has(c.chunkShape.usage) || usage != nil {
				chunk = chunk.set(c.chunkShape.usage, []byte("null"))
				if i == len(choices)-1 && usage != nil {
					chunk = chunk.set(c.chunkShape.usage, usage)
				}
			}
			list := [][]byte{choice.appendTo(nil)}
			if choice == nil {
				list = nil
			}
			chunk = chunk.set(c.list, appendArray(nil, list))
		}
		dst = c.appendChunk(dst, chunk.appendTo(nil))
	}
	return dst
}

func (c *chunkForm) appendChunk(dst, data []byte) []byte {
	if c.lines {
		return append(append(dst, data...), '\n')
	}
	return appendFrame(dst, "", data)
}

// choice returns the choice that says an event, nil if none does. As is set to nil if
// the event cannot be written as it came.
func (c *chunkForm) choice(e event, as **frame) object {
	var delta object
	switch e.kind {
	case kindText:
		value := quoted(e.text)
		if c.parts() {
			value = appendArray(nil, [][]byte{object{{"text", value}}.appendTo(nil)})
		}
		delta = object{{c.text, value}}
	case kindOther:
		if e.value == nil {
			return nil
		}
		delta = object{{c.text, appendArray(nil, [][]byte{e.value})}}
	case kindNative, kindNativeMore:
		if e.at == -1 && e.name == "" && e.kind == kindNativeMore {
			delta = c.head(readObject(nil, e.value), as)
			if delta == nil {
				return nil
			}
			break
		}
		delta = c.native(e, as)
	case kindCall, kindCallStart, kindCallInput:
		n := c.next[e.choice]
		if e.kind == kindCallInput {
			n = c.arriving[e.choice]
		} else {
			c.arriving[e.choice] = n
			c.next[e.choice]++
		}
		key := c.calls
		if key == "" {
			key = c.text
		}
		delta = object{{key, append(c.chunkShape.call([]byte{'['}, n, e.id, e.name, e.text, e.kind != kindCallInput), ']')}}
	case kindEnd:
		delta = object{}
	default:
		return nil
	}
	return c.place(e, delta)
}

// head returns what a delta has besides text and calls; nil if nothing of it is new.
func (c *chunkForm) head(delta object, as **frame) object {
	n := len(delta)
	if c.restarted && c.begun {
		delta = delta.without("role")
	}
	if c.thought {
		delta = delta.without(c.thoughts...)
	}
	c.begun = c.begun || delta.has("role")
	c.thinking = c.thinking || slices.ContainsFunc(c.thoughts, func(key string) bool { v := delta.get(key); return len(v) > 2 && string(v) != "null" })
	if len(delta) == n {
		return delta
	}
	if *as = nil; len(delta) == 0 {
		return nil
	}
	return delta
}

// native returns the delta of a call of the upstream's own, under an index that no other
// has.
func (c *chunkForm) native(e event, as **frame) object {
	if c.calls == "" {
		return object{{c.text, appendArray(nil, [][]byte{e.value})}}
	}
	key := [2]int{e.choice, e.at}
	if _, known := c.indexes[key]; !known {
		c.indexes[key] = c.next[e.choice]
		c.next[e.choice]++
	}
	if to := c.indexes[key]; e.at >= 0 && to != e.at {
		*as = nil
		e.value = readObject(nil, e.value).set("index", number(to)).appendTo(nil)
	}
	return object{{c.calls, appendArray(nil, [][]byte{e.value})}}
}

// place returns a choice with that delta.
func (c *chunkForm) place(e event, delta object) object {
	source := slices.Clone(e.source)
	if source == nil && c.list != "" {
		source = object{{"index", number(e.choice)}, {c.delta, nil}}
		if !c.parts() {
			source = source.set(c.finish, []byte("null"))
		}
	}
	if c.list == "" {
		if source == nil {
			source = c.envelope()
		}
		if !delta.has("role") {
			delta = append(object{{"role", []byte(`"assistant"`)}}, delta...)
		}
		if delta.get(c.text) == nil {
			delta = append(delta, member{c.text, []byte(`""`)})
		}
	} else if c.parts() && len(delta) > 0 && !delta.has("role") {
		delta = append(delta, member{"role", []byte(`"model"`)})
	}
	switch {
	case e.kind == kindEnd:
		if e.called && c.called != "" {
			source = source.set(c.finish, quoted(c.called))
		}
		if c.list == "" {
			for _, m := range readObject(nil, orObject(c.x.spent.sum(ollamaUsage(source).appendTo(nil)))) {
				source = source.set(m.key, m.value)
			}
		}
		if c.parts() && len(delta) == 0 && !e.source.has(c.delta) {
			return source
		}
	case c.ended != "":
		source = source.without(c.finish)
		for _, m := range ollamaUsage(source) {
			source = source.without(m.key)
		}
		source = source.set(c.ended, []byte("false"))
	case c.parts():
		source = source.without(c.finish)
	case c.ends(source):
		source = source.set(c.finish, []byte("null"))
	}
	if c.parts() && delta.get(c.text) == nil {
		delta = append(delta, member{c.text, []byte("[]")})
	}
	if source.has("logprobs") && e.kind != kindNativeMore && (e.kind != kindEnd || len(readObject(nil, e.source.get(c.delta))) > 0) {
		source = source.set("logprobs", []byte("null"))
	}
	return source.without(c.repeats...).set(c.delta, delta.appendTo(nil))
}

// parts reports whether contents are lists.
func (c *chunkForm) parts() bool { return c.text == "parts" }

// end implements form.
func (c *chunkForm) end(dst []byte) []byte {
	dst = c.release(dst, false)
	if c.lost != nil {
		dst = c.chunks(dst, nil, c.x.spent.sum(c.lost))
		c.lost = nil
	}
	return dst
}

// again implements form.
func (c *chunkForm) again(dst []byte) []byte {
	c.restarted, c.thought = true, c.thought || c.thinking
	c.held, c.bare, c.lost = nil, nil, nil
	c.live = max(1, c.x.want.n)
	clear(c.seen)
	clear(c.ours)
	c.others = false
	return dst
}

// spend implements form.
func (c *chunkForm) spend(o object) (last bool) {
	usage := c.usageOf(o)
	c.x.spent.note(usage)
	if c.list == "" {
		return string(o.get(c.ended)) == "true"
	}
	return usage != nil && len(o.array(c.list)) == 0
}

// fault implements form.
func (c *chunkForm) fault(dst []byte, err *Error) []byte {
	return c.appendChunk(dst, c.failure(nil, err))
}

// readWhole implements form.
func (c *chunkForm) readWhole(o object) (list []event) {
	if isFailure("", o) {
		return nil
	}
	c.x.spent.note(c.usageOf(o))
	for i, source := range c.choicesOf(o) {
		if i == maxChoices || source == nil {
			break
		}
		n := len(list)
		list = append(list, event{kind: kindMeta, choice: i, id: o.text(c.chunkShape.id)})
		list = c.readChoice(list, source, i, c.message)
		for k := range list[n:] {
			list[n+k].choice = i
		}
		if last := list[len(list)-1]; last.kind != kindEnd {
			list = append(list, event{kind: kindEnd, choice: i, source: source})
		}
	}
	return list
}

// writeWhole implements form.
func (c *chunkForm) writeWhole(o object, list []event) object {
	choices := c.choicesOf(o)
	for i, source := range choices {
		if mine := slices.DeleteFunc(slices.Clone(list), func(e event) bool { return e.choice != i }); slices.ContainsFunc(mine, func(e event) bool { return !e.same || e.called && e.reason != c.called }) || len(mine) != len(c.readChoice(nil, source, i, c.message))+1 {
			choices[i] = c.wholeChoice(source, mine)
		}
	}
	switch {
	case c.list == "":
		o = choices[0]
		for _, m := range readObject(nil, orObject(c.x.spent.sum(c.x.spent.now))) {
			o = o.set(m.key, m.value)
		}
		return o
	case list != nil:
		raws := make([][]byte, len(choices))
		for i := range choices {
			raws[i] = choices[i].appendTo(nil)
		}
		o = o.set(c.list, appendArray(nil, raws))
	}
	if c.x.spent.before != nil {
		o = o.set(c.chunkShape.usage, c.x.spent.sum(c.x.spent.now))
	}
	return o
}

// wholeChoice returns a choice that says these events.
func (c *chunkForm) wholeChoice(source object, list []event) object {
	message := source.object(c.message)
	lists := len(message.array(c.text)) > 0
	var text []byte
	var parts, natives, calls [][]byte
	flush := func() {
		if len(text) > 0 {
			part := object{{"text", quoted(text)}}
			if !c.parts() {
				part = append(object{{"type", []byte(`"text"`)}}, part...)
			}
			parts, text = append(parts, part.appendTo(nil)), nil
		}
	}
	for _, e := range list {
		switch {
		case e.kind == kindText:
			text = append(text, e.text...)
		case e.kind == kindCall && c.calls == "":
			flush()
			parts = append(parts, c.chunkShape.call(nil, 0, e.id, e.name, e.text, true))
		case e.kind == kindCall && c.list == "":
			calls = append(calls, c.chunkShape.call(nil, len(calls), e.id, e.name, e.text, true))
		case e.kind == kindCall:
			function := object{{"name", quoted(e.name)}, {"arguments", quoted(e.text)}}
			calls = append(calls, object{{"id", quoted(e.id)}, {"type", []byte(`"function"`)}, {"function", function.appendTo(nil)}}.appendTo(nil))
		case e.kind == kindNative && c.calls != "":
			natives = append(natives, e.value)
		case (e.kind == kindOther || e.kind == kindNative) && e.value != nil:
			flush()
			parts = append(parts, e.value)
		case e.kind == kindEnd && e.called && c.called != "":
			source = source.set(c.finish, quoted(c.called))
		}
	}
	switch {
	case lists:
		flush()
		message = message.set(c.text, appendArray(nil, parts))
	case len(text) == 0 && c.list != "":
		message = message.set(c.text, []byte("null"))
	default:
		message = message.set(c.text, quoted(text))
	}
	if len(natives)+len(calls) > 0 {
		message = message.set(c.calls, appendArray(nil, append(natives, calls...)))
	} else if c.calls != "" && len(message.array(c.calls)) > 0 {
		message = message.without(c.calls)
	}
	return source.set(c.message, message.appendTo(nil))
}
