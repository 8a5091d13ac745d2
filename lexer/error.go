package lexer

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/lex"
)

// A Code identifies a kind of fault or issue. Codes are stable.
type Code = lex.Code

// Faults of syntax. Reading goes on after the damage.
const (
	ExpectedName   Code = lex.ExpectedName
	BadName        Code = lex.BadName
	ExpectedKey    Code = lex.ExpectedKey
	ExpectedEquals Code = lex.ExpectedEquals
	ExpectedSpace  Code = lex.ExpectedSpace
	ExpectedValue  Code = lex.ExpectedValue
	ExpectedComma  Code = lex.ExpectedComma
	ExpectedColon  Code = lex.ExpectedColon
	ExpectedClose  Code = lex.ExpectedClose
	NestedCall     Code = lex.NestedCall
	InvalidUTF8    Code = lex.InvalidUTF8
	Unterminated   Code = lex.Unterminated
)

// Faults of meaning. They do not change where a call ends.
const (
	UnknownTool    Code = "unknown-tool"
	DuplicateKey   Code = lex.DuplicateKey
	PathConflict   Code = "path-conflict"
	AfterMalformed Code = "after-malformed"
)

// Exceeded limits. See [Limits].
const (
	CallTooLong      Code = lex.CallTooLong
	NameTooLong      Code = lex.NameTooLong
	TooDeep          Code = lex.TooDeep
	TooManyArguments Code = lex.TooManyArguments
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

// Faults that only some options find.
const (
	WrongOpener Code = lex.WrongOpener
	InCode      Code = lex.InCode
	InReasoning Code = lex.InReasoning // a call in reasoning that never closes
)

// What repairs note.
const (
	Repaired Code = "repaired" // an issue: its path is the name of the repair
	Doubtful Code = "doubtful" // an issue: the value looks like a mistake, and is as written
)

// Refusals of the writer, which shares some codes above.
const (
	InvalidJSON       Code = lex.InvalidJSON
	InvalidYAML       Code = "invalid-yaml" // other formats
	NotAnObject       Code = lex.NotAnObject
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

// Advice returns what a call in a format should have had where it has the fault or issue with that
// code, and how to write it correctly. Both are empty for an unknown code.
func Advice(f *Format, code Code) (expected, fix string) {
	expected, fix = f.Hint(string(code))
	for _, c := range codes {
		if c.Code == code && fix == "" {
			return c.Expected, c.Fix
		}
	}
	return expected, fix
}

// An Error is a fault with its position. It works with [errors.As].
type Error struct {
	Code   Code
	Offset int    // bytes from the beginning of the input
	Path   string // of the argument or property, if any
	Tool   string // the name of the tool, if known

	// Found is the first bytes at Offset, with … after them if there are more. It is empty at the
	// end, and if a call is too long.
	Found string

	// What was expected, and how to write it correctly, if that isn't what the table of
	// codes has: other formats have their own.
	Expected, Fix string

	Closed bool // the span of the malformed call ends with a closing tag
}

// Error describes what was expected, what was found and where, and how to write it
// correctly. The text is for people and models; compare Code instead.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at byte %d", e.Code, e.Offset)
	if e.Tool != "" {
		fmt.Fprintf(&b, " in a call to %q", e.Tool)
	}
	if e.Path != "" {
		path := strconv.Quote(e.Path)
		if path == `"`+e.Path+`"` {
			path = e.Path
		}
		b.WriteString(", argument " + path)
	}
	n := slices.IndexFunc(codes, func(c CodeInfo) bool { return c.Code == e.Code })
	if n < 0 {
		return b.String()
	}
	expected, fix, found := codes[n].Expected, codes[n].Fix, "the end"
	if e.Fix != "" {
		expected, fix = e.Expected, e.Fix
	}
	switch {
	case e.Found != "":
		found = strconv.Quote(e.Found)
	case e.Code == CallTooLong: // bytes beyond the limit are not kept
		found = "more"
	}
	fmt.Fprintf(&b, ": expected %s, found %s; %s", expected, found, fix)
	return b.String()
}
