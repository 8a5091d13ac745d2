package sig_test

import (
	"fmt"

	"github.com/callwire/callwire/sig"
)

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
	plans, err := catalog.Plans(sig.PlanOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, options := range []sig.SignatureOptions{
		{},
		{Style: sig.Classic},
		{Parameters: sig.Off, Description: -1},
	} {
		fmt.Println(options.Signature(plans[0]))
	}
	// Output:
	// bookTable guests:int (How many come) when:{date hour?:int} area?:inside|terrace=inside names?:string[] - Book a table in a restaurant.
	// bookTable: guests:int (How many come), when:{date:string, hour?:int}, area?:"inside"|"terrace"="inside", names?:string[] — Book a table in a restaurant.
	// bookTable guests:int when:{date hour?:int} area?:inside|terrace=inside names?:string[]
}

func ExamplePlanOptions_Plan() {
	catalog, err := sig.Compile(`[
		{"name": "move", "inputSchema": {"type": "object", "properties": {"to": {"type": "object", "properties": {"x": {"type": "integer"}}}}}},
		{"name": "find", "inputSchema": {"type": "object", "properties": {"due date": {"type": "string"}}}}
	]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range catalog.Tools() {
		plan, err := sig.PlanOptions{}.Plan(tool)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tool.Name, plan.Syntax)
		for _, reason := range plan.Reasons {
			fmt.Println(" ", reason.Message)
		}
	}
	_, err = catalog.Plans(sig.PlanOptions{Fallback: sig.Refuse})
	fmt.Println(err)
	// Output:
	// move wire
	// find json
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
	plan, err := sig.PlanOptions{}.Plan(catalog.Lookup([]byte("listIssues")))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, options := range []sig.SignatureOptions{{}, {Parameters: sig.Off}} {
		fmt.Println(options.Signature(plan))
		for _, o := range options.Omitted(plan) {
			fmt.Println("  left out:", o.Path, o.Keyword, o.Value)
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

func ExampleSignatureOptions_Type() {
	catalog, err := sig.Compile(`[{
		"name": "move",
		"inputSchema": {
			"type": "object",
			"properties": {
				"to":    {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": ["integer", "null"]}}, "required": ["x"]},
				"speed": {"enum": ["slow", "fast"]}
			}
		}
	}]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	arguments := catalog.Lookup([]byte("move")).Args
	for _, field := range arguments.Fields {
		fmt.Println(field.Name, sig.SignatureOptions{}.Type(field.Type))
	}
	fmt.Println(sig.SignatureOptions{Style: sig.Classic}.Type(arguments.Fields[0].Type))
	// Output:
	// to {x:int y?:int}
	// speed slow|fast
	// {x:int, y?:int}
}
