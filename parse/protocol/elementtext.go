package protocol

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
)

// In a CDATA section, tags and entities mean nothing; a comment is skipped.
const (
	cdataOpen, cdataClose     = "<![CDATA[", "]]>"
	commentOpen, commentClose = "<!--", "-->"
)

// plain reads text up to win[to]; more says that something follows it.
func (b *elements) plain(r *reader, to int, more bool) (parse.Part, bool) {
	from := r.pos
	if from == to {
		return parse.NoPart, more
	}
	if bad := lexeme.IllFormed(r.win[from:to]); bad >= 0 {
		return r.fail(lexer.InvalidUTF8, from+bad), true
	}
	r.pos = to
	b.add('t', r.offset(from), r.offset(to))
	return parse.NoPart, more
}

// add adds text to what was read.
func (b *elements) add(kind byte, from, to int) {
	if n := len(b.nodes); n > 0 && b.nodes[n-1].kind == kind && b.nodes[n-1].to == from {
		b.nodes[n-1].to = to
		return
	}
	b.nodes = append(b.nodes, node{kind, from, to, 0})
}

// section begins a section whose text begins at win[at].
func (b *elements) section(r *reader, at int, state elementState) {
	b.back, b.next = b.next, state
	r.pos = at
}

// sectionEnd returns the index up to which text from w[i] on is certainly inside the
// section, and the index after the section, 0 if its end is not there yet.
func (b *elements) sectionEnd(w []byte, i int) (to, end int) {
	close := cdataClose
	if b.next == inRemark {
		close = commentClose
	}
	if n := bytes.Index(w[i:], []byte(close)); n >= 0 {
		return i + n, i + n + len(close)
	}
	to = max(i, len(w)-len(close)+1)
	return to - lexeme.PartialRune(w[i:to]), 0
}

// readSection reads on to the end of a section. It returns the indexes of the text it
// has read.
func (b *elements) readSection(r *reader, w []byte) (from, to int, part parse.Part, more bool) {
	from = r.pos
	to, end := b.sectionEnd(w, from)
	r.steps += to - from + 1
	if bad := lexeme.IllFormed(w[from:to]); bad >= 0 {
		at := from + bad
		if whole := at - lexeme.PartialRune(w[from:at]); b.streams && b.next == inCDATA && whole > from {
			b.write(r, w[from:whole]) // it is final at any split
		}
		return from, from, r.fail(lexer.InvalidUTF8, at), true
	}
	if r.pos = to; end == 0 {
		return from, to, parse.NoPart, false
	}
	r.pos, b.next, b.back = end, b.back, atTool
	return from, to, parse.NoPart, true
}

func (b *elements) readComment(r *reader, w []byte) (part parse.Part, more bool) {
	_, _, part, more = b.readSection(r, w)
	return part, more
}

func (b *elements) readCDATA(r *reader, w []byte) (part parse.Part, more bool) {
	from, to, part, more := b.readSection(r, w)
	switch {
	case from == to:
	case b.streams:
		b.write(r, w[from:to])
	default:
		b.add('c', r.offset(from), r.offset(to))
	}
	return part, more
}

// write writes a piece of a string.
func (b *elements) write(r *reader, text []byte) {
	if !r.asm.Dead() {
		r.asm.Piece(text, b.first)
	}
	b.first = false
}

// readString reads on in text up to the end tag that another tag follows.
func (b *elements) readString(r *reader, w []byte) (part parse.Part, more bool) {
	from, top := r.pos, b.top()
	to, end, wait, section := b.string(r, w, r.slice(top.from, top.to))
	if bad := lexeme.IllFormed(w[from:to]); bad >= 0 {
		at := from + bad
		b.give(r, from, at-lexeme.PartialRune(w[from:at]))
		return r.fail(lexer.InvalidUTF8, at), true
	}
	b.give(r, from, to)
	r.pos = to
	switch {
	case section:
		b.section(r, to+len(cdataOpen), inCDATA)
		return parse.NoPart, true
	case wait:
		return parse.NoPart, false
	}
	if b.odd && !r.asm.Dead() {
		r.asm.Issue(lexer.AmbiguousText, top.content)
	}
	if b.streams {
		if b.first {
			b.write(r, nil)
		}
		if !r.asm.Dead() {
			r.asm.EndPieces(top.content, func() []byte { return decoded(r.slice(top.content, r.offset(to))) })
		}
	}
	b.pop(r, to, end)
	return parse.NoPart, true
}

// give adds win[from:to] to the string.
func (b *elements) give(r *reader, from, to int) {
	if from == to {
		return
	}
	if text := r.win[from:to]; b.streams && bytes.IndexByte(text, '&') < 0 {
		b.write(r, text)
	} else if b.streams {
		b.text = appendUnescaped(b.text[:0], text)
		b.write(r, b.text)
	} else {
		b.add('t', r.offset(from), r.offset(to))
	}
}

// decoded returns the text that w stands for.
func decoded(w []byte) []byte {
	var text []byte
	for {
		before, after, found := bytes.Cut(w, []byte(cdataOpen))
		text = appendUnescaped(text, before)
		if !found {
			return text
		}
		section, rest, _ := bytes.Cut(after, []byte(cdataClose))
		text = append(text, section...)
		w = rest
	}
}

// string returns the index up to which text from win[pos] on, in an element of that
// name, is certain, and if its end tag stands there, the index after that. Wait says
// that more input is needed, section that a CDATA section begins there.
func (b *elements) string(r *reader, w, name []byte) (to, end int, wait, section bool) {
	i := r.pos
	for {
		n := bytes.IndexByte(w[i:], '<')
		if n < 0 {
			r.steps += len(w) - i + 1
			to = len(w) - lexeme.PartialRune(w[i:])
			return to - partialEntity(w[r.pos:to]), 0, true, false
		}
		r.steps += n + 1
		i += n
		end, more := endTag(w, i, name)
		if more {
			return i, 0, true, false
		}
		if end > 0 {
			j := lexeme.SkipSpace(w, max(end, i+b.looked))
			r.steps += j - max(end, i+b.looked) + 1
			b.looked = 0
			switch {
			case j == len(w) || w[j] == '<' && j+1 == len(w):
				b.looked = j - i
				return i, 0, true, false
			case follows(w, j):
				return i, end, false, false
			}
			b.odd = true
		}
		switch n := lexeme.MatchTag(w[i:], cdataOpen); {
		case n == len(cdataOpen):
			return i, 0, false, true
		case n == len(w)-i:
			return i, 0, true, false
		}
		i++
	}
}

// follows reports whether a tag stands at w[i]; if so, the end tag before it ends the
// text.
func follows(w []byte, i int) bool {
	return i+1 < len(w) && w[i] == '<' && (w[i+1] == '/' || w[i+1] == '!' || beginsName(w[i+1]))
}
