// Package yaml is the protocol yaml-xml: calls whose arguments are YAML, in an element
// named after the tool.
//
//	<write_file>
//	path: notes.txt
//	text: |
//	  one line
//	  another
//	</write_file>
//
// It is a separate package because it depends on a library, go.yaml.in/yaml: programs
// that read only other formats do not need it. In callwire, only the command-line tool,
// the playground and tests import it. Use [XML] like any protocol; to select it by
// name, pass it to [protocol.ByName]:
//
//	p := protocol.ByName(name, yaml.XML)
package yaml
