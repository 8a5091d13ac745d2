package render

import "github.com/callwire/callwire/parse"

// sink takes the parts of a text, in order and without gap. It must not keep
// what it is given.
type sink interface {
	source(chunk []byte)                   // the next chunk of the text itself, before its parts
	prose(piece []byte)                    // a piece of text outside calls
	thought(part parse.Part, piece []byte) // a piece of reasoning, or one of its tags
	begin()                                // a call begins: the prose before it is complete
	segment(segment *parse.Segment)        // a call or a malformed span
	end(seen Tally)                        // the text has ended
}

// parts is the intake of parse: it gives the parts of a text to a sink.
type parts struct {
	parser parse.Reader
	to     sink
	seen   Tally
}

func (p *parts) feed(chunk []byte) {
	p.to.source(chunk)
	p.parser.Feed(chunk)
	p.drain()
}

func (p *parts) close() Tally {
	p.parser.Close()
	p.drain()
	p.to.end(p.seen)
	return p.seen
}

// drain hands over everything that the parser has read.
func (p *parts) drain() {
	for {
		switch part := p.parser.Next(); part {
		case parse.NoPart:
			return
		case parse.TextPart:
			p.to.prose(p.parser.Delta())
		case parse.ReasoningStartPart, parse.ReasoningPart, parse.ReasoningEndPart:
			p.to.thought(part, p.parser.Delta())
		case parse.StartPart:
			p.to.begin()
		case parse.CallPart:
			p.seen.Calls++
			p.seen.Issues += len(p.parser.Segment().Issues)
			p.to.segment(p.parser.Segment())
		case parse.MalformedPart:
			p.seen.Malformed++
			p.to.segment(p.parser.Segment())
		}
	}
}
