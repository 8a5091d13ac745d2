package middleware

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

func (c *chunkForm) write(dst []byte, list []event, as *frame) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(dst, c.usage.bare...)
	c.usage.chunk, c.usage.bare = nil, nil
	isSame := as != nil && !c.continued
	if list[0].kind == kindFailure || isSame && isProse(list) { // no state changes
		return as.pass(dst)
	}
	var choices []object
	var usage []byte
	for i := range list {
		isSame = c.adapt(&list[i]) && isSame
		if list[i].kind == kindUsage {
			usage = list[i].value
		}
	}
	for len(list) > 0 {
		n := c.group(list)
		if choice := c.streamed(list[:n]); choice != nil {
			choices = append(choices, choice)
		}
		list = list[n:]
	}
	if !isSame {
		as = nil
	}
	switch {
	case usage != nil && !c.running:
		return c.hold(dst, choices, usage, as)
	case isSame:
		return as.pass(dst)
	}
	return c.chunks(dst, choices, usage)
}

// adapt makes an event fit what was written before, and reports whether it stays the same.
func (c *chunkForm) adapt(e *event) bool {
	switch {
	case e.kind == kindEnd:
		c.choice(e.choice).ended = true
		if e.called && c.called != "" {
			e.reason = c.called
		}
		return e.reason == e.source.Text(c.finish)
	case e.kind == kindCallStart || e.kind == kindCallInput || e.kind == kindCallEnd:
		e.value = c.callOf(*e)
	case e.kind == kindNativeMore && e.at == restOfDelta:
		return c.adaptRest(e)
	case e.kind == kindNative || e.kind == kindNativeMore:
		return c.renumber(e)
	}
	return true
}

// adaptRest leaves out the members of a delta besides text and calls that were written
// before a message was sent back.
func (c *chunkForm) adaptRest(e *event) bool {
	delta := rawjson.ParseObject(e.value)
	n := len(delta)
	if c.continued && c.hasRole {
		delta = delta.Without("role")
	}
	if c.noReasoning {
		delta = delta.Without(c.thoughts...)
	}
	c.hasRole = c.hasRole || delta.Has("role")
	for _, key := range c.thoughts {
		value := delta.Get(key)
		c.hasReasoning = c.hasReasoning || len(value) > 2 && !rawjson.IsNull(value)
	}
	if len(delta) == n {
		return true
	}
	e.value = delta.Append(nil)
	return false
}

// renumber gives a call of the upstream's own an index that no other call has.
func (c *chunkForm) renumber(e *event) bool {
	choice := c.choice(e.choice)
	to, known := choice.upstream[e.at]
	if !known {
		to = choice.next
		choice.upstream[e.at] = to
		choice.next++
	}
	if c.calls == "" || e.at < 0 || to == e.at {
		return true
	}
	e.value = rawjson.ParseObject(e.value).With("index", to).Append(nil)
	return false
}

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

// A heldUsage is the usage of the message so far. It is written at the end, with the chunk that it
// came with if that is the last one.
type heldUsage struct {
	sum   []byte
	chunk []byte
	bare  []byte // the chunk without its usage
}

// hold keeps usage, and the choices that came with it unless another one is open.
func (c *chunkForm) hold(dst []byte, choices []object, usage []byte, as *frame) []byte {
	usage = bytes.Clone(c.x.spent.sum(usage))
	c.usage.sum = usage
	switch {
	case len(choices) > 0 && c.open():
		return c.chunks(dst, choices, nil)
	case as != nil && c.x.spent.before == nil:
		c.usage.chunk = bytes.Clone(as.raw)
	default:
		c.usage.chunk = c.chunks(nil, choices, usage)
	}
	c.usage.bare = c.chunks(nil, choices, nil)
	return dst
}

func (c *chunkForm) end(dst []byte) []byte {
	held := c.usage
	c.usage = heldUsage{}
	if held.sum == nil || held.chunk != nil {
		return append(dst, held.chunk...)
	}
	return c.chunks(dst, nil, held.sum)
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

// chunk returns a chunk with a choice, if it isn't nil, and with usage if it is the last one.
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
	switch {
	case choice != nil:
		list = [][]byte{choice.Append(nil)}
	case c.running:
		return chunk
	}
	return chunk.With(c.list, list)
}

