package sig

import (
	"encoding/json"
	"math/bits"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/limits"
)

// Kinds is a set of JSON types.
//
// Integer and Number overlap as they do in JSON Schema: Integer is the
// integral numbers, Number all of them. A compiled set never has Number without
// Integer, so an integral literal is allowed if Integer is in the set, and any
// other number if Number is.
type Kinds uint8

// The JSON types. Any is all of them: what a schema without a type allows.
const (
	Null Kinds = 1 << iota
	Boolean
	Integer
	Number
	String
	Array
	Object

	Any = Null | Boolean | Integer | Number | String | Array | Object

	numeric = Integer | Number
)

// kindNames are the names in JSON Schema, by bit.
var kindNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// String returns the names of the types in k as JSON Schema spells them, in a
// fixed order, joined by "|". Integer is omitted next to Number, which includes
// it. The empty set is "never" and the full set "any".
func (k Kinds) String() string {
	switch k &= Any; {
	case k == 0:
		return "never"
	case k == Any:
		return "any"
	case k&Number != 0:
		k &^= Integer
	}
	names := make([]string, 0, len(kindNames))
	for ; k != 0; k &= k - 1 {
		names = append(names, kindNames[bits.TrailingZeros8(uint8(k))])
	}
	return strings.Join(names, "|")
}

// otherNames are other names that real schemas use for types, in lower case.
var otherNames = map[string]Kinds{
	"none": Null, "nil": Null, "nulltype": Null, "undefined": Null, "void": Null,
	"bool": Boolean,
	"int":  Integer, "int32": Integer, "int64": Integer, "long": Integer, "uint": Integer,
	"float": numeric, "float32": numeric, "float64": numeric, "double": numeric,
	"decimal": numeric, "num": numeric,
	"str": String, "text": String, "char": String, "enum": String, "file": String, "binary": String,
	"date": String, "datetime": String, "date-time": String, "time": String,
	"uuid": String, "uri": String, "url": String, "email": String,
	"list": Array, "tuple": Array, "set": Array,
	"dict": Object, "dictionary": Object, "map": Object, "struct": Object, "record": Object,
	"json": Any,
	"any":  Any, "mixed": Any, "unknown": Any,
}

// kindNamed returns the types that a schema means by a name: 0 if the name is not
// known, not exact if JSON Schema spells it differently.
func kindNamed(name string) (k Kinds, exact bool) {
	lower := strings.ToLower(name)
	for i, n := range kindNames {
		if n == lower {
			k = 1 << i
			if k == Number {
				k = numeric
			}
			return k, n == name
		}
	}
	return otherNames[lower], false
}

// Type is what a schema demands of the values at one place in the arguments: T of
// the typing rules, the set of JSON types allowed there, and the types below it.
// References are resolved, allOf is merged, anyOf and oneOf are united, enum and
// const are included. It does no other validation.
//
// A nil *Type allows everything at its place and below it; every method
// accepts it. Types of recursive schemas form cyclic graphs, so a caller that
// walks one must keep a set of the types seen. Types belong to their Catalog and
// must not be changed.
type Type struct {
	// Kinds are the JSON types allowed: Any if the schema names none, 0 if it
	// allows no value at all.
	Kinds Kinds

	// Free is the subset of Kinds allowed with any value. Of the other kinds,
	// only the values in Enum are allowed.
	Free Kinds

	// Enum has the literals that enum and const allow, in source order. It can
	// contain literals of free kinds, if an enum is an alternative to them.
	Enum []Member

	// Fields are the declared properties, in source order.
	Fields []Field

	// Closed reports whether undeclared properties are unknown.
	Closed bool

	// Extra is the type of undeclared properties, unless Closed. It does not
	// include patternProperties; see Property.
	Extra *Type

	// Prefix are the types of the first elements of a tuple.
	Prefix []*Type

	// Items is the type of the elements, or in a tuple of those after Prefix. Its
	// Kinds are 0 if no further element is allowed.
	Items *Type

	// Alts are the alternatives of anyOf and oneOf, of nullable and of a list of
	// types, each combined with the keywords next to it. The type is their union. They
	// are not nested.
	Alts []*Type

	Description string            // the first of those that apply
	Default     json.RawMessage   // nil: none
	Examples    []json.RawMessage // of examples and example, as written
	Limits      *Limits           // nil: none; of a type with Alts, those of all of them

	shape        *Type      // see Shape; nil: the type itself
	ref          string     // the definition that the type is or refers to, for a name
	names        nameList   // of Fields
	required     uint64     // has bit i set where Fields[i] is required, for i < 64
	requiresMore bool       // a field from Fields[64] on is required
	members      *memberSet // Enum
	descriptions []string   // of all schemas that apply here
	patterns     []pattern
	anyItem      bool // a schema for the elements allows everything
}

