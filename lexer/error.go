package lexer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Code identifies a kind of fault or issue. Codes are stable.
type Code string

// Faults of syntax. Reading goes on after the damage.
const (
	ExpectedName   Code = "expected-name"
	BadName        Code = "bad-name"
	ExpectedKey    Code = "expected-key"
	ExpectedEquals Code = "expected-equals"
	ExpectedSpace  Code = "expected-space"
	ExpectedValue  Code = "expected-value"
	ExpectedComma  Code = "expected-comma"
	ExpectedColon  Code = "expected-colon"
	ExpectedClose  Code = "expected-close"
	NestedCall     Code = "nested-call"
	InvalidUTF8    Code = "invalid-utf8"
	Unterminated   Code = "unterminated-call"
)

// Faults of meaning. They do not change where a call ends.
const (
	UnknownTool    Code = "unknown-tool"
	DuplicateKey   Code = "duplicate-key"
	PathConflict   Code = "path-conflict"
	AfterMalformed Code = "after-malformed"
)

// Exceeded limits. See [Limits].
const (
	CallTooLong      Code = "call-too-long"
	NameTooLong      Code = "name-too-long"
	TooDeep          Code = "too-deep"
	TooManyArguments Code = "too-many-arguments"
)

// Issues: how a delivered call differs from its schema. They are faults only under the
// strict option.
const (
	TypeMismatch    Code = "type-mismatch"
	NotInEnum       Code = "not-in-enum"
	Coerced         Code = "coerced"
	AmbiguousEscape Code = "ambiguous-escape"
	OpenQuote       Code = "open-quote"
	UnknownArgument Code = "unknown-argument"
	MissingArgument Code = "missing-argument"
	AmbiguousText   Code = "ambiguous-text" // other formats: a value without quotes contains tags
)

// Faults that only an option of [Config] finds.
const (
	WrongOpener Code = "wrong-opener"
	InCode      Code = "in-code"
	InReasoning Code = "in-reasoning" // a call in reasoning that never closes
)

// What repairs note.
const (
	Repaired Code = "repaired" // an issue: its path is the name of the repair
	Doubtful Code = "doubtful" // an issue: the value looks like a mistake, and is as written
)

// Refusals of the writer, which shares some codes above.
const (
	InvalidJSON       Code = "invalid-json"
	InvalidYAML       Code = "invalid-yaml" // other formats
	NotAnObject       Code = "not-an-object"
	UnpairedSurrogate Code = "unpaired-surrogate"
	UnwritableValue   Code = "unwritable-value" // other formats: the value wouldn't read back
)

// CodeInfo is one row of the table of codes.
type CodeInfo struct {
	Code     Code
	At       string // what the offset points at
	Expected string // what was expected there
	Fix      string // how to write it correctly, in one imperative sentence
}

