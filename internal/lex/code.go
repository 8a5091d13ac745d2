package lex

// Code identifies a fault. The codes here are those that a Lexer finds; package lexer describes
// them all.
type Code string

// The codes.
const (
	ExpectedName     Code = "expected-name"
	BadName          Code = "bad-name"
	ExpectedKey      Code = "expected-key"
	ExpectedEquals   Code = "expected-equals"
	ExpectedSpace    Code = "expected-space"
	ExpectedValue    Code = "expected-value"
	ExpectedComma    Code = "expected-comma"
	ExpectedColon    Code = "expected-colon"
	ExpectedClose    Code = "expected-close"
	NestedCall       Code = "nested-call"
	InvalidUTF8      Code = "invalid-utf8"
	Unterminated     Code = "unterminated-call"
	DuplicateKey     Code = "duplicate-key"
	CallTooLong      Code = "call-too-long"
	NameTooLong      Code = "name-too-long"
	TooDeep          Code = "too-deep"
	TooManyArguments Code = "too-many-arguments"
	WrongOpener      Code = "wrong-opener"
	InCode           Code = "in-code"
	InReasoning      Code = "in-reasoning"
	InvalidJSON      Code = "invalid-json"
	NotAnObject      Code = "not-an-object"
)

// Limits are those of package lexer. All are positive.
type Limits struct {
	Bytes     int
	Depth     int
	Arguments int
	Name      int
}
