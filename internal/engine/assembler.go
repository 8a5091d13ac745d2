package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/lexer"
)

// Assembler is the Handler that builds calls and emits events.
//
// Invariant: draft is nil only outside of calls.
type Assembler struct {
	// For the life of the Parser.
	config *Config
	newID  func(n int) string // nil means call-n
	*draft

	// For a message.
	inText         bool
	over, aborted  bool  // the message has ended, or broken off
	afterMalformed bool  // later calls come after a malformed span
	texts, calls   int32 // numbers of IDs in use
	thoughts       int32 // the same, of reasoning
	id             string
	formatIDs      []string // IDs of calls that the format gave them
	textAt         int      // offset of the next text
	work           int      // bytes read again, and keys compared by drafts that were given back
	budget         int      // for issues

	// For a chunk.
	events []Event
}

// reset prepares for a new message.
func (a *Assembler) reset() {
	a.dropEvents()
	a.inText, a.afterMalformed, a.over, a.aborted = false, false, false, false
	a.work = 0
	a.texts, a.calls, a.thoughts, a.id, a.textAt = 0, 0, 0, "", 0
	a.budget = maxBudget
	clear(a.formatIDs)
	a.formatIDs = a.formatIDs[:0]
	if d := a.draft; d != nil {
		d.out, d.call = d.out[:0], call{}
		d.keys.steps = 0
	}
}

func (a *Assembler) steps() int {
	if a.draft == nil {
		return a.work
	}
	return a.work + a.keys.steps
}

// mostDead bounds the output that is kept of calls in earlier chunks.
const mostDead = 64 << 10

// dropEvents drops the events, which may share memory with a chunk of the caller.
func (a *Assembler) dropEvents() {
	events := a.events
	for i := range events { // cheaper than clear for the one event of a token
		e := &events[i]
		e.Bytes, e.Problem = nil, nil
	}
	a.events = a.events[:0]
}

// flush emits the input that has become final.
func (a *Assembler) flush() {
	d := a.draft
	if d == nil || !d.started || d.final == d.emitted {
		return
	}
	a.emit(InputDelta).Bytes = d.out[d.emitted:d.final:d.final]
	d.emitted = d.final
}

// emit appends an event for the caller to fill in place, which saves a copy.
func (a *Assembler) emit(k Kind) *Event {
	n := len(a.events)
	if n == cap(a.events) {
		a.events = slices.Grow(a.events, idleEvents)
	}
	a.events = a.events[:n+1]
	e := &a.events[n]
	*e = Event{Kind: k, ID: a.id}
	return e
}

// Text implements [lex.Handler].
func (a *Assembler) Text(b []byte) {
	if !a.inText {
		a.inText = true
		a.texts++
		a.id = textIDs.id(int(a.texts))
		if a.config.mode&WholeCalls == 0 {
			a.emit(TextStart)
		}
	}
	a.piece(Text, b)
}

// piece emits a piece of the message outside of calls.
func (a *Assembler) piece(k Kind, b []byte) {
	e, at := a.emit(k), a.textAt
	a.textAt = at + len(b)
	e.Bytes, e.Start, e.End = b, at, a.textAt
}

// Doubt implements [lex.Handler].
func (a *Assembler) Doubt() { a.afterMalformed = true }

// Reasoning implements [lex.Handler].
func (a *Assembler) Reasoning(b []byte, f lex.Flags) {
	kind := Reasoning
	switch {
	case f&lex.First != 0:
		kind = ReasoningStart
		a.endText()
		a.thoughts++
		a.id = reasoningIDs.id(int(a.thoughts))
	case f&lex.Last != 0:
		kind = ReasoningEnd
	}
	a.piece(kind, b)
}

func (a *Assembler) endText() {
	if a.inText {
		a.inText = false
		if a.config.mode&WholeCalls == 0 {
			a.emit(TextEnd)
		}
	}
}

// Section implements [lex.Handler].
func (a *Assembler) Section(b []byte) {
	a.endText()
	a.id = ""
	a.piece(Section, b)
}

// Open implements [lex.Handler].
func (a *Assembler) Open(at int, s *lex.Syntax) {
	if a.draft == nil {
		a.acquire()
	}
	a.endText()
	a.id = ""
	d := a.draft
	if d.dead > mostDead { // what follows it may still be in use
		d.out, d.dead = nil, 0
	}
	n := len(d.out)
	d.call = call{}
	d.syntax, d.quiet = s, 0
	d.reading, d.start, d.base, d.final, d.emitted = true, at, n, n, n
	if a.config.repair != nil {
		d.uncertain = 1 // until the call ends
	}
	d.resetBuilder()
	d.issues = issues{budget: &a.budget}
}

