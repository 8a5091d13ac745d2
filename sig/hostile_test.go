package sig

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// walk visits every reachable type once.
func walk(t *Type, seen map[*Type]bool) {
	for stack := []*Type{t}; len(stack) > 0; {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t == nil || seen[t] {
			continue
		}
		seen[t] = true
		for i := range t.Fields {
			stack = append(stack, t.Fields[i].Type)
		}
		for _, p := range t.patterns {
			stack = append(stack, p.typ)
		}
		stack = append(append(append(stack, t.Prefix...), t.Alts...), t.Items, t.Extra)
	}
}

func nest(n int, open, inner, end string) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
}

// hostileSchemas make a naive compiler overflow its stack, or run out of time or
// memory.
func hostileSchemas() map[string]string {
	definitions := func(n int, each string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"d%d":%s,`, i+1, strings.ReplaceAll(each, "PREV", fmt.Sprintf("#/$defs/d%d", i)))
		}
		return fmt.Sprintf(`{"type":"object","properties":{"x":{"$ref":"#/$defs/d%d"}},"$defs":{%s"d0":{"type":"string"}}}`, n, b.String())
	}
	inProperty := func(schema string) string { return `{"type":"object","properties":{"x":` + schema + `}}` }
	return map[string]string{
		"deep properties":     nest(4900, `{"type":"object","properties":{"x":`, `{}`, `}}`),
		"deep items":          inProperty(nest(9900, `{"type":"array","items":`, `{}`, `}`)),
		"deep allOf":          inProperty(nest(4900, `{"allOf":[`, `{"type":"string"}`, `]}`)),
		"deep anyOf":          inProperty(nest(4900, `{"anyOf":[{"type":"null"},`, `{"type":"string"}`, `]}`)),
		"deep default":        inProperty(`{"default":` + nest(9900, `[`, ``, `]`) + `}`),
		"deep enum":           inProperty(`{"enum":[` + nest(9900, `[`, ``, `]`) + `]}`),
		"deep and the same":   inProperty(`{"anyOf":[` + nest(9900, `[`, ``, `]`) + `,` + nest(9900, `[`, ``, `]`) + `]}`),
		"deep if":             inProperty(nest(9900, `{"type":"object","then":`, `{"properties":{"a":{}}}`, `}`)),
		"chain of refs":       definitions(20000, `{"$ref":"PREV"}`),
		"chain with siblings": definitions(20000, `{"description":"t","$ref":"PREV"}`),
		"doubling allOf":      definitions(100, `{"allOf":[{"$ref":"PREV"},{"$ref":"PREV"}]}`),
		"doubling anyOf":      definitions(100, `{"anyOf":[{"$ref":"PREV"},{"$ref":"PREV"}]}`),
		"doubling mixed":      definitions(100, `{"anyOf":[{"allOf":[{"$ref":"PREV"},{"description":"a"}]},{"allOf":[{"$ref":"PREV"},{"description":"b"}]}]}`),
		"doubling properties": definitions(100, `{"type":"object","properties":{"a":{"$ref":"PREV"},"b":{"$ref":"PREV"}}}`),
		"product of anyOf":    inProperty(`{"allOf":[` + repeat(50, `{"anyOf":[{"description":"aN"},{"description":"bN"},{"description":"cN"}]}`) + `]}`),
		"wide anyOf":          inProperty(`{"anyOf":[` + repeat(5000, `{"type":"object","properties":{"pN":{"type":"string"},"q":{"const":N}}}`) + `]}`),
		"wide allOf":          inProperty(`{"allOf":[` + repeat(20000, `{"type":"object","properties":{"pN":{"type":"string"}}}`) + `]}`),
		"wide allOf of enums": inProperty(`{"allOf":[` + repeat(2000, `{"enum":[`+repeat(100, "N")+`]}`) + `]}`),
		"many properties":     `{"type":"object","properties":{` + repeat(50000, `"pN":{"type":"string"}`) + `}}`,
		"many required":       `{"type":"object","properties":{` + repeat(5000, `"pN":{}`) + `},"required":[` + repeat(5000, `"pN"`) + `]}`,
		"names in a product": `{"type":"object","$defs":{` + repeat(2, `"dN":{"required":[`+repeat(5000, `"pN"`)+`]}`) + `},"allOf":[` +
			repeat(10, `{"anyOf":[{"$ref":"#/$defs/d1000000"},{"properties":{"aN":{}}}]}`) + `]}`,
		"many problems": `{"type":"object","properties":{` + repeat(50000, `"pN":{"type":"x"}`) + `}}`,
		"subsets of a cycle": `{"type":"object","properties":{"x":{"$ref":"#/$defs/c1000000"}},"$defs":{` +
			repeat(40, `"cN":{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/c1000001"},{"$ref":"#/$defs/cN"},{"description":"N"}]},"b":{"anyOf":[{"$ref":"#/$defs/c1000002"},{"$ref":"#"}]}}}`) + `}}`,
		"states of a counter": `{"type":"object","properties":{"x":{"allOf":[` + repeat(16, `{"$ref":"#/$defs/lN"}`) + `]}},"$defs":{` +
			counter(16) + `}}`,
		"patterns":     inProperty(`{"type":"object","patternProperties":{` + repeat(2000, `"^(aN{1,999}b){1,1}$":{}`) + `}}`),
		"long pattern": inProperty(`{"type":"object","patternProperties":{"` + strings.Repeat("a?", 50000) + `":{}}}`),
		"long number":  inProperty(`{"enum":[1e999999999999999999999,` + strings.Repeat("9", 100000) + `,1E-99999999999]}`),
		"loops": `{"type":"object","properties":{"x":{"$ref":"#/$defs/a1000000"}},"$defs":{` +
			repeat(60, `"aN":{"anyOf":[`+repeat(60, `{"$ref":"#/$defs/aN"}`)+`,{"description":"N"}]}`) + `}}`,
	}
}

// counter returns definitions of n cycles of prime-like lengths, whose product has
// far too many states.
func counter(n int) string {
	var b strings.Builder
	for i := range n {
		length := i + 2
		for j := range length {
			name := fmt.Sprintf("l%d", firstNumber+i)
			if j > 0 {
				name = fmt.Sprintf("l%d_%d", firstNumber+i, j)
			}
			next := fmt.Sprintf("l%d", firstNumber+i)
			if j+1 < length {
				next = fmt.Sprintf("l%d_%d", firstNumber+i, j+1)
			}
			fmt.Fprintf(&b, `"%s":{"type":"object","properties":{"n":{"$ref":"#/$defs/%s"}}},`, name, next)
		}
	}
	return strings.TrimSuffix(b.String(), ",")
}

func TestHostile(t *testing.T) {
	for name, schema := range hostileSchemas() {
		c, err := Compile(`[{"name":"t","inputSchema":` + schema + `},{"name":"u","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]`)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		seen := make(map[*Type]bool)
		walk(c.Lookup([]byte("t")).Args, seen)
		if limit := toolWork/8 + byteWork*len(schema)/8; len(seen) > limit {
			t.Errorf("%s: %d types, more than %d", name, len(seen), limit)
		}
		fields := 0
		for typ := range seen {
			fields += len(typ.Fields)
		}
		if limit := toolWork + byteWork*len(schema); fields > limit {
			t.Errorf("%s: %d fields, more than %d", name, fields, limit)
		}
		if got := describe(c.Lookup([]byte("u")).Args); got != "{a string}" {
			t.Errorf("%s: the next tool is %s", name, got)
		}
		if n := len(c.Problems()); n > maxProblems+1 {
			t.Errorf("%s: %d problems", name, n)
		}
		codes := make(map[string]int)
		for _, p := range c.Problems() {
			codes[p.Code]++
		}
		t.Logf("%-20s %9d bytes %8d types %v", name, len(schema), len(seen), codes)
	}
}

// TestTooManyProblems: the problems reported for one tool are limited.
func TestTooManyProblems(t *testing.T) {
	dirty := []byte(`{"type":"object","properties":{` + repeat(2*maxProblems, `"pN":{"type":"x"}`) + `}}`)
	problems := compileTools(t, Tool{Name: "a", Schema: dirty}, Tool{Name: "b", Schema: dirty}).Problems()
	if len(problems) != 2*(maxProblems+1) {
		t.Fatalf("%d problems", len(problems))
	}
	first, last := problems[maxProblems+1], problems[maxProblems]
	if first.Tool != "b" || first.Path != "/properties/p1000000/type" || last.Code != "too-many-problems" || last.Path != "" {
		t.Errorf("%+v, %+v", first, last)
	}
}

// TestDepth: arrays and objects nest as deep as encoding/json reads them. A deeper schema
// is not read, and the literals of an enum bound how deep a value is compared with them.
func TestDepth(t *testing.T) {
	schema := func(n int) []byte { return []byte(`{"const":` + nest(n-1, "[", "", "]") + `}`) }
	for n, want := range map[int]string{maxDepth: "not-an-object", maxDepth + 1: "invalid-schema"} {
		c := compileTools(t, Tool{Name: "t", Schema: schema(n)})
		if got := c.Problems(); len(got) != 1 || got[0].Code != want {
			t.Errorf("%d levels: %+v, want %s", n, got, want)
		}
		_, err := Compile(`[{"name":"t","inputSchema":` + string(schema(n-2)) + `}]`)
		if (err == nil) != (n == maxDepth) {
			t.Errorf("%d levels of tools: %v", n, err)
		}
	}
	shallow := typeOf(t, `{"enum":[[[1]]]}`)
	values := func(n int) float64 {
		text := []byte(nest(n, "[", "1", "]"))
		return testing.AllocsPerRun(10, func() { shallow.Member(Array, text) })
	}
	if few, many := values(6), values(5000); many > few {
		t.Errorf("%v allocations for 6 levels, %v for 5000", few, many)
	}
}

// A large schema that is not hostile is compiled completely: so are unions that multiply to
// the maximum number of variants, but not those that exceed it.
func TestLarge(t *testing.T) {
	of := func(n int) string { return `{"anyOf":[` + repeat(n, `{"type":"string","title":"N"}`) + `]}` }
	schemas := hostileSchemas()
	schemas["within the bound"] = `{"type":"object","properties":{"x":{"allOf":[` + of(32) + `,` + of(32) + `]}}}`
	schemas["beyond the bound"] = `{"type":"object","properties":{"x":{"allOf":[` + of(25) + `,` + of(41) + `]}}}`
	for name, whole := range map[string]bool{
		"deep properties": true, "deep items": true, "doubling allOf": true, "doubling anyOf": true, "doubling properties": true,
		"many properties": true, "many required": true, "subsets of a cycle": true,
		"within the bound": true, "beyond the bound": false,
	} {
		c := compileTools(t, Tool{Name: "t", Schema: []byte(schemas[name])})
		if got := c.Problems(); (len(got) == 0) != whole || !whole && got[0].Code != "too-complex" {
			t.Errorf("%s: %.300v", name, got)
		}
	}
}

// TestCatalogForgets: of its input a catalog keeps only the schemas, and the memory
// for an enum is proportional to its size.
func TestCatalogForgets(t *testing.T) {
	heap := func() int {
		runtime.GC()
		runtime.GC() // what a pool holds survives the first
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for each, most := range map[string]int{`"article-N"`: 16, `1N.5`: 25, `["N",true]`: 32, `{"id":"N"}`: 32, `{"const":"N"}`: 25} {
		kept := func(n int) float64 {
			schema := []byte(`{"type":"object","properties":{"a":{"enum":[` + repeat(n, each) + `]}}}`)
			before := heap()
			c := compileTools(t, Tool{Name: "t", Schema: schema})
			after := heap()
			if c.Tools()[0].Args.Fields[0].Type == nil {
				t.Fatal("the enum is lost")
			}
			runtime.KeepAlive(schema)
			return float64(after-before) / float64(len(schema))
		}
		small, large := kept(2000), kept(20000)
		t.Logf("%s: %.1f and %.1f bytes for each byte", each, small, large)
		if large > float64(most) || large > 1.5*small {
			t.Errorf("%s: a catalog takes %.1f bytes per byte of 2000 members, %.1f per byte of 20000", each, small, large)
		}
	}
}

// TestCompileIsLinear: eight times the schema takes at most about eight times the
// memory to compile, freed or not, whatever refers to an enum.
func TestCompileIsLinear(t *testing.T) {
	for name, schema := range map[string]func(n int) string{
		"enum":          func(n int) string { return `"properties":{"a":{"enum":[` + repeat(n, `"N",N,[N],{"a":N}`) + `]}}` },
		"enum and type": func(n int) string { return `"properties":{"a":{"type":"string","enum":[` + repeat(n, `"N",N`) + `]}}` },
		"references": func(n int) string {
			return `"properties":{` + repeat(n, `"pN":{"$ref":"#/$defs/e"}`) + `},"$defs":{"e":{"enum":[` + repeat(n, `"N"`) + `]}}`
		},
		"references with a title": func(n int) string {
			return `"properties":{` + repeat(n, `"pN":{"description":"N","$ref":"#/$defs/e"}`) + `},"$defs":{"e":{"enum":[` + repeat(n, `"N"`) + `]}}`
		},
		"references with a type": func(n int) string {
			return `"properties":{` + repeat(n, `"pN":{"description":"N","type":["string","null"],"$ref":"#/$defs/e"}`) + `},"$defs":{"e":{"enum":[` + repeat(n, `"N",N`) + `]}}`
		},
		"two enums that meet": func(n int) string {
			return `"properties":{` + repeat(n, `"pN":{"description":"N","allOf":[{"$ref":"#/$defs/e"},{"$ref":"#/$defs/f"}]}`) + `},"$defs":{"e":{"enum":[` + repeat(n, `"N",N`) + `]},"f":{"enum":[` + repeat(n, `"N"`) + `]}}`
		},
		"enums in alternatives": func(n int) string {
			return `"properties":{` + repeat(n, `"pN":{"description":"N","anyOf":[{"$ref":"#/$defs/e"},{"$ref":"#/$defs/f"}]}`) + `},"$defs":{"e":{"enum":[` + repeat(n, `"N",N`) + `]},"f":{"enum":[` + repeat(n, `"xN"`) + `]}}`
		},
		"alternatives of one literal": func(n int) string { return `"properties":{"a":{"anyOf":[` + repeat(n, `{"const":"N"}`) + `]}}` },
		"limits that meet": func(n int) string {
			return `"properties":{"a":{"allOf":[` + repeat(n, `{"pattern":"N","dependentRequired":{"x":["N"]}}`) + `]}}`
		},
		"one deep array": func(n int) string { return `"properties":{"a":{"const":` + nest(2*n, "[", "", "]") + `}}` },
	} {
		taken := func(n int) float64 {
			text := []byte(`{"type":"object",` + schema(n) + `}`)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c := compileTools(t, Tool{Name: "t", Schema: text})
			runtime.ReadMemStats(&after)
			t.Logf("%s: %d bytes take %.0f each; %d problems", name, len(text), float64(after.TotalAlloc-before.TotalAlloc)/float64(len(text)), len(c.Problems()))
			return float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text))
		}
		if small, large := taken(500), taken(4000); large > 1.5*small || large > 400 {
			t.Errorf("%s: %.0f bytes per byte of a small schema, %.0f of a large one", name, small, large)
		}
	}
}
