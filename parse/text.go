package parse

import "github.com/callwire/callwire/sig"

// Text returns the segments of a whole message, read under default options. A
// nil catalogue leaves everything untyped. The work is linear in the message.
func Text(text string, catalog *sig.Catalog) []Segment {
	return Options{}.Text(text, catalog)
}

// Text is the function Text under options o. Tags that are not legal (see
// [lexer.Delims.Validate]) occur in no text: all of it is one segment then.
func (o Options) Text(text string, catalog *sig.Catalog) []Segment {
	p, _ := NewParser(catalog, o)
	p.Whole()
	var segs []Segment
	read := func() {
		for {
			switch part := p.Next(); part {
			case NoPart:
				return
			case TextPart:
				segs = appendProse(segs, p.Delta())
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
	return segs
}

// appendProse appends a piece of prose that follows the last segment.
func appendProse(segs []Segment, text []byte) []Segment {
	start := 0
	if n := len(segs); n > 0 {
		last := &segs[n-1]
		if last.Kind == Prose {
			last.Text = append(last.Text, text...)
			last.End += len(text)
			return segs
		}
		start = last.End
	}
	return append(segs, Segment{Kind: Prose, Start: start, End: start + len(text), Text: append([]byte(nil), text...)})
}
