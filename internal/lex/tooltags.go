package lex

import (
	"bytes"
	"slices"
	"sort"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// Tags named after tools:
//
//	call = "<" TOOL [ws] ( "/>" | ">" body "</" TOOL [ws] ">" )
//
// Prose mentions such tags too, as in "use <f> for that". If what follows a tag cannot begin a
// body, the end tag decides: with it the call is malformed; without it, before the next call, the
// tag is text. Until then the tag and what follows it are held back, so after a tag inside a line,
// where most mentions are, the search ends after maxMention bytes.

// maxMention is how many bytes after a tag inside a line are searched for its end tag.
const maxMention = 4 << 10

// toolNames are the names of all tools, sorted.
type toolNames struct {
	list    []string
	longest int // bytes of a name and of what ends it
}

func newToolNames(names []string) *toolNames {
	t := &toolNames{list: slices.Sorted(slices.Values(names))}
	for _, name := range names {
		t.longest = max(t.longest, len(name)+2)
	}
	return t
}

// find reports whether name is the name of a tool, and whether the name of one begins with it.
func (t *toolNames) find(name []byte) (found, begins bool) {
	i := sort.Search(len(t.list), func(i int) bool { return t.list[i] >= string(name) })
	if i == len(t.list) {
		return false, false
	}
	next := t.list[i]
	begins = len(next) >= len(name) && next[:len(name)] == string(name)
	return begins && len(next) == len(name), begins
}

// toolOpener looks at the < at w[i]. It returns Yes and the index at which the body
// begins, that of the slash if there is none, or No, or Partial if more input decides.
func (l *Lexer) toolOpener(names *toolNames, w []byte, i int) (int, lexeme.Match) {
	limit := l.syntax.Limits.Bytes
	end, cut := lexeme.TagName(w[:min(len(w), i+1+names.longest)], i+1)
	l.steps += end - i + 1
	found, begins := names.find(w[i+1 : end])
	if cut && begins && end-i < limit {
		return i, lexeme.Partial
	}
	if cut || !found {
		return i, lexeme.No
	}
	j, empty, cut := lexeme.TagEnd(w, end)
	if empty {
		j -= len("/>")
	}
	switch {
	case cut && end-i < limit:
		return i, lexeme.Partial
	case cut || j == 0 || j-i >= limit:
		return i, lexeme.No
	}
	return j, lexeme.Yes
}

// beginTool reads the tag at win[pos], whose body begins at win[j].
func (l *Lexer) beginTool(j int) {
	l.enter()
	c := l.call
	from := l.pos + 1
	name, _ := lexeme.TagName(l.win, from)
	c.tool = append(c.tool[:0], l.win[from:name]...)
	c.elements, c.inside = append(c.elements[:0], element{members: true}), l.offset(j)
	c.line = 0
	l.state, l.scan = inToolTag, j
	switch {
	case l.win[j-1] != '>':
		l.readEmptyCall(j)
	case len(c.tool) > l.syntax.Limits.Name:
		l.openTool()
	}
}

// readEmptyCall reads a call without a body, whose tag ends with the slash at win[i].
func (l *Lexer) readEmptyCall(i int) {
	l.openTool()
	end := i + len("/>")
	if l.state != inDamage {
		l.h.End(l.offset(i), nil)
		l.moveTo(i)
		l.closeCall(i, end)
	}
	if l.state == inDamage {
		l.endDamage(end, true)
	}
}

// openTool begins the call whose tag was read.
func (l *Lexer) openTool() {
	c := l.call
	l.openCall()
	if limit := l.syntax.Limits.Name; len(c.tool) > limit {
		l.failAt(NameTooLong, l.pos+1+limit, l.pos+1+limit)
		return
	}
	l.h.Name(c.tool, c.start+1, c.start+1+len(c.tool))
	l.moveTo(c.inside - l.base)
	l.state = inMembers
	if l.syntax.format.Body == format.Block {
		l.state = inBlock
		c.layout = newLayout()
	}
}

// readToolTag reads on from a tag until it is certain whether a body follows.
func (l *Lexer) readToolTag() {
	c, w, inside := l.call, l.win[:l.bound], l.call.inside-l.base
	if c.line == 0 {
		from := l.scan
		l.scan = lexeme.SkipSpace(w, from)
		l.steps += l.scan - from + 1
		if l.scan < len(w) {
			c.line = l.offset(l.scan)
			c.ownLine = bytes.IndexByte(w[inside:l.scan], '\n') >= 0
		}
	}
	at, isBlock := c.line-l.base, l.syntax.format.Body == format.Block
	found := lexeme.No
	switch {
	case c.line == 0:
		found = lexeme.Partial
	case isBlock:
		found = l.firstLine(w)
	case w[at] == '<':
		found = lexeme.Yes
	}
	switch {
	case found == lexeme.Yes || found == lexeme.Partial && l.bound < len(l.win): // too long
		l.openTool()
	case found == lexeme.Partial:
		l.starved = true
	case l.useNext():
		c.line, l.scan = 0, inside
	case lexeme.BeginsNone(w[at]):
		l.doubt(InvalidUTF8, at)
	case isBlock:
		l.doubt(NotAnObject, at)
	default:
		l.doubt(ExpectedKey, at)
	}
}

// useNext makes the next format whose tags are named after tools the syntax, and reports whether
// there is one.
func (l *Lexer) useNext() bool {
	members := l.home.members
	for _, m := range members[slices.Index(members, l.syntax)+1:] {
		if m.names != nil {
			l.use(m)
			return true
		}
	}
	return false
}

// doubt begins to search from win[at] for the end tag of a tag that no body follows. If there is
// one, the call is malformed there.
func (l *Lexer) doubt(code Code, at int) {
	l.call.doubt, l.call.doubtAt = code, l.offset(at)
	l.state, l.scan = inMention, at
}

// readMention searches for the end tag, or for the call before which it would have to come.
func (l *Lexer) readMention() {
	var f found
	limit, inLine := l.limit(), l.inLine()
	if inLine {
		limit = min(limit, l.call.doubtAt-l.base+maxMention)
	}
	i, end, m := l.nextTag(l.home, l.scan, limit, &f)
	switch {
	case m == lexeme.Yes && end > i:
		l.openDamaged()
		l.endDamage(end, true)
	case m == lexeme.Yes:
		l.mention(i, f.kind == aToolTag)
	case i > limit && inLine:
		l.mention(i, true)
	case i > limit:
		l.openDamaged()
		l.moveTo(i)
	default:
		l.hold(i)
	}
}

// nextTag looks for the next tag from win[i] on, up to limit, and returns where it is. That is the
// end tag of the tool, which ends at end, or one that begins a call of the syntax: then end is at,
// and f describes the call.
func (l *Lexer) nextTag(s *Syntax, i, limit int, f *found) (at, end int, m lexeme.Match) {
	w := l.win
	for ; ; i++ {
		from := i
		for i < len(w) && i <= limit && !l.home.starts.first[w[i]] {
			i++
		}
		l.steps += i - from + 1
		if i == len(w) || i > limit {
			return i, i, lexeme.No
		}
		end, m = i, l.opener(s, i, f)
		if m == lexeme.No {
			end, m = lexeme.EndTag(w, i, l.call.tool)
		}
		if m != lexeme.No {
			return i, end, m
		}
	}
}

// mention makes the tag text. What follows it is read again. A call without its opener looks the
// same, so later calls are in doubt; except that in a line of prose only words come between the tag
// and a call of another format, which begins at win[to].
func (l *Lexer) mention(to int, inDoubt bool) {
	inside := l.call.inside - l.base
	inDoubt = inDoubt || !l.inLine() || bytes.ContainsAny(l.win[inside:to], "\n<>:\"'")
	l.state = inText
	l.pushText(inside)
	if inDoubt {
		l.h.Doubt()
	}
	l.use(l.home)
}

// inLine reports whether text of the same line comes before win[pos]. After a call, as at the
// beginning of the message, none does.
func (l *Lexer) inLine() bool {
	return !l.fresh && l.before(l.pos) != '\n'
}

// openDamaged begins the call whose tag no body follows.
func (l *Lexer) openDamaged() {
	c := l.call
	l.openCall()
	l.state = inDamage
	l.h.Fault(c.doubt, c.doubtAt)
	l.h.Name(c.tool, c.start+1, c.start+1+len(c.tool))
}

// readEndTag reads the end tag of the tool at win[pos].
func (l *Lexer) readEndTag() {
	switch end, m := lexeme.EndTag(l.win, l.pos, l.call.tool); m {
	case lexeme.Partial:
		l.hold(l.pos)
	case lexeme.Yes:
		l.closeCall(l.pos, end)
	default:
		l.fail(ExpectedClose, l.pos)
	}
}

// readToolDamage skips to the end tag of the tool, or to the opener of another call.
func (l *Lexer) readToolDamage() {
	var f found
	i, end, m := l.nextTag(l.syntax, l.pos, len(l.win), &f)
	if m == lexeme.Yes {
		l.endDamage(end, end > i)
	} else {
		l.moveTo(i)
		l.starved = true
	}
}
