package sig

import (
	"cmp"
	"encoding/json"

	"github.com/callwire/callwire/internal/limits"
)

// schema is one JSON Schema of the source, split as it is read: what it demands itself,
// what must hold too, and alternatives. Schemas inside it are read on demand. What schemas
// demand themselves is compared by the identity of the schema.
type schema struct {
	source *value // nil for one that only combines others, or restricts the kinds
	id     int
	read   bool
	name   string      // of the definition, once something refers to it
	all    []*schema   // of $ref and allOf: these hold too
	any    [][]*schema // of anyOf, oneOf, nullable and several types: one of each holds

	demands bool    // it demands or describes something itself
	domain  *domain // of type, enum, const or false; nil: none of these

	properties  []*schema // by their tokens; nil without the keyword
	required    []string
	closed      bool      // additionalProperties: false
	open        bool      // additionalProperties: true or a schema
	extra       *schema   // additionalProperties
	unevaluated bool      // these three are of unevaluatedProperties
	patterns    []*schema // patternProperties, by their tokens
	conditions  []condition

	array           bool // has a keyword that only makes sense for arrays
	prefix          []*schema
	rest            *schema // of the elements after prefix
	unevaluatedRest bool    // rest is of unevaluatedItems

	description string
	byDefault   json.RawMessage
	examples    []json.RawMessage
	limits      *Limits

	variants []variant // nil: not known; none: too many, or too deep; see expand
	onPath   bool      // it is being expanded
	first    *schema   // with the same text; nil: not known
}

// condition is a schema that applies only to some objects. The properties that it
// declares are accepted in all; those that only a test (if) declares are untyped.
type condition struct {
	*schema
	test bool
}

// schemaAt returns v as a schema, not yet read.
func (c *compiler) schemaAt(v *value) *schema {
	if v.schema == nil {
		c.lastID++
		v.schema = &schema{source: v, id: c.lastID}
	}
	return v.schema
}

// schemasIn returns the schemas in a list.
func (c *compiler) schemasIn(list []*value) []*schema {
	all := make([]*schema, len(list))
	for i, v := range list {
		all[i] = c.schemaAt(v)
	}
	return all
}

// ofKind returns the schema that only restricts the types.
func (c *compiler) ofKind(k Kinds) *schema {
	s := c.kinds[k]
	if s == nil {
		c.lastID++
		d := only(k)
		s = &schema{id: c.lastID, read: true, demands: true, domain: &d}
		c.kinds[k] = s
	}
	return s
}

// ofLiteral returns the schema of one value.
func (c *compiler) ofLiteral(v *value) *schema {
	c.lastID++
	d := domain{}.with(membersOf([]*value{v}), Any)
	return &schema{id: c.lastID, read: true, demands: true, domain: &d}
}

// isFalse reports whether the schema is false, which allows no value.
func (s *schema) isFalse() bool { return s.source.is(Boolean) && !s.source.isTrue() }

// isJust reports whether v is a schema that only names one type.
func (v *value) isJust(k Kinds) bool {
	return v.is(Object) && len(v.below) == 1 && v.get("type").str() == k.String()
}

// implied returns the types that the keywords imply if there is no type.
func (s *schema) implied() (kinds Kinds) {
	if s.properties != nil || len(s.patterns) > 0 || s.extra != nil || len(s.required) > 0 {
		kinds |= Object
	}
	if s.array {
		kinds |= Array
	}
	return kinds
}

// restrictsBelow reports whether there are keywords for properties or elements.
func (s *schema) restrictsBelow() bool {
	return s.implied() != 0 || s.open || s.closed || len(s.conditions) > 0
}

// onlyRemarks reports whether the schema itself only describes, or limits ranges.
func (s *schema) onlyRemarks() bool {
	if s.domain != nil || s.restrictsBelow() {
		return false
	}
	l := cmp.Or(s.limits, &limits.None)
	lists := len(l.Formats) + len(l.Patterns) + len(l.MultipleOf) + len(l.Other) + len(l.Needs)
	return lists == 0 && !l.Unique
}
