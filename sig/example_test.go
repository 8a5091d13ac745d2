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
				"days":     {"type": ["integer", "null"], "minimum": 1},
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
		if l := field.Type.Limits; l != nil && l.Min != nil {
			fmt.Println("at least", l.Min.Number)
		}
	}
	// Output:
	// location string true
	// days null|integer false
	// at least 1
	// units string false
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

func ExampleSignatureOptions_Signature() {
	catalog, err := sig.Compile(`[{
		"name": "bookTable",
		"description": "Book a table in a restaurant.",
		"inputSchema": {
			"type": "object",
			"properties": {
				"area":   {"enum": ["inside", "terrace"], "default": "inside"},
				"guests": {"type": "integer", "description": "How many come"},
				"names":  {"type": "array", "items": {"type": "string"}},
				"when":   {"type": "object", "properties": {"date": {"type": "string"}, "hour": {"type": "integer"}}, "required": ["date"]}
			},
			"required": ["guests", "when"]
		}
	}]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := catalog.Lookup([]byte("bookTable")).Plan(sig.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, options := range []sig.SignatureOptions{
		{},
		{Classic: true},
		{HideParameters: true, Description: -1},
	} {
		fmt.Println(options.Signature(plan))
	}
	// Output:
	// bookTable guests:int (How many come) when:{date hour?:int} area?:inside|terrace=inside names?:string[] - Book a table in a restaurant.
	// bookTable: guests:int (How many come), when:{date:string, hour?:int}, area?:"inside"|"terrace"="inside", names?:string[] — Book a table in a restaurant.
	// bookTable guests:int when:{date hour?:int} area?:inside|terrace=inside names?:string[]
}

func ExampleTool_Plan() {
	catalog, err := sig.Compile(`[
		{"name": "move", "inputSchema": {"type": "object", "properties": {"to": {"type": "object", "properties": {"x": {"type": "integer"}}}}}},
		{"name": "find", "inputSchema": {"type": "object", "properties": {"due date": {"type": "string"}}}}
	]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range catalog.Tools() {
		plan, err := tool.Plan(sig.Auto)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tool.Name, plan.JSON)
		for _, reason := range plan.Reasons {
			fmt.Println(" ", reason.Message)
		}
	}
	_, err = catalog.Lookup([]byte("find")).Plan(sig.Refuse)
	fmt.Println(err)
	// Output:
	// move false
	// find true
	//   the name "due date" cannot be written before an equals sign
	// sig: find, due date: the name "due date" cannot be written before an equals sign
}

func ExampleSignatureOptions_Omitted() {
	catalog, err := sig.Compile(`[{
		"name": "listIssues",
		"inputSchema": {
			"type": "object",
			"properties": {
				"page":   {"type": "integer", "minimum": 1, "maximum": 100},
				"labels": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "contains": {"const": "bug"}}
			}
		}
	}]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := catalog.Lookup([]byte("listIssues")).Plan(sig.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, options := range []sig.SignatureOptions{{}, {HideParameters: true}} {
		fmt.Println(options.Signature(plan))
		for _, o := range options.Omitted(plan) {
			fmt.Println("  left out:", o.Path, o.Name, o.Value)
		}
	}
	// Output:
	// listIssues page?:int (1..100) labels?:string[] (each /^[a-z]+$/)
	//   left out: labels contains {"const": "bug"}
	// listIssues page?:int labels?:string[]
	//   left out: page minimum 1
	//   left out: page maximum 100
	//   left out: labels contains {"const": "bug"}
	//   left out: labels[] pattern "^[a-z]+$"
}
