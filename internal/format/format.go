// Package format describes how calls are written, as data:
//
//	f := format.Lookup("hermes")
//	fmt.Println(f.Call.Open, f.Call.Close) // <tool_call> </tool_call>
//
// A [Format] is a row of one table. It drives the lexer and the writers, the grammars for engines,
// and the neutralizing of tags in untrusted text. A new format that fits an existing [Body] is a
// new row of the table.
package format

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Format describes how calls are written. To describe another format, copy one and change its
// fields. A Format that is in use must not change.
type Format struct {
	Name string
	Body Body

	// Call is around one call. It is empty if the tags of a call are named after its tool, as
	// with Elements and Block.
	Call Tags

	// Section is around one or more calls; empty if there is none. Its tags are markup,
	// neither text nor part of a call. A call needs no section.
	Section Tags

	// NameKeys and ArgumentKeys are the members of an Envelope that contain the name and the
	// arguments, and IDKeys those that may contain an ID, which counts only before the name. The
	// first of each is written, all of them are read. Without NameKeys, the name is in Function,
	// and the object is the arguments.
	NameKeys, ArgumentKeys, IDKeys []string

	// Function is around the arguments and begins with the name; Parameter is around one
	// argument and begins with its key. An Envelope without NameKeys uses Function alone.
	Function, Parameter Marks

	NameIsID bool // the name is written as an ID, functions.NAME:INDEX
	Lines    bool // a tagged value is between line ends, which are not part of it
	Python   bool // True, False and None are values, as the templates of some models print them

	Codec Codec // of a Block

	// Also are formats that are read besides this one, in any order; they have no Also. Calls are
	// written, and tools and results shown, in this one. See [Any].
	Also []*Format

	Layout    Layout
	Reasoning []Region // regions of reasoning that models of this format write
	Prompt    Prompt
}

// ArgumentKeys are the members in which models write the arguments of an envelope, in any format.
var ArgumentKeys = []string{
	"arguments", "args", "parameters", "params", "input", "tool_input", "kwargs",
}

// Tags are the two ends of a span.
type Tags struct{ Open, Close string }

// Marks enclose text that begins with a word: Open, the word, End, Value, the text, Close.
// Whitespace may come between End and Value, and Value is often empty:
//
//	<parameter=KEY>TEXT</parameter>                           Open, End, Close
//	<arg_key>KEY</arg_key> <arg_value>TEXT</arg_value>        Open, End, Value, Close
//
// A word contains no whitespace, no control character, no < or >, and not the first byte of
// End. Marks of a function may have no Open: the word then follows the opener of the call. If
// they have no End, whitespace or a tag ends the word. If they have no Close, the closer of the
// call ends the function too.
type Marks struct{ Open, End, Value, Close string }

// Body is how the name and the arguments of a call are written.
type Body uint8

// The kinds of body.
const (
	Arguments  Body = iota // name key=value: the wire format
	Envelope               // a JSON object
	Parameters             // tagged values, without quotes or escapes
	Elements               // nested XML elements, in one named after the tool
	Block                  // text that a Codec reads, in an element named after the tool
)

// Layout is the whitespace that a written call contains. A reader accepts any whitespace, or
// none, in its places.
type Layout struct {
	Lead string // after the opener
	Line string // after the name, after each argument, and after the function
	Join string // between two calls
}

// ToolTags reports whether the tags of a call are named after its tool, so that a catalog is
// needed to find calls.
func (f *Format) ToolTags() bool { return f.Body == Elements || f.Body == Block }

// NeedsTools reports whether f or a format that is read besides it has ToolTags.
func (f *Format) NeedsTools() bool { return slices.ContainsFunc(f.Set(), (*Format).ToolTags) }

