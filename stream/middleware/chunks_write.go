package middleware

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
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
		return as.pass(c.release(dst, false))
	}
	if as != nil && !c.continued && isProse(list) { // no state changes
		return as.pass(c.release(dst, false))
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
			differs := c.called != "" && e.reason != c.called
			if e.called && differs && (e.reason != "" || e.source == nil) {
				as = nil
			}
		}
		choice := c.writeChoice(e, &as)
		if choice != nil {
			choices = append(choices, choice)
		}
	}
	if c.parts() && as == nil && c.x.streams {
		choices = c.mergeCandidates(choices)
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
		dst = as.pass(dst)
	} else {
		dst = c.chunks(dst, choices, usage)
	}
	if hold {
		c.usage.chunk, c.usage.bare = bytes.Clone(dst[n:]), c.chunks(nil, choices, nil)
		dst = dst[:n]
	}
	return dst
}

// isProse reports whether events contain only text.
func isProse(list []event) bool {
	isOther := func(e event) bool { return e.kind != kindMeta && e.kind != kindText }
	return !slices.ContainsFunc(list, isOther)
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
		dst = c.x.put(dst, "", chunk)
	}
	return dst
}

// chunk returns a chunk with a choice, if it isn't nil, and with usage if it is the
// last one.
func (c *chunkForm) chunk(choice object, usage []byte, last bool) object {
	chunk := c.envelope()
	if c.continued && c.id != nil {
		chunk = chunk.Set(c.chunkShape.id, c.id)
	}
	key := c.chunkShape.usage
	switch {
	case c.running && chunk.Has(key):
		chunk = chunk.Set(key, c.x.spent.sum(chunk.Get(key)))
	case c.running:
	case last && usage != nil:
		chunk = chunk.Set(key, usage)
	case chunk.Has(key) || usage != nil:
		chunk = chunk.Set(key, []byte("null"))
	}
	var list [][]byte
	if choice != nil {
		list = [][]byte{choice.Append(nil)}
	}
	return chunk.Set(c.list, rawjson.AppendArray(nil, list))
}

// envelope returns the last chunk without its choices.
func (c *chunkForm) envelope() object {
	return rawjson.ParseObject(c.last).Without("obfuscation", c.list)
}

// writeChoice returns the choice that contains an event, nil if none does. As is set to
// nil if the event cannot be written as it came.
func (c *chunkForm) writeChoice(e event, as **frame) object {
	switch e.kind {
	case kindText:
		value := rawjson.Quote(e.text)
		if c.parts() {
			value = rawjson.AppendArray(nil, [][]byte{members("text", value).Append(nil)})
		}
		return c.place(e, members(c.text, value))
	case kindOther:
		if e.value == nil {
			return nil
		}
		return c.place(e, members(c.text, rawjson.AppendArray(nil, [][]byte{e.value})))
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

// callDelta returns the delta of one of our calls, or nil if the API has no delta for
// this event.
func (c *chunkForm) callDelta(e event) object {
	choice := c.choice(e.choice)
	inPieces := c.x.pieces && c.x.streams
	switch {
	case inPieces && e.kind == kindCallStart:
		choice.current = choice.next
		choice.next++
	case inPieces && e.kind == kindCallEnd:
		return nil
	case inPieces:
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
	if c.list != "" && !c.x.streams {
		call = call.Without("index")
	}
	return members(key, rawjson.AppendArray(nil, [][]byte{call.Append(nil)}))
}

// restOf returns a choice with the members of a delta besides text and calls; nil if
// none of them is new.
func (c *chunkForm) restOf(e event, as **frame) object {
	delta := rawjson.ParseObject(e.value)
	n := len(delta)
	if c.continued && c.hasRole {
		delta = delta.Without("role")
	}
	if c.noThoughts {
		delta = delta.Without(c.thoughts...)
	}
	c.hasRole = c.hasRole || delta.Has("role")
	for _, key := range c.thoughts {
		value := delta.Get(key)
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
		return members(c.text, rawjson.AppendArray(nil, [][]byte{e.value}))
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
		e.value = rawjson.ParseObject(e.value).Set("index", number(to)).Append(nil)
	}
	return members(c.calls, rawjson.AppendArray(nil, [][]byte{e.value}))
}

// place returns a choice with that delta.
func (c *chunkForm) place(e event, delta object) object {
	source := slices.Clone(e.source)
	switch {
	case c.list == "":
		if source == nil {
			source = c.envelope()
		}
		if !delta.Has("role") {
			delta = append(members("role", "assistant"), delta...)
		}
		if delta.Get(c.text) == nil {
			delta = append(delta, field(c.text, []byte(`""`)))
		}
	case source == nil:
		source = members("index", number(e.choice), c.delta, nil)
		if !c.parts() {
			source = source.Set(c.finish, []byte("null"))
		}
	}
	if c.parts() && len(delta) > 0 && !delta.Has("role") {
		delta = append(delta, field("role", []byte(`"model"`)))
	}
	if e.kind == kindEnd {
		source = c.placeEnd(e, source)
		if c.parts() && len(delta) == 0 && !e.source.Has(c.delta) {
			return source
		}
	} else {
		source = c.withoutEnd(source)
	}
	said := e.kind != kindNativeMore
	if e.kind == kindEnd {
		said = len(rawjson.ParseObject(e.source.Get(c.delta))) > 0
	}
	if c.x.streams && source.Has("logprobs") && said {
		source = source.Set("logprobs", []byte("null"))
	}
	return source.Without(c.repeats...).Set(c.delta, delta.Append(nil))
}

// placeEnd returns a choice that ends.
func (c *chunkForm) placeEnd(e event, source object) object {
	if e.called && c.called != "" {
		source = source.Set(c.finish, rawjson.Quote(c.called))
	}
	if c.list != "" {
		return source
	}
	usage := c.x.spent.sum(ollamaUsage(source).Append(nil))
	for _, m := range rawjson.ParseObject(usage) {
		source = source.Set(m.Key, m.Value)
	}
	return source
}

// withoutEnd returns a choice that doesn't end yet.
func (c *chunkForm) withoutEnd(source object) object {
	switch {
	case c.ended != "":
		source = source.Without(c.finish)
		for _, m := range ollamaUsage(source) {
			source = source.Without(m.Key)
		}
		return source.Set(c.ended, []byte("false"))
	case c.parts():
		return source.Without(c.finish)
	case c.ends(source):
		return source.Set(c.finish, []byte("null"))
	}
	return source
}

// mergeCandidates joins candidates of the same index, so that each event has a part:
// Google's clients drop a message with an event whose content is empty. A candidate
// that has neither parts nor anything else is left out.
func (c *chunkForm) mergeCandidates(list []object) (merged []object) {
	for len(list) > 0 {
		index := string(list[0].Get("index"))
		m := mergedChoice{chunkShape: c.chunkShape, isList: true}
		hasContent := false
		for len(list) > 0 && string(list[0].Get("index")) == index {
			hasContent = hasContent || list[0].Has(c.delta)
			m.add(list[0])
			list = list[1:]
		}
		switch {
		case !hasContent:
			merged = append(merged, m.choice)
		case len(m.parts) > 0 || len(m.choice.Without("index")) > 0:
			if !m.delta.Has("role") {
				m.delta = append(m.delta, field("role", []byte(`"model"`)))
			}
			merged = append(merged, m.merged(c.delta))
		}
	}
	return merged
}
