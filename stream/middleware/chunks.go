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
	chunkShape
	x       *exchange
	last    []byte   // the last chunk, without its choices or its message
	others  object   // memory for the members of it
	parsed  []object // memory for the choices of a chunk
	added   object   // memory for the delta of a choice
	id      []byte   // of the response
	choices map[int]*chunkChoice
	owed    bool // there is usage that isn't written yet
	fresh   bool // it is from the last frame

	continued bool // the message continues one that was sent back
}

// A chunkChoice is the state of one choice.
type chunkChoice struct {
	next     int          // index of the next call
	current  int          // index of the call being written
	upstream map[int]int  // index of each of the upstream's calls, or -1, by the upstream's index
	ours     map[int]bool // calls of the custom tool that replaces all tools
	waiting  object       // members of chunks that had no content to be written with
}

func newChunkForm(x *exchange, shape *chunkShape) form {
	c := &chunkForm{chunkShape: *shape, x: x, choices: make(map[int]*chunkChoice)}
	if !x.streams { // the only chunk has whole messages
		c.delta, c.repeats = c.message, nil
	}
	return c
}

func (c *chunkForm) choice(index int) *chunkChoice {
	choice := c.choices[index]
	if choice == nil {
		choice = &chunkChoice{upstream: make(map[int]int), ours: make(map[int]bool)}
		c.choices[index] = choice
	}
	return choice
}

func (c *chunkForm) read(list []event, f *frame) []event {
	o := f.object
	if isFailure(f.name, o) {
		return append(list, event{kind: kindFailure})
	}
	choices := c.choicesOf(c.parsed, o)
	if len(choices) > len(c.parsed) {
		c.parsed = choices
	}
	list = append(list, event{kind: kindMeta, id: o.Text(c.chunkShape.id)})
	for i, source := range choices {
		list = c.readChoice(list, f, source, i)
	}
	usage := c.usageOf(o)
	c.fresh = usage != nil
	if c.fresh {
		c.x.spent.note(usage.Append(nil))
		c.owed = true
	}
	if choices != nil || c.last == nil {
		c.others = append(c.others[:0], o...).Set(cmp.Or(c.list, c.delta), null)
		c.last = c.others.Append(c.last[:0])
		if c.id == nil {
			c.id = bytes.Clone(o.Get(c.chunkShape.id))
		}
	}
	return list
}

// choicesOf returns the choices in a chunk, or nil. They are put into memory, which has those of an
// earlier chunk.
func (c *chunkForm) choicesOf(memory []object, o object) []object {
	if c.list == "" && (o.Has(c.delta) || c.ends(o)) {
		return append(memory[:0], o)
	}
	list := o.Array(c.list)
	if list == nil {
		return nil
	}
	for len(memory) < len(list) {
		memory = append(memory, nil)
	}
	for i, raw := range list {
		memory[i] = rawjson.AppendObject(memory[i][:0], raw)
	}
	return memory[:len(list)]
}

// indexOf returns the index of choice n of a chunk. Some servers don't number them.
func (c *chunkForm) indexOf(source object, n int) int {
	index, err := strconv.Atoi(string(source.Get("index")))
	if err != nil || !c.x.streams {
		return n
	}
	return index
}

// goesOn reports whether a chunk has text or calls of a choice. Then the choice hasn't ended before
// it: some servers send a reason for the end with every chunk.
func (c *chunkForm) goesOn(chunk object, index int) bool {
	for n, source := range c.choicesOf(nil, chunk) {
		delta := source.Object(c.delta)
		content := delta.Get(c.text)
		isEmpty := rawjson.IsNull(content) || len(content) == len(`""`)
		if c.indexOf(source, n) == index && (!isEmpty || len(delta.Array(c.calls)) > 0) {
			return true
		}
	}
	return false
}

