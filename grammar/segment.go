package grammar

// A SegmentKind is the kind of a segment.
type SegmentKind string

// The kinds of segments.
const (
	TextSegment      SegmentKind = "text"
	CallSegment      SegmentKind = "tool-call"
	MalformedSegment SegmentKind = "malformed"
)

// A Segment is a part of a text. The segments of a text tile it; no two text
// segments are adjacent.
//
// Rule: framing.text
type Segment struct {
	Kind       SegmentKind
	Start, End int

	// The error of a malformed segment and its offset.
	Code Code
	At   int

	// Closed reports whether a closing tag ends the segment.
	Closed bool

	// AfterMalformed marks a call after a malformed or suspicious one, since an
	// injected call would look like that.
	AfterMalformed bool

	// The name, the arguments as one JSON object read without a schema, and the issues
	// of a call.
	Name, Input string
	Issues      []Issue

	// Call is the syntax tree of a call in the wire format.
	Call *Call
}
