package protocol

// MorphXML is XML: an element named after the tool, with an element for each argument.
// Models that have no call format of their own write it well.
//
//	<f>
//	<k>v</k>
//	</f>
//
// Only names of tools in the catalog begin a call; a tag that prose mentions is text,
// see D94, and so is one with attributes. The schema says what an argument is: if it
// allows only a string, everything up to the end tag that another tag follows; else
// elements are the properties of an object, and elements of one key, or all called
// item, are the elements of an array. Text that is JSON is read as JSON if the schema
// allows it. Entities are unescaped, CDATA sections are text, and comments between
// elements are skipped. Whitespace in a string is kept. An argument's tag with
// attributes, a declaration, or text between the elements of an object is malformed. No
// call is complete before its end tag, so AcceptAtEnd changes nothing.
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
