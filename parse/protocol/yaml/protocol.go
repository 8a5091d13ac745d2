package yaml

import (
	"github.com/callwire/callwire/internal/format"
	next "github.com/callwire/callwire/internal/next/yaml"
	"github.com/callwire/callwire/parse/protocol"
)

// XML is the protocol yaml-xml. Only the names of tools in the catalog begin a call,
// and a call is read once it is complete.
//
// The end tag ends a call unless it is in quotes or in a block scalar: a line indented
// deeper than the block's key is text. The opener of a call in place of a key is a
// nested-call.
//
// A scalar in quotes, or in a block, is a string. The schema types an unquoted one;
// null, true, false and numbers may be written in any way that YAML 1.2's core schema
// allows, such as ~, True and 0x1F, except that 007 is a string. A key without a value
// is null, or the empty string if the schema allows a string and no null. Aliases,
// anchors, tags, merge keys, a second document, and line ends that only YAML 1.1 knows
// are refused with invalid-yaml. A repeated key is a duplicate-key.
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

// Format returns the row of the table of formats that describes XML.
func (codec) Format() *format.Format { return next.XML }
