package sig

import (
	"math/bits"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
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

// LiteralKind returns the kind of the JSON literal b: Null, Boolean or Number, and 0 if
// b is none of these.
func LiteralKind(b []byte) Kinds { return literalKinds[lexeme.LiteralOf(b)] }

var literalKinds = [256]Kinds{'n': Null, 'b': Boolean, '0': Number}

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
