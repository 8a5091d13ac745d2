package parse

import (
	"context"
	"log/slog"
	"slices"

	"github.com/callwire/callwire/lexer"
)

// Options say how to read. The zero value reads as the specification says.
type Options struct {
	// Protocol says in which format calls are written; nil is the wire format,
	// and to any other the tags of Delims mean nothing. A nil pointer in it is not
	// nil, and panics when used, as in any interface.
	Protocol Protocol

	Delims lexer.Delims // the tags; zero means the default ones
	Limits lexer.Limits // fields that are zero have their defaults

	// Strict turns issues into faults: a call that has one is malformed.
	Strict bool

	// StopAfterMalformed makes every call after a malformed span malformed
	// itself (after-malformed). Whoever executes calls without asking should
	// set it: a broken call is also what an injection looks like.
	StopAfterMalformed bool

	// AcceptAtEnd accepts a call whose body is complete at the end of input,
	// because a stop string has swallowed the close tag. Where the tag that ends
	// the call also ends its last value, as in XML, no call is complete without it.
	AcceptAtEnd bool

	// Salvage reads calls with mistakes that models are known to make, each under a
	// name (see [Repairs]), if nothing else can be meant. Such a call is delivered with
	// an issue, [lexer.Repaired]; in a well-formed call, a doubtful value has an issue,
	// [lexer.Doubtful]. Openers of other formats, or with other spellings, begin calls
	// too; these are malformed (wrong-opener) if they cannot be repaired. Strict
	// switches Salvage off. Other protocols have repairs of their own.
	Salvage bool

	// Reasoning reads <think>…</think> and similar tags in text as parts of their own,
	// in which no call is read. A close tag without its opener is text.
	Reasoning bool

	// InReasoning reads a message that begins inside reasoning, because the model's
	// template has opened it in the prompt: all is reasoning up to the first tag that
	// closes reasoning of any kind, in every format. A Parser from [NewParser] ignores
	// it; a Reader from [NewReader] does not.
	InReasoning bool

	// Code makes calls in Markdown code malformed (in-code): a model that explains
	// the format does not mean them. A fence at the very start of a message wraps the
	// whole answer, and is text.
	Code bool

	// WholeCalls leaves out the parts of a call before it is complete, StartPart and
	// InputPart. That saves a tenth of the time.
	WholeCalls bool

	// Mend may mend a malformed call. It gets the malformed segment, which it
	// must not keep, and returns the text of one call instead. That text is
	// read under the same options; if it is exactly one call, the call is
	// delivered in place of the malformed span and marked as mended; the offsets of its
	// issues are those of its own text. What [Parser] has handed out of the malformed
	// call's input is void then. Later calls are marked AfterMalformed all the same.
	Mend func(Segment) (call string, ok bool)

	// OnMalformed, if set, is called at the end of each malformed span that nothing has
	// mended; Err says why its call is dropped. It may keep the segment.
	OnMalformed func(Segment)

	// Logger, if set, gets malformed spans, mended calls and issues, at debug level.
	Logger *slog.Logger
}

// mend asks the hook for a call in place of the malformed one.
func (p *Parser) mend() Part {
	s := &p.seg
	text, ok := p.opts.Mend(s.Clone())
	if !ok {
		return MalformedPart
	}
	opts := p.opts
	opts.Mend, opts.OnMalformed, opts.Logger, opts.Salvage, opts.Reasoning, opts.Code = nil, nil, nil, false, false, false
	opts.AcceptAtEnd = false
	segs := opts.Text(text, p.catalog)
	if len(segs) != 1 || segs[0].Kind != Call || s.AfterMalformed && opts.StopAfterMalformed {
		return MalformedPart
	}
	mended := segs[0]
	s.Kind, s.Mended = Call, true
	s.Name, s.Issues = mended.Name, mended.Issues
	p.replace(mended.Input, 0)
	p.log("mended call", s)
	return CallPart
}

// replace makes input that of the call, of which the first n bytes were returned as
// final.
func (p *Parser) replace(input []byte, n int) {
	p.base = len(p.b.out)
	p.given = p.base + n
	p.b.out = append(p.b.out, input...)
	p.seg.Input = slices.Clip(p.b.out[p.base:])
	p.delta = p.seg.Input[n:]
}

// log logs s, unless it is a call that was not mended and has no issues.
func (p *Parser) log(what string, s *Segment) {
	if p.opts.Logger == nil || s.Kind == Call && len(s.Issues) == 0 && !s.Mended {
		return
	}
	attrs := []slog.Attr{slog.String("tool", s.Name), slog.Int("start", s.Start), slog.Int("end", s.End)}
	if s.Err != nil {
		attrs = append(attrs, slog.String("code", string(s.Err.Code)), slog.Int("at", s.Err.Offset))
	}
	for _, is := range s.Issues {
		attrs = append(attrs, slog.Group("issue", slog.String("code", string(is.Code)), slog.String("path", is.Path), slog.Int("at", is.At)))
	}
	p.opts.Logger.LogAttrs(context.Background(), slog.LevelDebug, what, attrs...)
}
