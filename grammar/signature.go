package grammar

// This file defines the notation of signatures: one line that tells a model how to
// call a tool. It is one grammar with two styles, compact and classic:
//
//	getWeather location days?:int units?:metric|imperial - Get the weather
//	getWeather: location:string, days?:int, units?:"metric"|"imperial" — Get the weather
//
// As in call.go, the parser tags of a type's fields form its production. A space is a
// token here: it is only used as a separator.

// A Signature is one line: the name of a tool, its parameters, and what it does.
// Parameters in braces are given as one JSON object. Arguments that come in
// alternatives have a bar between these. The classic style has a colon after
// the name, where parameters follow. A name in quotes is one that no call can
// have.
//
// Rule: signature.line, signature.classic, signature.json, signature.alternatives,
// signature.description
type Signature struct {
	Name         string        `parser:"@( Name | QuotedName )"`
	Classic      bool          `parser:"@':'?"`
	Alternatives []*Parameters `parser:"@@ ( Bar @@ )*"`
	Description  string        `parser:"@Description?"`
}

// Parameters are what a call can give: properties, or one JSON object.
type Parameters struct {
	Object  *ObjectType  `parser:"( Space ( @@"`
	Members []*Parameter `parser:"| @@ ( ( Space | Comma ) @@ )* ) )?"`
}

// A Parameter is a property, with a question mark where it may be left out. A
// star stands for every property that is not named, a tilde for those whose
// names match a regular expression; without either an object has no others.
// Where no type is written it is string. The words in parentheses are the
// property's description.
//
// The required properties come first. A property is needed only where the
// object that it is in is written: those of an optional one are optional.
//
// Rule: signature.optional, signature.string,
// signature.default, signature.open, signature.order
type Parameter struct {
	Pattern  string     `parser:"( '~' @String"`
	Rest     bool       `parser:"| @'*'"`
	Key      *Label     `parser:"| @@ )"`
	Optional bool       `parser:"@'?'?"`
	Type     *UnionType `parser:"( ':' @@ )?"`
	Default  *Literal   `parser:"( '=' @@ )?"`
	Comment  *Comment   `parser:"@@?"`
}

// A Label is a name: a word, which may begin with an at sign, or a JSON string.
// In calls it is written without quotes where it is one word.
//
// Rule: signature.label, signature.escape
type Label struct {
	At     bool   `parser:"( @'@'?"`
	Word   string `parser:"@Word )"`
	String string `parser:"| @String"`
}

// A UnionType is a type, or several of which a value has one.
//
// Rule: signature.union
type UnionType struct {
	Types []*ArrayType `parser:"@@ ( '|' @@ )*"`
}

// An ArrayType is a type that as many pairs of brackets follow as there are
// arrays around it.
//
// Rule: signature.array
type ArrayType struct {
	Element *ElementType `parser:"@@"`
	Arrays  []string     `parser:"( @'[' ']' )*"`
}

// An ElementType is a type without arrays around it.
//
// The words string, number, int, bool, null, object (with any properties), any
// and never (no value) are types. Every other word, and everything in quotes, is
// a literal. A literal that stands alone is in quotes, as is every string that
// would be a number, true, false or null without them.
//
// Rule: signature.literal, signature.type-words, signature.group
type ElementType struct {
	Named   *NamedType  `parser:"  @@"`
	Object  *ObjectType `parser:"| @@"`
	Tuple   *TupleType  `parser:"| @@"`
	Group   *UnionType  `parser:"| '(' @@ ')'"`
	Literal *Literal    `parser:"| @@"`
}

// A NamedType is a type that is written once and then referred to: where it is
// first written, it follows its name.
//
// Rule: signature.named
type NamedType struct {
	Name   string      `parser:"'@' @Word"`
	Object *ObjectType `parser:"( @@"`
	Group  *UnionType  `parser:"| '(' @@ ')' )?"`
}

// An ObjectType lists the properties of an object.
//
// Rule: signature.object
type ObjectType struct {
	Members []*Parameter `parser:"'{' ( @@ ( ( Space | Comma ) @@ )* )? '}'"`
}

// A TupleType lists the types of the elements of an array. A star stands for all
// further ones; without it there are none. As nothing but brackets it is the
// empty array.
//
// Rule: signature.tuple
type TupleType struct {
	Elements []*TupleElement `parser:"'[' ( @@ ( ( Space | Comma ) @@ )* )? ']'"`
}

// A TupleElement is an element of a tuple, or all further ones.
type TupleElement struct {
	Rest bool       `parser:"( @'*' ':' )?"`
	Type *UnionType `parser:"@@"`
}

// A Literal is a word, a JSON string, or between backquotes a JSON array or
// object.
//
// Rule: signature.literal, signature.json-literal
type Literal struct {
	Word   string `parser:"  @Word"`
	String string `parser:"| @String"`
	JSON   string `parser:"| @JSON"`
}

// A Comment is text in parentheses, which may hold parentheses in pairs.
//
// Rule: signature.comment, signature.constraint
type Comment struct {
	Parts []*CommentPart `parser:"CommentOpen @@* CommentClose"`
}

// A CommentPart is text, or parts in parentheses.
type CommentPart struct {
	Text   string         `parser:"  @CommentText"`
	Nested bool           `parser:"| @InnerOpen"`
	Inner  []*CommentPart `parser:"@@* CommentClose"`
}