// Codes returns the table of all codes, in the order of the specification. The caller owns
// the slice.
func Codes() []CodeInfo {
	return []CodeInfo{
		{ExpectedName, "the { or [ after the opener", "the tool's name", "write the name first: <call>name key=value</call>, or <call>name {…}</call> for JSON"},
		{BadName, "the first byte after the name that isn't a name byte, whitespace, { or the closing tag", "a space, { or the close tag after the name", "write a space after the name, without parentheses or commas: <call>name key=value</call>"},
		{ExpectedKey, "the byte where a key or path segment must start", "a key", "write each argument as key=value, separated by spaces"},
		{ExpectedEquals, "the first byte after a key that isn't a key byte, . or =", "= after the key", "write key=value without spaces around the =, and quote values that hold spaces"},
		{ExpectedSpace, "the first byte after a quoted, array or object value that isn't whitespace or the closing tag", "a space or the close tag after the value", "separate arguments by a space; inside a quoted string write the quote as \\\""},
		{ExpectedValue, "the byte where a value must start", "a value", "write a value between the commas, or leave the comma out"},
		{ExpectedComma, "the byte where a comma or the closing bracket must be", "a comma or the closing bracket", "separate the items by commas and close each bracket"},
		{ExpectedColon, "the byte where a colon must be", "a colon after the key", "write members as \"key\": value"},
		{ExpectedClose, "the byte after a JSON body that isn't whitespace or the closing tag", "the close tag after the JSON body", "write one JSON object after the name and nothing else"},
		{NestedCall, "the < of the inner opener", "the close tag before the next call", "close a call before the next one begins, and quote a value that holds a tag"},
		{InvalidUTF8, "the first byte that makes the sequence ill-formed", "valid UTF-8", "send the call as UTF-8"},
		{Unterminated, "the length of the input", "the close tag", "write the call again, whole, and end it with the close tag"},
		{UnknownTool, "the first byte of the name", "the name of a known tool", "use one of the tools that are listed, spelled as listed"},
		{DuplicateKey, "the first byte of the later path or key", "a key that is not there yet", "write each key once; for several values use an array: key=[a,b]"},
		{PathConflict, "the first byte of the later path", "a path that fits the ones before it", "give a key either a value or members (key.member=value), not both"},
		{CallTooLong, "start of the call + N", "the end of the call within the limit on its bytes", "send less in one call"},
		{NameTooLong, "start of the name + N", "the end of the name within its limit", "use one of the tools that are listed"},
		{TooDeep, "the . or [ or { that opens level N+1", "less nesting", "send flatter arguments"},
		{TooManyArguments, "the first byte of path or key N+1", "fewer arguments", "send fewer arguments in one call"},
		{AfterMalformed, "the < of the call", "no malformed call before this one", "write it again, after the calls before it that were not executed"},
		{TypeMismatch, "the first byte of the value", "a value of the type that the schema names", "write the value in the declared type"},
		{NotInEnum, "the first byte of the value", "one of the listed values", "choose one of the values that the signature lists"},
		{Coerced, "the first byte of the value", "the value written in its own type", "write numbers, true and false bare, and arrays and objects without quotes"},
		{AmbiguousEscape, "the first byte of the value", "a string whose backslashes are all doubled or all escapes", "double every backslash that is meant literally"},
		{OpenQuote, "the first byte of the value", "both quotes around the value", "begin the value with the quote, directly after ="},
		{AmbiguousText, "the first byte of the text", "text without tags", "close each value before the next one begins"},
		{UnknownArgument, "the first byte of the path or key", "a declared argument", "use only arguments that the signature lists"},
		{MissingArgument, "the } of the object, or the closing tag", "all required arguments", "add the required argument"},
		{WrongOpener, "the first byte of the opener", "the tag of calls", "write calls in the tags of this format and in no others: <call>name key=value</call>"},
		{InCode, "the < of the call", "a call outside code", "write the call without backquotes or a fence, if it is to be made"},
		{InReasoning, "the < of the call", "a call after the reasoning", "end the reasoning first, then write the call"},
		{Repaired, "the first byte that is read differently", "a call written as the format has it", "write calls in this form: <call>name key=value</call>"},
		{Doubtful, "the first byte of the value", "one value", "separate arguments by spaces alone, or quote the value"},
		{UnwritableValue, "the first byte of the value", "a value that reads back", "write the call in a format that has quotes, or give the tool a schema that says string"},
		{InvalidJSON, "the first byte that JSON doesn't allow there", "one JSON object", "pass the arguments as RFC 8259 JSON"},
		{InvalidYAML, "the byte at which the text isn't YAML; the alias, or the node with the anchor or tag", "a YAML mapping", "write key: value lines, quote strings that hold special characters, and use no anchors, aliases or tags"},
		{NotAnObject, "the first byte of the value", "a JSON object", "pass the arguments as a JSON object"},
		{UnpairedSurrogate, "the backslash of the escape", "a pair of surrogate escapes", "pass strings that are valid Unicode"},
	}
}

// An Error is a fault with its position. It works with [errors.As].
type Error struct {
	Code   Code
	Offset int    // bytes from the beginning of the input
	Path   string // of the argument or property, if any
	Tool   string // the name of the tool, if known
	Found  string // the first bytes at Offset; empty at the end, and if a call is too long

	// What was expected, and how to write it correctly, if that isn't what the table of
	// codes has: other formats have their own.
	Expected, Fix string

	Closed bool // the span of the malformed call ends with a closing tag
}

// Error describes what was expected, what was found and where, and how to write it
// correctly. The text is for people and models; compare Code instead.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(" at byte ")
	b.WriteString(strconv.Itoa(e.Offset))
	if e.Tool != "" {
		b.WriteString(" in a call of ")
		b.WriteString(strconv.Quote(e.Tool))
	}
	if e.Path != "" {
		b.WriteString(", argument ")
		if quoted := strconv.Quote(e.Path); quoted == `"`+e.Path+`"` {
			b.WriteString(e.Path)
		} else {
			b.WriteString(quoted)
		}
	}
	for _, c := range Codes() {
		if c.Code != e.Code {
			continue
		}
		if e.Fix != "" {
			c.Expected, c.Fix = e.Expected, e.Fix
		}
		b.WriteString(": expected ")
		b.WriteString(c.Expected)
		b.WriteString(", found ")
		switch {
		case e.Found != "":
			b.WriteString(strconv.Quote(e.Found))
		case e.Code == CallTooLong: // bytes beyond the limit are not kept
			b.WriteString("more")
		default:
			b.WriteString("the end")
		}
		b.WriteString("; ")
		b.WriteString(c.Fix)
	}
	return b.String()
}

// Excerpt returns at most 12 bytes of b, in whole runes, for [Error.Found].
func Excerpt(b []byte) string {
	const most = 12
	if len(b) <= most {
		return string(b)
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(b[n]) {
		n--
	}
	return string(b[:n])
}
