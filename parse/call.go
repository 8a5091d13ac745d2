package parse

import (
	"cmp"
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// A call from its opener to its end: begun, named, delivered or malformed.

// failed reports whether the call cannot be delivered, for a fault in it or, if
// strict, an issue.
func (p *Parser) failed() bool {
	b := &p.b
	if p.opts.Strict && len(b.issues) > 0 && (b.fault != "" || b.judging == 0) {
		p.strict()
	}
	return b.fault != ""
}

// die ends the reading of arguments: the call cannot be delivered. Input that is final
// by then is handed out, so the parts are the same under every chunking.
func (p *Parser) die() Part {
	part := p.more()
	p.recordFinal()
	p.dead = true
	return part
}

// begin starts a call whose opener is at offset start.
func (p *Parser) begin(start int) {
	p.seg = Segment{Kind: Unfinished, Start: start, AfterMalformed: p.damaged}
	p.dead, p.opened, p.started = false, false, false
	b := &p.b
	if !p.plain {
		b.reset()
		p.plain = true
	}
	p.args.reset()
	b.holds = 0
	p.several, p.complete, p.certain, p.latest = false, false, 0, 0
	p.doubt.is, p.doubt.from, p.until = false, unlimited, unlimited
	p.base, p.given = len(b.out), len(b.out)
	b.sure = len(b.out)
	if b.left < maxAllowance {
		b.left = min(maxAllowance, b.left+income*min(start-p.earned, maxAllowance))
	}
	p.earned = start
}

// called begins the call of the tool of that name, which begins at offset start.
func (p *Parser) called(name []byte, start int) Part {
	tool := p.catalog.Lookup(name)
	p.tool = tool
	switch {
	case tool != nil:
		p.seg.Name = tool.Name
		p.args.nodes[0].typ = tool.Args
	default:
		if p.name != string(name) {
			p.name = string(name)
		}
		p.seg.Name = p.name
		if p.catalog != nil {
			p.b.fail(lexer.UnknownTool, start)
			p.dead, p.plain = true, false
			return NoPart
		}
	}
	if p.damaged && p.opts.StopAfterMalformed || p.opts.WholeCalls {
		return NoPart
	}
	p.started = true
	return StartPart
}

// argsType returns what the schema says about the arguments.
func (p *Parser) argsType() *sig.Type {
	if p.tool == nil {
		return nil
	}
	return p.tool.Args
}

// strict makes the first issue the fault, unless there is one no later.
func (p *Parser) strict() {
	p.sortIssues()
	if b, first := &p.b, p.b.issues[0]; b.fault == "" || first.At < b.faultAt {
		b.fault, b.faultAt = first.Code, first.At
	}
}

func (p *Parser) sortIssues() {
	byOffset := func(x, y Issue) int { return cmp.Compare(x.At, y.At) }
	if !slices.IsSortedFunc(p.b.issues, byOffset) {
		slices.SortStableFunc(p.b.issues, byOffset)
	}
}

// finish ends the call with the close tag from offset start to offset end.
func (p *Parser) finish(start, end int) Part {
	b := &p.b
	if a := &p.args; p.plain && !p.damaged && a.count > 0 && !a.left && len(a.open) == 1 && !lacks(a.nodes[0].typ, a.nodes[0].seen) && !p.doubt.is && !(p.several && a.count == 1 && p.joined(start)) {
		b.pathEnd = 0 // nearly all calls: nothing is to be asked
		b.out = append(b.out, '}')
		b.sure = len(b.out)
		return p.deliver(end)
	}
	if !p.dead && !p.complete {
		p.goesOn()
		sure := b.sure - p.base // which moves where the arguments are written anew
		p.endArguments(start)
		if len(b.issues) > 0 {
			p.plain = false
			p.sortIssues()
			if p.opts.Strict {
				p.strict()
				b.sure = p.base + sure
				if part := p.die(); part != NoPart {
					p.again, p.tag = true, [2]int{start, end}
					return part
				}
			}
		}
		if p.opts.Salvage && b.fault == "" && (p.doubt.is || p.several || len(b.issues) > 0) && p.odd(start) { // what is final is handed out first, whatever the chunks
			b.sure = p.base + sure
			p.recordFinal()
			p.complete = true
			if part := p.more(); part != NoPart {
				p.again, p.tag = true, [2]int{start, end}
				return part
			}
		}
	}
	switch {
	case b.fault != "":
		return p.malformed(end, end > start)
	case p.damaged && p.opts.StopAfterMalformed:
		b.fail(lexer.AfterMalformed, p.seg.Start)
		p.plain = false
		return p.malformed(end, end > start)
	case p.complete && p.doubted(end, end > start):
		return p.repaired()
	}
	p.damaged = p.damaged || p.opened
	return p.deliver(end)
}

// deliver completes the call that ends at offset end.
func (p *Parser) deliver(end int) Part {
	b := &p.b
	s := &p.seg
	s.Kind = Call
	s.End = end
	s.Input = b.out[p.base:len(b.out):len(b.out)]
	p.delta = s.Input[p.given-p.base:]
	if len(b.issues) > 0 {
		s.Issues = slices.Clip(b.issues)
	}
	if p.opts.Logger != nil {
		p.log("call", s)
	}
	return CallPart
}

// raw returns the text of the malformed span from offset start to offset end, as
// much as is kept of it.
func (p *Parser) raw(start, end int) (text []byte, cut bool) {
	if p.source != nil {
		return p.source(start, end)
	}
	return p.lex.Raw(start, end)
}

// malformed ends a malformed span at offset end.
func (p *Parser) malformed(end int, closed bool) Part {
	b := &p.b
	p.damaged = p.damaged || b.fault != lexer.InCode // which is not broken
	s := &p.seg
	s.Kind = Malformed
	s.End = end
	s.Closed = closed
	s.Input, s.Issues = nil, nil // of the call before
	s.Text, s.Cut = p.raw(s.Start, end)
	s.Err = &lexer.Error{Code: b.fault, Offset: b.faultAt, Tool: s.Name}
	if h, ok := p.opts.Protocol.(Hinter); ok {
		s.Err.Expected, s.Err.Fix = h.Hint(b.fault)
	}
	if len(b.issues) > 0 && b.issues[0].Code == b.fault {
		s.Err.Path = b.issues[0].Path
	}
	if n := b.faultAt - s.Start; n >= 0 && n < len(s.Text) {
		s.Err.Found = lexer.Excerpt(s.Text[n:])
	}
	b.out = b.out[:p.given] // what was given out holds until the next Feed
	p.due = MalformedPart   // if a function of the options panics
	p.log("malformed call", s)
	if p.opts.Salvage && salvageable(b.fault) && p.salvaged(s.Text, closed) {
		p.due = NoPart
		return p.repaired()
	}
	part := MalformedPart
	if p.opts.Mend != nil {
		part = p.mend()
	}
	if part == MalformedPart && p.opts.OnMalformed != nil {
		p.opts.OnMalformed(s.Clone())
	}
	p.due = NoPart
	return part
}
