package lex

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/buffer"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/markdown"
)

// Lexer pushes the lexemes of one message after another to a Handler.
//
//	reading = { Write | Break } Close [ Reset reading ]
type Lexer struct {
	// For the life of the Lexer.
	user Handler
	home *Syntax // of text

	// For the call being read. In text, syntax is home, and h is user.
	syntax   *Syntax
	classes  *lexeme.Classes // of syntax
	h        Handler         // user, or a filter that pushes to it
	envelope *envelope       // equal to h if the format has an Envelope, else nil
	schema   Schema          // equal to h if the format has Elements, else nil

	// For a message.
	window
	state   state
	spoken  bool  // something other than whitespace was read
	fresh   bool  // a run of text begins at win[pos]
	starved bool  // the state needs more input
	region  int32 // index of the region of reasoning being read; -1 if the message began in it

	steps  int             // bytes looked at, second looks included
	opened int             // offset after an opener that whitespace follows
	spaces int             // offset up to which that was looked at
	ahead  [mostFirsts]int // offsets before which the first bytes of tags do not come next

	code        markdown.Code // of the text before offset coded
	coded       int
	thoughtCall int // offset of the last opener of a call in the reasoning, or -1

	*call // nil if no call was read lately
}

// state is what comes next at win[pos].
type state uint8

const (
	inText      state = iota
	inReasoning       // reasoning.go; up to here isText
	inToolTag         // after a tag that is named after a tool: a call may follow
	inMention         // after a tag that no body follows; the rest are inCall

	inName // arguments.go
	betweenArguments
	inPath
	beforeValue
	inWord
	afterValue
	afterBody

	inString // brackets.go, string.go
	inQuotedKey
	afterBracket
	afterComma
	inKey
	beforeColon
	beforeElement
	inElement
	afterElement
	inLiteral

	inFunction // parameters.go
	betweenParameters
	inParameter
	beforeValueMark
	inTaggedText
	beforeFunctionEnd
	afterFunctionEnd // end.go

	inMembers // elements.go
	inContent
	inCDATA
	inComment

	inBlock  // block.go
	inEndTag // tooltags.go

	inDamage // damage.go
)

// isText reports whether what is read is text or reasoning.
func (s state) isText() bool { return s <= inReasoning }

// inCall reports whether a call is being read.
func (s state) inCall() bool { return s > inMention }

// Init prepares a zero Lexer, which pushes to h, and returns it.
func (l *Lexer) Init(h Handler, s *Syntax) *Lexer {
	l.user, l.home = h, s
	l.Reset()
	return l
}

// use makes s the syntax of what follows: that of a call from its opener on, or home after it.
func (l *Lexer) use(s *Syntax) { l.syntax, l.classes = s, s.Tags.Classes }

// useFilter makes the filter of the syntax receive the call that begins.
func (l *Lexer) useFilter() {
	l.h = l.syntax.newFilter(l)
	l.envelope, _ = l.h.(*envelope)
	if l.envelope == nil {
		l.schema, _ = l.h.(Schema)
	}
}

// Reset prepares for a new message. It keeps buffers.
func (l *Lexer) Reset() {
	l.window = window{buf: l.buf[:0]}
	l.beginText(0) // the message may have broken off in a call
	l.steps, l.opened, l.ahead = 0, 0, [mostFirsts]int{}
	l.spoken, l.fresh = false, false
	l.code.Reset()
}

// InText reports whether the Lexer is in text or reasoning and holds nothing back.
func (l *Lexer) InText() bool { return l.state.isText() && l.pos == len(l.win) }

// Steps returns how many bytes the Lexer has looked at since Reset, second looks included.
func (l *Lexer) Steps() int { return l.steps }

// Write reads the next chunk.
func (l *Lexer) Write(chunk []byte) {
	switch {
	case l.owned:
		l.extend(chunk, l.keep())
	case len(chunk) <= shortPiece && l.readPlainChunk(chunk):
		return
	default:
		l.win = chunk
		if l.base == 0 && len(chunk) > 0 && l.syntax.Reasoning == format.StartedReasoning {
			l.beginReasoning(-1, 0)
		}
	}
	l.run()
	if l.state == inDamage {
		l.freeze()
	}
	switch {
	case l.InText():
		l.drop()
	case !l.owned:
		if l.call == nil {
			l.acquire()
		}
		l.save(l.keep())
	}
}

