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
// body, the end tag decides: with it the call is malformed, without it the tag is text. Until
// then the tag and what follows it are held back, up to the limit on the bytes of a call.

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

// toolOpener looks at the < at w[i]. It returns OpenTag and the index at which the body
// begins, that of the slash if there is none, or NoTag, or SomeTag if more input decides.
func (l *Lexer) toolOpener(names *toolNames, w []byte, i int) (int, lexeme.Tag) {
	end, more := lexeme.TagName(w[:min(len(w), i+1+names.longest)], i+1)
	l.steps += end - i + 1
	found, begins := names.find(w[i+1 : end])
	switch {
	case more && begins && end-i < l.syntax.limits.Bytes:
		return i, lexeme.SomeTag
	case more || !found:
		return i, lexeme.NoTag
	}
	j, empty, more := lexeme.TagEnd(w, end)
	if empty {
		j -= len("/>")
	}
	switch {
	case more && end-i < l.syntax.limits.Bytes:
		return i, lexeme.SomeTag
	case more || j == 0 || j-i >= l.syntax.limits.Bytes:
		return i, lexeme.NoTag
	}
	return j, lexeme.OpenTag
}

// beginTool reads the tag at win[pos], whose body begins at win[j].
func (l *Lexer) beginTool(j int) {
	l.enter()
	c := l.call
	name, _ := lexeme.TagName(l.win, l.pos+1)
	root := element{from: c.start + 1, to: l.offset(name), members: true}
	c.elements, c.inside, c.interrupted = append(c.elements[:0], root), l.offset(j), inText
	c.line, c.lookahead = 0, 0
	l.state, l.scan = inToolTag, j
	switch {
	case l.win[j-1] != '>':
		l.readEmptyCall(j)
	case root.to-root.from > l.syntax.limits.Name:
		l.openTool()
	}
}

// readEmptyCall reads a call without a body, whose tag ends with the slash at win[i].
func (l *Lexer) readEmptyCall(i int) {
	l.openTool()
	end := i + len("/>")
	if l.state != inDamage {
		l.h.End(l.offset(i), nil)
		l.at(i)
		l.close(i, end)
	}
	if l.state == inDamage {
		l.endDamage(end, true)
	}
}

// toolName returns the name of the tool, which is in the window.
func (l *Lexer) toolName() []byte { return l.slice(l.call.elements[0].from, l.call.elements[0].to) }

// slice returns a part of the call between two offsets.
func (l *Lexer) slice(from, to int) []byte { return l.win[from-l.base : to-l.base] }

// openTool begins the call whose tag was read.
func (l *Lexer) openTool() {
	c := l.call
	l.openCall()
	if name := l.toolName(); len(name) <= l.syntax.limits.Name {
		l.h.Name(name, c.start+1)
	} else {
		i := l.pos + 1 + l.syntax.limits.Name
		l.failAt(NameTooLong, i, i)
		return
	}
	l.at(c.inside - l.base)
	l.state = inMembers
	if l.syntax.format.Body == format.Block {
		l.state = inBlock
		c.layout = newLayout()
	}
}

// readToolTag reads on from a tag until it is certain whether a body follows.
func (l *Lexer) readToolTag() (more bool) {
	w, inside := l.win[:l.bound], l.call.inside-l.base
	i, found := 0, lexeme.NoTag
	code, at := ExpectedKey, 0
	if l.syntax.format.Body == format.Block {
		i, found = l.firstLine(w)
		code, at = NotAnObject, l.call.line-l.base
	} else {
		i, found = l.firstByte(w)
		at = i
	}
	switch {
	case found == lexeme.OpenTag:
		l.openTool()
	case found == lexeme.NoTag && l.useNext():
		l.call.line, l.scan = 0, inside
	case found == lexeme.NoTag && lexeme.BeginsNone(w[at]):
		l.doubt(InvalidUTF8, at, at)
	case found == lexeme.NoTag:
		l.doubt(code, at, at)
	case l.bound == len(l.win):
		l.scan = i
		return false
	default:
		l.doubt(CallTooLong, l.bound, inside)
		if bad := lexeme.IllFormed(w[inside:]); bad >= 0 && inside+bad < l.bound {
			l.doubt(InvalidUTF8, inside+bad, inside+bad)
		}
	}
	return true
}