// ID implements [lex.Handler].
func (a *Assembler) ID(b []byte, at, end int) { a.draft.formatID = string(b) }

// Stray implements [lex.Handler].
func (a *Assembler) Stray(b []byte, at, end int) {
	d := a.draft
	if d.fault == "" && d.plan != nil && d.plan.args.Field(b) != nil {
		d.fail(lexer.NotAnObject, at)
	}
}

// Name implements [lex.Handler].
func (a *Assembler) Name(b []byte, at, end int) {
	if !a.draft.setTool(b, at) {
		a.draft.fail(lexer.UnknownTool, at)
	}
	a.beginInput()
}

// setTool sets the tool with that name, which is at an offset. It reports false if no tool has
// the name.
func (d *draft) setTool(name []byte, at int) bool {
	tools := d.config.tools
	p := tools.find(name)
	if p == nil {
		p = d.meantTool(name, at)
	}
	if p != nil {
		d.use(p)
		return true
	}
	if d.untyped != string(name) {
		d.untyped = string(name)
	}
	d.name = d.untyped
	return tools.any
}

// use makes the tool of a plan that of the call.
func (d *draft) use(p *plan) {
	d.plan, d.name = p, p.name
	d.groups[0].typ, d.groups[0].node = p.args, 0
	if d.config.mode&NoFastPath == 0 {
		d.leaves = p.leaves
	}
}

// beginInput emits the beginning of a call whose tool is known, unless it may not be delivered.
func (a *Assembler) beginInput() {
	d := a.draft
	if d.fault == "" && !d.waits && (!a.afterMalformed || a.config.AllowAfterMalformed) {
		a.start()
	}
}

// start chooses the ID of the call and emits its beginning. With WholeCalls no beginning is
// emitted, but the ID is the same.
func (a *Assembler) start() {
	d := a.draft
	a.calls++
	switch {
	case d.formatID != "" && a.isNewID(d.formatID):
		a.id = d.formatID
		a.formatIDs = append(a.formatIDs, a.id)
		if a.newID == nil {
			a.calls = max(a.calls, callIDs.number(a.id))
		}
	case a.newID != nil:
		a.id = a.newID(int(a.calls))
	default:
		a.id = callIDs.id(int(a.calls))
	}
	d.identified = true
	if a.config.mode&WholeCalls != 0 {
		return
	}
	d.started = true
	e := a.emit(InputStart)
	e.Name, e.Start = d.name, d.start
}

// mostIDs is how many IDs of a format are used in a message: no two calls may have the same.
const mostIDs = 256

// isNewID reports whether the format gives the call an ID that no call before it has.
func (a *Assembler) isNewID(id string) bool {
	n := callIDs.number(id)
	isOld := n > 0 && n < a.calls && a.newID == nil
	return !isOld && len(a.formatIDs) < mostIDs && !slices.Contains(a.formatIDs, id)
}

// fail records a fault. The one at the lowest offset counts.
func (d *draft) fail(code lexer.Code, at int) {
	if d.fault == "" || at < d.faultAt {
		d.fault, d.faultAt = code, at
	}
}

// issueToFault makes the first issue the fault, unless the fault comes no later.
func (d *draft) issueToFault() {
	d.issues.sort()
	if list := d.issues.list; len(list) > 0 && (d.fault == "" || list[0].At < d.faultAt) {
		d.fault, d.faultAt = list[0].Code, list[0].At
	}
}

// Fault implements [lex.Handler].
func (a *Assembler) Fault(code lexer.Code, at int) { a.draft.fail(code, at) }

// CloseCall implements [lex.Handler].
func (a *Assembler) CloseCall(at, end int, source []byte) {
	d := a.draft
	if d.fault == "" && !d.ended {
		a.endArguments(at)
	}
	if d.waits && d.fault == "" {
		isReread := a.reread(end, end > at, source)
		if !isReread && (d.misfits() || a.refused()) { // the tool or the format was a guess
			d.mustFail = true // keeps Damaged from rereading
			switch {
			case d.isForeign:
				d.fail(lexer.WrongOpener, d.fixAt)
			case d.written != "":
				d.fail(lexer.UnknownTool, d.nameAt)
			}
		}
	}
	switch {
	case d.fault != "":
		a.Damaged(end, end > at, source)
	case a.afterMalformed && !a.config.AllowAfterMalformed:
		d.fail(lexer.AfterMalformed, d.start)
		a.Damaged(end, end > at, source)
	default:
		a.deliver(end)
	}
}