// readPlainChunk reads a short chunk of plain text without running the states, if no byte of it
// needs a closer look.
func (l *Lexer) readPlainChunk(chunk []byte) bool {
	n := len(chunk)
	if l.state != inText || !l.spoken || n == 0 || chunk[n-1] >= utf8.RuneSelf { // it may be cut
		return false
	}
	s := l.home
	for i, c := range chunk {
		if !s.plain[c] && (markdown.Marks(c) || s.starts.at(chunk[i:])) {
			return false
		}
	}
	if l.home.Code && !l.code.Plain() {
		return false
	}
	l.steps += n
	l.base += n
	l.prev, l.coded, l.fresh = chunk[n-1], l.base, false
	l.h.Text(chunk)
	return true
}

// Close reads the end of the message. Aborted reports that it broke off, so that even a
// complete call must not be accepted without its closing tag.
func (l *Lexer) Close(aborted bool) {
	l.flush(aborted)
	if l.state == inReasoning {
		l.endMessageInReasoning()
	}
}

// Break reads what is held back as the end of a message that broke off. The message goes on
// after it, in the same reasoning or code fence, on a line of its own.
func (l *Lexer) Break() {
	l.flush(true)
	if l.state == inText && l.base > 0 && l.prev != '\n' {
		l.prev = '\n'
		l.code.Text([]byte("\n"))
	}
}

func (l *Lexer) flush(aborted bool) {
	l.endMessage(aborted)
	if l.call != nil {
		l.call.unclosed = nil
	}
	l.drop()
}

// keep returns the index of the first byte that is still needed. During a call that is its
// first byte, unless the damage has outgrown the limit.
func (l *Lexer) keep() int {
	if !l.state.inCall() || l.call.frozen != nil {
		return l.pos
	}
	return l.call.start - l.base
}

// freeze copies the first bytes of damage that has outgrown the limit, so that the rest need
// not be kept.
func (l *Lexer) freeze() {
	if end := l.limit(); l.call.frozen == nil && len(l.win) > end {
		l.call.frozen = bytes.Clone(l.win[l.call.start-l.base : end])
	}
}

// run reads until the window is used up.
func (l *Lexer) run() {
	l.starved = false
	for !l.starved && l.scan < len(l.win) {
		readers[l.state](l)
		if e := l.envelope; e != nil && e.refusal != "" {
			e.refuse()
			l.starved = false
		}
	}
}

// readers has the method of each state. It reads as far as the window goes, and
// then waits.
var readers = [...]func(*Lexer){
	inText:            (*Lexer).readText,
	inReasoning:       (*Lexer).readText,
	inToolTag:         (*Lexer).readToolTag,
	inMention:         (*Lexer).readMention,
	inName:            (*Lexer).readName,
	betweenArguments:  (*Lexer).readBetweenArguments,
	inPath:            (*Lexer).readPath,
	beforeValue:       (*Lexer).readValue,
	inWord:            (*Lexer).readWord,
	afterValue:        (*Lexer).readAfterValue,
	afterBody:         (*Lexer).readAfterBody,
	inString:          (*Lexer).readString,
	inQuotedKey:       (*Lexer).readQuotedKey,
	afterBracket:      (*Lexer).readFirst,
	afterComma:        (*Lexer).readFirst,
	inKey:             (*Lexer).readKey,
	beforeColon:       (*Lexer).readColon,
	beforeElement:     (*Lexer).readElement,
	inElement:         (*Lexer).readBareElement,
	afterElement:      (*Lexer).readAfterElement,
	inLiteral:         (*Lexer).readLiteral,
	inFunction:        (*Lexer).readFunction,
	betweenParameters: (*Lexer).readBetweenParameters,
	inParameter:       (*Lexer).readParameter,
	beforeValueMark:   (*Lexer).readValueMark,
	inTaggedText:      (*Lexer).readTaggedText,
	beforeFunctionEnd: (*Lexer).readFunctionMark,
	afterFunctionEnd:  (*Lexer).readFunctionEnd,
	inMembers:         (*Lexer).readMembers,
	inContent:         (*Lexer).readContent,
	inCDATA:           (*Lexer).readMarked,
	inComment:         (*Lexer).readMarked,
	inBlock:           (*Lexer).readBlock,
	inEndTag:          (*Lexer).readEndTag,
	inDamage:          func(l *Lexer) { l.skipDamage(false) },
}

// source returns the text of the call up to win[end], cut at the limit.
func (l *Lexer) source(end int) []byte {
	start := l.call.start - l.base
	n := min(end-start, l.syntax.Limits.Bytes)
	if l.call.frozen != nil {
		return l.call.frozen[:n:n]
	}
	return l.win[start : start+n : start+n]
}

// wait ends a state that needs more input: win[:i] is scanned. If the call has reached its byte
// limit, it fails, and skipping starts at win[i].
func (l *Lexer) wait(i int) {
	if l.bound < len(l.win) {
		l.failFrom(CallTooLong, l.bound, i)
	} else {
		l.hold(i)
	}
}

