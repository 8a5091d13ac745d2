package grammar

import "github.com/alecthomas/participle/v2/lexer"

// This file contains the productions. The parser tags of a type's fields, in
// order, form its production. The next token alone decides every alternative.

// A Token is a terminal of the tree. Its position is relative to the beginning of
// the text.
type Token = lexer.Token

// A Call is a name and its arguments between the tags: either arguments
// separated by whitespace, or one object, the JSON body. Whitespace is
// allowed before the name and before the closing tag.
//
// Rule: body.json, body.whitespace
type Call struct {
	Open      Token       `parser:"@Open Space?"`
	Name      *Name       `parser:"@@"`
	Object    *Object     `parser:"( @@ Space? | Space ( @@ Space?"`
	Arguments []*Argument `parser:"| @@ ( Space @@? )* )? )?"`
	Close     Token       `parser:"@Close"`
}

// A Name starts with a letter, _, $, @ or any non-ASCII byte. The rest can also
// contain digits and - . / :
//
// Rule: body.name
type Name struct {
	Token Token `parser:"@Name"`
}

// An Argument is a path, an equals sign and a value, with no whitespace
// around the sign. Nothing at all after the sign is the empty bare value.
//
// Rule: body.argument, value.empty
type Argument struct {
	Path   *Path  `parser:"@@"`
	Equals Token  `parser:"@'='"`
	Value  *Value `parser:"@@?"`
}

// A Path is one or more keys joined by dots. Each dot goes one object deeper.
// A later path may add to an object that earlier paths began.
//
// Rule: body.path
type Path struct {
	Keys []*Key `parser:"@@ ( '.' @@ )*"`
}

// A Key is one or more characters other than whitespace, controls and
// = . < > " ' [ ] { } and the comma. A bare key of an object cannot contain a
// colon either.
//
// Rule: body.key, value.bare-key
type Key struct {
	Token Token `parser:"@( Key | MemberKey )"`
}

// A Value is a String, an Array, an Object or a Bare.
type Value struct {
	String *String `parser:"  @@"`
	Array  *Array  `parser:"| @@"`
	Object *Object `parser:"| @@"`
	Bare   *Bare   `parser:"| @@"`
}

// A String is enclosed in double or single quotes. It may contain all other
// characters, including line ends and tags. The escapes are those of JSON and \'.
// A backslash that does not begin an escape is literal text, and so is a \u
// escape that is not a Unicode scalar value. Whitespace or the closing tag
// follows the closing quote of an argument.
//
// Rule: value.string, value.string-end, value.single-quoted, framing.quotes
type String struct {
	Token Token `parser:"@String"`
}

// A Bare value is not quoted and has no escapes. As the value of an argument it
// is a Word, which ends at whitespace. In an array or object it is an Item, which
// ends at a comma, a closing bracket or the end of the line. The blanks around
// an Item are not part of it.
//
// Rule: value.bare, value.bare-item, recovery.nested
type Bare struct {
	Token Token `parser:"@( Word | Item )"`
}

// An Array contains values. A comma follows each value; it is optional after
// the last.
//
// Rule: value.array, value.trailing-comma
type Array struct {
	Open  Token    `parser:"@'['"`
	Items []*Value `parser:"( @@ (?= ',' | ']' ) ','? )*"`
	Close Token    `parser:"@']'"`
}

// An Object contains members. A comma follows each member; it is optional after
// the last.
//
// Rule: value.object
type Object struct {
	Open    Token     `parser:"@'{'"`
	Members []*Member `parser:"( @@ (?= ',' | '}' ) ','? )*"`
	Close   Token     `parser:"@'}'"`
}

// A Member is a key, quoted or bare, a colon and a value.
//
// Rule: value.object, value.bare-key
type Member struct {
	String *String `parser:"( @@"`
	Key    *Key    `parser:"| @@ )"`
	Colon  Token   `parser:"@':'"`
	Value  *Value  `parser:"@@"`
}

// start returns where a value starts, and false if a fault is in its place.
func (v *Value) start() (at int, ok bool) {
	switch {
	case v == nil:
		return 0, false
	case v.String != nil:
		return startOf(v.String.Token), true
	case v.Array != nil:
		return startOf(v.Array.Open), true
	case v.Object != nil:
		return startOf(v.Object.Open), true
	case v.Bare != nil:
		return startOf(v.Bare.Token), true
	}
	return 0, false
}

// Text returns the decoded string.
func (s *String) Text() string { return unquote(s.Token.Value) }
