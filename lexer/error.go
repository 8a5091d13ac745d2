package lexer

import (
	_ "embed"
	"slices"
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

//go:embed codes.txt
var codesText string

// codes are the paragraphs of codes.txt, each with the lines of one code.
var codes = func() (list []CodeInfo) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(codesText), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		list = append(list, CodeInfo{Code(lines[0]), lines[1], lines[2], lines[3]})
	}
	return list
}()

// Codes returns the table of all codes, in the order of the specification. The caller owns
// the slice.
func Codes() []CodeInfo { return slices.Clone(codes) }

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
	for _, c := range codes {
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
