package sig

import (
	"encoding/json"
	"regexp"
)

// schema is one JSON Schema of the source with its keywords read. Schemas in
// it are read when somebody asks for them, so reading does not recurse.
//
// The keywords fall in two. The own ones say something about the value at
// this place. The applicators (references, allOf, anyOf, oneOf, nullable)
// only say which other schemas apply at the same place; see variant.go.
type schema struct {
	source *value // nil for a schema that stands nowhere in the source
	id     int
	read   bool
	name   string // of the definition, once something referred to it

	// Own keywords.
	own         bool // there are any
	restricted  bool // type, enum, const or false: domain counts
	domain      domain
	types       []Kinds // several types, in the order of the source
	object      objectKeywords
	array       arrayKeywords
	title       string
	description string
	format      string
	byDefault   json.RawMessage
	constraints []Constraint

	// Applicators.
	refs         []*schema // $ref and its kin
	allOf        []*schema
	unions       []*schema // one for each of anyOf and oneOf
	nullable     bool
	alternatives []*schema // of a union: one of them applies

	derived derived
	facts
}

// facts are what is found out about a schema on demand.
type facts struct {
	typed     bool // typ is the type of this schema alone
	typ       *Type
	variants  []variant // nil: not known yet
	endless   bool      // the variants are too many, or too deep
	alone     *schema   // the own keywords without the applicators
	orNull    *schema   // of a nullable schema: the union of the rest and null
	expanding bool      // of a union: its alternatives are being expanded
	visited   int       // the last walk that came by
	onPath    bool      // the walk is below this schema
	looped    bool      // reported as defined by itself
	guessed   bool      // reported as without a type
	checked   bool      // its required properties were looked up
}

// derived tells schemas with the same source from each other.
type derived uint8

const (
	whole   derived = iota // as it stands in the source
	alone                  // without applicators
	nonNull                // without nullable
	choice                 // the union of anyOf, of oneOf or with null
)

type objectKeywords struct {
	stated     bool // a keyword that only makes sense for objects
	declares   bool // the keyword properties
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
	size    int            // what running it costs
	schema  *schema
}

// condition is a schema that applies to some objects only. The properties it
// declares are accepted in all; of those only tested (if), the type is open.
type condition struct {
	schema *schema
	test   bool
}

type arrayKeywords struct {
	stated bool
	prefix []*schema
	rest   *schema
}

// schemaAt returns the schema that v is, unread.
func (c *compiler) schemaAt(v *value) *schema {
	if v.schema == nil {
		v.schema = c.newSchema()
		v.schema.source = v
	}
	return v.schema
}

// newSchema returns a schema that stands nowhere in the source.
func (c *compiler) newSchema() *schema {
	c.schemas++
	return &schema{id: c.schemas}
}

// newUnion returns the schema that says that one of the alternatives applies.
func (c *compiler) newUnion(source *value, alternatives []*schema) *schema {
	u := c.newSchema()
	u.read, u.source, u.derived, u.alternatives = true, source, choice, alternatives
	return u
}

// derive returns a copy of s of which nothing was found out yet.
func (c *compiler) derive(s *schema, how derived) *schema {
	d := *s
	d.id, d.derived, d.facts = c.newSchema().id, how, facts{}
	return &d
}

// kindSchema returns the schema that says nothing but the types.
func (c *compiler) kindSchema(k Kinds) *schema {
	s := c.kinds[k]
	if s == nil {
		s = c.newSchema()
		s.read, s.own, s.restricted, s.domain = true, true, true, only(k)
		c.kinds[k] = s
	}
	return s
}

// implied returns the types that the keywords imply where no type is said.
func (s *schema) implied() (k Kinds) {
	if s.object.declares || len(s.object.patterns) > 0 || s.object.extra != nil || len(s.object.required) > 0 {
		k |= Object
	}
	if s.array.stated {
		k |= Array
	}
	return k
}

// requiredHere reports whether a property's own schema says that it is
// required.
func (s *schema) requiredHere() bool {
	r := s.source.get("required")
	return r.is(Boolean) && r.text == "true"
}
