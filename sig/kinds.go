package sig

import (
	"math/bits"
	"strings"
)

// Kinds is a set of JSON types.
//
// Integer and Number overlap as they do in JSON Schema: Integer is the
// integral numbers, Number all of them. A set that compilation yields never
// holds Number without Integer, so an integral literal is allowed where
// Integer is in the set and any other number where Number is.
type Kinds uint8

// The JSON types. Any is all of them: what a schema that names no type allows.
const (
	Null Kinds = 1 << iota
	Boolean
	Integer
	Number
	String
	Array
	Object

	Any = Null | Boolean | Integer | Number | String | Array | Object
)

// kindNames are the names of JSON Schema, by bit.
var kindNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// String returns the names of the types in k as JSON Schema spells them, in a
// fixed order, joined by "|". Integer is left out beside Number, which includes
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
