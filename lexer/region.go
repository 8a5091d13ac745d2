package lexer

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Regions of text, if the configuration asks for them: reasoning, in which nothing is
// read; Markdown code, in which a call is malformed; and near misses, openers that are
// not ours, which begin malformed spans. All of them begin in text alone, never in a
// call.
//
// Rule: region.reasoning, region.code, salvage.opener.

// thoughts are the tags around reasoning.
var thoughts = [...]region{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
}

// ThoughtAt returns the length of the tag of reasoning that w begins with, 0 if it
// begins with none, and the tag that closes it; more says that w may be the beginning
// of one.
func ThoughtAt(w []byte) (n int, closer string, more bool) {
	for i := range thoughts {
		switch n := lexeme.MatchTag(w, thoughts[i].open); n {
		case 0:
		case len(thoughts[i].open):
			return n, thoughts[i].close, false
		default:
			more = true
		}
	}
	return 0, "", more
}

// ThoughtEnd returns the length of the tag that w begins with, if that closes reasoning
// of any kind, else 0; more says that w may be the beginning of one.
func ThoughtEnd(w []byte) (n int, more bool) {
	for i := range thoughts {
		switch n := lexeme.MatchTag(w, thoughts[i].close); n {
		case 0:
		case len(thoughts[i].close):
			return n, false
		default:
			more = true
		}
	}
	return 0, more
}

// BeginsThought reports whether a tag of reasoning begins with c.
func BeginsThought(c byte) bool { return c == '<' || c == '[' || c == "◁"[0] }

// region is a pair of tags.
type region struct{ open, close string }

// regions is what is known of the regions of a text.
type regions struct {
	wanted

	closer   string // of the reasoning or near miss being read
	tagged   bool   // a near miss is read whose tag has attributes, and may close itself
	last     byte   // the byte before the window, where it ends between calls; 0 at the beginning
	plain    int    // the offset up to which no opener was found, so that nobody looks twice
	markdown Markdown
}

// wanted says which regions are read.
type wanted struct {
	reasoning, code, nearMisses bool
	on                          bool // one of them
	bytewise                    bool // not only near misses, where the opener begins as they do

	firsts [4]uint64 // the bytes with which one of them, or the opener, begins

	fold  string // the opener without its last byte, in small letters; "" where no spelling is near
	close string // the close tag in small letters
}

// wantedBy returns which regions are read under c.
func wantedBy(c Config, tags *lexeme.Tags) wanted {
	r := wanted{reasoning: c.Reasoning, code: c.Code, nearMisses: c.NearMisses}
	r.on = r.reasoning || r.code || r.nearMisses
	r.bytewise = c.Opening() == 0
	r.add(tags.Open)
	for i := range thoughts {
		if r.reasoning {
			r.add(thoughts[i].open)
		}
	}
	for i := range strangers {
		if r.nearMisses {
			r.add(strangers[i].open)
		}
	}
	if stem := stemOf(tags.Open); r.nearMisses && stem != "" {
		r.fold, r.close = strings.ToLower(stem), strings.ToLower(tags.Close)
	}
	return r
}

func (r *wanted) add(tag string) { r.firsts[tag[0]>>6] |= 1 << (tag[0] & 63) }

// begins says of each byte whether a region, or the opener, may begin with it.
func (r *wanted) begins(c byte) bool { return r.firsts[c>>6]>>(c&63)&1 != 0 }

// regional reports whether w, which comes next, must be read byte by byte: its text may
// hold a region, or stands in one, or before the next byte one may end.
func (l *Lexer) regional(w []byte) bool {
	r := &l.regions
	if r.code && (len(w) > 0 || r.markdown.Code()) {
		return true
	}
	offset := l.base + l.pos
	n := min(len(w), max(0, r.plain-offset))
	more, _ := l.tags.ConsumeSimpleText(w[n:])
	n += more
	l.steps += more
	r.plain = offset + n
	return slices.ContainsFunc(w[:n], r.begins)
}