// readChoice appends the events of a choice, the n-th of a chunk.
func (c *chunkForm) readChoice(list []event, f *frame, source object, n int) []event {
	index := c.indexOf(source, n)
	delta := rawjson.AppendObject(c.added[:0], source.Get(c.delta))
	c.added = delta
	content, ends := delta.Get(c.text), !c.x.streams
	ends = ends || c.ends(source) && !c.goesOn(f.following(), index)
	var rest object
	known := [2]string{c.text, c.text}
	if c.list == "" {
		known[1] = "role" // every chunk has it
	}
	if !delta.Only(known[:]...) {
		rest = delta.Without(known[:]...)
	}
	var said []event
	switch {
	case rawjson.IsArray(content):
		said = readParts(content)
	case rawjson.IsString(content) && (len(content) > len(`""`) || len(rest) == 0 && !ends):
		said = []event{{kind: kindText, value: content}}
	}
	if calls := delta.Array(c.calls); c.calls != "" && len(calls) > 0 {
		rest = rest.Without(c.calls)
		said = c.readCalls(said, c.choice(index), calls)
	}
	from := len(list)
	if len(rest) > 0 || len(said) == 0 && !ends {
		list = append(list, event{kind: kindNativeMore, at: restOfDelta, value: rest.Append(nil)})
	}
	list = append(list, said...)
	for i := range list[from:] {
		list[from+i].choice, list[from+i].source = index, source
	}
	if ends {
		list = append(list, c.readEnd(index, source))
	}
	return list
}

// restOfDelta is the place of an event with what a delta contains besides text and calls.
const restOfDelta = -1

// readParts returns the events of a content that is a list of parts. The signature of a
// text is a part of its own, so that it stays if the text is replaced. It doesn't end the text.
func readParts(content []byte) (list []event) {
	for _, raw := range rawjson.ParseArray(content) {
		part := rawjson.ParseObject(raw)
		switch {
		case isSpoken(part):
			list = append(list, event{kind: kindText, value: part.Get("text")})
			if signature := part.Get("thoughtSignature"); signature != nil {
				signed := members("text", "", "thoughtSignature", signature)
				list = append(list, event{kind: kindMeta, value: signed.Append(nil)})
			}
		case part.Has("functionCall"):
			name := part.Object("functionCall").Text("name")
			list = append(list, event{kind: kindOther},
				event{kind: kindNative, value: raw, name: name})
		default:
			e := event{kind: kindOther, value: raw}
			if part.Has("executableCode") || part.Has("toolCall") {
				e.name = "a hosted tool"
			}
			list = append(list, e)
		}
	}
	return list
}

// readCalls appends the events of the upstream's calls. A call of the custom tool that
// replaces all tools is text.
func (c *chunkForm) readCalls(list []event, choice *chunkChoice, calls [][]byte) []event {
	for _, raw := range calls {
		call := rawjson.ParseObject(raw)
		at, err := strconv.Atoi(string(call.Get("index")))
		if err != nil { // each is a call of its own
			at = restOfDelta - 1 - len(choice.upstream)
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
		e := event{kind: kindNativeMore, at: at, value: raw}
		e.name = cmp.Or(call.Object("function").Text("name"), custom.Text("name"))
		if _, known := choice.upstream[at]; !known {
			choice.upstream[at] = -1
			if err == nil || e.name != "" {
				e.kind = kindNative
			}
		}
		list = append(list, e)
	}
	return list
}

func (c *chunkForm) readEnd(index int, source object) event {
	e := event{kind: kindEnd, choice: index, source: source, reason: source.Text(c.finish)}
	isDone := e.reason == "" && (c.ended != "" || !c.x.streams)
	e.cut = !isDone && !slices.Contains(c.stopped, e.reason)
	return e
}

func (c *chunkForm) again() {
	c.continued = true
	for _, choice := range c.choices {
		clear(choice.ours)
		clear(choice.upstream)
	}
}

func (c *chunkForm) fault(err *Error) { c.x.put(c.x.fault(err)) }

func (c *chunkForm) unroll(o object) []object { return []object{o} }
