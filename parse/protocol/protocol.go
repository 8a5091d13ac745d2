// Package protocol has the formats in which models write calls:
//
//	o := &parse.Options{Format: protocol.Hermes}
//	for e, err := range stream.Events(catalog, response.Body, o) { … }
//
// # Terminology
//
// The tags of a format are around a call; a section is around several calls. The body is what is
// between the tags: a name and arguments, in one of five kinds.
//
// # Your own format
//
// A [Format] is plain data. To describe another one, copy one and change its fields:
//
//	own := *protocol.Hermes
//	own.Name = "own"
//	own.Call = protocol.Tags{Open: "<invoke>", Close: "</invoke>"}
//	if err := own.Validate(); err != nil {
//		return err
//	}
//
// These fields describe what is read:
//
//	Name                              of the format
//	Body                              how name and arguments are written
//	Call, Section                     the tags around one call, and around several
//	NameKeys, ArgumentKeys, IDKeys    the members of an Envelope
//	Function, Parameter               the Marks around all arguments, and around one
//	NameIsID                          the name is written as functions.NAME:INDEX
//	Lines                             a tagged value is between line ends
//	Python                            True, False and None are values
//	Codec                             of a Block
//	Also                              formats that are read besides this one; see Any
//	Reasoning                         regions of reasoning that its models write
//
// Layout is the whitespace of written calls, and Prompt explains the format to a model.
//
// A format whose body no kind reads can be a [Block] with a [Codec], as the example shows. In a
// test, fuzz.CheckFormat checks every promise for a format.
//
// # Guarantees
//
// What package parse promises holds for every format. A call is written such that it reads
// back, or refused: formats without quotes cannot carry every value.
package protocol

import "github.com/callwire/callwire/internal/format"

// Format describes how calls are written; the package comment lists its fields and shows how to
// change them, and the example of [Codec] defines a format from nothing. Its method Validate
// reports why a Format cannot be read. A Format in use must not change.
type Format = format.Format

// Parts of a Format.
type (
	Tags   = format.Tags   // Open and Close, around a span
	Marks  = format.Marks  // Open, End, Value and Close, around a function or parameter
	Layout = format.Layout // Lead, Line and Join, the whitespace in written calls
	Prompt = format.Prompt // List, Before, After and Result: how it shows tools and results
	Region = format.Region // a region of reasoning: Tags, and First if it opens the message
	Body   = format.Body   // how name and arguments are written
	Codec  = format.Codec  // reads and writes the text of a Block: Decode and Encode
	Values = format.Values // receives what a Codec decodes: Begin, End, Key, String and Scalar
	Style  = format.Style  // how a Codec encodes: Flat, Hidden and BeginsTag
)

// Error is the error of tags or of a Format that cannot be used: the name of the Format, the Tag,
// and the Reason. Validate returns it, and so do all functions that take a Format or Tags.
type Error = format.Error

// The lists of a Prompt: the JSON definitions of the tools, or XML elements with the same content.
const (
	JSONList = format.JSONList
	XMLList  = format.XMLList
)

// The kinds of body.
const (
	Arguments  = format.Arguments  // name key=value: the wire format
	Envelope   = format.Envelope   // a JSON object
	Parameters = format.Parameters // tagged values, without quotes or escapes
	Elements   = format.Elements   // nested XML elements, in one named after the tool
	Block      = format.Block      // text that a Codec reads, in an element named after the tool
)

// The formats. Package yaml has another one.
var (
	Wire        = format.Wire        // <call>f k=v</call>
	Hermes      = format.Hermes      // {"name": "f", "arguments": {…}} in <tool_call>
	GemmaFence  = format.GemmaFence  // the same object in a Markdown fence
	Qwen3Coder  = format.Qwen3Coder  // <function=f> with <parameter=k>, in <tool_call>
	GLM45       = format.GLM45       // <arg_key>k</arg_key><arg_value>v</arg_value>
	KimiK2      = format.KimiK2      // functions.f:0 and a JSON object, in a section
	DeepSeekV31 = format.DeepSeekV31 // a name and a JSON object, in a section
	MorphXML    = format.MorphXML    // <f><k>v</k></f>
)

// All returns the formats of this package, the wire format first.
func All() []*Format { return format.All() }

// Lookup returns the format with that name, from this package or from more; nil if there is none.
func Lookup(name string, more ...*Format) *Format { return format.Lookup(name, more...) }

// Any returns first with others that are read too, in any order. A call belongs to the format whose
// opener it has; if several share one, the body decides; if it cannot, Validate refuses the set.
// Calls are written, and tools and results shown, as in first. A nil format means the wire format.
func Any(first *Format, others ...*Format) *Format { return format.Any(first, others...) }
