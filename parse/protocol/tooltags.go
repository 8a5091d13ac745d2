package protocol

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// toolTags is the frame of a call that is an element named after its tool.
type toolTags struct {
	catalog *sig.Catalog
	names   []string // of the tools, sorted
	longest int      // length of the longest name and what ends it, in bytes

	tool []byte // the tool being called
	self bool   // its tag ends the call, as in <tool/>
}

func newToolTags(catalog *sig.Catalog) *toolTags {
	t := &toolTags{catalog: catalog}
	for _, tool := range catalog.Tools() {
		t.names = append(t.names, tool.Name)
		t.longest = max(t.longest, len(tool.Name)+2)
	}
	slices.Sort(t.names)
	return t
}

func (t *toolTags) first() byte { return '<' }

func (t *toolTags) opens(w []byte, i, look int) (begin int, more bool, looked int) {
	if w[i] != '<' {
		return 0, false, look
	}
	end, more := tagName(w[:min(len(w), i+1+t.longest)], i+1)
	looked = max(look, end-i)
	switch name := w[i+1 : end]; {
	case more:
		at, _ := slices.BinarySearch(t.names, string(name))
		return 0, at < len(t.names) && strings.HasPrefix(t.names[at], string(name)), looked
	case t.catalog.Lookup(name) == nil:
		return 0, false, looked
	}
	after, closed, more := tagEnd(w, end)
	switch {
	case more:
		return 0, true, looked
	case closed:
		return after - 2, false, looked
	}
	return after, false, looked
}

func (t *toolTags) closes(w []byte, i int) (end int, more bool) {
	if !t.self {
		return endTag(w, i, t.tool)
	}
	switch n := lexeme.MatchTag(w[i:], "/>"); n {
	case 0:
		return 0, false
	case 2:
		return i + 2, false
	}
	return 0, true
}

// mayClose reports whether any tool's end tag may begin at w[i].
func (t *toolTags) mayClose(w []byte, i int) bool {
	if lexeme.MatchTag(w[i:], "</") == 0 {
		return false
	}
	from := min(i+2, len(w))
	end, more := tagName(w[:min(len(w), from+t.longest)], from)
	return more || t.catalog.Lookup(w[from:end]) != nil
}

// mostSpace is how many bytes of whitespace may stand in a tag.
const mostSpace = 64

// tagName returns the index after the name at w[i]. More says that the name may go on.
func tagName(w []byte, i int) (end int, more bool) {
	for end = i; end < len(w); end++ {
		switch c := w[end]; {
		case c == '>' || c == '<' || c <= ' ' || c == 0x7f:
			return end, false
		case c == '/' && end+1 == len(w):
			return end, true
		case c == '/' && w[end+1] == '>':
			return end, false
		}
	}
	return end, true
}

// tagEnd returns the index after the rest of a tag whose name ends at w[i]; 0 if it is
// not a tag. Closed says that the element has no content.
func tagEnd(w []byte, i int) (end int, closed, more bool) {
	from := i
	i = lexeme.SkipSpace(w[:min(len(w), i+mostSpace)], i)
	switch {
	case i == from+mostSpace:
		return 0, false, false
	case i == len(w):
		return 0, false, true
	case w[i] == '>':
		return i + 1, false, false
	case w[i] != '/':
		return 0, false, false
	case i+1 == len(w):
		return 0, false, true
	case w[i+1] == '>':
		return i + 2, true, false
	}
	return 0, false, false
}

// endTag returns the index after the end tag of that name at w[i], 0 if there is none.
func endTag(w []byte, i int, name []byte) (end int, more bool) {
	rest := w[i:]
	n := min(len(rest), 2)
	if string(rest[:n]) != "</"[:n] {
		return 0, false
	}
	rest = rest[n:]
	if n = min(len(rest), len(name)); !bytes.Equal(rest[:n], name[:n]) {
		return 0, false
	}
	from := min(i+2+len(name), len(w))
	j := lexeme.SkipSpace(w[:min(len(w), from+mostSpace)], from)
	switch {
	case j == from+mostSpace:
		return 0, false
	case j == len(w):
		return 0, true
	case w[j] == '>':
		return j + 1, false
	}
	return 0, false
}

// begin reads the tag of the call that begins.
func (t *toolTags) begin(r *reader) {
	name := r.win[r.start+1-r.base:]
	end, _ := tagName(name, 0)
	t.tool = append(t.tool[:0], name[:end]...)
	if t.self = r.win[r.pos-1] != '>'; !t.self && len(t.tool) <= r.asm.Limits().Name {
		r.spoken = r.offset(r.pos)
	}
}

// name names the call, or makes it malformed.
func (t *toolTags) name(r *reader) (part parse.Part, failed bool) {
	at := r.start + 1
	if limit := r.asm.Limits().Name; len(t.tool) > limit {
		return r.fail(lexer.NameTooLong, at+limit-r.base), true
	}
	r.spoken = 0
	return r.asm.Name(t.tool, at), false
}

// speaks handles a tag at win[at] that no arguments follow: with an end tag it is a
// malformed call, without one prose mentions it.
func (t *toolTags) speaks(r *reader, code lexer.Code, at int) parse.Part {
	part := r.fail(worse(r.win, at, code), at)
	r.asm.Name(t.tool, r.start+1)
	return part
}
