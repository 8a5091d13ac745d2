package middleware

import (
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

func (c *chunkForm) write(list []event) {
	isSame := c.x.frame != nil && !c.continued
	for i := range list {
		isSame = c.adapt(&list[i]) && isSame
	}
	if isSame { // its usage included
		c.owed = c.owed && !c.fresh
		c.x.put(c.x.frame.object)
		return
	}
	f := c.x.frame
	c.x.frame = nil
	if f != nil && len(list) == 1 && (f.object.Has(blocked) || list[0].kind == kindFailure) {
		c.putWhole(f.object)
		return
	}
	for len(list) > 0 {
		n := 1
		// Gemini's clients drop a message with a chunk whose content is empty, so there a chunk
		// has all events of a choice.
		for c.parts() && n < len(list) && list[n].choice == list[0].choice {
			n++
		}
		if choice := c.choiceOf(piece{c: c}, list[:n]); choice != nil {
			isLast := c.fresh || c.parts() || c.list == "" // no usage comes after the end
			c.put(choice, isLast && c.ends(choice))
		}
		list = list[n:]
	}
}

// adapt makes an event fit what was written before, and reports whether it stays the same.
func (c *chunkForm) adapt(e *event) bool {
	switch {
	case e.kind == kindEnd:
		e.finish(c.called, c.stopped[0])
		hasMore := c.parts() && c.owed && !c.fresh || len(c.choice(e.choice).waiting) > 0
		return !hasMore && e.reason == e.source.Text(c.finish)
	case e.kind >= kindCallStart && e.kind <= kindCall:
		e.value = c.callOf(*e)
	case e.kind == kindNativeMore && e.at == restOfDelta:
		if c.continued { // the message that it continues has one
			e.value = rawjson.ParseObject(e.value).Without("role").Append(nil)
		}
	case e.kind == kindNative || e.kind == kindNativeMore:
		return c.renumber(e)
	}
	return true
}

// renumber gives a call of the upstream's own an index that no other call has.
func (c *chunkForm) renumber(e *event) bool {
	choice := c.choice(e.choice)
	to := choice.upstream[e.at]
	if to < 0 {
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

// callOf returns one of our calls, or a part of it, or nil if the API has nothing for this event.
func (c *chunkForm) callOf(e event) []byte {
	choice := c.choice(e.choice)
	switch e.kind {
	case kindCallEnd:
		return nil
	case kindCallStart, kindCall:
		choice.current = choice.next
		choice.next++
	}
	call := c.chunkShape.call(choice.current, e, e.kind != kindCallInput)
	if c.list != "" && !c.x.streams {
		call = call.Without("index")
	}
	return call.Append(nil)
}

// choiceOf returns the choice that a chunk has for these events, besides what is in p, or nil if
// nothing is new.
func (c *chunkForm) choiceOf(p piece, list []event) object {
	for _, e := range list {
		p.add(e)
	}
	choice, hasContent := p.choice, p.said || len(p.parts) > 0 || len(p.calls) > 0
	switch {
	case !hasContent && len(p.rest) == 0 && !p.ends:
		return nil
	case choice == nil && c.list == "": // the upstream has not sent this choice
		choice = rawjson.ParseObject(c.last)
	case choice == nil && c.parts():
		choice = members("index", list[0].choice)
	case choice == nil:
		choice = members("index", list[0].choice, c.delta, null, c.finish, null)
	}
	if choice.Has("logprobs") && len(choice.Object(c.delta)) > 0 { // they are of another text
		choice = choice.Set("logprobs", null)
	}
	switch {
	case p.ends && p.reason != choice.Text(c.finish):
		choice = choice.With(c.finish, p.reason)
	case !p.ends && c.ends(choice) && (c.calls == "" || c.list == ""):
		choice = choice.Without(c.finish)
	case !p.ends && c.ends(choice):
		choice = choice.Set(c.finish, null)
	}
	if !p.ends && c.ended != "" {
		choice = choice.Set(c.ended, []byte("false"))
	}
	choice = choice.Without(c.repeats...)
	if c.parts() {
		waiting := &c.choice(list[0].choice).waiting
		choice = merge(*waiting, choice)
		*waiting = nil
		if len(p.text) == 0 && len(p.parts) == 0 && !p.ends { // an empty content
			choice = choice.Without("index", c.delta)
			*waiting = clone(choice)
			return nil
		}
	}
	return choice.With(c.delta, p.message())
}

// put writes a chunk with a choice, or without one. Usage is written once if it can be, because
// some clients add it up: with the end that has it, or at the end of the response.
func (c *chunkForm) put(choice object, withUsage bool) {
	chunk := choice
	if c.list != "" {
		chunk = rawjson.ParseObject(c.last).Without("obfuscation", c.list)
		if c.continued && c.id != nil {
			chunk = chunk.Set(c.chunkShape.id, c.id)
		}
	}
	if withUsage && c.owed {
		chunk = c.withUsage(chunk)
		c.owed = false
	} else {
		chunk = chunk.Without(c.chunkShape.usage...)
	}
	switch {
	case c.list == "":
	case choice != nil:
		chunk = chunk.With(c.list, [][]byte{choice.Append(nil)})
	case !c.parts():
		chunk = chunk.Set(c.list, emptyList)
	}
	c.x.put(chunk)
}

// blocked is the member with which Gemini reports that it refuses to answer: no choice has it.
const blocked = "promptFeedback"

// putWhole writes a chunk that ends a message which continues another.
func (c *chunkForm) putWhole(chunk object) {
	if c.id != nil && chunk.Has(c.chunkShape.id) {
		chunk = chunk.Set(c.chunkShape.id, c.id)
	}
	if c.owed {
		chunk = c.withUsage(chunk)
		c.owed = false
	}
	c.x.put(chunk)
}

// withUsage returns a chunk, or a response, with the usage of the message and those before.
func (c *chunkForm) withUsage(o object) object {
	return merge(o, rawjson.ParseObject(c.x.spent.sum()))
}

// end writes usage that came without an end that is written.
func (c *chunkForm) end() {
	if c.owed && c.list != "" {
		c.put(nil, true)
	}
}

func (c *chunkForm) fold(o object, list []event) object {
	var raws [][]byte
	for i := range list {
		c.adapt(&list[i])
	}
	for i, source := range c.choicesOf(nil, o) {
		message := source.Object(c.message)
		p := piece{c: c, rest: message.Without(c.calls)}
		p.isList = rawjson.IsArray(message.Get(c.text))
		choice := c.choiceOf(p, slices.DeleteFunc(slices.Clone(list), func(e event) bool {
			return e.choice != i
		}))
		if c.list == "" {
			o = choice
			break
		}
		raws = append(raws, choice.Append(nil))
		o = o.With(c.list, raws)
	}
	if c.x.spent.before != nil {
		o = c.withUsage(o)
	}
	return o
}

// A piece is what events add to a choice.
type piece struct {
	c      *chunkForm
	choice object // as the upstream has it, or nil
	rest   object // what is new, without text and calls
	text   []byte
	said   bool // there is text, perhaps an empty one
	isList bool // the content is a list of parts
	parts  [][]byte
	calls  [][]byte
	ends   bool
	reason string // why it ends
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
		// Without a choice and a reason, the upstream broke off.
		p.ends, p.reason = p.choice != nil || e.reason != "", e.reason
	case e.value == nil:
	case e.kind == kindNativeMore && e.at == restOfDelta:
		p.rest = merge(p.rest, rawjson.ParseObject(e.value))
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
	case !c.x.streams && len(p.calls) == 0 && !p.hasOther():
		message = message.With(c.text, "") // clients send it back, and the API refuses null here
	case !c.x.streams:
		message = message.Set(c.text, null)
	}
	if len(p.calls) > 0 {
		message = message.With(c.calls, p.calls)
	}
	return message
}

// hasOther reports whether the message has something other than text, such as a refusal.
func (p *piece) hasOther() bool {
	return slices.ContainsFunc(p.rest, func(m rawjson.Member) bool {
		return m.Key != "role" && m.Key != p.c.text && !rawjson.IsNull(m.Value)
	})
}

// emptyText is a part of Gemini's without text. It is only in the end of a message, as the API
// has it there too: clients drop a message with an end that has no content.
var emptyText = []byte(`{"text":""}`)
