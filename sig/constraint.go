package sig

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Constraint is a keyword of JSON Schema that restricts values beyond their Type. It
// affects neither how a value is read nor which names are known.
type Constraint struct {
	Keyword string
	Value   json.RawMessage // as written
}

// constraintKeywords are the keywords of constraints, in the order in which
// comments list them, with the kinds that their values must have.
var constraintKeywords = []struct {
	keyword string
	kinds   Kinds
}{
	{"format", String}, {"contentEncoding", String}, {"contentMediaType", String}, {"pattern", String},
	{"minLength", Number}, {"maxLength", Number},
	{"minimum", Number}, {"exclusiveMinimum", Number | Boolean}, {"maximum", Number}, {"exclusiveMaximum", Number | Boolean},
	{"multipleOf", Number},
	{"minItems", Number}, {"maxItems", Number}, {"uniqueItems", Boolean},
	{"contains", Object | Boolean}, {"minContains", Number}, {"maxContains", Number},
	{"minProperties", Number}, {"maxProperties", Number}, {"propertyNames", Object | Boolean},
	{"dependentRequired", Object}, {"dependencies", Object},
}

// constraintOrder is the index of each keyword in constraintKeywords.
var constraintOrder = func() map[string]int {
	order := make(map[string]int, len(constraintKeywords))
	for i, k := range constraintKeywords {
		order[k.keyword] = i
	}
	return order
}()

// readConstraint reads a keyword, if it is a constraint.
func (r *reader) readConstraint(key string, v *value) {
	i, ok := constraintOrder[key]
	if !ok {
		return
	}
	if want := constraintKeywords[i].kinds; !v.is(want) {
		r.invalid(v, want.String())
		return
	}
	r.schema.constraints = append(r.schema.constraints, Constraint{key, v.raw})
}

// modernBounds writes the exclusive bounds of drafts 3 and 4, booleans, as those of today.
func (r *reader) modernBounds() {
	r.constraints = slices.DeleteFunc(r.constraints, func(c Constraint) bool {
		inclusive := map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}[c.Keyword]
		if inclusive == "" || c.Value[0] != 't' && c.Value[0] != 'f' {
			return false
		}
		for i := range r.constraints {
			if b := &r.constraints[i]; b.Keyword == inclusive && c.Value[0] == 't' {
				b.Keyword = c.Keyword
			}
		}
		return true
	})
}

// constraintsOf returns the constraints of schemas that all apply, each once.
func constraintsOf(own []*schema) []Constraint {
	var all []Constraint
	for _, s := range own {
		all = append(all, s.constraints...)
	}
	slices.SortStableFunc(all, func(a, b Constraint) int {
		return cmp.Or(constraintOrder[a.Keyword]-constraintOrder[b.Keyword], bytes.Compare(a.Value, b.Value))
	})
	return slices.CompactFunc(all, func(a, b Constraint) bool { return a.Keyword == b.Keyword && bytes.Equal(a.Value, b.Value) })
}
