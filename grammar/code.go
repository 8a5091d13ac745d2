package grammar

// A Code names what is wrong with a call. Codes are part of the format: they
// are compared, never the words of a message.
type Code string

// The codes of malformed calls, with what the offset of each points at.
const (
	ExpectedName     Code = "expected-name"      // the { or [ after the opener
	BadName          Code = "bad-name"           // the byte after a name that may not follow it
	ExpectedKey      Code = "expected-key"       // the byte where a key must start
	ExpectedEquals   Code = "expected-equals"    // the byte after a key that is neither . nor =
	ExpectedSpace    Code = "expected-space"     // the byte after a value that is no whitespace
	ExpectedValue    Code = "expected-value"     // the byte where a value must start
	ExpectedComma    Code = "expected-comma"     // the byte where a comma or the closing bracket must be
	ExpectedColon    Code = "expected-colon"     // the byte where a colon must be
	ExpectedClose    Code = "expected-close"     // the byte after a JSON body that is no whitespace
	NestedCall       Code = "nested-call"        // the opener inside a bare value
	InvalidUTF8      Code = "invalid-utf8"       // the byte that makes its sequence ill-formed
	UnterminatedCall Code = "unterminated-call"  // the end of the input
	UnknownTool      Code = "unknown-tool"       // the name
	DuplicateKey     Code = "duplicate-key"      // the later path, or the later key
	PathConflict     Code = "path-conflict"      // the later path
	CallTooLong      Code = "call-too-long"      // the first byte beyond the limit
	NameTooLong      Code = "name-too-long"      // the first byte beyond the limit
	TooDeep          Code = "too-deep"           // the . [ or { that opens a level too many
	TooManyArguments Code = "too-many-arguments" // the first path or key too many
	AfterMalformed   Code = "after-malformed"    // the opener of the call
)

// The codes of issues: the call stands, and its reader should know.
const (
	AmbiguousEscape Code = "ambiguous-escape" // the string
	OpenQuote       Code = "open-quote"       // the bare value
)