// Limits are what a schema demands of values beyond their types and enums. The fields:
//
//	Length, Items, Properties Range    // of strings, in characters; of arrays; of objects
//	Min, Max   *Bound                  // of numbers; nil: none
//	MultipleOf []json.Number           // a number is a multiple of each
//	Patterns   []string                // ECMA-262; a string matches all
//	Formats    []string                // of strings, such as date-time
//	Unique     bool                    // no two elements of an array are equal
//	Needs      map[string][]string     // properties needed by the one that is the key
//	Other      []Keyword               // other keywords, which are not interpreted
//
// Nil Limits allow everything. The example of [Compile] reads some.
type Limits = limits.Limits

// Range is a range of counts, with the fields Min and Max int, both inclusive. Max is math.MaxInt
// if there is no upper bound.
type Range = limits.Range

// Bound is the least or the greatest number allowed. Its fields are Number, a json.Number, and
// Exclusive, true if the number itself is not allowed.
type Bound = limits.Bound

// Keyword is a keyword of JSON Schema. Its fields are strings: Path, of what it applies to,
// names of properties joined by dots, with [] for elements; Name; and Value, JSON as written.
type Keyword = limits.Keyword

// Field is a declared property.
type Field struct {
	Name     string
	Type     *Type // nil: untyped
	Required bool
	Index    int    // position in Fields
	JSONKey  []byte // the name as a JSON string and a colon: `"location":`

	needs      []string // properties that must be there if this one is
	undeclared bool     // the schema only requires it
}

// Shape returns one type for all that have the same values, properties and elements,
// and differ in ranges, descriptions, defaults and examples only.
func (t *Type) Shape() *Type {
	if t == nil || t.shape == nil {
		return t
	}
	return t.shape
}

// copyBelow takes over the properties and elements of another type.
func (t *Type) copyBelow(from *Type) {
	t.Fields, t.Closed, t.Extra, t.patterns = from.Fields, from.Closed, from.Extra, from.patterns
	t.names, t.required, t.requiresMore = from.names, from.required, from.requiresMore
	t.Prefix, t.Items, t.anyItem = from.Prefix, from.Items, from.anyItem
}

// isOmissible reports whether a call may leave the property out: it is optional, or it
// is null where it is missing. So strict functions of OpenAI declare what is optional.
func (f *Field) isOmissible() bool {
	t := f.Type
	return !f.Required || t.Restricts() && t.Kinds&Null != 0 && t.Kinds != Null
}

// setFields sets the fields and everything that is derived from them.
func (t *Type) setFields(fields []Field) {
	t.Fields = fields
	for i := range fields {
		f := &fields[i]
		f.Index = i
		f.JSONKey = append(lexeme.AppendQuoted(nil, f.Name), ':')
		if t.Limits != nil {
			f.needs = t.Limits.Needs[f.Name]
		}
		t.names.add(f.Name)
		if f.Required {
			t.required |= 1 << i // nothing from 64 on
			t.requiresMore = t.requiresMore || i >= 64
		}
	}
}

// Lacks reports whether an object with these fields may lack a required one. present has bit i
// set where Fields[i] is present, for i < 64.
func (t *Type) Lacks(present uint64) bool {
	return t != nil && (t.required&^present != 0 || t.requiresMore)
}

// Field returns the declared property with that name, or nil. It takes constant
// time and does not allocate.
func (t *Type) Field(name []byte) *Field {
	if t == nil {
		return nil
	}
	if i := find(&t.names, name); i >= 0 {
		return &t.Fields[i]
	}
	return nil
}

// Property returns the type of the property with that name, and the field if it is
// declared. The type of an undeclared property is that of the first of
// patternProperties that matches, otherwise Extra. known is false if the object is
// closed and the name is neither declared nor matched.
func (t *Type) Property(name []byte) (typ *Type, field *Field, known bool) {
	if t == nil {
		return nil, nil, true
	}
	if f := t.Field(name); f != nil {
		return f.Type, f, true
	}
	for i := range t.patterns {
		if p := &t.patterns[i]; p.matches == nil || p.matches.Match(name) {
			return p.typ, nil, true
		}
	}
	return t.Extra, nil, !t.Closed
}

// Patterned reports whether the schema has patternProperties, so that the type of
// an undeclared property depends on its name.
func (t *Type) Patterned() bool { return t != nil && len(t.patterns) > 0 }

// Item returns the type of the element at index i, counted from 0. It is nil for a
// negative index.
func (t *Type) Item(i int) *Type {
	if t == nil || i < 0 {
		return nil
	}
	if i < len(t.Prefix) {
		return t.Prefix[i]
	}
	return t.Items
}

// Restricts reports whether the type restricts the values allowed here: one that
// allows every value of every type does not. It may still restrict fields and
// items.
func (t *Type) Restricts() bool { return t != nil && t.Free != Any }