// hold is wait where more input is needed even if the call is too long: the window ends inside
// what may become a tag.
func (l *Lexer) hold(i int) { l.scan, l.starved = i, true }

// saw records that a lexeme was scanned up to win[i].
func (l *Lexer) saw(i int) { l.steps += i - l.scan + 1 }

// closingTagAt returns the tag at win[i], where only the closing tag can come, or a lexeme whose
// bytes have the given role.
func (l *Lexer) closingTagAt(i int, role lexeme.Class) lexeme.Tag {
	l.steps++
	return l.syntax.Tags.CloseAt(l.win[i:], role)
}

// next skips whitespace, like skipSpace, but first tests for the common cases: none, or one byte.
func (l *Lexer) next() (i int, ok bool) {
	i = l.scan
	if i+1 < l.bound {
		if c := l.win[i]; c == ' ' || c == '\n' {
			i++
		}
		if l.win[i] > ' ' {
			l.moveTo(i)
			return i, true
		}
	}
	return l.skipSpace()
}

// skipSpace skips whitespace. It returns the index after it, and false if the state ends here.
func (l *Lexer) skipSpace() (i int, ok bool) {
	w, i := l.win[:l.bound], l.scan
	for i < len(w) && w[i] <= ' ' && lexeme.IsSpace(w[i]) {
		i++
	}
	l.steps += i - l.scan + 1
	l.moveTo(i)
	if i == len(w) {
		l.wait(i)
		return i, false
	}
	return i, true
}

// valid checks the complete lexeme win[pos:to]. If it is not valid UTF-8, the call fails.
func (l *Lexer) valid(to int) bool {
	l.steps += to - l.pos
	if bad := lexeme.IllFormed(l.win[l.pos:to]); bad >= 0 {
		l.failAt(InvalidUTF8, l.pos+bad, l.pos+bad)
		return false
	}
	return true
}

// Source returns the text of the call being read between two offsets. It is valid until the method
// of the Handler returns.
func (l *Lexer) Source(from, to int) []byte { return l.win[from-l.base : to-l.base] }

// window is the part of the message that the lexer can look at. It aliases the caller's chunk, or
// owns a copy of what is still needed of earlier chunks, with the chunk after it.
//
// Invariants:
//   - win[0] is the byte at offset base of the message; prev is the byte before it
//   - win[:pos] is read and win[pos:scan] is scanned, 0 <= pos <= scan <= len(win)
//   - win[:bound] is within the limit on the call's bytes, bound = min(len(win), stop-base)
//   - an owned window is equal to buf
//   - during one Write, owned bytes never move or change, because events may alias them
//   - after it, the window is owned, or empty if nothing is needed
type window struct {
	win   []byte
	base  int
	pos   int
	scan  int
	bound int
	stop  int // offset at which the call reaches the limit on its bytes

	buf   []byte
	owned bool
	prev  byte
}

// firstStep is how many bytes the memory for an owned window has at first.
const firstStep = 512

// extend appends a chunk to the owned window and drops win[:keep], which is no longer needed.
// Events no longer alias the window.
func (w *window) extend(chunk []byte, keep int) {
	if keep > 0 {
		w.move(w.win[keep:], keep)
		w.buf = append(w.buf[:0], w.win...)
	}
	w.buf = append(buffer.Grow(w.buf, len(chunk)), chunk...)
	w.win = w.buf
	w.rebound()
}

// save copies win[keep:] for the next chunk.
func (w *window) save(keep int) {
	w.buf = append(buffer.Grow(w.buf[:0], len(w.win)-keep), w.win[keep:]...)
	w.move(w.buf, keep)
	w.owned = true
}

// drop empties the window. All of it was read.
func (w *window) drop() {
	if n := len(w.win); n > 0 {
		w.prev = w.win[n-1]
		w.base += n
	}
	w.win, w.pos, w.scan, w.owned = nil, 0, 0, false
}

// move makes win the window. Its first byte was at index n.
func (w *window) move(win []byte, n int) {
	if n > 0 {
		w.prev = w.win[n-1]
		w.base += n
		w.pos -= n
		w.scan -= n
	}
	w.win = win
	w.rebound()
}

// limit returns the index at which the call reaches the limit on its bytes. It may be after
// the end of the window.
func (w *window) limit() int { return w.stop - w.base }

func (w *window) rebound() { w.bound = min(len(w.win), w.stop-w.base) }

// offset returns the offset of win[i] in the message.
func (w *window) offset(i int) int { return w.base + i }

// moveTo moves to win[i], where the next lexeme begins.
func (w *window) moveTo(i int) { w.pos, w.scan = i, i }
