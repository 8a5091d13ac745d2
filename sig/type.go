package sig

import (
	"encoding/json"
)

// Type is what a schema says about one place in the arguments.
//
// A nil *Type says nothing; all methods accept it. Types of recursive schemas
// form cyclic graphs: whoever walks one keeps a set of those seen.
type Type struct {
	Kinds Kinds    // the JSON types allowed
	Free  Kinds    // the subset of Kinds allowed with any value; the others only with a value of Enum
	Enum  []Member // the literals allowed besides Free, in source order

	Fields   []Field // declared properties, in source order
	Required uint64  // bit i is set where Fields[i], i < 64, is required
	Closed   bool    // an undeclared property is unknown
	Dotted   bool    // the name of some declared property contains a dot
	Extra    *Type   // type of undeclared properties

	Prefix []*Type // types of the first elements, of a tuple
	Items  *Type   // type of all elements after Prefix

	Alts []*Type // the alternatives of a union; their union is this type
	Ref  string  // name of the definition the type came from

	Title       string
	Description string
	Format      string
	Default     json.RawMessage
}

// Field is a declared property.
type Field struct {
	Name     string
	Type     *Type
	Required bool
	Index    int    // position in Fields
	JSONKey  []byte // the name as a JSON string, and a colon
}

// Member is one literal of an enum or const.
type Member struct {
	Kind Kinds  // exactly one kind; Integer for a number integral by value, else Number
	JSON []byte // compact JSON, digits as written
	Text string // decoded text of a string, else the text of JSON
}

// Field returns the declared property of that name, or nil.
func (t *Type) Field(name []byte) *Field {
	if t == nil {
		return nil
	}
	for i := range t.Fields {
		if t.Fields[i].Name == string(name) {
			return &t.Fields[i]
		}
	}
	return nil
}

// Property returns what is said about the property of that name.
func (t *Type) Property(name []byte) (typ *Type, field *Field, known bool) {
	if t == nil {
		return nil, nil, true
	}
	if f := t.Field(name); f != nil {
		return f.Type, f, true
	}
	return t.Extra, nil, !t.Closed
}

// Item returns the type of the element at index i, counted from 0.
func (t *Type) Item(i int) *Type {
	if t == nil {
		return nil
	}
	if i < len(t.Prefix) {
		return t.Prefix[i]
	}
	return t.Items
}

// Says reports whether the type says anything about scalars: one that allows
// every value of every type does not.
func (t *Type) Says() bool {
	return t != nil && t.Free != Any
}
