package engine

import (
	"sync"

	"github.com/callwire/callwire/internal/buffer"
	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// draft is the call being read, with the memory for it.
//
// Invariants:
//   - out[base:] is the input of the call
//   - out[base:final] does not change, and out[base:emitted] is in events;
//     base <= emitted <= final <= len(out)
//   - final grows only while uncertain is 0; with Repair it is at least 1 until the call ends, and
//     only commitTo moves final, while it is exactly 1
//   - nothing is written for a call that has failed
type draft struct {
	config *Config
	syntax *lex.Syntax // of the call
	call
	arguments
	frames []frame // open arrays and objects, outermost first
	keys   keyset  // keys in open objects, except declared fields that have a bit
	out    []byte
	dead   int // how much of out belongs to calls that ended before this chunk
	quiet  int // chunks that began in text since a call began
	issues issues
	memory
}

// call is the part of a draft that is zeroed when a call begins.
type call struct {
	start      int
	name       string
	formatID   string // the ID that the format gives the call, if any
	plan       *plan  // of the tool; nil if it is unknown
	reading    bool   // between Open and CloseCall or Damaged
	started    bool   // InputStart was emitted
	identified bool   // the ID is chosen

	lostQuote bool // a word looks like a string that lost its opening quote
	guessed   bool // a repair took something for a quote or a tag that isn't one
	waits     bool // with Repair: output waits for the end of the call
	exact     bool // the arguments are JSON, so values keep their type
	coerces   bool // the arguments are JSON, and values are converted to the type they should have
	ended     bool // the arguments have ended

	foreign
	fault   lexer.Code // the first one
	faultAt int

	base, final, emitted int
	uncertain            int // what may still be rewritten: open values, and with Repair the call

	written string // the name as it is written, if it means a tool by Repair
	nameAt  int    // its offset

	typ     *sig.Type  // of the next value
	field   *sig.Field // of the current argument or member, or nil
	level   int        // dots in the path of the current argument
	string  lex.Flags  // of all pieces of the current string so far
	streams bool       // the current string is written in pieces
}

// memory is scratch space that outlives calls.
type memory struct {
	untyped     string // name of the last call of an unknown tool, to avoid allocating it again
	text        []byte // of a string that is needed as a whole
	scratch     []byte // of a key
	content     []byte // of a string in JSON text
	place       []byte // of a path
	pending     []rawValue
	pendingText []byte
	scanner     scanner
	budget      int // of a draft outside of messages

	elements elements // of a call in that kind of body
	block    block    // the same
}

// pool has the drafts that no Parser has.
var pool = sync.Pool{New: func() any { return new(draft) }}

// acquire takes a draft from the pool.
func (a *Assembler) acquire() {
	a.draft = pool.Get().(*draft)
	a.draft.config = a.config
}

// resetBuilder prepares for new arguments.
func (d *draft) resetBuilder() {
	if cap(d.groups) == 0 {
		d.groups, d.open = make([]group, 1, 4), make([]int32, 1, 4)
	}
	d.groups, d.open = d.groups[:1], d.open[:1]
	root := &d.groups[0]
	root.typ, root.present, root.sep, root.node = nil, 0, '{', none
	d.leaves, d.next, d.count, d.inner = nil, 0, 0, root
	d.key, d.keyEnd, d.closed, d.reopened = 0, 0, false, false
	d.frames, d.pending = d.frames[:0], d.pending[:0]
	if len(d.keys.keys) > 0 {
		d.keys.truncate(0)
	}
}

// renew prepares for a chunk of n bytes of the call. Its end drops the output of calls before it.
func (d *draft) renew(n int) {
	d.dead = d.base
	if n > cap(d.out)-len(d.out) {
		d.grow(n)
	}
}

func (d *draft) grow(n int) { d.out = buffer.Grow(d.out, n) }

// commit makes all output final, unless an open value may still be rewritten.
func (d *draft) commit() {
	if d.uncertain == 0 {
		d.final = len(d.out)
	}
}

// commitTo makes out[:n] final under Repair, where ordinary commits have no effect.
func (d *draft) commitTo(n int) {
	if d.uncertain == 1 && d.config.repair != nil {
		d.final = n
	}
}

// idleEvents is for how many events a Parser that waits in text has memory.
const idleEvents = 5

// release gives the draft back, and drops what a Parser that waits in text does not need.
func (a *Assembler) release() {
	if cap(a.events) > idleEvents {
		a.events = nil
	}
	if d := a.draft; d != nil {
		a.work += d.keys.steps
		d.keys.steps = 0
		d.free()
		a.draft = nil
	}
}

// free puts the draft into the pool. It drops what a draft there must not retain: the catalog,
// memory of its user, and what a long call needed.
func (d *draft) free() {
	d.config, d.syntax, d.call, d.leaves, d.inner = nil, nil, call{}, nil, nil
	for _, b := range []*[]byte{&d.out, &d.text, &d.content, &d.pendingText, &d.elements.text} {
		*b = buffer.Keep(*b)
	}
	clearAll(&d.groups)
	clearAll(&d.frames)
	d.keys.truncate(0)
	if cap(d.keys.keys) > most {
		d.keys = keyset{}
	}
	d.issues, d.block = issues{}, block{}
	e := &d.elements
	clearAll(&e.stack)
	*e = elements{stack: e.stack, parts: e.parts[:0], text: e.text}
	pool.Put(d)
}

// most is how long a list is that is used for another call.
const most = 256

// clearAll empties a list, unless a long call needed it, and drops it otherwise.
func clearAll[T any](list *[]T) {
	if cap(*list) > most {
		*list = nil
	}
	*list = (*list)[:0]
	clear((*list)[:cap(*list)])
}