// endArguments completes the input of a call whose arguments end at offset at.
func (a *Assembler) endArguments(at int) {
	d := a.draft
	d.ended = true
	if len(d.pending) > 0 {
		d.writePending()
	}
	final := d.final
	if !d.exact {
		for id := range d.groups {
			if g := &d.groups[id]; g.typ.Lacks(g.present) {
				d.completeGroup(int32(id), at)
			}
		}
		out := d.out
		if d.groups[0].sep == '{' {
			out = append(out, '{')
		}
		for range d.open {
			out = append(out, '}')
		}
		d.out = out
	}
	if len(d.issues.list) > 0 {
		d.issues.sort()
		if a.config.Strict {
			d.issueToFault()
		}
	}
	if d.fault != "" {
		d.final = final
		return
	}
	if d.reopened { // merging moves nothing of what was emitted
		from := len(d.out)
		d.out = appendMerged(d.out, d.out[d.base:])
		d.emitted += from - d.base
		d.final += from - d.base
		d.base = from
	}
	if d.config.repair == nil {
		d.final = len(d.out)
	}
}

// deliver completes the call, which ends at offset end.
func (a *Assembler) deliver(end int) {
	d := a.draft
	if !d.identified {
		a.start()
	}
	input := d.out[d.base:len(d.out):len(d.out)]
	if d.started {
		if rest := input[d.emitted-d.base:]; len(rest) > 0 {
			a.emit(InputDelta).Bytes = rest
		}
		a.emit(InputEnd)
	}
	e := a.emit(Call)
	e.Name, e.Bytes, e.Start, e.End = d.name, input, d.start, end
	e.AfterMalformed = a.afterMalformed
	if len(d.issues.list) > 0 {
		e.Problem = &Problem{Issues: d.issues.list}
	}
	a.afterMalformed = a.afterMalformed || d.lostQuote || d.guessed
	d.reading, d.started = false, false
	a.textAt = end
}

// Damaged implements [lex.Handler]. It ends a malformed span at offset end, unless the call can be
// repaired.
func (a *Assembler) Damaged(end int, closed bool, source []byte) {
	d := a.draft
	if a.reread(end, closed, source) || a.acceptUnclosed(end, closed, source) {
		a.deliver(end)
		return
	}
	d.undoRepairs()
	if a.config.Strict {
		d.issueToFault()
	}
	a.flush()
	e := a.emit(Malformed)
	e.Name, e.Bytes, e.Start, e.End = d.name, source, d.start, end
	at := min(d.faultAt, end) // a limit can fall in the opener that ends the damage
	p := &Problem{Code: d.fault, At: at, Closed: closed, Format: d.syntax.Format()}
	if list := d.issues.list; len(list) > 0 && list[0].Code == d.fault && list[0].At == d.faultAt {
		p.Path = list[0].Path
	}
	e.Problem = p
	d.out = d.out[:d.emitted]
	d.reading, d.started = false, false
	a.afterMalformed = a.afterMalformed || d.fault != lexer.InCode
	a.textAt = end
}

// ids returns the IDs of one prefix. The first ones are made once.
type ids struct {
	prefix string
	table  [1000]string
}

var textIDs, callIDs, reasoningIDs = newIDs("text-"), newIDs("call-"), newIDs("reasoning-")

func newIDs(prefix string) *ids {
	t := &ids{prefix: prefix}
	for i := range t.table {
		t.table[i] = prefix + strconv.Itoa(i)
	}
	return t
}

func (t *ids) id(n int) string {
	if n < len(t.table) {
		return t.table[n]
	}
	return t.prefix + strconv.Itoa(n)
}

// number returns the n for which id(n) returns s, or 0 if a message cannot have as many calls.
func (t *ids) number(s string) int32 {
	digits, found := strings.CutPrefix(s, t.prefix)
	if !found {
		return 0
	}
	n, err := strconv.ParseUint(digits, 10, 30)
	if err != nil || t.id(int(n)) != s { // as with leading zeros
		return 0
	}
	return int32(n)
}
