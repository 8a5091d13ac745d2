package fuzz

import (
	"cmp"
	"strings"
)

// Schema returns a JSON Schema, whose keywords may contradict each other. It may refer to the
// definitions x and y.
func Schema(s Source, depth int) string {
	if depth <= 0 {
		return oneOf(s, tokens["schemas"]...)
	}
	schemas := func() string { return list(s, func() string { return Schema(s, depth-1) }) }
	switch s.IntN(10) {
	case 0:
		return Schema(s, 0)
	case 1:
		return `{"enum":[` + list(s, func() string { return Value(s, 1) }) + `]}`
	case 2:
		return `{"const":` + Value(s, 1) + `}`
	case 3:
		kind := oneOf(s, `"string"`, `"integer"`, `["string","boolean"]`)
		values := list(s, func() string { return Value(s, 0) })
		return `{"type":` + kind + `,"enum":[` + values + `]}`
	case 4:
		return `{"type":"array","items":` + Schema(s, depth-1) + `}`
	case 5:
		return `{"type":"array","prefixItems":[` + schemas() + `],"items":` + Schema(s, 0) + `}`
	case 6, 7:
		return Arguments(s, depth)
	case 8:
		return `{"` + oneOf(s, "anyOf", "oneOf", "allOf") + `":[` + schemas() + `]}`
	}
	return `{"$ref":"#/$defs/` + oneOf(s, "x", "y", "lost") + `"}`
}

// Arguments returns the schema of an object.
func Arguments(s Source, depth int) string {
	var properties object
	first := ""
	for range s.IntN(5) {
		key := Key(s)
		first = cmp.Or(first, key)
		properties.set(s, key, Schema(s, depth-1))
	}
	b := `{"type":"object","properties":` + properties.String()
	if chance(s, 2) && first != "" {
		b += `,"required":[` + Quote(s, first) + "]"
	}
	switch s.IntN(6) {
	case 1:
		b += `,"additionalProperties":false`
	case 2:
		b += `,"additionalProperties":true`
	case 3:
		b += `,"additionalProperties":` + Schema(s, 0)
	case 4:
		b += `,"patternProperties":{"^[a-k]":` + Schema(s, 0) + `}`
	}
	return b + "}"
}

// list returns up to three elements, joined by commas.
func list(s Source, element func() string) string {
	elements := make([]string, 1+s.IntN(3))
	for i := range elements {
		elements[i] = element()
	}
	return strings.Join(elements, ",")
}

// Tools returns a catalog of one to three tools as JSON text.
func Tools(s Source) string {
	tools := make([]string, 1+s.IntN(3))
	for i := range tools {
		schema := Arguments(s, 3)
		defs := `{"x":` + Schema(s, 1) + `,"y":` + Schema(s, 2) + `}`
		schema = schema[:len(schema)-1] + `,"$defs":` + defs + `}`
		tools[i] = `{"name":"` + toolNames[i] + `","inputSchema":` + schema + `}`
	}
	return "[" + strings.Join(tools, ",") + "]"
}

// toolNames are the names of tools in generated catalogs and calls.
var toolNames = tokens["names"]