// Any returns first with others that are read too. A call belongs to the format whose tags it has.
// If formats share an opener, the body decides; if it cannot, Validate refuses the set. Until the
// call ends, the others are ignored. A nil format means the wire format.
func Any(first *Format, others ...*Format) *Format {
	f := *first.alone()
	if first != nil {
		others = slices.Concat(first.Also, others)
	}
	f.Also = nil
	for _, o := range others {
		f.Also = append(f.Also, o.alone())
		if o != nil {
			f.Also = append(f.Also, o.Also...)
		}
	}
	for _, o := range f.Also {
		f.Name += "," + o.String()
	}
	return &f
}

// alone returns f without the formats that are read besides it.
func (f *Format) alone() *Format {
	switch {
	case f == nil:
		return Wire
	case len(f.Also) == 0:
		return f
	}
	own := *f
	own.Also = nil
	own.Name, _, _ = strings.Cut(f.Name, ",")
	return &own
}

// Set returns f and the formats that are read besides it, each once and in an order that does not
// depend on theirs.
func (f *Format) Set() []*Format {
	if len(f.Also) == 0 {
		return []*Format{f}
	}
	set := []*Format{f.alone()}
	for _, o := range f.Also {
		same := func(m *Format) bool { return reflect.DeepEqual(m, o) }
		if !slices.ContainsFunc(set, same) {
			set = append(set, o)
		}
	}
	slices.SortStableFunc(set, func(a, b *Format) int {
		return cmp.Or(
			cmp.Compare(a.Body, b.Body),
			cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Call.Open, b.Call.Open),
		)
	})
	return set
}

// Begin is what follows the opener of every call; "" if that is a name.
func (f *Format) Begin() string {
	switch {
	case f.Body == Parameters || f.Body == Envelope && len(f.NameKeys) == 0:
		return f.Function.Open
	case f.Body == Envelope:
		return "{"
	}
	return ""
}

// End is the tag that ends the arguments between marks: that of the function, or of the call.
func (f *Format) End() string {
	return cmp.Or(strings.TrimLeft(f.Function.Close, " \t\r\n"), f.Call.Close)
}

// Markup returns the tags that text from elsewhere must not contain: those around sections,
// calls and results, and that of a function. Formats with ToolTags also need the tags of their
// tools.
func (f *Format) Markup() []string {
	var tags []string
	for _, tag := range []string{
		f.Section.Open, f.Section.Close, f.Call.Open, f.Call.Close, f.Function.Open,
		strings.TrimSpace(f.Prompt.Result.Open), strings.TrimSpace(f.Prompt.Result.Close),
	} {
		if len(tag) > 1 && !strings.Contains(tag, "{") {
			tags = append(tags, tag)
		}
	}
	return tags
}

// String returns the name.
func (f *Format) String() string {
	if f == nil {
		return Wire.Name
	}
	return f.Name
}

// Prompt is how a prompt shows tools and results. Tags and their order come from the template
// of the model; the sentences paraphrase it.
type Prompt struct {
	List List // how a tool is listed

	// Before and After are around the list; if both are empty, there is no list. In After,
	// {open} and {close} are the tags of a call, and {call} is a call.
	Before, After string

	// Result is around the answer of a tool, line ends included. In Open, {name} is the tool
	// and {id} the ID of the call.
	Result Tags
}

// List is how a tool is listed.
type List uint8

// The lists.
const (
	// JSONList is JSON:
	// {"type": "function", "function": {"name": …, "description": …, "parameters": …}}
	JSONList List = iota
	// XMLList is a <function> element that contains elements for the same.
	XMLList
)

// CallID returns the ID under which a format with IDs as names writes a call: id if it has that
// form, otherwise one with the number.
func CallID(id, name string, number int) string {
	prefix := "functions." + name + ":"
	index, ok := strings.CutPrefix(id, prefix)
	if ok && index != "" && strings.Trim(index, "0123456789") == "" {
		return id
	}
	return prefix + strconv.Itoa(number)
}

