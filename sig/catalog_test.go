package sig

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const weatherSchema = `{"type":"object","properties":{"location":{"type":"string"},"units":{"enum":["metric","imperial"]}},"required":["location"]}`

// A tool compiles to the same in every shape.
func TestShapes(t *testing.T) {
	shapes := map[string]string{
		"MCP":               `[{"name":"getWeather","description":"Weather","inputSchema":SCHEMA,"annotations":{"readOnlyHint":true}}]`,
		"MCP tools/list":    `{"tools":[{"name":"getWeather","description":"Weather","inputSchema":SCHEMA}]}`,
		"MCP answer":        `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"getWeather","description":"Weather","inputSchema":SCHEMA}],"nextCursor":"x"}}`,
		"OpenAI chat":       `[{"type":"function","function":{"name":"getWeather","description":"Weather","parameters":SCHEMA,"strict":true}}]`,
		"OpenAI responses":  `[{"type":"function","name":"getWeather","description":"Weather","parameters":SCHEMA}]`,
		"OpenAI request":    `{"model":"m","tools":[{"type":"function","function":{"name":"getWeather","description":"Weather","parameters":SCHEMA}}]}`,
		"Anthropic":         `[{"name":"getWeather","description":"Weather","input_schema":SCHEMA}]`,
		"AI SDK":            `{"getWeather":{"description":"Weather","inputSchema":SCHEMA}}`,
		"AI SDK wrapped":    `{"getWeather":{"description":"Weather","inputSchema":{"jsonSchema":SCHEMA}}}`,
		"AI SDK parameters": `{"getWeather":{"description":"Weather","parameters":{"jsonSchema":SCHEMA}}}`,
		"AI SDK in tools":   `{"tools":{"getWeather":{"description":"Weather","inputSchema":SCHEMA}}}`,
		"one MCP tool":      `{"name":"getWeather","description":"Weather","inputSchema":SCHEMA}`,
		"one OpenAI tool":   `{"type":"function","function":{"name":"getWeather","description":"Weather","parameters":SCHEMA}}`,
	}
	check := func(name string, tools any) {
		c, err := Compile(tools)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if c.Len() != 1 || len(c.Problems()) > 0 {
			t.Errorf("%s: %d tools, %v", name, c.Len(), c.Problems())
			return
		}
		tool := c.Tools()[0]
		if tool.Name != "getWeather" || tool.Description != "Weather" || describe(tool.Args) != `{location! string, units "metric"|"imperial"}` {
			t.Errorf("%s: %+v %s", name, tool, describe(tool.Args))
		}
		if string(tool.Schema) != weatherSchema {
			t.Errorf("%s: schema %s", name, tool.Schema)
		}
	}
	for name, shape := range shapes {
		text := strings.Replace(shape, "SCHEMA", weatherSchema, 1)
		check(name+" as string", text)
		check(name+" as []byte", []byte(text))
		check(name+" as RawMessage", json.RawMessage(text))
	}
	tool := Tool{Name: "getWeather", Description: "Weather", Schema: json.RawMessage(weatherSchema)}
	check("Tool", tool)
	check("*Tool", &tool)
	check("[]Tool", []Tool{tool})
	check("[]*Tool", []*Tool{&tool})
	check("marshalled", []map[string]any{{"name": "getWeather", "description": "Weather", "inputSchema": json.RawMessage(weatherSchema)}})
	check("struct", struct {
		Tools []Tool `json:"tools"`
	}{[]Tool{tool}})

	// The output is valid input.
	c, err := Compile(tool)
	if err != nil {
		t.Fatal(err)
	}
	check("Tools", c.Tools())
	text, err := json.Marshal(c.Tools())
	if err != nil {
		t.Fatal(err)
	}
	check("encoded Tools", text)
}

