package middleware

import (
	"bytes"
	"slices"
)

// A heldUsage is the last chunk with usage, until it is clear that no fuller one
// follows.
type heldUsage struct {
	chunk []byte
	bare  []byte // the chunk without its usage
	early []byte // usage that came before the choices had ended
}

// write implements form.
func (c *chunkForm) write(dst []byte, list []event, as *frame) []byte {
	if len(list) == 0 {
		return dst
	}
	if list[0].kind == kindFailure {
		return append(c.release(dst, false), as.raw...)
	}
	var choices []object
	var usage []byte
	for _, e := range list {
		if e.kind == kindUsage {
			usage = e.value
			continue
		}
		if e.kind == kindEnd {
			c.choice(e.choice).ended = true
			if e.called && c.called != "" && e.reason != c.called && (e.reason != "" || e.source == nil) {
				as = nil
			}
		}
		choice := c.writeChoice(e, &as)
		if choice != nil {
			choices = append(choices, choice)
		}
	}
	if c.parts() && as == nil {
		choices = mergeCandidates(choices)
	}
	dst = c.release(dst, usage != nil)
	hold := usage != nil
	switch {
	case usage == nil:
	case len(choices) > 0 && c.open():
		c.usage.early, usage, as, hold = bytes.Clone(usage), nil, nil, false
	default:
		c.usage.early = nil
		if c.x.spent.before != nil {
			usage, as = c.x.spent.sum(usage), nil
		}
	}
	if c.continued {
		as = nil
	}
	n := len(dst)
	if as != nil {
		dst = append(dst, as.raw...)
	} else {
		dst = c.chunks(dst, choices, usage)
	}
	if hold {
		c.usage.chunk, c.usage.bare = bytes.Clone(dst[n:]), c.chunks(nil, choices, nil)
		dst = dst[:n]
	}
	return dst
}

// open reports whether a choice has not ended.
func (c *chunkForm) open() bool {
	ended := 0
	for _, choice := range c.choices {
		if choice.ended {
			ended++
		}
	}
	return ended < max(1, c.x.want.n)
}

// release writes the chunk that was held, without its usage if another one follows.
func (c *chunkForm) release(dst []byte, another bool) []byte {
	if another {
		dst = append(dst, c.usage.bare...)
	} else {
		dst = append(dst, c.usage.chunk...)
	}
	c.usage.chunk, c.usage.bare = nil, nil
	return dst
}

// end implements form.
func (c *chunkForm) end(dst []byte) []byte {
	dst = c.release(dst, false)
	if c.usage.early != nil {
		dst = c.chunks(dst, nil, c.x.spent.sum(c.usage.early))
		c.usage.early = nil
	}
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
			last := i == len(choices)-1
			chunk = c.chunk(choice, usage, last)
		}
		dst = c.appendChunk(dst, chunk.appendTo(nil))
	}
	return dst
}

// chunk returns a chunk with a choice, if it isn't nil, and with usage if it is the
// last one.
func (c *chunkForm) chunk(choice object, usage []byte, last bool) object {
	chunk := c.envelope()
	if c.continued && c.id != nil {
		chunk = chunk.set(c.chunkShape.id, c.id)
	}
	key := c.chunkShape.usage
	switch {
	case c.running && chunk.has(key):
		chunk = chunk.set(key, c.x.spent.sum(chunk.get(key)))
	case c.running:
	case last && usage != nil:
		chunk = chunk.set(key, usage)
	case chunk.has(key) || usage != nil:
		chunk = chunk.set(key, []byte("null"))
	}
	var list [][]byte
	if choice != nil {
		list = [][]byte{choice.appendTo(nil)}
	}
	return chunk.set(c.list, appendArray(nil, list))
}

// envelope returns the last chunk without its choices.
func (c *chunkForm) envelope() object {
	return readObject(nil, orObject(c.last)).without("obfuscation", c.list)
}

func (c *chunkForm) appendChunk(dst, data []byte) []byte {
	if c.lines {
		return append(append(dst, data...), c.x.lineEnd...)
	}
	return appendFrame(dst, c.x.lineEnd, "", data)
}

// writeChoice returns the choice that contains an event, nil if none does. As is set to
// nil if the event cannot be written as it came.
func (c *chunkForm) writeChoice(e event, as **frame) object {
	switch e.kind {
	case kindText:
		value := quoted(e.text)
		if c.parts() {
			value = appendArray(nil, [][]byte{object{{"text", value}}.appendTo(nil)})
		}
		return c.place(e, object{{c.text, value}})
	case kindOther:
		if e.value == nil {
			return nil
		}
		return c.place(e, object{{c.text, appendArray(nil, [][]byte{e.value})}})
	case kindNative, kindNativeMore:
		if e.at == restOfDelta && e.kind == kindNativeMore {
			return c.restOf(e, as)
		}
		return c.place(e, c.native(e, as))
	case kindCallStart, kindCallInput, kindCallEnd:
		delta := c.callDelta(e)
		if delta == nil {
			return nil
		}
		return c.place(e, delta)
	case kindEnd:
		return c.place(e, object{})
	}
	return nil
}

