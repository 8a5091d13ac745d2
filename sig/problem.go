package sig

import "fmt"

// Problem tells what was dirty in a tool or its schema and how it was read all
// the same.
type Problem struct {
	Tool    string // name of the tool; empty where it has none
	Path    string // JSON pointer into its schema; empty for the schema or the tool as a whole
	Code    string // one of the codes below
	Message string // for people: what was found and how it was read
}

// The codes of problems with tools.
const (
	InvalidTool   = "invalid-tool"   // not a JSON object, or without a name: left out
	DuplicateTool = "duplicate-tool" // a name that an earlier tool has: left out
	BadName       = "bad-name"       // a name that no call can have
	MissingSchema = "missing-schema" // no schema, or an empty one: the arguments are untyped
	NotAnObject   = "not-an-object"  // the schema allows no object: the arguments are untyped
)

// The codes of problems with schemas.
const (
	RepeatedKey        = "repeated-key"        // a key twice in one object: the last stands
	InvalidSchema      = "invalid-schema"      // no JSON, or neither object nor boolean: untyped
	InvalidKeyword     = "invalid-keyword"     // a keyword with a value of the wrong kind: ignored
	UnsupportedKeyword = "unsupported-keyword" // a keyword that types depend on in ways not followed
	ImpliedType        = "implied-type"        // no type, but keywords of objects or arrays: of that type
	MisspeltType       = "misspelt-type"       // a type in another case or by another name: read as meant
	UnknownType        = "unknown-type"        // no type of JSON Schema: any type
	EnumConflict       = "enum-conflict"       // type, enum and const that do not fit together
	Contradiction      = "contradiction"       // no value is allowed
	UndeclaredRequired = "undeclared-required" // a required property that is not declared: declared, with nothing said about it
	MisplacedRequired  = "misplaced-required"  // required as a boolean in the property itself: read as meant
	BadPattern         = "bad-pattern"         // a pattern that Go cannot compile, or that takes too long: every key matches
	UnresolvedRef      = "unresolved-ref"      // a reference that leads nowhere: untyped
	MisdirectedRef     = "misdirected-ref"     // a reference that leads nowhere, but names a definition: read as meant
	RefLoop            = "ref-loop"            // a schema within itself: says nothing there (D31)
	TooComplex         = "too-complex"         // beyond the bounds of compilation: untyped from there on
	TooManyProblems    = "too-many-problems"   // of this tool no more problems are told
)

// maxProblems is how many problems are told of one tool.
const maxProblems = 100

// report notes a problem of the tool in hand at v, which is a value of its
// schema or nil for the tool as a whole.
func (c *compiler) report(v *value, code, format string, args ...any) {
	if c.told++; c.told > maxProblems+1 {
		return
	}
	p := Problem{Tool: c.tool.Name, Code: code}
	if c.told > maxProblems {
		p.Code, p.Message = TooManyProblems, fmt.Sprintf("more than %d problems: the others are not told", maxProblems)
	} else {
		p.Path, p.Message = v.pointer(c.root), fmt.Sprintf(format, args...)
	}
	c.problems = append(c.problems, p)
}
