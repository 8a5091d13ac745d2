package grammar

// A SegmentKind says what a part of a text is.
type SegmentKind string

// The kinds of segments.
const (
	TextSegment      SegmentKind = "text"
	CallSegment      SegmentKind = "tool-call"
	MalformedSegment SegmentKind = "malformed"
)

// A Segment is a part of a text. The segments of a text tile it; no two text
// segments are neighbours.
//
// Rule: framing.text
type Segment struct {
	Kind       SegmentKind
	Start, End int

	// Of a malformed segment: what is wrong, and where.
	Code Code
	At   int

	// Closed says that a close tag ends the segment.
	Closed bool

	// AfterMalformed says that the text went wrong before this call, which
	// is therefore what an injected call would look like.
	AfterMalformed bool

	// Call is the syntax tree of a call.
	Call *Call
}
