package grammar

// Read divides a text into prose, calls and malformed calls.
func (g *Grammar) Read(text []byte, options Options) []Segment {
	limits := options.Limits.OrDefault()
	tags := newTagIndex(string(text), g.delims, limits.Bytes)
	r := &reader{grammar: g, options: options, limits: limits, text: tags.text, tags: tags}
	r.read()
	return r.segments
}

// A reader holds the state of one Read.
type reader struct {
	grammar  *Grammar
	options  Options
	limits   Limits
	text     string
	tags     *tagIndex
	wrong    bool // a segment so far was malformed or suspicious
	segments []Segment
}

func (r *reader) read() {
	for pos := 0; pos < len(r.text); {
		start := r.tags.nextCall(pos)
		if start > pos {
			r.segments = append(r.segments, Segment{Kind: TextSegment, Start: pos, End: start})
		}
		if start == len(r.text) {
			return
		}
		segment := r.readCall(start)
		r.segments = append(r.segments, segment)
		pos = segment.End
	}
}

// readCall reads the call at start. Limits, ill-formed UTF-8 and syntax errors stop
// reading, and damage begins there. Faults of content do not: those before the end
// of reading count.
//
// Rule: recovery.read-on
func (r *reader) readCall(start int) Segment {
	tokens, limit := r.scan(start)
	call, syntax := r.parse(tokens, limit != nil)
	stop := first(limit, syntax)
	stop = first(limit, r.checkUTF8(start, tokens, stop), syntax)

	if stop == nil {
		s := Segment{Kind: CallSegment, Start: start, End: call.Span().End, Call: call}
		s.Closed = call.Close.Value != ""
		return r.judge(s, r.check(tokens, s.End+1))
	}
	s := Segment{Kind: MalformedSegment, Start: start}
	s.End, s.Closed = r.skip(tokens, stop)
	if said := r.check(tokens, stop.at); said != nil {
		stop = said
	}
	return r.judge(s, stop)
}

// judge sets the fault of the segment, if any, taking earlier segments into account.
//
// Rule: recovery.mark
func (r *reader) judge(s Segment, f *fault) Segment {
	if f == nil && r.wrong && r.options.StopAfterMalformed {
		f = &fault{AfterMalformed, s.Start}
	}
	if f != nil {
		s.Kind, s.Code, s.At, s.Call = MalformedSegment, f.code, f.at, nil
		r.wrong = true
		return s
	}
	s.AfterMalformed = r.wrong
	r.wrong = r.wrong || s.Call.has(OpenQuote)
	return s
}

// scan reads the tokens of the call at start as far as the limits allow, and appends
// an end token. It returns the limit that it exceeds, if any.
func (r *reader) scan(start int) (tokens []placed, limit *fault) {
	s := newScanner(r.tags, start)
	s.closeAtEnd = r.options.AcceptAtEnd
	bound := len(r.text)
	if r.limits.Bytes < bound-start {
		bound = start + r.limits.Bytes
	}
	depth, closed := 0, false
	for limit == nil {
		t := s.next()
		if t.start() >= bound && bound < len(r.text) && !closed {
			limit = &fault{CallTooLong, bound}
			break
		}
		tokens = append(tokens, t)
		if t.Type == symEnd {
			return tokens, nil
		}
		closed = t.Type == symClose
		depth = t.depth(depth)
		switch {
		case t.Type == symName && len(t.Value) > r.limits.Name:
			limit = &fault{NameTooLong, t.start() + r.limits.Name}
		case depth > r.limits.Depth:
			limit = &fault{TooDeep, t.start()}
		}
		if t.end() > bound {
			limit = first(&fault{CallTooLong, bound}, limit)
		}
	}
	end := placed{state: s.state}
	end.Type, end.Pos.Offset = symEnd, limit.at
	return append(tokens, end), limit
}

// parse parses the tokens. If they end at a limit, their end is not a syntax error.
func (r *reader) parse(tokens []placed, limited bool) (*Call, *fault) {
	call, i := r.grammar.parse(tokens)
	switch {
	case call != nil:
		return call, nil
	case limited && i == len(tokens)-1:
		return nil, nil
	case tokens[i].endsText():
		return nil, &fault{UnterminatedCall, len(r.text)}
	}
	return nil, &fault{tokens[i].code(), tokens[i].start()}
}

// checkUTF8 checks the call up to and including the byte at which reading stops.
//
// Rule: value.utf8
func (r *reader) checkUTF8(start int, tokens []placed, stop *fault) *fault {
	end := tokens[len(tokens)-1].start()
	if stop != nil {
		end = min(stop.at+1, len(r.text))
	}
	at, incomplete := IllFormed(r.text[start:end])
	switch at += start; {
	case incomplete && at == len(r.text):
		return &fault{UnterminatedCall, at}
	case at < end:
		return &fault{InvalidUTF8, at}
	}
	return nil
}

// skip returns the end of the damage that begins where the call stops. Damage does
// not begin inside an escape or a tag, but at its first byte.
func (r *reader) skip(tokens []placed, stop *fault) (end int, closed bool) {
	for i := range tokens {
		t := &tokens[i]
		if stop.at <= t.start() || t.end() <= stop.at {
			continue
		}
		switch t.Type {
		case symString, symUnclosed:
			unit := unitAt(t.Value, stop.at-t.start())
			return r.tags.skip(t.start()+unit, t.Value[0])
		case symClose:
			return r.tags.skip(t.start(), 0)
		}
	}
	return r.tags.skip(stop.at, 0)
}
