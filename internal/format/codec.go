package format

// A Codec reads and writes the arguments in a Block. The end tag of a Block in quotes, or in lines
// that are indented deeper than their key, is text, as in YAML.
type Codec interface {
	// Decode pushes the arguments in text, which is everything between the tags of a call, to v.
	// It stops once v fails. If text is malformed, it returns the code of the first fault and its
	// offset in text.
	Decode(text []byte, v Values) (code string, at int)

	// Encode appends arguments, an object in compact JSON, as a block that ends with a line end.
	Encode(dst []byte, tool string, args []byte, s Style) []byte
}

// Values receives arguments.
//
//	arguments = Begin { Key value } End
//	value     = String | Scalar | Begin { Key value } End | Begin { value } End
//
// Offsets are those in the text of the Block. Byte slices are not kept.
type Values interface {
	// Begin begins an object or array.
	Begin(object bool, at int)

	// End ends the innermost object or array.
	End(at int)

	// Key begins a member of the innermost object.
	Key(name []byte, at int)

	// String is a value that was written as a string.
	String(text []byte, at int)

	// Scalar is a value that the schema types: text without quotes, and the JSON literal that it
	// means; "" if it isn't one.
	Scalar(text []byte, literal string, at int)

	// Failed reports whether the call cannot be delivered.
	Failed() bool
}

// Style is how a Codec writes.
type Style struct {
	Flat   bool            // objects in brackets, and all strings in quotes
	Hidden func(rune) bool // characters to write as escapes; nil means none
}