// Pass is Discard for n bytes of prose that are not fed, of which text is the end. It
// reports false if a region or call may begin in text, and then it passes nothing.
func (l *Lexer) Pass(n int, text []byte) bool {
	if l.regions.bytewise && slices.ContainsFunc(text, l.regions.begins) {
		return false
	}
	l.Discard(n, Prose)
	if r := &l.regions; r.code {
		for _, c := range text {
			r.markdown.Pass(c)
		}
	}
	if len(text) > 0 {
		l.regions.last = text[len(text)-1]
	}
	return true
}

// atLineStart reports whether what comes next begins a line.
func (r *regions) atLineStart() bool { return r.last == 0 || r.last == '\n' }

// readProse is readText if every byte counts.
func (l *Lexer) readProse() bool {
	r := &l.regions
	w := l.win
	for i := l.scan; i < len(w); i++ {
		c := w[i]
		l.steps++
		if r.begins(c) {
			if i > 0 {
				r.last = w[i-1]
			}
			if c == l.tags.Open[0] {
				if opens, more := l.opens(i); opens {
					return more
				}
			}
			if !r.markdown.Code() {
				if begins, more := l.region(i); begins {
					return more
				}
			}
		}
		if r.code {
			r.markdown.Pass(c)
		}
	}
	if len(w) > 0 {
		r.last = w[len(w)-1]
	}
	l.piece(Text, len(w))
	return false
}

// region reads text up to the region that begins at win[i] and its opener, and reports
// whether there is one, or may be; more is the answer of the state.
func (l *Lexer) region(i int) (begins, more bool) {
	r := &l.regions
	n, kind := l.regionAt(l.win[i:])
	if kind == nearMiss && n >= l.limits.Bytes {
		kind, r.closer = noRegion, ""
	}
	if kind == noRegion {
		return false, false
	}
	l.piece(Text, i)
	switch kind {
	case someRegion:
		return true, false
	case thought:
		l.state = inThought
		l.emit(ThoughtOpen, 0, i, i+n)
		r.last = '>'
	case nearMiss:
		var f Flags
		if r.atLineStart() {
			f = First
		}
		l.enter(i)
		l.emit(Open, f, i, i)
		l.failAt(WrongOpener, i, i+n)
	}
	return true, true
}

// regionKind is what begins at a place of the text.
type regionKind uint8

const (
	noRegion   regionKind = iota
	someRegion            // more input decides
	thought
	nearMiss
)

// regionAt says which region w begins with, and how long its opener is.
func (l *Lexer) regionAt(w []byte) (n int, kind regionKind) {
	r := &l.regions
	some := false
	if r.reasoning && r.last != '`' { // after which a tag is spoken of
		n, closer, more := ThoughtAt(w)
		if n > 0 {
			r.closer = closer
			return n, thought
		}
		some = more
	}
	if r.nearMisses {
		if n, kind := l.nearMissAt(w); kind != noRegion {
			return n, kind
		}
	}
	if some {
		return 0, someRegion
	}
	return 0, noRegion
}

// readThought reads reasoning up to its close tag.
func (l *Lexer) readThought() bool {
	w, closer := l.win, l.regions.closer
	for i := l.scan; ; i++ {
		from := i
		for i < len(w) && w[i] != closer[0] {
			i++
		}
		l.steps += i - from + 1
		n := lexeme.MatchTag(w[i:], closer)
		if i == len(w) || n > 0 && n < len(closer) {
			cut := i - lexeme.PartialRune(w[l.pos:i])
			if i < len(w) {
				cut = i
			}
			l.piece(Thought, cut)
			return false
		}
		if n == len(closer) {
			l.piece(Thought, i)
			l.state = inText
			l.regions.closer = ""
			l.emit(ThoughtClose, 0, i, i+n)
			return true
		}
	}
}
