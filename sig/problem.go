package sig

import (
	"fmt"
	"slices"
)

// Problem is an oddity in a tool or its schema, with how it was read anyway. Its code is, for
// a tool:
//
//	invalid-tool         not a JSON object, or without a name: skipped
//	duplicate-tool       a name that an earlier tool has: skipped
//	bad-name             a name that no call can have
//	missing-schema       no schema, or an empty one: the arguments are untyped
//	bad-example          an example of arguments that does not fit the schema
//	not-an-object        the schema does not allow objects: the arguments are untyped
//
// and for a schema:
//
//	repeated-key         a key twice in one object: the last value counts
//	invalid-schema       not JSON, an object or a boolean: untyped
//	invalid-keyword      a keyword with a value of the wrong kind: ignored
//	unsupported-keyword  a keyword that affects types and is not supported
//	implied-type         no type, but keywords of one: that type
//	misspelt-type        a type by another name: read as meant
//	unknown-type         not a type of JSON Schema: any type
//	enum-conflict        type, enum and const that do not fit together
//	contradiction        no value is allowed
//	undeclared-required  required, not declared: declared and untyped
//	misplaced-required   required in the property itself: read as meant
//	bad-pattern          a pattern that cannot be run: matches every key
//	unresolved-ref       a reference without a target: untyped
//	misdirected-ref      no target, but a definition: read as meant
//	ref-loop             a schema within itself: it adds nothing there
//	too-complex          beyond the bounds of compilation: untyped there
//	too-many-problems    further problems of this tool are not reported
type Problem struct {
	Tool string `json:"tool,omitempty"` // its name; empty if it has none

	// Path is a JSON pointer into the schema; empty for the schema or the tool as a whole.
	Path string `json:"path,omitempty"`

	Code    string `json:"code"`
	Message string `json:"message"` // for people: what was found and how it was read
}

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
		p = Problem{Tool: p.Tool, Code: "too-many-problems",
			Message: fmt.Sprintf("more than %d problems: the others are not reported", maxProblems)}
	}
	c.problems = append(c.problems, p)
}
