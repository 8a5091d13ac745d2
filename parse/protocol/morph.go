package protocol

// MorphXML is XML: an element of the tool's name, with one for each argument. Models
// that know no format of their own for calls write it well.
//
//	<f>
//	<k>v</k>
//	</f>
//
// Only the names of tools that the catalog has begin a call; a tag that prose speaks
// of is text, see D94, and so is one with attributes. What an argument may be is said by
// the schema: where it allows a string and nothing else, everything up to the end tag
// after which another tag follows; else elements are the properties of an object, and
// those of one key, or all called item, the elements of an array. Text that is JSON is
// read as such where the schema allows it. Entities are unescaped, CDATA sections are
// text, and comments between elements mean nothing. Whitespace in a string is kept. The
// tag of an argument with attributes, a declaration, or text between the elements of an
// object is malformed. No call is complete before its end tag, so AcceptAtEnd takes
// none.
var MorphXML = Protocol{
	Name: "morph-xml",
	Body: Elements,
	Prompt: Prompt{
		Before: "# Tools\n\nYou can call functions to help with what the user asks. Their signatures, as JSON:",
		After: "\nTo call one, write an XML element of its name, with an element for each argument; repeat the element for a list. " +
			"Write &lt; and &amp; for < and & in values. Write the element as it is, without a fence:\n" +
			"<function-name>\n<argument>value</argument>\n</function-name>",
	},
}
