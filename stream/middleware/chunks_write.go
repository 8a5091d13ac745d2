package middleware

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

// write implements form.
func (c *chunkForm) write(dst []byte, list []event, as *frame) []byte {
	if len(list) == 0 {
		return dst
	}
	c.same = as != nil && !c.continued
	if list[0].kind == kindFailure || c.same && isProse(list) { // no state changes
		return as.pass(c.release(dst, false))
	}
	var choices []object
	var usage []byte
	for len(list) > 0 {
		n := c.group(list)
		if list[0].kind == kindUsage {
			usage = list[0].value
		}
		p := &piece{c: c, index: list[0].choice}
		for _, e := range list[:n] {
			p.add(e)
		}
		if choice := p.done(); choice != nil {
			choices = append(choices, choice)
		}
		list = list[n:]
	}
	dst = c.release(dst, usage != nil)
	hold := false
	switch {
	case usage == nil:
	case len(choices) > 0 && c.open():
		c.usage.early, usage, c.same = bytes.Clone(usage), nil, false
	default:
		c.usage.early, hold = nil, true
		if c.x.spent.before != nil {
			usage, c.same = c.x.spent.sum(usage), false
		}
	}
	n := len(dst)
	if c.same {
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
	for i := range list {
		if kind := list[i].kind; kind != kindMeta && kind != kindText {
			return false
		}
	}
	return true
}

// group returns how many events go into one chunk. Gemini's clients drop a message with
// an event whose content is empty, so there it is all events of a choice.
func (c *chunkForm) group(list []event) int {
	n := 1
	for c.parts() && n < len(list) && list[n].choice == list[0].choice {
		n++
	}
	return n
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

// A heldUsage is the last chunk with usage, until it is clear that no fuller one
// follows.
type heldUsage struct {
	chunk []byte
	bare  []byte // the chunk without its usage
	early []byte // usage that came before the choices had ended
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
			chunk = c.chunk(choice, usage, i == len(choices)-1)
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
		chunk = chunk.Set(key, null)
	}
	var list [][]byte
	if choice != nil {
		list = [][]byte{choice.Append(nil)}
	}
	return chunk.With(c.list, list)
}

// envelope returns the last chunk without its choices.
func (c *chunkForm) envelope() object {
	return rawjson.ParseObject(c.last).Without("obfuscation", c.list)
}

// fold implements form.
func (c *chunkForm) fold(o object, list []event) object {
	var raws [][]byte
	for i, source := range c.choicesOf(o) {
		message := source.Object(c.message)
		p := &piece{c: c, choice: slices.Clone(source),
			rest: message.Without(c.calls), isList: rawjson.IsArray(message.Get(c.text))}
		for _, e := range list {
			if e.choice == i {
				p.add(e)
			}
		}
		choice := p.done()
		if c.list == "" {
			return choice
		}
		raws = append(raws, choice.Append(nil))
	}
	o = o.With(c.list, raws)
	if c.x.spent.before != nil {
		o = o.Set(c.chunkShape.usage, c.x.spent.sum(c.x.spent.now))
	}
	return o
}

// A piece is a choice, or what a chunk adds to one, as events make it.
type piece struct {
	c      *chunkForm
	index  int
	choice object // without what is new
	rest   object // what is new, without text and calls
	text   []byte
	said   bool // there is text, perhaps an empty one
	isList bool // the content is a list of parts
	parts  [][]byte
	calls  [][]byte
	ends   bool
}

// add adds an event.
func (p *piece) add(e event) {
	if e.source != nil && p.c.x.streams {
		p.choice = slices.Clone(e.source)
	}
	switch e.kind {
	case kindText:
		p.text, p.said = append(p.text, e.text...), true
	case kindOther:
		p.addPart(e.value)
	case kindNative, kindNativeMore:
		if e.at == restOfDelta {
			p.addRest(e.value)
		} else {
			p.addCall(p.c.native(e))
		}
	case kindCallStart, kindCallInput, kindCallEnd:
		p.addCall(p.c.callOf(e))
	case kindEnd:
		p.end(e)
	}
}

// addCall adds a call, unless it is nil.
func (p *piece) addCall(raw []byte) {
	switch {
	case raw == nil:
	case p.c.calls == "":
		p.addPart(raw)
	default:
		p.calls = append(p.calls, raw)
	}
}

// addPart adds a part of the content, unless it is nil, after the text before it.
func (p *piece) addPart(raw []byte) {
	if len(p.text) > 0 {
		part := members("text", rawjson.Quote(p.text))
		if !p.c.parts() {
			part = append(members("type", "text"), part...)
		}
		p.parts, p.text = append(p.parts, part.Append(nil)), nil
	}
	if raw != nil {
		p.parts, p.isList = append(p.parts, raw), true
	}
}

// addRest adds the members of a delta besides text and calls, unless they were written
// before a message was sent back.
func (p *piece) addRest(value []byte) {
	c, delta := p.c, rawjson.ParseObject(value)
	n := len(delta)
	if c.continued && c.hasRole {
		delta = delta.Without("role")
	}
	if c.noReasoning {
		delta = delta.Without(c.thoughts...)
	}
	c.same = c.same && len(delta) == n
	c.hasRole = c.hasRole || delta.Has("role")
	for _, key := range c.thoughts {
		value := delta.Get(key)
		c.hasReasoning = c.hasReasoning || len(value) > 2 && !rawjson.IsNull(value)
	}
	for _, m := range delta {
		p.rest = p.rest.Set(m.Key, m.Value)
	}
}

// end ends the choice.
func (p *piece) end(e event) {
	c, reason := p.c, e.reason
	c.choice(e.choice).ended = true
	if e.called && c.called != "" {
		reason = c.called
	}
	if e.source == nil && reason == "" {
		return // the upstream broke off
	}
	p.ends = true
	if p.choice == nil {
		p.choice = c.newChoice(p.index)
	}
	if reason != p.choice.Text(c.finish) {
		p.choice, c.same = p.choice.With(c.finish, reason), false
	}
	if c.list == "" && c.x.spent.before != nil {
		for _, m := range rawjson.ParseObject(c.x.spent.sum(ollamaUsage(p.choice).Append(nil))) {
			p.choice = p.choice.Set(m.Key, m.Value)
		}
	}
}

// newChoice returns a choice that the upstream has not sent.
func (c *chunkForm) newChoice(index int) object {
	switch {
	case c.list == "":
		return c.envelope()
	case c.parts():
		return members("index", index)
	}
	return members("index", index, c.delta, null, c.finish, null)
}

// done returns the choice, or nil if nothing is new.
func (p *piece) done() object {
	c, key := p.c, p.c.message
	if c.x.streams {
		key = c.delta
		hasContent := p.said || len(p.parts) > 0 || len(p.calls) > 0
		if !hasContent && len(p.rest) == 0 && !p.ends {
			return nil
		}
		p.prepare(hasContent)
	}
	delta := p.rest
	if c.list == "" && !delta.Has("role") {
		delta = append(members("role", "assistant"), delta...)
	}
	if p.isList || c.parts() {
		p.addPart(nil)
	}
	if c.parts() {
		hasMore := len(p.choice.Without("index", key)) > 0
		switch {
		case len(p.parts) > 0:
		case c.x.streams && !p.choice.Has(key): // it ends without a content
			return p.choice
		case !hasMore:
			return nil
		default:
			p.parts = [][]byte{emptyText}
		}
		if !delta.Has("role") {
			delta = delta.With("role", "model")
		}
	}
	switch {
	case p.isList || c.parts():
		delta = delta.With(c.text, p.parts)
	case p.said || c.list == "":
		delta = delta.With(c.text, string(p.text))
	case !c.x.streams:
		delta = delta.Set(c.text, null)
	}
	if len(p.calls) > 0 {
		delta = delta.With(c.calls, p.calls)
	}
	return p.choice.With(key, delta)
}

// prepare makes the choice of a stream one that has only what is new.
func (p *piece) prepare(hasContent bool) {
	c := p.c
	if p.choice == nil {
		p.choice = c.newChoice(p.index)
	}
	isOther := hasContent || len(p.rest) == 0 && len(p.choice.Object(c.delta)) > 0
	if isOther && p.choice.Has("logprobs") {
		p.choice = p.choice.Set("logprobs", null)
	}
	if !p.ends {
		p.choice = c.withoutEnd(p.choice)
	}
	p.choice = p.choice.Without(c.repeats...)
}

// callOf returns one of our calls, or a part of it, or nil if the API has nothing for
// this event.
func (c *chunkForm) callOf(e event) []byte {
	choice := c.choice(e.choice)
	inPieces := c.x.pieces && c.x.streams
	switch {
	case inPieces && e.kind == kindCallEnd, !inPieces && (e.kind != kindCallEnd || e.cut):
		return nil
	case !inPieces || e.kind == kindCallStart:
		choice.current = choice.next
		choice.next++
	}
	call := c.chunkShape.call(choice.current, e, e.kind != kindCallInput)
	if c.list != "" && !c.x.streams {
		call = call.Without("index")
	}
	return call.Append(nil)
}

// native returns a call of the upstream's own, under an index that no other call has.
func (c *chunkForm) native(e event) []byte {
	choice := c.choice(e.choice)
	to, known := choice.upstream[e.at]
	if !known {
		to = choice.next
		choice.upstream[e.at] = to
		choice.next++
	}
	if c.calls == "" || e.at < 0 || to == e.at {
		return e.value
	}
	c.same = false
	return rawjson.ParseObject(e.value).With("index", to).Append(nil)
}

// withoutEnd returns a choice that doesn't end yet.
func (c *chunkForm) withoutEnd(choice object) object {
	switch {
	case c.ended != "":
		choice = choice.Without(c.finish)
		for _, m := range ollamaUsage(choice) {
			choice = choice.Without(m.Key)
		}
		return choice.Set(c.ended, []byte("false"))
	case c.parts():
		return choice.Without(c.finish)
	case c.ends(choice):
		return choice.Set(c.finish, null)
	}
	return choice
}

// emptyText is a part of Gemini's without text. Clients drop a message with an empty
// list of parts.
var emptyText = []byte(`{"text":""}`)
