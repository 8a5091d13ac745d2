package fuzz

import (
	"cmp"
	"strings"
)

// Tools returns a catalog of one to three tools as JSON text. Keywords of a schema may contradict
// each other. It may refer to the definitions x and y.
func Tools(s Source) string {
	tools := make([]string, 1+s.IntN(3))
	for i := range tools {
		schema := strings.TrimSuffix(grow(s, "arguments", 2), "}")
		defs := `{"x":` + grow(s, "schema", 1) + `,"y":` + grow(s, "schema", 2) + `}`
		tools[i] = `{"name":"` + toolNames[i] + `","inputSchema":` + schema + `,"$defs":` + defs + `}}`
	}
	return "[" + strings.Join(tools, ",") + "]"
}

// properties returns the keywords of a schema that name properties.
func properties(s Source, depth int) string {
	var o object
	first := ""
	for range s.IntN(5) {
		key := Key(s)
		first = cmp.Or(first, key)
		o.set(s, key, grow(s, "schema", depth))
	}
	text := `"properties":` + o.String()
	if first != "" && chance(s, 2) {
		text += `,"required":[` + Quote(s, first) + "]"
	}
	return text
}

// toolNames are the names of tools in generated catalogs and calls.
var toolNames = tokens["name"]
