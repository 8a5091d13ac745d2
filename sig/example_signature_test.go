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
		{Parameters: sig.Short, Description: -1},
	} {
		fmt.Println(options.Signature(plans[0]))
	}
	// Output:
	// bookTable guests:int when:{date hour?:int} area?:inside|terrace=inside names?:string[] - Book a table in a restaurant.
	// bookTable: guests:int, when:{date:string, hour?:int}, area?:"inside"|"terrace"="inside", names?:string[] — Book a table in a restaurant.
	// bookTable guests:int (How many come) when:{date hour?:int} area?:inside|terrace=inside names?:string[]
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
