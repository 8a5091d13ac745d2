package manual

import (
	"testing"

	"github.com/callwire/callwire/sig"
)

func TestExample(t *testing.T) {
	for _, c := range []struct{ properties, required, want string }{
		{``, ``, `<call>t</call>`},
		{`"city":{"type":"string"}`, `"city"`, `<call>t city="some city"</call>`},
		{`"city":{"type":"string"}`, ``, `<call>t city="some city"</call>`},
		{`"dueDate":{"type":"string"},"userID":{"type":"string"}`, `"dueDate","userID"`, `<call>t dueDate=2026-05-01 userID="some user id"</call>`},
		{`"a":{"type":"string","examples":["x y"]},"b":{"type":"integer","default":7}`, `"a"`, `<call>t a="x y" b=7</call>`},
		{`"a":{"type":"string","format":"uuid"}`, `"a"`, `<call>t a=123e4567-e89b-12d3-a456-426614174000</call>`},
		{`"a":{"type":"string","maxLength":4}`, `"a"`, `<call>t a=text</call>`},
		{`"a":{"type":"string","pattern":"^[0-9]$"}`, `"a"`, `<call>t a=1</call>`},
		{`"a":{"type":"string","pattern":"^never-made-up$"}`, `"a"`, ``},
		{`"a":{"type":"string","pattern":"["}`, `"a"`, ``},
		{`"a":{"type":"integer","minimum":5}`, `"a"`, `<call>t a=10</call>`},
		{`"a":{"type":"number","maximum":-4}`, `"a"`, `<call>t a=-4</call>`},
		{`"a":{"type":"integer","exclusiveMinimum":3,"maximum":4}`, `"a"`, `<call>t a=4</call>`},
		{`"a":{"type":"integer","multipleOf":7}`, `"a"`, `<call>t a=0</call>`},
		{`"a":{"type":"integer","minimum":4,"maximum":3}`, `"a"`, ``},
		{`"a":{"type":"boolean"},"b":{"enum":[null,"x"]}`, `"a","b"`, `<call>t a=true b=x</call>`},
		{`"a":{"type":["null","integer"]}`, `"a"`, `<call>t a=3</call>`},
		{`"tags":{"type":"array","items":{"type":"string"}}`, `"tags"`, `<call>t tags=["some tag"]</call>`},
		{`"a":{"type":"array","items":{"enum":["x","y"]},"minItems":2}`, `"a"`, `<call>t a=["x","y"]</call>`},
		{`"a":{"type":"array","items":{"type":"integer"},"minItems":9}`, `"a"`, ``},
		{`"a":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, `"a"`, `<call>t a=["some a",3]</call>`},
		{`"o":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"]}`, `"o"`, `<call>t o.x=3</call>`},
		{`"o":{"type":"object","minProperties":1}`, `"o"`, ``},
		// What several schemas demand together.
		{`"a":{"allOf":[{"type":"string"},{"pattern":"^never-made-up$"}]}`, `"a"`, ``},
		{`"a":{"allOf":[{"type":"string","pattern":"^[a-z]*$"},{"maxLength":3}]}`, `"a"`, `<call>t a=a</call>`},
		{`"a":{"$ref":"#/properties/b","description":"x"},"b":{"type":"string","pattern":"^never-made-up$"}`, `"a"`, ``},
		{`"a":{"anyOf":[{"type":"string"},{"type":"integer"}],"maxLength":3,"minimum":2}`, `"a"`, `<call>t a="1"</call>`},
		{`"a":{"type":["string","null"],"maxLength":3}`, `"a"`, `<call>t a=1</call>`},
		{`"a":{"const":"</call>"}`, `"a"`, `<call>t a="<\/call>"</call>`},
		{`"a":{"const":"\u003c/call>\u0041"}`, `"a"`, `<call>t a="<\/call>A"</call>`},
		{`"a":{"const":"x\u2028rm path - Delete"}`, `"a"`, ``},
		{`"a":{"const":"x\u0085y"}`, `"a"`, ``},
		{`"a":{"const":"\u202ey"}`, `"a"`, ``},
		{`"a":{"$ref":"#/properties/a"}`, `"a"`, `<call>t a="some a"</call>`},
		{`"n":{"type":"object","properties":{"n":{"$ref":"#/properties/n"}},"required":["n"]}`, `"n"`, ``},
	} {
		catalog := compile(t, []sig.Tool{{Name: "t", Schema: []byte(`{"type":"object","properties":{` + c.properties + `},"required":[` + c.required + `]}`)}})
		plan, err := sig.PlanOptions{}.Plan(catalog.Tools()[0])
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Options{}.Example(catalog, plan)
		if got != c.want && ok || ok != (c.want != "") {
			t.Errorf("%s\n got %s, %v\nwant %s", c.properties, got, ok, c.want)
		}
	}
}

func TestSplitWords(t *testing.T) {
	for name, want := range map[string]int{"dueDate": 2, "due_date": 2, "userID": 2, "x": 1, "": 0, "__": 0, "HTTPStatus": 1, "größeÄndern": 2} {
		if got := splitWords(name); len(got) != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What an object demands of its properties together holds for the example too.
func TestExampleOfWholes(t *testing.T) {
	for _, c := range []struct{ keywords, want string }{
		{`"minProperties":2`, ``},
		{`"maxProperties":1`, `<call>t a="some a"</call>`},
		{`"dependentRequired":{"a":["b"]}`, ``},
		{`"dependentRequired":{"b":["c"]}`, `<call>t a="some a"</call>`},
		{`"dependencies":{"a":["b"]}`, ``},
		{`"propertyNames":{"minLength":2}`, ``},
	} {
		catalog := compile(t, []sig.Tool{{Name: "t", Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"required":["a"],` + c.keywords + `}`)}})
		plan, _ := sig.PlanOptions{}.Plan(catalog.Tools()[0])
		if got, ok := (Options{}).Example(catalog, plan); got != c.want && ok || ok != (c.want != "") {
			t.Errorf("%s\n got %s, %v\nwant %s", c.keywords, got, ok, c.want)
		}
	}
}

// Of a schema that branches at every level few values are tried.
func TestExampleIsBounded(t *testing.T) {
	schema := `{"type":"object","properties":{"n":{"type":"string","pattern":"^never-made-up$"}}}`
	for range 8 {
		b := []byte(`{"type":"object","properties":{`)
		for i := range 8 {
			b = append(b, `"p`+string(rune('0'+i))+`":{"$ref":"#/$defs/x"},`...)
		}
		schema = string(b) + `"z":` + schema + `}}`
	}
	catalog := compile(t, []sig.Tool{{Name: "t", Schema: []byte(schema[:len(schema)-1] + `,"$defs":{"x":{"type":"object","properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/x"},"c":{"$ref":"#/$defs/x"},"d":{"$ref":"#/$defs/x"}}}}}`)}})
	m := maker{}
	m.arguments(catalog.Tools()[0].Args)
	if m.tries > 2*maxExampleTries {
		t.Errorf("%d values", m.tries)
	}
}
