package sig

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

const weatherSchema = `{"type":"object","properties":{"location":{"type":"string"},"units":{"enum":["metric","imperial"]}},"required":["location"]}`

// A tool compiles to the same in every shape; testdata/schemas.txt has more.
func TestShapes(t *testing.T) {
	check := func(tools any) {
		t.Helper()
		c, err := Compile(tools)
		if err != nil || len(c.Tools()) != 1 || len(c.Problems()) > 0 {
			t.Errorf("%v: %v", tools, err)
			return
		}
		tool := c.Tools()[0]
		if line := signatureOf(tool); line != "getWeather location units?:metric|imperial - Weather" || string(tool.Schema) != weatherSchema {
			t.Errorf("%v: %s", tools, line)
		}
	}
	for _, shape := range []string{
		`[{"name":"getWeather","description":"Weather","inputSchema":SCHEMA,"annotations":{"readOnlyHint":true}}]`,
		`{"name":"getWeather","description":"Weather","input_schema":SCHEMA}`,
		`[{"type":"function","function":{"name":"getWeather","description":"Weather","parameters":SCHEMA,"strict":true}}]`,
		`{"type":"function","function":{"name":"getWeather","description":"Weather","parameters":SCHEMA}}`,
		`{"getWeather":{"description":"Weather","inputSchema":SCHEMA}}`,
		`{"getWeather":{"description":"Weather","parameters":{"jsonSchema":SCHEMA}}}`,
		`{"tools":{"getWeather":{"description":"Weather","inputSchema":SCHEMA}}}`,
	} {
		text := strings.Replace(shape, "SCHEMA", weatherSchema, 1)
		check(text)
		check([]byte(text))
		check(json.RawMessage(text))
	}
	tool := Tool{Name: "getWeather", Description: "Weather", Schema: json.RawMessage(weatherSchema)}
	check(tool)
	check(&tool)
	check([]Tool{tool})
	check([]*Tool{&tool})
	check(map[string]any{"tools": []Tool{tool}})
	check(compileTools(t, tool).Tools()) // the output is valid input
}

func TestRefused(t *testing.T) {
	for _, tools := range []any{nil, 7, func() {}, make(chan int), []int{1}} {
		if c, err := Compile(tools); err == nil || c != nil {
			t.Errorf("%v: accepted", tools)
		}
	}
	// A dirty typed tool does not affect the others.
	catalog, err := Compile([]*Tool{nil, {Name: "a", Schema: []byte(`{"type":`)}, {Name: "b", Schema: []byte(`{"type":"object"}`)}})
	if err != nil || len(catalog.Tools()) != 2 || catalog.Lookup([]byte("b")).Args == nil || len(catalog.Problems()) != 2 {
		t.Errorf("%v %v", catalog, err)
	}
}

func TestEmpty(t *testing.T) {
	for _, tools := range []any{`[]`, `{}`, []Tool{}, []Tool(nil), []*Tool(nil), []any{}} {
		c, err := Compile(tools)
		if err != nil || len(c.Tools()) != 0 || len(c.Problems()) != 0 || c.Lookup([]byte("a")) != nil || c.Lookup(nil) != nil {
			t.Errorf("%v: %v %v", tools, c, err)
		}
	}
	for _, c := range []*Catalog{nil, {}} {
		if c.Lookup([]byte("a")) != nil || c.Tools() != nil || len(c.Tools()) != 0 || c.Problems() != nil {
			t.Error("an empty catalog has tools or problems")
		}
	}
}

// A catalog keeps no reference to its input.
func TestCompileCopies(t *testing.T) {
	text := []byte(`[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"enum":["m",7],"default":"m"}}}}]`)
	c, err := Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	tool := Tool{Name: "a", Schema: []byte(`{"type":"object","properties":{"x":{"enum":["m",7],"default":"m"}}}`)}
	typed := compileTools(t, tool)
	clear(text)
	clear(tool.Schema)
	for _, c := range []*Catalog{c, typed} {
		x := c.Lookup([]byte("a")).Args.Field([]byte("x")).Type
		if string(x.Enum[0].JSON) != `"m"` || string(x.Default) != `"m"` || !json.Valid(c.Tools()[0].Schema) {
			t.Errorf("the catalog changed: %s %s", x.Enum[0].JSON, x.Default)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	c := compileTools(t, Tool{Name: "a", Schema: []byte(weatherSchema)})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				typ, _, _ := c.Lookup([]byte("a")).Args.Property([]byte("units"))
				if typ.Member(String, []byte("metric")) == nil || typ.Item(0) != nil {
					t.Error("lost")
				}
			}
		})
	}
	wg.Wait()
}

func TestCallable(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "getWeather": true, "_x": true, "$x": true, "@x": true, "é": true, "a-b.c/d:e9": true, "mcp__server__tool": true, "日本": true,
		"": false, "9a": false, "-a": false, ".a": false, "a b": false, "a<": false, "a=b": false, "a\n": false, "a\xff": false,
		strings.Repeat("a", 256): true, strings.Repeat("a", 257): false,
	} {
		if (&Tool{Name: name}).Callable() != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// Any tool can be looked up in AnyTool, untyped, and in what is added to it.
func TestAnyTool(t *testing.T) {
	if tool := AnyTool.Lookup([]byte("anything")); tool == nil || tool.Args != nil || len(AnyTool.Tools()) != 0 {
		t.Errorf("%+v, %d tools", tool, len(AnyTool.Tools()))
	}
	c := AnyTool.With(Tool{Name: "t", Schema: []byte(`{"properties":{"a":{"type":"integer"}}}`)})
	known, unknown := []byte("t"), []byte("u")
	if c.Lookup(known).Args == nil || c.Lookup(unknown) == nil || len(c.Tools()) != 1 {
		t.Errorf("%+v", c.Lookup(known))
	}
	if n := testing.AllocsPerRun(100, func() { c.Lookup(known); c.Lookup(unknown) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
