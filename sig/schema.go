package sig

import (
	"encoding/json"
	"regexp"
)

// schema is one JSON Schema of the source with its keywords read. Schemas inside
// it are read on demand, so reading does not recurse.
//
// There are two groups of keywords. The own ones describe the value at this place.
// The applicators (references, allOf, anyOf, oneOf, nullable) name other schemas
// that apply at the same place; see variant.go.
type schema struct {
	source *value // nil for a schema that is not in the source
	id     int
	read   bool
	name   string // of the definition, once something refers to it

	// Own keywords.
	own         bool // the schema has own keywords
	restricted  bool // by type, enum, const or false: domain applies
	domain      domain
	types       []Kinds // several types, in source order
	object      objectKeywords
	array       arrayKeywords
	description string
	byDefault   json.RawMessage
	examples    []json.RawMessage
	limits      *Limits

	// Applicators.
	refs         []*schema // $ref and its kin
	allOf        []*schema
	unions       []*schema // one for each of anyOf and oneOf
	nullable     bool
	alternatives []*schema // in a union: one of them applies

	derived derived
	facts
}

// facts are computed about a schema on demand.
type facts struct {
	typed     bool // typ is the type of this schema alone
	typ       *Type
	variants  []variant // nil: not known yet
	endless   bool      // the variants are too many, or too deep
	alone     *schema   // the own keywords without the applicators
	orNull    *schema   // for a nullable schema: the union of the rest and null
	expanding bool      // for a union: its alternatives are being expanded
	visited   int       // number of the last walk that reached this schema
	onPath    bool      // the walk is below this schema
	looped    bool      // a loop was reported
	guessed   bool      // an implied type was reported
	checked   bool      // its required properties were checked
}

// derived distinguishes schemas with the same source.
type derived uint8

const (
	whole   derived = iota // as in the source
	alone                  // without applicators
	nonNull                // without nullable
	choice                 // the union of anyOf, of oneOf or with null
)

type objectKeywords struct {
	stated     bool // has a keyword that only makes sense for objects
	declares   bool // has the keyword properties
	properties []property
	required   []string
	closed     bool    // additionalProperties: false
	open       bool    // additionalProperties: true or a schema, or patternProperties
	extra      *schema // additionalProperties
	patterns   []patternProperty
	conditions []condition
}

type property struct {
	name   string
	schema *schema
}

type patternProperty struct {
	source  string
	matches *regexp.Regexp // nil matches every key
	size    int            // cost of a byte of a key, see compilePattern
	schema  *schema
}

// condition is a schema that applies only to some objects. The properties that it
// declares are accepted in all; those that only a test (if) declares are untyped.
type condition struct {
	schema *schema
	test   bool
}

type arrayKeywords struct {
	stated bool
	prefix []*schema
	rest   *schema
}

// schemaAt returns v as a schema, not yet read.
func (c *compiler) schemaAt(v *value) *schema {
	if v.schema == nil {
		v.schema = c.newSchema()
		v.schema.source = v
	}
	return v.schema
}

// newSchema returns a schema that is not in the source.
func (c *compiler) newSchema() *schema {
	c.schemas++
	return &schema{id: c.schemas}
}

// newUnion returns a schema that requires one of the alternatives.
func (c *compiler) newUnion(source *value, alternatives []*schema) *schema {
	u := c.newSchema()
	u.read, u.source, u.derived, u.alternatives = true, source, choice, alternatives
	return u
}

// derive returns a copy of s without its facts.
func (c *compiler) derive(s *schema, how derived) *schema {
	d := *s
	d.id, d.derived, d.facts = c.newSchema().id, how, facts{}
	return &d
}

// kindSchema returns a schema that only restricts the types.
func (c *compiler) kindSchema(k Kinds) *schema {
	s := c.kinds[k]
	if s == nil {
		s = c.newSchema()
		s.read, s.own, s.restricted, s.domain = true, true, true, only(k)
		c.kinds[k] = s
	}
	return s
}

// implied returns the types that the keywords imply if there is no type.
func (s *schema) implied() (k Kinds) {
	if s.object.declares || len(s.object.patterns) > 0 || s.object.extra != nil || len(s.object.required) > 0 {
		k |= Object
	}
	if s.array.stated {
		k |= Array
	}
	return k
}

// requiredHere reports whether a property's own schema says that it is required.
func (s *schema) requiredHere() bool {
	r := s.source.get("required")
	return r.is(Boolean) && r.text == "true"
}
