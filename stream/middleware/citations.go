package middleware

import (
	"slices"
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
	text    []byte     // of the response, as the upstream sent it
	chars   int        // its length in characters
	part    [2]string  // the part being read: see partOf
	from    int        // where that begins, in characters
	count   int        // citations in it so far
	waiting []citation // for the end of the part that they belong to

	written, at int  // length of the text up to where it was written, in bytes and characters
	differs     bool // what was written after that is something else
}

// partOf returns the indexes of the part that an event is about, as the upstream counts.
func partOf(o object) [2]string {
	return [2]string{string(o.Get("output_index")), string(o.Get("content_index"))}
}

type citation struct {
	source object // the event
	from   int    // where its part begins
}

const lostCitation = "a citation is left out: its text is not delivered, or its part has ended"

// mostCited is how many citations wait.
const mostCited = 4096

// hear takes text, a JSON string, from an event.
func (c *citations) hear(o object, value []byte) {
	if part := partOf(o); part != c.part {
		c.part, c.from, c.count = part, c.chars, 0
	}
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

// skip goes on to an offset, in bytes, in the text.
func (c *citations) skip(to int) {
	to = max(c.written, min(to, len(c.text)))
	c.at += utf8.RuneCount(c.text[c.written:to])
	c.written, c.differs = to, false
}

// cite takes the event of a citation, and reports whether it is kept.
func (c *responsesForm) cite(o object) bool {
	cited := &c.cited
	cited.count++
	if partOf(o) != cited.part || len(cited.waiting) == mostCited {
		c.x.warn(lostCitation)
		return false
	}
	data := o.Append(nil)
	c.x.kept += len(data)
	cited.waiting = append(cited.waiting, citation{rawjson.ParseObject(data), cited.from})
	return true
}

// writeCitations writes those citations in the part being written that wait in a place from n on.
func (c *responsesForm) writeCitations(n int) {
	list := c.cited.waiting
	c.cited.waiting = append(list[:n], slices.DeleteFunc(list[n:], c.writeCitation)...)
}

// writeCitation writes a citation if it is in the part being written, and reports whether it is.
func (c *responsesForm) writeCitation(n citation) bool {
	i, o := c.item, n.source
	note := o.Object("annotation")
	for _, key := range []string{"start_index", "end_index", "index"} {
		if !note.Has(key) {
			continue
		}
		index, _ := strconv.Atoi(string(note.Get(key)))
		index += n.from
		if index < i.from || index > c.cited.at {
			return false
		}
		note = note.With(key, index-i.from)
	}
	if n.from != i.from {
		o = c.x.edit(o, "annotation", note)
	}
	o = c.numbered(o, "annotation_index", len(i.notes))
	o = c.numbered(o, "content_index", len(i.parts))
	i.notes = append(i.notes, o.Get("annotation"))
	c.renumbered(event{at: i.in, source: o}, i.out)
	return true
}

// loseCitations reports those that belong to no part that was written.
func (c *responsesForm) loseCitations() {
	for range c.cited.waiting {
		c.x.warn(lostCitation)
	}
	c.cited.waiting = nil
}