// firstByte reports whether members begin after a tag: OpenTag if so, NoTag if not, SomeTag if more
// input decides. It also returns the index of the first byte that is not whitespace.
func (l *Lexer) firstByte(w []byte) (int, lexeme.Tag) {
	i := lexeme.SkipSpace(w, l.scan)
	l.steps += i - l.scan + 1
	switch {
	case i == len(w):
		return i, lexeme.SomeTag
	case w[i] == '<':
		return i, lexeme.OpenTag
	}
	return i, lexeme.NoTag
}

// doubt begins to search from win[from] for the end tag of a tag that no body follows. If there is
// one, the call is malformed at win[at].
func (l *Lexer) doubt(code Code, at, from int) {
	l.call.doubt, l.call.doubtAt = code, l.offset(at)
	l.state, l.scan = inMention, from
}

// readMention searches for the end tag.
func (l *Lexer) readMention() (more bool) {
	i, end, t := l.nextToolTag(l.scan, l.toolName(), l.limit())
	switch {
	case i > l.limit():
		l.openDamaged()
		l.at(i)
	case t == lexeme.OpenTag:
		l.mention()
	case t == lexeme.CloseTag:
		l.openDamaged()
		l.endDamage(end, true)
	default:
		return l.hold(i)
	}
	return true
}

// nextToolTag returns the index of the next tag from win[i] on, and what it is: one that begins a
// call, the end tag of that tool and the index after it, or SomeTag or NoTag if the window ends in
// one or before one. It stops after limit.
func (l *Lexer) nextToolTag(i int, tool []byte, limit int) (at, end int, t lexeme.Tag) {
	w := l.win
	for ; ; i++ {
		n := bytes.IndexByte(w[i:], '<')
		if n < 0 {
			n = len(w) - i
		}
		l.steps += n + 1
		i += n
		if i == len(w) || i > limit {
			return i, 0, lexeme.NoTag
		}
		_, t = l.toolOpener(l.syntax.names, w, i)
		if t != lexeme.NoTag {
			return i, 0, t
		}
		switch end, more := lexeme.EndTag(w, i, tool); {
		case more:
			return i, 0, lexeme.SomeTag
		case end > 0:
			return i, end, lexeme.CloseTag
		}
	}
}

// mention makes the tag text. What follows it is read again.
func (l *Lexer) mention() {
	l.state = inText
	l.pushText(l.call.inside - l.base)
	l.h.Doubt()
	l.use(l.home)
}

// openDamaged begins the call whose tag no body follows.
func (l *Lexer) openDamaged() {
	c := l.call
	l.openCall()
	l.interrupt()
	l.state = inDamage
	l.h.Fault(c.doubt, c.doubtAt)
	l.h.Name(l.toolName(), c.start+1)
}

// readEndTag reads the end tag of the tool at win[pos].
func (l *Lexer) readEndTag() (more bool) {
	end, more := lexeme.EndTag(l.win, l.pos, l.toolName())
	switch {
	case more:
		l.scan = len(l.win)
		return false
	case end == 0:
		l.fail(ExpectedClose, l.pos)
		return true
	}
	return l.close(l.pos, end)
}

// interrupt prepares for damage. It copies the names whose end tags end it, because the damage
// may outgrow the window.
func (l *Lexer) interrupt() {
	c := l.call
	c.lookahead = 0
	c.tool = append(c.tool[:0], l.toolName()...)
	switch l.state {
	case inElementText, inCDATA, inComment:
		c.inner = append(c.inner[:0], l.top()...)
		c.interrupted = l.state
	case inBlock:
		c.interrupted = l.state
	}
}

// readToolDamage skips to the end tag of the tool, or to the opener of another call.
func (l *Lexer) readToolDamage() (more bool) {
	if l.call.interrupted != inText && !l.skipInterrupted() {
		l.scan = len(l.win)
		return false
	}
	i, end, t := l.nextToolTag(l.pos, l.call.tool, len(l.win))
	switch t {
	case lexeme.OpenTag:
		l.endDamage(i, false)
		return true
	case lexeme.CloseTag:
		l.endDamage(end, true)
		return true
	}
	l.at(i)
	l.scan = len(l.win)
	return false
}
