package middleware

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// A citation of the Responses API marks a range of a part of the text, in characters. A part that
// contains a call becomes several. So all ranges are counted in the text of the whole response,
// where a part that is written has one range too: it begins where the text was read up to, and
// goes on as long as what is written is what was read. A citation belongs to the part whose range
// contains its own.

// citations is the text that was read and written, and the citations that aren't written yet.
type citations struct {
	text  []byte // of the response, as the upstream sent it
	chars int    // its length in characters
	part  int    // where the part being read begins, in characters

	written, at int     // length of the text up to where it was written, in bytes and characters
	differs     bool    // what was written after that is something else
	count       int     // citations in the part being written
	waiting     []event // those whose text isn't written
}

// keep returns a citation that waits for its text.
func (x *exchange) keep(e event) event {
	data := e.source.Append(nil)
	x.kept += len(data)
	e.source = rawjson.ParseObject(data)
	return e
}

const lostCitation = "a citation is left out: its text is not delivered, or its part has ended"

// hear takes text, a JSON string, from an event.
func (c *citations) hear(value []byte) {
	n := len(c.text)
	c.text = lexeme.AppendJSONUnquoted(c.text, value[1:len(value)-1], utf8.RuneError)
	c.chars += utf8.RuneCount(c.text[n:])
}

// say takes text that is written.
func (c *citations) say(text []byte) {
	if c.differs {
		return
	}
	n, rest := 0, c.text[c.written:]
	for n < min(len(text), len(rest)) && text[n] == rest[n] {
		n++
	}
	c.skip(c.written + n)
	c.differs = n < len(text)
}

// indexKeys are the members of a citation that mark its text.
var indexKeys = []string{"start_index", "end_index", "index"}

// endOf returns where the text of a citation ends.
func endOf(note []byte) (end int) {
	o := rawjson.ParseObject(note)
	for _, key := range indexKeys {
		index, _ := strconv.Atoi(string(o.Get(key)))
		end = max(end, index)
	}
	return end
}

// skip goes on to an offset, in bytes, in the text.
func (c *citations) skip(to int) {
	to = max(c.written, min(to, len(c.text)))
	c.at += utf8.RuneCount(c.text[c.written:to])
	c.written, c.differs = to, false
}

// cite writes a citation if it can, and keeps it otherwise.
func (c *responsesForm) cite(e event) {
	c.cited.count++
	if c.item.inner && c.attach(e) {
		return
	}
	c.cited.waiting = append(c.cited.waiting, c.x.keep(e))
}

// citeAll writes the citations in the part that ends.
func (c *responsesForm) citeAll() {
	list := &c.cited.waiting
	for len(*list) > 0 && c.attach((*list)[0]) {
		*list = (*list)[1:]
	}
}

// attach writes a citation in the part being written, or leaves it out if its text comes before
// that. It reports false if its text comes later.
func (c *responsesForm) attach(e event) bool {
	i, o := c.item, e.source
	note := o.Object("annotation")
	for _, key := range indexKeys {
		if !note.Has(key) {
			continue
		}
		index, _ := strconv.Atoi(string(note.Get(key)))
		index += e.end
		switch {
		case index < i.from:
			c.x.warn(lostCitation)
			return true
		case index > c.cited.at:
			return false
		}
		note = note.With(key, index-i.from)
	}
	if e.end != i.from {
		o = c.x.edit(o, "annotation", note)
	}
	o = c.numbered(o, "annotation_index", len(i.notes))
	i.notes = append(i.notes, bytes.Clone(o.Get("annotation")))
	c.placed(o)
	return true
}

// loseCitations reports those whose text wasn't written.
func (c *responsesForm) loseCitations() {
	for range c.cited.waiting {
		c.x.warn(lostCitation)
	}
	c.cited.waiting = nil
}
