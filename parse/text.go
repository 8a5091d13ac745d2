package parse

import "github.com/callwire/callwire/sig"

// Text returns the segments of a whole message, read under default options. A
// nil catalog leaves everything untyped. The work is linear in the message.
func Text(text string, catalog *sig.Catalog) []Segment {
	return Options{}.Text(text, catalog)
}

// Text is the function Text under options o. Tags that are not legal (see
// [lexer.Delims.Validate]) occur in no text: all of it is one segment then.
func (o Options) Text(text string, catalog *sig.Catalog) []Segment {
	o.WholeCalls = true
	p, _ := NewReader(catalog, o)
	var segs []Segment
	read := func() {
		for {
			switch part := p.Next(); part {
			case NoPart:
				return
			case TextPart:
				segs = appendProse(segs, p.Delta())
			case ReasoningStartPart:
				segs = append(segs, Segment{Kind: Reasoning, Start: end(segs), End: end(segs) + len(p.Delta())})
			case ReasoningPart, ReasoningEndPart:
				last := &segs[len(segs)-1]
				last.End += len(p.Delta())
				if part == ReasoningPart {
					last.Text = append(last.Text, p.Delta()...)
				}
			case CallPart, MalformedPart:
				s := *p.Segment()
				if s.Kind == Call {
					s.Text = []byte(text[s.Start:s.End])
				}
				segs = append(segs, s.Clone())
			}
		}
	}
	p.Feed([]byte(text))
	read()
	p.Close()
	read()
	Release(p)
	return segs
}

// appendProse appends a piece of prose that follows the last segment.
func appendProse(segs []Segment, text []byte) []Segment {
	if n := len(segs); n > 0 && segs[n-1].Kind == Prose {
		last := &segs[n-1]
		last.Text = append(last.Text, text...)
		last.End += len(text)
		return segs
	}
	start := end(segs)
	return append(segs, Segment{Kind: Prose, Start: start, End: start + len(text), Text: append([]byte(nil), text...)})
}

// end returns where the last segment ends.
func end(segs []Segment) int {
	if len(segs) == 0 {
		return 0
	}
	return segs[len(segs)-1].End
}
