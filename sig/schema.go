package sig

import (
	"encoding/json"
	"regexp"
)

// schema is one JSON Schema of the source, split as it is read: what it demands itself,
// what must hold too, and alternatives. Schemas inside it are read on demand.
type schema struct {
	source *value
	read   bool
	name   string    // of the definition, once something refers to it
	own    *keywords // nil: it demands nothing itself
	all    []*schema // of $ref and allOf: these hold too
	any    []*union  // of anyOf, oneOf and nullable: one alternative of each holds

	// What is computed on demand.
	variants []variant // nil: not known yet
	endless  bool      // the variants are too many, or too deep
	visited  int       // number of the last walk that reached this schema
	onPath   bool      // the walk is below this schema
	looped   bool      // a loop was reported
	never    bool      // that it allows no value was reported
}

// union is a list of schemas. One of them holds.
type union struct {
	source       *value
	alternatives []*schema
	expanding    bool // the alternatives are being expanded
	looped       bool // a loop was reported
}

// keywords are what one schema demands of a value itself. They are compared by identity.
type keywords struct {
	id         int
	source     *value // of the schema; nil for a list of kinds
	name       string // of the definition, once something refers to it
	restricted bool   // by type, enum, const or false: domain applies
	domain     domain
	types      []Kinds // several types, in source order

	object     bool // has a keyword that only makes sense for objects
	declares   bool // has the keyword properties
	properties []property
	required   []string
	closed     bool    // additionalProperties: false
	open       bool    // additionalProperties: true or a schema, or patternProperties
	extra      *schema // additionalProperties
	patterns   []patternProperty
	conditions []condition

	array  bool // has a keyword that only makes sense for arrays
	prefix []*schema
	rest   *schema // of the elements after prefix

	description string
	byDefault   json.RawMessage
	examples    []json.RawMessage
	limits      *Limits

	guessed bool // an implied type was reported
	checked bool // the required properties were checked
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

// schemaAt returns v as a schema, not yet read.
func (c *compiler) schemaAt(v *value) *schema {
	if v.schema == nil {
		v.schema = &schema{source: v}
	}
	return v.schema
}

// newKeywords returns keywords that demand nothing.
func (c *compiler) newKeywords(source *value) *keywords {
	c.lastID++
	return &keywords{id: c.lastID, source: source}
}

// ofKind returns the keywords that only restrict the types.
func (c *compiler) ofKind(k Kinds) *keywords {
	own := c.kinds[k]
	if own == nil {
		own = c.newKeywords(nil)
		own.restricted, own.domain = true, only(k)
		c.kinds[k] = own
	}
	return own
}

// implied returns the types that the keywords imply if there is no type.
func (k *keywords) implied() (kinds Kinds) {
	if k.declares || len(k.patterns) > 0 || k.extra != nil || len(k.required) > 0 {
		kinds |= Object
	}
	if k.array {
		kinds |= Array
	}
	return kinds
}

// says reports whether the keywords demand or describe anything.
func (k *keywords) says() bool {
	describes := k.description != "" || k.byDefault != nil || k.examples != nil
	return describes || k.restricted || k.saysBelow() || k.limits != nil
}

// saysBelow reports whether there are keywords for properties or elements.
func (k *keywords) saysBelow() bool { return k.object || k.array || len(k.conditions) > 0 }

// requiredHere reports whether a property's own schema makes it required, as in draft 3.
func (s *schema) requiredHere() bool { return s.source.get("required").isTrue() }
