package grammar

// This file defines the notation of signatures: one line that shows a model how to
// call a tool. It is one grammar with two styles, compact and classic:
//
//	getWeather location days?:int units?:metric|imperial - Get the weather
//	getWeather: location:string, days?:int, units?:"metric"|"imperial" — Get the weather
//
// As in call.go, the parser tags of a type's fields form its production. A space is a
// token here: it is only used as a separator.

// A Signature is one line: the name of a tool, its parameters, and what it does.
// Parameters in braces are passed as one JSON object. A bar separates
// alternative lists of arguments. In the classic style a colon follows the name
// if there are parameters. A name in quotes is one that no call can have.
//
// Rule: signature.line, signature.classic, signature.json, signature.alternatives,
// signature.description
type Signature struct {
	Name         string        `parser:"@( Name | QuotedName )"`
	Classic      bool          `parser:"@':'?"`
	Alternatives []*Parameters `parser:"@@ ( Bar @@ )*"`
	Description  string        `parser:"@Description?"`
}

// Parameters are what a call can pass: properties, or one JSON object.
type Parameters struct {
	Object  *ObjectType  `parser:"( Space ( @@"`
	Members []*Parameter `parser:"| @@ ( ( Space | Comma ) @@ )* ) )?"`
}

// A Parameter is a property, with a question mark if it is optional. A star
// means every property that is not named, and a tilde those whose names match a
// regular expression. Without either, an object has no other properties. A
// property without a type is a string. The words in parentheses are the
// property's description.
//
// The required properties come first. A property of an optional object is
// required only if that object is written.
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
// In calls a label that is one word has no quotes.
//
// Rule: signature.label, signature.escape
type Label struct {
	At     bool   `parser:"( @'@'?"`
	Word   string `parser:"@Word )"`
	String string `parser:"| @String"`
}

// A UnionType is one or more types. A value has one of them.
//
// Rule: signature.union
type UnionType struct {
	Types []*ArrayType `parser:"@@ ( '|' @@ )*"`
}

// An ArrayType is a type, followed by a pair of brackets for each array around
// it.
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
// a literal. A literal outside a union is in quotes, and so is every string
// that would be a number, true, false or null without them.
//
// Rule: signature.literal, signature.type-words, signature.group
type ElementType struct {
	Named   *NamedType  `parser:"  @@"`
	Object  *ObjectType `parser:"| @@"`
	Tuple   *TupleType  `parser:"| @@"`
	Group   *UnionType  `parser:"| '(' @@ ')'"`
	Literal *Literal    `parser:"| @@"`
}

// A NamedType is a type that is written once, after its name, and then referred
// to by the name.
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

// A TupleType lists the types of the elements of an array. A star means all
// further elements; without it there are none. Empty brackets are the empty
// array.
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

// A Literal is a word, a JSON string, or a JSON array or object in backquotes.
//
// Rule: signature.literal, signature.json-literal
type Literal struct {
	Word   string `parser:"  @Word"`
	String string `parser:"| @String"`
	JSON   string `parser:"| @JSON"`
}

// A Comment is text in parentheses, which may contain balanced parentheses.
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
