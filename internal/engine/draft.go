package engine

import (
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/lexer"
)

// draft is the call being read, with the memory for it.
//
// Invariants:
//   - out[base:] is the input of the call
//   - out[base:final] does not change, and out[base:emitted] is in events;
//     base <= emitted <= final <= len(out)
//   - final grows only while uncertain is 0
//   - nothing is written for a call that has failed
type draft struct {
	config *Config
	syntax *lexer.Syntax // of the call
	call
	arguments
	frames []frame // open arrays and objects, outermost first
	keys   keyset  // keys in open objects, except declared fields that have a bit
	out    []byte
	issues issues
	memory
}

// call is the part of a draft that is zeroed when a call begins.
type call struct {
	start      int
	name       string
	givenID    string // that the format gives the call; empty if it gives none
	plan       *plan  // of the tool; nil if it is unknown
	reading    bool   // between Open and Close or Damaged
	started    bool   // InputStart was emitted
	identified bool   // the ID is chosen
	failed     bool   // the call cannot be delivered
	suspect    bool   // there is a fault, or with Strict an issue, that settle has not seen

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
	uncertain            int // open values that may still be rewritten
	openEnums            int // open values that may still not be listed by their enum

	written string // the name as it is written, if it means a tool by Repair
	nameAt  int    // its offset

	typ     *sig.Type   // of the next value
	field   *sig.Field  // of the current argument, or nil
	level   int         // dots in the path of the current argument
	string  lexer.Flags // of all pieces of the current string so far
	streams bool        // the current string is written in pieces
}

// memory is scratch space that outlives calls.
type memory struct {
	untyped     string // name of the last call of an unknown tool, to avoid allocating it again
	text        []byte // of a string that is needed as a whole
	scratch     []byte // of a key
	json        []byte // of a raw value
	place       []byte // of a path
	pending     []rawValue
	pendingText []byte
	scanner     scanner
	probe       probe
}

// shift adjusts all positions in the output by n bytes.
func (d *draft) shift(n int) {
	d.key, d.keyEnd = d.key+n, d.keyEnd+n
	for i := range d.groups {
		g := &d.groups[i]
		g.key, g.keyEnd = g.key+n, g.keyEnd+n
	}
	for i := range d.frames {
		f := &d.frames[i]
		f.out, f.key, f.keyEnd = f.out+n, f.key+n, f.keyEnd+n
	}
	for i := range d.keys.keys {
		k := &d.keys.keys[i]
		k.start, k.end = k.start+n, k.end+n
	}
}

// size returns how many bytes of text the buffers hold.
func (d *draft) size() int {
	return cap(d.out) + cap(d.text) + cap(d.json) + cap(d.pendingText)
}

// release drops what a draft in the pool must not retain: the catalog, and memory of its user.
func (d *draft) release() {
	d.config, d.syntax, d.call, d.leaves = nil, nil, call{}, nil
	clear(d.groups[:cap(d.groups)])
	clear(d.frames[:cap(d.frames)])
	clear(d.issues.memory[:cap(d.issues.memory)])
	d.issues = issues{memory: d.issues.memory[:0]}
}