// A Codec reads and writes the arguments in a Block, which is laid out like YAML: it is in braces,
// or its first line has a key and a colon, and the end tag of a Block in quotes, or in lines that
// are indented deeper than their key, is text.
type Codec interface {
	// Decode pushes the arguments in text, which is everything between the tags of a call, to v.
	// It stops once v fails. If text is malformed, it returns the code of the first fault and its
	// offset in text.
	Decode(text []byte, v Values) (code string, at int)

	// Encode appends arguments, an object in compact JSON, as a block that ends with a line end.
	Encode(dst []byte, tool string, args []byte, s Style) []byte
}

// Values receives arguments.
//
//	arguments = Begin { Key value } End
//	value     = String | Scalar | Begin { Key value } End | Begin { value } End
//
// Offsets are those in the text of the Block. Byte slices are not kept.
type Values interface {
	// Begin begins an object or array.
	Begin(object bool, at int)

	// End ends the innermost object or array.
	End(at int)

	// Key begins a member of the innermost object.
	Key(name []byte, at int)

	// String is a value that was written as a string.
	String(text []byte, at int)

	// Scalar is a value that the schema types: text without quotes, and the JSON literal that it
	// means; "" if it isn't one.
	Scalar(text []byte, literal string, at int)

	// Failed reports whether the call cannot be delivered.
	Failed() bool
}

// Style is how a Codec writes.
type Style struct {
	Flat   bool            // objects in brackets, and all strings in quotes
	Hidden func(rune) bool // characters to write as escapes; nil means none

	// BeginsTag reports whether text begins with the tag of a tool; nil means it never does. A
	// Codec escapes the first byte of such text if it can, because the tag would begin a call if
	// the model damages that of its own.
	BeginsTag func(text []byte) bool
}

// Reasoning selects the text that is read as reasoning. Calls in reasoning are not read.
type Reasoning uint8

// What is reasoning.
const (
	NoReasoning      Reasoning = iota // nothing: tags around reasoning are text
	TaggedReasoning                   // what is between tags, those of any known format
	StartedReasoning                  // also what comes before the first closing tag
)

// Region is a region of reasoning: text in which calls are not read. Tags such as <think> are also
// read in another case, with whitespace before the >, and in the opener with attributes:
//
//	<Think fast effort="high">…</THINK >
//
// Other tags are read exactly as they are, because [think](url) is a link.
type Region struct {
	Tags
	First bool // the region counts only if it opens the message
}

// Tolerant reports whether the tags are read in other spellings.
func (r *Region) Tolerant() bool {
	name, ok := strings.CutPrefix(r.Open, "<")
	if !ok || !strings.HasSuffix(name, ">") || r.Close != "</"+name {
		return false
	}
	isOther := func(c rune) bool { return c != ':' && !unicode.IsLetter(c) }
	return strings.IndexFunc(name[:len(name)-1], isOther) < 0
}

// think is the region of most models.
var think = []Region{{Tags: Tags{"<think>", "</think>"}}}

// Regions are the known regions of reasoning of all formats.
var Regions = []Region{
	think[0],
	{Tags: Tags{"<thinking>", "</thinking>"}},
	{Tags: Tags{"<thought>", "</thought>"}},
	{Tags: Tags{"<reasoning>", "</reasoning>"}},
	{Tags: Tags{"<antThinking>", "</antThinking>"}},
	{Tags: Tags{"<seed:think>", "</seed:think>"}},
	{Tags: Tags{"[THINK]", "[/THINK]"}},
	{Tags: Tags{"◁think▷", "◁/think▷"}},
	{Tags: Tags{"<|START_THINKING|>", "<|END_THINKING|>"}},
	{Tags: Tags{"<|channel|>analysis<|message|>", "<|end|>"}},
	{Tags: Tags{"<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"}},
	{Tags: Tags{"<reflection>", "</reflection>"}, First: true},
	{Tags: Tags{"<scratchpad>", "</scratchpad>"}, First: true},
}
