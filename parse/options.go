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
	// nil, and panics when it is used, as in any interface.
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

	// Salvage reads calls with the mistakes that models are known for, each under
	// a name (see [Repairs]), where nothing else can be meant. Such a call is
	// delivered with an issue, [lexer.Repaired]; of a well
	// formed one, doubtful values have an issue, [lexer.Doubtful]. And openers of
	// other formats, or with other spellings, begin calls, too, which are malformed
	// (wrong-opener) if they cannot be repaired. Strict switches it off. Other
	// protocols have repairs of their own.
	Salvage bool

	// Reasoning reads <think>…</think> and similar tags in text as parts of their own,
	// in which no call is read. A close tag without its opener is text.
	Reasoning bool

	// InReasoning reads a message as one that begins inside reasoning, because the
	// template of the model has opened it in the prompt: to the first tag that closes
	// reasoning of any kind, it is that, in all formats of calls. A Parser that
	// [NewParser] has made does not look at it; a Reader of [NewReader] does.
	InReasoning bool

	// Code makes calls in Markdown code malformed (in-code): a model that explains
	// the format does not mean them. A fence with which a message begins stands
	// around what is said, and is text.
	Code bool

	// WholeCalls leaves out what is said of a call before it is complete, StartPart and
	// InputPart, which saves a tenth of the time.
	WholeCalls bool

	// Mend may mend a malformed call. It gets the malformed segment, which it
	// must not keep, and returns the text of one call instead. That text is
	// read under the same options; if it is exactly one call, the call is
	// delivered in the place of the malformed span and marked as mended; the
	// offsets of its issues are those of its own text. What [Parser] has handed
	// out of the malformed call's input is void then. Later calls are marked
	// AfterMalformed all the same.
	Mend func(Segment) (call string, ok bool)

	// OnMalformed, if set, is called for each malformed span that nothing has mended,
	// when it has ended; Err says why its call is dropped. It may keep the segment.
	OnMalformed func(Segment)

	// Logger, if set, gets malformed spans, mended calls and issues, at debug level.
	Logger *slog.Logger
}

// mend asks the hook for a call in the place of the malformed one.
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

// log logs s, unless it is a call as it should be.
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
