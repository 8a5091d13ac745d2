package grammar

// A Code identifies an error or issue of a call. Codes are part of the format:
// programs compare them, never the text of a message.
type Code string

// The codes of malformed calls, each with what its offset points at.
const (
	ExpectedName     Code = "expected-name"      // the { or [ after the opener
	BadName          Code = "bad-name"           // the byte that may not follow a name
	ExpectedKey      Code = "expected-key"       // the byte where a key must start
	ExpectedEquals   Code = "expected-equals"    // the byte after a key that is neither . nor =
	ExpectedSpace    Code = "expected-space"     // the byte after a value that is not whitespace
	ExpectedValue    Code = "expected-value"     // the byte where a value must start
	ExpectedComma    Code = "expected-comma"     // where a comma or closing bracket must be
	ExpectedColon    Code = "expected-colon"     // the byte where a colon must be
	ExpectedClose    Code = "expected-close"     // the byte after a JSON body that isn't whitespace
	NestedCall       Code = "nested-call"        // the opener inside a bare value
	InvalidUTF8      Code = "invalid-utf8"       // the byte that makes its sequence ill-formed
	UnterminatedCall Code = "unterminated-call"  // the end of the input
	UnknownTool      Code = "unknown-tool"       // the name
	DuplicateKey     Code = "duplicate-key"      // the later path, or the later key
	PathConflict     Code = "path-conflict"      // the later path
	CallTooLong      Code = "call-too-long"      // the first byte beyond the limit
	NameTooLong      Code = "name-too-long"      // the first byte beyond the limit
	TooDeep          Code = "too-deep"           // the . [ or { that opens a level over the limit
	TooManyArguments Code = "too-many-arguments" // the first path or key over the limit
	AfterMalformed   Code = "after-malformed"    // the opener of the call
)

// The codes of issues, which do not make a call malformed.
const (
	AmbiguousEscape Code = "ambiguous-escape" // the string
	OpenQuote       Code = "open-quote"       // the bare value
)
