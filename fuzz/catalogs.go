package fuzz

import "github.com/callwire/callwire/sig"

// groups is a catalog of nested objects with required properties.
var groups = mustCompile(`[
	{"name": "t", "inputSchema": {"type": "object", "required": ["key", "v"], "properties": {
		"a": {"type": "object", "required": ["e"], "properties": {
			"b": {"type": "object", "required": ["d"], "properties": {"c": {"type": "integer"}, "d": {"type": "string"}}},
			"e": {"type": "string"}, "v": {"type": "array", "items": {"type": "string"}}}},
		"b": {"type": "object", "properties": {"a": {}, "k": {"enum": ["x", "word", 1]}}, "required": ["a", "k"]},
		"key": {"type": "string"},
		"v": {"type": ["boolean", "number", "null"]}}}},
	{"name": "tool", "inputSchema": {"type": "object", "properties": {
		"path": {"type": "string"},
		"d": {"type": "object", "properties": {"e": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}}, "d.e": {"type": "string"}}},
		"e": {"type": "object", "additionalProperties": {"type": "string"}},
		"k": {"type": "string"}}}},
	{"name": "u", "inputSchema": {"type": "object", "properties": {
		"a": {"type": "string"},
		"b": {"type": "array", "items": {"type": "integer"}, "enum": [[1], [1, 2]]},
		"c": {"type": "string", "enum": ["x", "{}"]}}, "additionalProperties": false}}]`)

// types is a small catalog with all kinds of types and combinations: unions, enums, tuples,
// recursion, names with dots, closed and open objects.
var types = mustCompile(`[
	{"name": "t", "inputSchema": {"type": "object", "required": ["a"], "properties": {
		"a": {"type": ["integer", "string"]},
		"b": {"enum": [1, "1", null, "x", true]},
		"c": {"type": "array", "items": {"type": "number"}},
		"d": {"type": "object", "properties": {"e": {"type": "string"}}, "additionalProperties": false},
		"key": {"type": "boolean"},
		"v": {"anyOf": [{"type": "object"}, {"type": "string"}]}}}},
	{"name": "tool", "inputSchema": {"type": "object", "properties": {
		"a.b": {"type": "string"},
		"a": {"type": "object", "properties": {"b": {"type": "integer"}, "b.c": {"type": "null"}}},
		"b": {"$ref": "#/$defs/list"},
		"k": {"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}},
		"additionalProperties": {"type": "integer"},
		"$defs": {"list": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/list"}, {"type": "string"}]}}}}},
	{"name": "getWeather", "inputSchema": {"type": "object", "additionalProperties": {"type": "string"}}},
	{"name": "rows", "inputSchema": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}}},
	{"name": "nest", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/list"}, "b": {"type": "array", "items": {"$ref": "#/$defs/wide"}}},
		"$defs": {"list": {"type": "array", "enum": [[1], [[2]], [{"a": "b"}]], "items": {"$ref": "#/$defs/list"}},
			"wide": {"type": "object", "required": ["a", "b", "c", "d", "e", "f", "g", "h"], "properties": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}, "g": {}, "h": {}}}}}},
	{"name": "u"}]`)

func mustCompile(tools any) *sig.Catalog {
	c, err := sig.Compile(tools)
	if err != nil {
		panic(err)
	}
	return c
}

// named returns a catalog of tools with untyped arguments.
func named(names ...string) *sig.Catalog {
	tools := make([]sig.Tool, len(names))
	for i, name := range names {
		tools[i].Name = name
	}
	return mustCompile(tools)
}
