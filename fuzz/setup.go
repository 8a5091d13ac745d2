package fuzz

import (
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Setup is the configuration for reading a message. The zero value is the format as
// specified, without a catalog.
type Setup struct {
	Protocol parse.Protocol // nil is the wire format

	Delims          lexer.Delims
	Limits          lexer.Limits
	Strict          bool
	Stop            bool // after a malformed span
	Accept          bool // a complete call at the end of input
	Salvage         bool // drift
	Regions         bool // reasoning, and code; or one of them:
	Reasoning, Code bool
	Catalog         *sig.Catalog
}

// setups are the setups for reading soup.
var setups = []Setup{
	{},
	{Accept: true},
	{Stop: true, Catalog: named("t", "tool")},
	{Limits: lexer.Limits{Bytes: 24, Depth: 2, Arguments: 2, Name: 4}},
	{Limits: lexer.Limits{Bytes: 17, Depth: 1, Arguments: 1, Name: 2}, Accept: true},
	{Delims: lexer.Delims{Open: "@c", Close: "@/c"}},
	{Delims: lexer.Delims{Open: "<<call>", Close: "</call>"}},
	{Limits: lexer.Limits{Bytes: 6}}, // less than any call
	{Strict: true, Catalog: types},
	{Catalog: types},
	{Catalog: groups},
	{Strict: true, Catalog: groups},
	{Catalog: groups, Limits: lexer.Limits{Depth: 1, Arguments: 4}, Accept: true},
	{Strict: true, Catalog: groups, Limits: lexer.Limits{Bytes: 120, Depth: 2}, Stop: true},
	{Catalog: groups, Delims: lexer.Delims{Open: "@c", Close: "@/c"}},
	{Catalog: groups, Delims: lexer.Delims{Open: "<tool_call>", Close: "</tool_call>"}},
	{Salvage: true},
	{Salvage: true, Regions: true},
	{Salvage: true, Catalog: types, Stop: true},
	{Salvage: true, Catalog: groups, Accept: true},
	{Salvage: true, Catalog: groups, Delims: lexer.Delims{Open: "@c", Close: "@/c"}, Limits: lexer.Limits{Depth: 2, Arguments: 4}},
}

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

// typed reports whether s has types or reads drift, which the grammar does not support.
func (s Setup) typed() bool {
	return s.Strict || s.Salvage || s.Regions || s.Reasoning || s.Code || s.Catalog == types || s.Catalog == groups
}

// named returns a catalog of tools with untyped arguments.
func named(names ...string) *sig.Catalog {
	tools := make([]sig.Tool, len(names))
	for i, name := range names {
		tools[i].Name = name
	}
	return mustCompile(tools)
}

// knows reports whether name is a tool.
func (s Setup) knows(name string) bool {
	return s.Catalog == nil || s.Catalog.Lookup([]byte(name)) != nil
}

func (s Setup) lexer() lexer.Config {
	return lexer.Config{Delims: s.Delims, Limits: s.Limits, AcceptAtEnd: s.Accept, NearMisses: s.Salvage && !s.Strict, Reasoning: s.Regions || s.Reasoning, Code: s.Regions || s.Code}
}

func (s Setup) parse() parse.Options {
	return parse.Options{Protocol: s.Protocol, Delims: s.Delims, Limits: s.Limits, Strict: s.Strict, AcceptAtEnd: s.Accept, StopAfterMalformed: s.Stop, Salvage: s.Salvage, Reasoning: s.Regions || s.Reasoning, Code: s.Regions || s.Code}
}

func (s Setup) stream() stream.Options {
	return stream.Options{Options: s.parse()}
}

func (s Setup) grammar() grammar.Options {
	o := grammar.Options{
		Limits:             grammar.Limits{Bytes: s.Limits.Bytes, Depth: s.Limits.Depth, Arguments: s.Limits.Arguments, Name: s.Limits.Name},
		AcceptAtEnd:        s.Accept,
		StopAfterMalformed: s.Stop,
	}
	if s.Catalog != nil {
		o.Known = s.knows
	}
	return o
}
