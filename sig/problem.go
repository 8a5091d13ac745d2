package sig

import "fmt"

// Problem is an oddity in a tool or its schema, with how it was read anyway.
type Problem struct {
	Tool    string // name of the tool; empty if it has none
	Path    string // JSON pointer into its schema; empty for the schema or the tool as a whole
	Code    string // one of the codes below
	Message string // for people: what was found and how it was read
}

// The codes of problems with tools.
const (
	InvalidTool   = "invalid-tool"   // not a JSON object, or without a name: skipped
	DuplicateTool = "duplicate-tool" // a name that an earlier tool has: skipped
	BadName       = "bad-name"       // a name that no call can have
	MissingSchema = "missing-schema" // no schema, or an empty one: the arguments are untyped
	BadExample    = "bad-example"    // an example of arguments that does not fit the schema
	NotAnObject   = "not-an-object"  // the schema does not allow objects: the arguments are untyped
)

// The codes of problems with schemas.
const (
	RepeatedKey        = "repeated-key"        // a key twice in one object: the last value counts
	InvalidSchema      = "invalid-schema"      // not JSON, an object or a boolean: untyped
	InvalidKeyword     = "invalid-keyword"     // a keyword with a value of the wrong kind: ignored
	UnsupportedKeyword = "unsupported-keyword" // a keyword that affects types and is not supported
	ImpliedType        = "implied-type"        // no type, but keywords of one: that type
	MisspeltType       = "misspelt-type"       // a type by another name: read as meant
	UnknownType        = "unknown-type"        // not a type of JSON Schema: any type
	EnumConflict       = "enum-conflict"       // type, enum and const that do not fit together
	Contradiction      = "contradiction"       // no value is allowed
	UndeclaredRequired = "undeclared-required" // required, not declared: declared and untyped
	MisplacedRequired  = "misplaced-required"  // required in the property itself: read as meant
	BadPattern         = "bad-pattern"         // a pattern that cannot be run: matches every key
	UnresolvedRef      = "unresolved-ref"      // a reference without a target: untyped
	MisdirectedRef     = "misdirected-ref"     // no target, but a definition: read as meant
	RefLoop            = "ref-loop"            // a schema within itself: it adds nothing there
	TooComplex         = "too-complex"         // beyond the bounds of compilation: untyped there
	TooManyProblems    = "too-many-problems"   // further problems of this tool are not reported
)

// maxProblems bounds the problems reported for one tool.
const maxProblems = 100

// report adds a problem of the tool at v, a value of its schema or nil for the
// tool as a whole.
func (c *compiler) report(v *value, code, format string, args ...any) {
	if c.reported++; c.reported > maxProblems+1 {
		return
	}
	p := Problem{Tool: c.tool.Name, Code: code}
	if c.reported > maxProblems {
		p.Code = TooManyProblems
		p.Message = fmt.Sprintf("more than %d problems: the others are not reported", maxProblems)
	} else {
		p.Path, p.Message = v.pointer(c.root), fmt.Sprintf(format, args...)
	}
	c.problems = append(c.problems, p)
}