// callDelta returns the delta of one of our calls, or nil if the API has nothing to say
// at this point of it.
func (c *chunkForm) callDelta(e event) object {
	choice := c.choice(e.choice)
	switch {
	case c.x.dialect.pieces && e.kind == kindCallStart:
		choice.current = choice.next
		choice.next++
	case c.x.dialect.pieces && e.kind == kindCallEnd:
		return nil
	case c.x.dialect.pieces:
	case e.kind != kindCallEnd || e.cut:
		return nil
	default:
		choice.current = choice.next
		choice.next++
	}
	key := c.calls
	if key == "" {
		key = c.text
	}
	call := c.chunkShape.call(choice.current, e, e.kind != kindCallInput)
	return object{{key, appendArray(nil, [][]byte{call.appendTo(nil)})}}
}

// restOf returns a choice with what a delta contains besides text and calls; nil if
// nothing of it is new.
func (c *chunkForm) restOf(e event, as **frame) object {
	delta := readObject(nil, e.value)
	n := len(delta)
	if c.continued && c.hasRole {
		delta = delta.without("role")
	}
	if c.noThoughts {
		delta = delta.without(c.thoughts...)
	}
	c.hasRole = c.hasRole || delta.has("role")
	for _, key := range c.thoughts {
		value := delta.get(key)
		c.hasThought = c.hasThought || len(value) > 2 && string(value) != "null"
	}
	if len(delta) < n {
		*as = nil
		if len(delta) == 0 {
			return nil
		}
	}
	return c.place(e, delta)
}

// native returns the delta of a call of the upstream's own, under an index that no other
// call has.
func (c *chunkForm) native(e event, as **frame) object {
	if c.calls == "" {
		return object{{c.text, appendArray(nil, [][]byte{e.value})}}
	}
	choice := c.choice(e.choice)
	to, known := choice.upstream[e.at]
	if !known {
		to = choice.next
		choice.upstream[e.at] = to
		choice.next++
	}
	if e.at >= 0 && to != e.at {
		*as = nil
		e.value = readObject(nil, e.value).set("index", number(to)).appendTo(nil)
	}
	return object{{c.calls, appendArray(nil, [][]byte{e.value})}}
}

// place returns a choice with that delta.
func (c *chunkForm) place(e event, delta object) object {
	source := slices.Clone(e.source)
	switch {
	case c.list == "":
		if source == nil {
			source = c.envelope()
		}
		if !delta.has("role") {
			delta = append(object{{"role", []byte(`"assistant"`)}}, delta...)
		}
		if delta.get(c.text) == nil {
			delta = append(delta, member{c.text, []byte(`""`)})
		}
	case source == nil:
		source = object{{"index", number(e.choice)}, {c.delta, nil}}
		if !c.parts() {
			source = source.set(c.finish, []byte("null"))
		}
	}
	if c.parts() && len(delta) > 0 && !delta.has("role") {
		delta = append(delta, member{"role", []byte(`"model"`)})
	}
	if e.kind == kindEnd {
		source = c.placeEnd(e, source)
		if c.parts() && len(delta) == 0 && !e.source.has(c.delta) {
			return source
		}
	} else {
		source = c.withoutEnd(source)
	}
	said := e.kind != kindNativeMore
	if e.kind == kindEnd {
		said = len(readObject(nil, orObject(e.source.get(c.delta)))) > 0
	}
	if source.has("logprobs") && said {
		source = source.set("logprobs", []byte("null"))
	}
	return source.without(c.repeats...).set(c.delta, delta.appendTo(nil))
}

// placeEnd returns a choice that ends.
func (c *chunkForm) placeEnd(e event, source object) object {
	if e.called && c.called != "" {
		source = source.set(c.finish, quoted(c.called))
	}
	if c.list != "" {
		return source
	}
	usage := c.x.spent.sum(ollamaUsage(source).appendTo(nil))
	for _, m := range readObject(nil, orObject(usage)) {
		source = source.set(m.key, m.value)
	}
	return source
}

// withoutEnd returns a choice that doesn't end yet.
func (c *chunkForm) withoutEnd(source object) object {
	switch {
	case c.ended != "":
		source = source.without(c.finish)
		for _, m := range ollamaUsage(source) {
			source = source.without(m.key)
		}
		return source.set(c.ended, []byte("false"))
	case c.parts():
		return source.without(c.finish)
	case c.ends(source):
		return source.set(c.finish, []byte("null"))
	}
	return source
}

// mergeCandidates joins candidates of the same index, so that each event has a part:
// Google's clients drop a message with an event whose content is empty. A candidate
// that has neither parts nor anything else is left out.
func mergeCandidates(list []object) (merged []object) {
	for _, o := range list {
		last := len(merged) - 1
		if last < 0 || string(merged[last].get("index")) != string(o.get("index")) {
			merged = append(merged, o)
			continue
		}
		content, more := merged[last].object("content"), o.object("content")
		if more == nil {
			more = object{}
		}
		for _, m := range content {
			if m.key == "parts" {
				more = more.set("parts", appendArray(nil, append(readArray(nil, m.value), more.array("parts")...)))
			} else if !more.has(m.key) {
				more = append(more, m)
			}
		}
		for _, m := range merged[last] {
			if o.get(m.key) == nil {
				o = append(o, m)
			}
		}
		merged[last] = o.set("content", more.appendTo(nil))
	}
	return slices.DeleteFunc(merged, func(o object) bool {
		content := o.object("content")
		if content == nil || len(content.array("parts")) > 0 {
			return false
		}
		if len(o.without("content", "index")) == 0 {
			return true
		}
		if !content.has("role") {
			content = content.set("role", []byte(`"model"`))
		}
		o.set("content", content.set("parts", appendArray(nil, [][]byte{emptyText})).appendTo(nil))
		return false
	})
}
