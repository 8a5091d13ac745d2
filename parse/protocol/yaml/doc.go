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