// envelope returns the last chunk without its choices.
func (c *chunkForm) envelope() object {
	return rawjson.ParseObject(c.last).Without("obfuscation", c.list)
}

func (c *chunkForm) fold(o object, list []event) object {
	var raws [][]byte
	for i := range list {
		c.adapt(&list[i])
	}
	for i, source := range c.choicesOf(o) {
		message := source.Object(c.message)
		p := &piece{c: c, choice: slices.Clone(source),
			rest: message.Without(c.calls), isList: rawjson.IsArray(message.Get(c.text))}
		for _, e := range list {
			if e.choice == i {
				e.source = nil
				p.add(e)
			}
		}
		choice := p.choice.With(c.message, p.message())
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
	choice object // without what is new
	rest   object // what is new, without text and calls
	text   []byte
	said   bool // there is text, perhaps an empty one
	isList bool // the content is a list of parts
	parts  [][]byte
	calls  [][]byte
	ends   bool
}

func (p *piece) add(e event) {
	if e.source != nil {
		p.choice = slices.Clone(e.source)
	}
	isPart := e.kind == kindOther || p.c.calls == ""
	switch {
	case e.kind == kindText:
		p.text, p.said = append(p.text, e.text...), true
	case e.kind == kindEnd:
		p.end(e)
	case e.value == nil || e.kind == kindUsage || e.kind == kindMeta:
	case e.kind == kindNativeMore && e.at == restOfDelta:
		for _, m := range rawjson.ParseObject(e.value) {
			p.rest = p.rest.Set(m.Key, m.Value)
		}
	case isPart:
		p.endText()
		p.parts, p.isList = append(p.parts, e.value), true
	default:
		p.calls = append(p.calls, e.value)
	}
}

func (p *piece) endText() {
	if len(p.text) == 0 {
		return
	}
	part := members("text", rawjson.Quote(p.text))
	if !p.c.parts() {
		part = append(members("type", "text"), part...)
	}
	p.parts, p.text = append(p.parts, part.Append(nil)), nil
}

// end ends the choice.
func (p *piece) end(e event) {
	c := p.c
	if p.choice == nil && e.reason == "" {
		return // the upstream broke off
	}
	p.ends = true
	if p.choice == nil {
		p.choice = c.newChoice(e.choice)
	}
	if e.reason != p.choice.Text(c.finish) {
		p.choice = p.choice.With(c.finish, e.reason)
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

// message returns the message, or what a chunk adds to it.
func (p *piece) message() object {
	c, message := p.c, p.rest
	if c.list == "" && !message.Has("role") {
		message = append(members("role", "assistant"), message...)
	}
	if c.parts() && !message.Has("role") {
		message = message.With("role", "model")
	}
	switch {
	case p.isList || c.parts():
		p.endText()
		if c.parts() && len(p.parts) == 0 {
			p.parts = [][]byte{emptyText}
		}
		message = message.With(c.text, p.parts)
	case p.said || c.list == "":
		message = message.With(c.text, string(p.text))
	case !c.x.streams:
		message = message.Set(c.text, null)
	}
	if len(p.calls) > 0 {
		message = message.With(c.calls, p.calls)
	}
	return message
}

// streamed returns the choice that a chunk of a stream has for these events, or nil if
// nothing is new.
func (c *chunkForm) streamed(list []event) object {
	p := &piece{c: c}
	for _, e := range list {
		p.add(e)
	}
	hasContent := p.said || len(p.parts) > 0 || len(p.calls) > 0
	if !hasContent && len(p.rest) == 0 && !p.ends {
		return nil
	}
	if p.choice == nil {
		p.choice = c.newChoice(list[0].choice)
	}
	isOther := hasContent || len(p.rest) == 0 && len(p.choice.Object(c.delta)) > 0
	if isOther && p.choice.Has("logprobs") {
		p.choice = p.choice.Set("logprobs", null)
	}
	if !p.ends {
		p.choice = c.withoutEnd(p.choice)
	}
	p.choice = p.choice.Without(c.repeats...)
	if c.parts() && len(p.text) == 0 && len(p.parts) == 0 {
		switch {
		case !p.choice.Has(c.delta): // it ends without a content
			return p.choice
		case len(p.choice.Without("index", c.delta)) == 0:
			return nil
		}
	}
	return p.choice.With(c.delta, p.message())
}

// callOf returns one of our calls, or a part of it, or nil if the API has nothing for this event.
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
