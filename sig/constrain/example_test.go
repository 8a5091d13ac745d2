package constrain_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

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
	g, err := constrain.New(catalog, constrain.Options{Required: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(g.GBNF(), `"imperial"`))
	for _, n := range g.Notes() {
		fmt.Println(n.Tool, n.Path, n.Keyword, n.Kind)
	}
	// Output:
	// true
	// getWeather location format widened
}

func ExampleGrammar_Sample() {
	catalog, _ := sig.Compile(`[{"name":"ping","inputSchema":{"type":"object","properties":{}}}]`)
	g, _ := constrain.New(catalog, constrain.Options{Required: true, Last: true})
	text := g.Sample(rand.New(rand.NewPCG(1, 2)), 0)
	fmt.Println(strings.HasSuffix(text, "<call>ping</call>"))
	// Output: true
}
