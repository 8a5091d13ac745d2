package yaml

import "github.com/callwire/callwire/parse/protocol"

// XML is the protocol yaml-xml. Only the names of tools that the catalog has begin a
// call, and it is read when it is complete.
//
// The end tag ends a call wherever it is not in quotes and not in a block scalar: a line
// that is indented deeper than the key of one is text of it. The opener of a call where a
// key is due is a nested-call.
//
// A scalar in quotes, or in a block, is a string. One without them is typed by the schema;
// null, true, false and numbers may be written in any way of the core schema of YAML 1.2,
// such as ~, True and 0x1F, but that 007 is a string. A key without a value is null, or
// the empty string where the schema allows no null but a string. Aliases, anchors, tags
// and merge keys are refused with invalid-yaml, and so is a second document, and every
// line end that is one to YAML 1.1 alone. A repeated key is a duplicate-key.
var XML = protocol.Protocol{
	Name: "yaml-xml",
	Body: protocol.YAML,
	YAML: codec{},
	Prompt: protocol.Prompt{
		Before: "# Tools\n\nYou can call functions to help with what the user asks. Their signatures, as JSON:",
		After: "\nTo call one, write an XML element of its name, and in it the arguments as YAML; text of several lines as a block after |, indented. " +
			"Write the element as it is, without a fence:\n" +
			"<function-name>\nargument: value\ntext: |\n  first line\n  second line\n</function-name>",
	},
}

type codec struct{}
