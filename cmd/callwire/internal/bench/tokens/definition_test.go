package tokens

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

const shop = `[{"name":"findItem","description":"Find an item: fast.","inputSchema":{"type":"object","properties":{
	"query":{"type":"string","description":"What to find. Any words.","maxLength":9},"sort":{"enum":["price","no"]},"tags":{"type":"array","items":{"type":["string","null"]}},
	"range":{"type":"object","properties":{"from":{"type":"number"},"deep":{}}},"x":{"anyOf":[{"type":"boolean"},{"type":"integer"}]}},"required":["query"]}},
	{"name":"ping","inputSchema":{"type":"object","properties":{}}}]`

func TestTypeScript(t *testing.T) {
	catalog, err := sig.Compile(shop)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, tool := range catalog.Tools() {
		writeTypeScript(&b, tool)
	}
	want := `// Find an item: fast.
type findItem = (_: {
// What to find. Any words.
query: string,
sort?: "price" | "no",
tags?: Array<string | null>,
range?: {
  from?: number,
  deep?: any,
},
x?: boolean | number,
}) => any;
type ping = () => any;
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestYAML(t *testing.T) {
	got, err := writeYAML([]byte(`[{"name":"a b","d":"x: y","e":{},"f":["no",1,{"g":[],"h":null}],"k":{"l":"-"}},{"name":""}]`))
	want := "- name: a b\n  d: \"x: y\"\n  e: {}\n  f:\n    - \"no\"\n    - 1\n    - g: []\n      h: null\n  k:\n    l: \"-\"\n- name: \"\"\n"
	if err != nil || got != want {
		t.Errorf("%v, got\n%s", err, got)
	}
}

func TestDefinitions(t *testing.T) {
	catalog, err := sig.Compile(shop)
	if err != nil {
		t.Fatal(err)
	}
	length := func(text string) int { return len(text) }
	all, err := definitions(catalog, length)
	if err != nil || len(all) != 5 {
		t.Fatalf("%v, %v", all, err)
	}
	for i, want := range []string{"1 description, wholly or in part; 1 constraint", "nothing", "nothing", "1 constraint", "nothing"} {
		if all[i].LeftOut != want {
			t.Errorf("%s leaves out %q, want %q", all[i].Form, all[i].LeftOut, want)
		}
	}
	if all[0].Tokens >= all[1].Tokens {
		t.Errorf("%+v", all)
	}
	many, err := large(catalog, length)
	if err != nil || len(many) != 5 {
		t.Fatalf("%v, %v", many, err)
	}
	for i := range many[1:] {
		if many[i+1].Tokens >= many[i].Tokens {
			t.Errorf("%+v", many)
		}
	}
}
