// Package yaml is the format yaml-xml: calls whose arguments are YAML, in an element named after
// the tool.
//
//	segments, err := parse.Message(catalog, text, &parse.Options{Format: yaml.XML})
//
//	<write_file>
//	path: notes.txt
//	text: |
//	  one line
//	  another
//	</write_file>
//
// It is a package of its own because it depends on a library, go.yaml.in/yaml. Programs that read
// other formats do not need that.
package yaml

import "github.com/callwire/callwire/internal/format"

// XML is the format yaml-xml. Only the names of tools in the catalog begin a call, and a call is
// read once it is complete.
//
// The end tag ends a call unless it is in quotes or in a block scalar, whose lines are indented
// deeper than its key. The opener of a call in place of a key is a nested-call.
//
// A scalar in quotes or in a block is a string. The schema types any other scalar. Null, true,
// false and numbers may be written in any way that the core schema of YAML 1.2 allows, such as ~,
// True and 0x1F, except that 007 is a string. A key without a value is null, or the empty string
// if the schema allows a string and no null. Aliases, anchors, tags, merge keys, a second
// document, and line ends that only YAML 1.1 knows are refused with invalid-yaml. A repeated key
// is a duplicate-key.
//
// Strings with the tag of a tool are written in quotes, and the tag with an escape, so that it
// begins no call if the tag of their own call is damaged.
//
// Later calls count as read after a malformed one if an unquoted value seems to have lost its
// opening quote, and after a block of several lines whose end tag is not on a line of its own,
// indented no deeper than the block, or follows a blank at the end of a line: it may have been part
// of a value.
var XML = &format.Format{
	Name:   "yaml-xml",
	Body:   format.Block,
	Codec:  codec{},
	Layout: format.Layout{Lead: "\n", Join: "\n"},
	Prompt: format.Prompt{
		Before: "# Tools\n\nYou can call functions to help with what the user asks. " +
			"Their signatures, as JSON:",
		After: "\nTo call one, write an XML element of its name, " +
			"and in it the arguments as YAML; " +
			"text of several lines as a block after |, indented. " +
			"Write the element as it is, without a fence:\n" +
			"<function-name>\nargument: value\n" +
			"text: |\n  first line\n  second line\n</function-name>",
		Result: format.Tags{Open: "<tool_response>\n", Close: "\n</tool_response>"},
	},
}

type codec struct{}
