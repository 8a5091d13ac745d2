package lex

import (
	"sync"

	"github.com/callwire/callwire/internal/buffer"
)

// call is the state of the call being read, with the memory for it. The fields of a lexeme are set
// when it begins.
//
// Invariant: the state is one of text, or the Lexer has a call; and if it owns its window, it has
// one.
type call struct {
	start  int // offset of the opener
	nest   []bracket
	frozen []byte // the first bytes of damage that has outgrown the limit
	near   nearEnd
	body

	// Of the lexeme.
	part   Flags // of the string: First until its first piece is out
	string int   // offset of the string
	key    key

	toolElement
	filter envelope

	unclosed []*Syntax // at the end of the message: no text of these ends in the rest

	memory []byte // for the window, while no Lexer has the call
}

// calls has the calls that no Lexer has.
var calls = sync.Pool{New: func() any { return &call{memory: make([]byte, 0, firstStep)} }}

// toolElement is the state of a call in an element that is named after its tool.
type toolElement struct {
	elements []element // open elements, outermost first; elements[0] is that of the tool
	inside   int       // offset after its tag
	line     int       // offset of the first line of a block, 0 if unknown
	ownLine  bool      // that is not the line of the tag
	layout   layout    // of the block up to win[pos]
	back     state     // after a comment or CDATA section

	doubt   Code // the fault of a tag that no body follows
	doubtAt int
	tool    []byte // its name
	inner   []byte // the name of the element whose text is being read
}

// body is the part of a call that is zeroed when it begins.
//
// Invariant: between lexemes, quote is 0.
type body struct {
	dots         int  // dots in the path of the current argument
	hasArguments bool // an argument was read, so no JSON body can follow
	isObject     bool // the arguments are one JSON object
	strict       bool // JSON without the relaxed superset
	uncounted    int  // open brackets that the limit on depth does not count

	quote  byte // of the open string, in damage too
	isNear bool // a near miss began the call
	isBare bool // the call is a function without an opener

	looked      int   // offset before which the input after win[pos] needs no second look
	lost        int   // offset from which on the text waits for its end, or 0
	interrupted state // the text, section or block that contains the fault, or inText
}

// key is the last key of an object: the span of its text without quotes, and its offset.
// It is pushed once its colon is read; in strict JSON, at once.
type key struct {
	from, to, at int
	flags        Flags
}

// bracket is an open array or object.
type bracket struct {
	c  byte // [ or {
	at int  // its offset
}

// acquire takes a call from the pool.
func (l *Lexer) acquire() {
	c := calls.Get().(*call)
	l.call, l.buf, c.memory = c, c.memory, nil
}

// Release gives the memory for calls to other Lexers. The Lexer must be in text.
func (l *Lexer) Release() {
	if l.call != nil {
		l.release()
	}
}

func (l *Lexer) release() {
	c := l.call
	c.memory, c.frozen = buffer.Keep(l.buf), nil
	c.filter.reset()
	l.buf, l.call = nil, nil
	calls.Put(c)
}
