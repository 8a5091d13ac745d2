// Package yaml is the protocol yaml-xml: calls whose arguments are YAML, between the tags
// of an element that has the tool's name.
//
//	<write_file>
//	path: notes.txt
//	text: |
//	  one line
//	  another
//	</write_file>
//
// It is a package of its own because it brings a library, go.yaml.in/yaml: who reads
// other formats only does not vendor it. Nothing else of callwire imports it but the
// command-line tool, its playground and its tests. Use [XML] as any protocol; where one is
// selected by its name, give it to [protocol.ByName]:
//
//	p := protocol.ByName(name, yaml.XML)
package yaml
