package parse

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Salvage: known mistakes of models are read if nothing else can be meant. It runs only
// on a call that is malformed, or well formed but drifting, and on all of its source
// text: rescue.go writes the call anew, by the rules, and the parser reads that.
// Framing is not touched: where a call begins and ends is what it is without Salvage,
// so no repair makes a call of text that stands inside a string.
//
// Rule: salvage.repair, salvage.refused, salvage.exact.

// salvaged reads the call of p.seg once more, from offset start to end of the
// message, and reports whether it is a call beyond doubt: p.seg is that call then.
func (p *Parser) salvaged(source []byte, closed bool) bool {
	s := &p.seg
	p.asked += len(source)
	if p.opts.Strict || p.opts.StopAfterMalformed && s.AfterMalformed || len(source) >= p.limits.Bytes {
		return false
	}
	if p.rescue == nil {
		p.rescue = new(rescue)
	}
	r := p.rescue
	*r = rescue{parser: p, src: source, end: len(source), closed: closed, atEnd: p.over, cut: p.aborted, out: r.out, marks: r.marks}
	defer r.forget()
	if !r.read() || r.near && p.opts.StopAfterMalformed && !(r.strange && p.first) {
		return false // an echo, or spoken of: see D54
	}
	opts := p.opts
	opts.Salvage, opts.Reasoning, opts.Code, opts.Mend, opts.OnMalformed, opts.Logger = false, false, false, nil, nil, nil
	opts.AcceptAtEnd, opts.StopAfterMalformed = false, false
	segs := opts.Text(string(r.out), p.catalog)
	if len(segs) != 1 || segs[0].Kind != Call {
		return false
	}
	call := &segs[0]
	issues := r.repairs
	for _, is := range call.Issues {
		switch is.Code {
		case lexer.UnknownArgument, lexer.TypeMismatch, lexer.NotInEnum, lexer.OpenQuote, lexer.AmbiguousEscape:
			return false // the reading does not fit, so something else may be meant
		}
		is.At = r.offset(is.At)
		issues = append(issues, is)
	}
	for i := range issues {
		issues[i].At += s.Start
	}
	slices.SortStableFunc(issues, func(x, y Issue) int { return cmp.Compare(x.At, y.At) })

	if p.certain > 0 && call.Name != s.Name || !bytes.HasPrefix(call.Input, p.b.out[p.base:p.base+p.certain]) {
		return false // nothing that was final is taken back
	}
	given := p.given - p.base
	p.damaged = s.AfterMalformed || r.guessed
	s.Kind, s.Name, s.Issues = Call, call.Name, issues
	s.Text, s.Cut, s.Closed, s.Err = nil, false, false, nil
	p.replace(call.Input, given)
	p.log("repaired call", s)
	return true
}

// forget drops what was read, but for memory that is used again.
func (r *rescue) forget() {
	if cap(r.out) > mostPooled {
		r.out, r.marks = nil, nil
	}
	*r = rescue{out: r.out[:0], marks: r.marks[:0]}
}

// repaired returns the parts of a call that salvaged has read.
func (p *Parser) repaired() Part {
	if p.started || p.opts.WholeCalls {
		return CallPart
	}
	p.started, p.due = true, CallPart
	return StartPart
}

// salvageable reports whether a call with that fault may be read otherwise: not one
// that passes a limit, is not text, or says two things at once.
func salvageable(code lexer.Code) bool {
	switch code {
	case lexer.CallTooLong, lexer.NameTooLong, lexer.TooDeep, lexer.TooManyArguments, lexer.InvalidUTF8,
		lexer.DuplicateKey, lexer.PathConflict, lexer.AfterMalformed, lexer.InCode:
		return false
	}
	return true
}

// folded returns the tool whose name differs from name in case, hyphens,
// underscores and dots alone; nil if there is none, or more than one.
func (p *Parser) folded(name string) *sig.Tool {
	if p.folds == nil {
		p.folds = make(map[string]*sig.Tool)
		for _, t := range p.catalog.Tools() {
			key := fold(t.Name)
			if _, taken := p.folds[key]; taken {
				t = nil
			}
			p.folds[key] = t
		}
	}
	return p.folds[fold(name)]
}

// fold returns name without what models change in names.
func fold(name string) string {
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			out = append(out, c|0x20)
		case c != '_' && c != '-' && c != '.':
			out = append(out, c)
		}
	}
	return string(out)
}
