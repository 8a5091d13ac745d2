package constrain_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

const tools = `[{"name":"getWeather","inputSchema":{"type":"object","properties":{
	"location":{"type":"string","format":"uri"},
	"units":{"enum":["metric","imperial"]}},"required":["location","units"]}}]`

func Example() {
	catalog, err := sig.Compile(tools)
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := constrain.New(catalog, constrain.Options{Mode: constrain.Required})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Match("Let me check. <call>getWeather location=Rome units=metric</call>"))
	fmt.Println(g.Match("Let me check. <call>getWeather location=Rome units=kelvin</call>"))
	fmt.Println(g.Match("It is raining."))
	for _, n := range g.Notes() {
		fmt.Println(n.Tool, n.Path, n.Keyword, n.Kind)
	}
	// Output:
	// true
	// false
	// false
	// getWeather location format widened
}

func ExampleGrammar_Sample() {
	catalog, _ := sig.Compile(`[{"name":"ping","inputSchema":{"type":"object","properties":{}}}]`)
	g, _ := constrain.New(catalog, constrain.Options{Mode: constrain.Required, Last: true})
	fmt.Println(g.Match(g.Sample(rand.New(rand.NewPCG(1, 2)), 100)))
	// Output: true
}