func TestRefused(t *testing.T) {
	for _, tools := range []any{
		``, `nonsense`, `[{"name":"a"}`, `[{"name":"a"}] x`,
		`null`, `7`, `"a"`, `[1]`, `["a"]`, `[{"title":"a"}]`, `{"a":1}`, `{"type":"object","properties":{}}`, `{"error":{"code":1}}`,
		nil, 7, func() {}, make(chan int), []int{1},
	} {
		c, err := Compile(tools)
		if err == nil || c != nil {
			t.Errorf("%v: accepted", tools)
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, tools := range []any{`[]`, `{}`, `{"tools":[]}`, `{"tools":{}}`, []Tool{}, []Tool(nil), []*Tool(nil), []any{}} {
		c, err := Compile(tools)
		if err != nil || c.Len() != 0 || len(c.Problems()) != 0 || c.Lookup([]byte("a")) != nil || c.Lookup(nil) != nil {
			t.Errorf("%v: %v %v", tools, c, err)
		}
	}
	for _, c := range []*Catalog{nil, {}} {
		if c.Lookup([]byte("a")) != nil || c.Tools() != nil || c.Len() != 0 || c.Problems() != nil {
			t.Error("an empty catalog has tools or problems")
		}
	}
}

func TestDirtyTools(t *testing.T) {
	for _, c := range []struct {
		tools    string
		names    []string
		problems []Problem
	}{
		{`[{"name":"a","inputSchema":{"type":"object"}},7,{"title":"x"},{"name":""},{"name":7}]`, []string{"a"},
			[]Problem{{Code: InvalidTool}, {Code: InvalidTool}, {Code: InvalidTool}, {Code: InvalidTool}}},
		{`[{"name":"a","inputSchema":{"type":"object"}},{"name":"a","inputSchema":{"type":"x"}}]`, []string{"a"},
			[]Problem{{Tool: "a", Code: DuplicateTool}}},
		{`[{"name":"my tool","inputSchema":{"type":"object"}},{"name":"7","inputSchema":{"type":"object"}}]`, []string{"my tool", "7"},
			[]Problem{{Tool: "my tool", Code: BadName}, {Tool: "7", Code: BadName}}},
		{`[{"name":"a"},{"name":"b","inputSchema":null},{"name":"c","inputSchema":{}},{"name":"d","inputSchema":"x"}]`, []string{"a", "b", "c", "d"},
			[]Problem{{Tool: "a", Code: MissingSchema}, {Tool: "b", Code: MissingSchema}, {Tool: "c", Code: MissingSchema}, {Tool: "d", Code: InvalidSchema}}},
		{`[{"name":"a","name":"b","inputSchema":{"type":"object","properties":{"x":{},"x":{}}}}]`, []string{"b"},
			[]Problem{{Tool: "b", Path: "/properties/x", Code: RepeatedKey}, {Code: RepeatedKey}}},
		{`{"a":{"parameters":{"type":"string"}},"b":{"parameters":{"type":"object"}},"a":{"parameters":{"type":"object","x":1,"x":2}},"c":7}`, []string{"a", "b"},
			[]Problem{{Tool: "a", Path: "/x", Code: RepeatedKey}, {Tool: "c", Code: InvalidTool}, {Code: RepeatedKey}}},
		{`[{"name":"a","title":"A","description":7,"inputSchema":{"type":"object"}}]`, []string{"a"}, nil},
	} {
		catalog, err := Compile(c.tools)
		if err != nil {
			t.Errorf("%s: %v", c.tools, err)
			continue
		}
		var names []string
		for _, tool := range catalog.Tools() {
			names = append(names, tool.Name)
			if catalog.Lookup([]byte(tool.Name)) != tool {
				t.Errorf("%s: %s is not found", c.tools, tool.Name)
			}
		}
		if !slices.Equal(names, c.names) {
			t.Errorf("%s: tools %q, want %q", c.tools, names, c.names)
		}
		problems := slices.Clone(catalog.Problems())
		for i := range problems {
			problems[i].Message = ""
		}
		if diff := cmp.Diff(c.problems, problems); diff != "" {
			t.Errorf("%s: problems (-want +got)\n%s", c.tools, diff)
		}
	}
	// A dirty typed tool does not affect the others.
	catalog, err := Compile([]*Tool{nil, {Name: "a", Schema: []byte(`{"type":`)}, {Name: "b", Schema: []byte(`{"type":"object"}`)}})
	if err != nil || catalog.Len() != 2 || catalog.Lookup([]byte("b")).Args == nil || len(catalog.Problems()) != 2 {
		t.Errorf("%v %v", catalog, err)
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
	typed, err := Compile([]Tool{tool})
	if err != nil {
		t.Fatal(err)
	}
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
	c, err := Compile(strings.Replace(`[{"name":"a","inputSchema":SCHEMA}]`, "SCHEMA", weatherSchema, 1))
	if err != nil {
		t.Fatal(err)
	}
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
		if callable(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// manyTools returns n tools like those of real servers.
func manyTools(n int) []byte {
	var b strings.Builder
	b.WriteString("[")
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"name":"server_%d_tool_%d","description":"Does one thing and says so in a sentence or two, as servers do.","inputSchema":{
			"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
			"owner":{"type":"string","description":"Repository owner"},"repo":{"type":"string","description":"Repository name"},
			"state":{"type":"string","enum":["open","closed","all"],"description":"Filter by state"},
			"labels":{"type":"array","items":{"type":"string"},"description":"Filter by labels"},
			"page":{"type":"number","minimum":1},"perPage":{"type":"integer","minimum":1,"maximum":100,"default":30},
			"filter":{"anyOf":[{"$ref":"#/$defs/filter"},{"type":"null"}]},
			"options":{"type":"object","properties":{"dryRun":{"type":["boolean","null"]},"tag":{"const":"v%d"}},"required":["dryRun"],"additionalProperties":false}},
			"required":["owner","repo"],"$defs":{"filter":{"type":"object","properties":{"and":{"type":"array","items":{"$ref":"#/$defs/filter"}},"field":{"type":"string"}}}}}}`, i%7, i, i)
	}
	b.WriteString("]")
	return []byte(b.String())
}

func TestLookupDoesNotAllocate(t *testing.T) {
	c, err := Compile(manyTools(100))
	if err != nil {
		t.Fatal(err)
	}
	known, unknown := []byte("server_6_tool_97"), []byte("server_6_tool_98")
	if c.Lookup(known) == nil || c.Lookup(unknown) != nil {
		t.Fatal("wrong names")
	}
	if n := testing.AllocsPerRun(100, func() { c.Lookup(known); c.Lookup(unknown) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCompile500(b *testing.B) {
	tools := manyTools(500)
	b.SetBytes(int64(len(tools)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(tools); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{1, 10, 252, 5000} {
		c, err := Compile(manyTools(n))
		if err != nil {
			b.Fatal(err)
		}
		names := make([][]byte, n)
		for i, t := range c.Tools() {
			names[i] = []byte(t.Name)
		}
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if i++; i == n {
					i = 0
				}
				if c.Lookup(names[i]) == nil {
					b.Fatal("lost")
				}
			}
		})
	}
}

func BenchmarkField(b *testing.B) {
	c, err := Compile(manyTools(1))
	if err != nil {
		b.Fatal(err)
	}
	args := c.Tools()[0].Args
	for _, name := range []string{"owner", "options", "unknown"} {
		b.Run(name, func(b *testing.B) {
			name := []byte(name)
			b.ReportAllocs()
			for b.Loop() {
				args.Field(name)
			}
		})
	}
}

// Any tool can be looked up in AnyTool, untyped, and in what is added to it.
func TestAnyTool(t *testing.T) {
	if tool := AnyTool.Lookup([]byte("anything")); tool == nil || tool.Args != nil || AnyTool.Len() != 0 {
		t.Errorf("%+v, %d tools", tool, AnyTool.Len())
	}
	c := AnyTool.With(Tool{Name: "t", Schema: []byte(`{"properties":{"a":{"type":"integer"}}}`)})
	if tool := c.Lookup([]byte("t")); tool.Args == nil || c.Lookup([]byte("u")) == nil || c.Len() != 1 {
		t.Errorf("%+v", tool)
	}
	if new(Catalog).Lookup([]byte("t")) != nil {
		t.Error("the zero catalog knows a tool")
	}
}

// Examples that do not fit their schema are reported, and kept.
func TestBadExamples(t *testing.T) {
	const text = `[{"name":"t","inputExamples":[{"n":1},{"n":"x"},{"m":1}],"inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]`
	c, err := Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	typed := compileTools(t, *c.Tools()[0])
	for _, c := range []*Catalog{c, typed} {
		var got []string
		for _, p := range c.Problems() {
			got = append(got, p.Code+": "+p.Message)
		}
		want := []string{"bad-example: inputExamples[1] does not fit the schema", "bad-example: inputExamples[2] does not fit the schema"}
		if !slices.Equal(got, want) || len(c.Tools()[0].InputExamples) != 3 {
			t.Errorf("%q, %d examples", got, len(c.Tools()[0].InputExamples))
		}
	}
}
