package middleware

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// A citation of the Responses API marks a range of a part, in characters. A part that contains a
// call becomes several, so the range is looked for in each of them.

// A citation is one that isn't written yet.
type citation struct {
	part partKey
	note object
}

// A partKey has the indexes of an item and of its part, as the upstream counts.
type partKey [2]int

func keyOf(o object, at int) partKey {
	part, _ := strconv.Atoi(string(o.Get("content_index")))
	return partKey{at, part}
}

// mostCited is how many citations wait for the end of a part.
const mostCited = 256

// listen keeps the text of a part, as the upstream counts it.
func (c *responsesForm) listen(key partKey, value []byte) {
	text := value[1 : len(value)-1]
	c.heard[key] = lexeme.AppendJSONUnquoted(c.heard[key], text, utf8.RuneError)
}

// cite takes a citation. It is passed on if the part is written as it came so far.
func (c *responsesForm) cite(e event) {
	i := c.item
	note := bytes.Clone(e.source.Get("annotation"))
	c.x.kept += len(note)
	n := citation{keyOf(e.source, e.at), rawjson.ParseObject(note)}
	isSame := i.inner && !i.split && n.part[1] == len(i.parts)
	switch {
	case isSame && len(i.said) == len(c.heard[n.part]):
		i.notes = append(i.notes, note)
		c.renumbered(e, i.out)
	case len(i.cited) == mostCited:
		c.x.warn(lostCitation)
	default:
		i.cited = append(i.cited, n)
	}
}

// endHeard ends a part of the upstream's.
func (c *responsesForm) endHeard(key partKey) {
	delete(c.heard, key)
	if c.item != nil {
		for range c.item.cited {
			c.x.warn(lostCitation)
		}
		c.item.cited, c.item.from = nil, 0
	}
}

const lostCitation = "a citation is left out: its text is not delivered, or its part has ended"

// writeCitations writes those in the part that is about to end.
func (c *responsesForm) writeCitations() {
	i := c.item
	waiting := i.cited
	i.cited = nil
	for _, n := range waiting {
		note := n.within(c.heard[n.part], i.said, i.from)
		if note == nil {
			i.cited = append(i.cited, n)
			continue
		}
		c.emit("output_text.annotation.added", c.place(),
			"annotation_index", len(i.notes), "annotation", note)
		i.notes = append(i.notes, note.Append(nil))
	}
}

// within returns the annotation as it is in what was said of the text that was heard, from an
// offset on; nil if it isn't there. What was said is all of a range, or the same up to a change
// or after one.
func (n citation) within(heard, said []byte, from int) object {
	first, last := "start_index", "end_index"
	if !n.note.Has(first) {
		first, last = "index", "index"
	}
	start, end := n.offset(first, heard), n.offset(last, heard)
	from = min(from, len(heard))
	prefix, suffix, most := 0, 0, min(len(heard)-from, len(said))
	for prefix < most && heard[from+prefix] == said[prefix] {
		prefix++
	}
	for suffix < most && heard[len(heard)-1-suffix] == said[len(said)-1-suffix] {
		suffix++
	}
	runs := [][3]int{{from, 0, prefix}, {len(heard) - suffix, len(said) - suffix, suffix}}
	if at := bytes.Index(heard[from:], said); at > 0 {
		runs = append(runs, [3]int{from + at, 0, len(said)})
	}
	for _, run := range runs {
		at := run[1] + start - run[0]
		if start < run[0] || end < start || end > run[0]+run[2] {
			continue
		}
		note := rawjson.ParseObject(n.note.Append(nil))
		for key, to := range map[string]int{first: at, last: at + end - start} {
			if note.Has(key) {
				note = note.With(key, utf8.RuneCount(said[:to]))
			}
		}
		return note
	}
	return nil
}

// offset returns the offset in bytes of an index in characters, or one beyond the text.
func (n citation) offset(key string, text []byte) int {
	count, _ := strconv.Atoi(string(n.note.Get(key)))
	at := 0
	for ; count > 0 && at < len(text); count-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at + max(0, count)
}
