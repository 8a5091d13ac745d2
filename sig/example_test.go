package sig_test

import (
	"fmt"

	"github.com/callwire/callwire/sig"
)

func ExampleCompile() {
	catalog, err := sig.Compile(`[{
		"name": "getWeather",
		"description": "Get the weather",
		"inputSchema": {
			"type": "object",
			"properties": {
				"location": {"type": "string"},
				"days":     {"type": ["integer", "null"]},
				"units":    {"enum": ["metric", "imperial"]}
			},
			"required": ["location"]
		}
	}]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	tool := catalog.Lookup([]byte("getWeather"))
	for _, field := range tool.Args.Fields {
		fmt.Println(field.Name, field.Type.Kinds, field.Required)
	}
	// Output:
	// location string true
	// days null|integer false
	// units string false
}

func ExampleCompile_typed() {
	catalog, err := sig.Compile([]sig.Tool{
		{Name: "now"},
		{Name: "echo", Schema: []byte(`{"type": "object", "properties": {"text": {"type": "str"}}}`)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range catalog.Problems() {
		fmt.Printf("%s%s: %s\n", p.Tool, p.Path, p.Message)
	}
	// Output:
	// now: no schema: the arguments are untyped
	// echo/properties/text/type: "str" is not a JSON Schema type: read as string
}

func ExampleType_Property() {
	catalog, err := sig.Compile(`{"setLabels": {"parameters": {
		"type": "object",
		"properties": {"issue": {"type": "integer"}},
		"patternProperties": {"^x-": {"type": "string"}},
		"additionalProperties": false
	}}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	args := catalog.Lookup([]byte("setLabels")).Args
	for _, name := range []string{"issue", "x-team", "team"} {
		typ, field, known := args.Property([]byte(name))
		fmt.Println(name, known, field != nil, typ != nil && typ.Kinds == sig.String)
	}
	// Output:
	// issue true true false
	// x-team true false true
	// team false false false
}

func ExampleType_recursive() {
	catalog, err := sig.Compile(`{"name": "save", "input_schema": {
		"type": "object",
		"properties": {"root": {"$ref": "#/$defs/node"}},
		"$defs": {"node": {
			"type": "object",
			"properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}
		}}
	}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	root := catalog.Lookup([]byte("save")).Args.Field([]byte("root")).Type
	child := root.Field([]byte("children")).Type.Item(0)
	fmt.Println(root.Ref, child == root)
	// Output: node true
}
