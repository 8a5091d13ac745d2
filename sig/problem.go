package sig

import (
	"fmt"
	"slices"
)

// Problem is an oddity in a tool or its schema, with how it was read anyway.
//
// The codes of problems with tools are invalid-tool, duplicate-tool, bad-name,
// missing-schema, bad-example and not-an-object; those with schemas are repeated-key,
// invalid-schema, invalid-keyword, unsupported-keyword, implied-type, misspelt-type,
// unknown-type, enum-conflict, contradiction, undeclared-required, misplaced-required,
// bad-pattern, unresolved-ref, misdirected-ref, ref-loop, too-complex and
// too-many-problems.
type Problem struct {
	Tool    string // name of the tool; empty if it has none
	Path    string // JSON pointer into its schema; empty for the schema or the tool as a whole
	Code    string
	Message string // for people: what was found and how it was read
}

// The codes of problems with tools.
const (
	invalidTool   = "invalid-tool"   // not a JSON object, or without a name: skipped
	duplicateTool = "duplicate-tool" // a name that an earlier tool has: skipped
	badName       = "bad-name"       // a name that no call can have
	missingSchema = "missing-schema" // no schema, or an empty one: the arguments are untyped
	badExample    = "bad-example"    // an example of arguments that does not fit the schema
	notAnObject   = "not-an-object"  // the schema does not allow objects: the arguments are untyped
)

// The codes of problems with schemas.
const (
	repeatedKey        = "repeated-key"        // a key twice in one object: the last value counts
	invalidSchema      = "invalid-schema"      // not JSON, an object or a boolean: untyped
	invalidKeyword     = "invalid-keyword"     // a keyword with a value of the wrong kind: ignored
	unsupportedKeyword = "unsupported-keyword" // a keyword that affects types and is not supported
	impliedType        = "implied-type"        // no type, but keywords of one: that type
	misspeltType       = "misspelt-type"       // a type by another name: read as meant
	unknownType        = "unknown-type"        // not a type of JSON Schema: any type
	enumConflict       = "enum-conflict"       // type, enum and const that do not fit together
	contradiction      = "contradiction"       // no value is allowed
	undeclaredRequired = "undeclared-required" // required, not declared: declared and untyped
	misplacedRequired  = "misplaced-required"  // required in the property itself: read as meant
	badPattern         = "bad-pattern"         // a pattern that cannot be run: matches every key
	unresolvedRef      = "unresolved-ref"      // a reference without a target: untyped
	misdirectedRef     = "misdirected-ref"     // no target, but a definition: read as meant
	refLoop            = "ref-loop"            // a schema within itself: it adds nothing there
	tooComplex         = "too-complex"         // beyond the bounds of compilation: untyped there
	tooManyProblems    = "too-many-problems"   // further problems of this tool are not reported
)

// maxProblems bounds the problems reported for one tool.
const maxProblems = 100

// report adds a problem of the tool at v, a value of its schema or nil for the
// tool as a whole. The same problem is added once.
func (c *compiler) report(v *value, code, format string, args ...any) {
	if len(c.problems) > maxProblems {
		return
	}
	p := Problem{c.tool.Name, v.pointer(c.root), code, fmt.Sprintf(format, args...)}
	switch {
	case slices.Contains(c.problems, p):
		return
	case len(c.problems) == maxProblems:
		p = Problem{Tool: p.Tool, Code: tooManyProblems,
			Message: fmt.Sprintf("more than %d problems: the others are not reported", maxProblems)}
	}
	c.problems = append(c.problems, p)
}
