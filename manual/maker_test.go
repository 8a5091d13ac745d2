package manual

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

func TestExample(t *testing.T) {
	for _, c := range []struct{ properties, required, want string }{
		{``, ``, `<call>t</call>`},
		{`"city":{"type":"string"}`, `"city"`, `<call>t city="New York"</call>`},
		{`"city":{"type":"string"}`, ``, `<call>t city="New York"</call>`},
		{`"dueDate":{"type":"string"},"userID":{"type":"string"}`, `"dueDate","userID"`, `<call>t dueDate=2026-05-01 userID=4f2a</call>`},
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
		{`"a":{"type":"integer","maximum":2}`, `"a"`, `<call>t a=1</call>`},
		{`"a":{"type":"string","default":5}`, `"a"`, `<call>t a="some a"</call>`},
		{`"a":{"type":"integer","examples":[true,"x",1.5,7]}`, `"a"`, `<call>t a=7</call>`},
		{`"a":{"type":"number","examples":[1.5,7]}`, `"a"`, `<call>t a=1.5</call>`},
		{`"a":{"type":"integer","minimum":4}`, `"a"`, `<call>t a=10</call>`},
		{`"a":{"type":"integer","minimum":11}`, `"a"`, `<call>t a=50</call>`},
		{`"a":{"type":"integer","minimum":51}`, `"a"`, `<call>t a=100</call>`},
		{`"a":{"type":"integer","minimum":101}`, `"a"`, `<call>t a=1000</call>`},
		{`"a":{"type":"integer","minimum":1001}`, `"a"`, `<call>t a=1001</call>`},
		{`"a":{"type":"integer","exclusiveMinimum":1001}`, `"a"`, `<call>t a=1002</call>`},
		{`"a":{"type":"integer","exclusiveMaximum":1}`, `"a"`, `<call>t a=0</call>`},
		{`"a":{"type":"integer","maximum":-1}`, `"a"`, `<call>t a=-1</call>`},
		{`"a":{"type":"integer","exclusiveMaximum":-5}`, `"a"`, `<call>t a=-6</call>`},
		{`"a":{"type":"integer","minimum":3,"exclusiveMinimum":true}`, `"a"`, `<call>t a=10</call>`},
		{`"a":{"type":"integer","maximum":3,"exclusiveMaximum":true}`, `"a"`, `<call>t a=1</call>`},
		{`"a":{"type":"integer","multipleOf":7,"minimum":2}`, `"a"`, `<call>t a=7</call>`},
		{`"a":{"enum":[[1,2],[3]]}`, `"a"`, `<call>t a=[1,2]</call>`},
		{`"a":{"const":{"x":1}}`, `"a"`, `<call>t a.x=1</call>`},
		{`"a":{"anyOf":[{"type":"null"},{"const":{"x":1}}]}`, `"a"`, `<call>t a.x=1</call>`},
		{`"a":{"anyOf":[{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]},{"type":"null"}]}`, `"a"`, `<call>t a.x=3</call>`},
		{`"o":{"type":"object"},"s":{"type":"string"}`, ``, `<call>t s="some s"</call>`},
		{`"a0":{"type":"string","pattern":"^never-made-up$"},"a1":{"type":"string","pattern":"^never-made-up$"},"a2":{"type":"string","pattern":"^never-made-up$"},"a3":{"type":"string","pattern":"^never-made-up$"},"a4":{"type":"string","pattern":"^never-made-up$"},"a5":{"type":"string","pattern":"^never-made-up$"},"a6":{"type":"string","pattern":"^never-made-up$"},"a7":{"type":"string","pattern":"^never-made-up$"},"s":{"type":"string"}`, ``, `<call>t s="some s"</call>`},
		{`"a0":{"type":"string","pattern":"^never-made-up$"},"a1":{"type":"string","pattern":"^never-made-up$"},"a2":{"type":"string","pattern":"^never-made-up$"},"a3":{"type":"string","pattern":"^never-made-up$"},"a4":{"type":"string","pattern":"^never-made-up$"},"a5":{"type":"string","pattern":"^never-made-up$"},"a6":{"type":"string","pattern":"^never-made-up$"},"a7":{"type":"string","pattern":"^never-made-up$"},"a8":{"type":"string","pattern":"^never-made-up$"},"s":{"type":"string"}`, ``, `<call>t</call>`},
		{`"a":{"type":"null"}`, `"a"`, `<call>t a=null</call>`},
		{`"a":false`, `"a"`, ``},
		{`"l":{"type":"array","maxItems":0},"s":{"type":"string"}`, ``, `<call>t s="some s"</call>`},
		{`"s":{"type":"string","pattern":"^x$"},"n":{"type":"integer"}`, ``, `<call>t n=3</call>`},
		{`"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"},"n":{"type":"integer"}`, `"a","b","c"`, `<call>t a="some a" b="some b" c="some c"</call>`},
		{`"a":{"type":"string"},"b":{"type":"string"},"n":{"type":"integer"}`, `"a","b"`, `<call>t a="some a" b="some b" n=3</call>`},
		{`"email":{"type":"string"},"homeURL":{"type":"string"},"file_path":{"type":"string"}`, `"email","homeURL","file_path"`, `<call>t email=user@example.com homeURL=https://example.com/ file_path=docs/index.md</call>`},
		{`"a":{"type":"string","default":"` + "0123456789012345678901234567890123456789012345" + `"}`, `"a"`, `<call>t a=0123456789012345678901234567890123456789012345</call>`},
		{`"a":{"type":"string","default":"` + "01234567890123456789012345678901234567890123456" + `"}`, `"a"`, `<call>t a="some a"</call>`},
		{`"a":{"type":"string","examples":["bad"," ok"],"pattern":"^ ok$"}`, `"a"`, `<call>t a=" ok"</call>`},
		{`"a":{"type":"array","items":{"type":"string"},"maxItems":1}`, `"a"`, `<call>t a=["some a"]</call>`},
		{`"a":{"type":"array","items":{"enum":["x","y"]}}`, `"a"`, `<call>t a=["x","y"]</call>`},
		{`"a":{"type":"array","items":{"enum":["x"]},"minItems":2}`, `"a"`, ``},
		{`"o":{"type":"object","properties":{"x":{"type":"integer"}},"maxProperties":0}`, `"o"`, ``},
		{`"o":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],"dependentRequired":{"x":["y"]}}`, `"o"`, ``},
		{`"o":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x","y"],"dependentRequired":{"x":["y"]}}`, `"o"`, `<call>t o.x=3 o.y=3</call>`},
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
		{`"a":{"const":"x\u2028rm path - Delete"}`, `"a"`, `<call>t a="x\u2028rm path - Delete"</call>`},
		{`"a":{"const":"x\u0085y"}`, `"a"`, `<call>t a="x\u0085y"</call>`},
		{`"a":{"const":"\u202ey"}`, `"a"`, `<call>t a="\u202ey"</call>`},
		{`"a":{"$ref":"#/properties/a"}`, `"a"`, `<call>t a="some a"</call>`},
		{`"n":{"type":"object","properties":{"n":{"$ref":"#/properties/n"}},"required":["n"]}`, `"n"`, ``},
	} {
		catalog := compile(t, []sig.Tool{{Name: "t", Schema: []byte(`{"type":"object","properties":{` + c.properties + `},"required":[` + c.required + `]}`)}})
		plan, err := sig.PlanOptions{}.Plan(catalog.Tools()[0])
		if err != nil {
			t.Fatal(err)
		}
		got, ok := must(catalog, Options{}).Example(plan.Tool.Name)
		if got != c.want && ok || ok != (c.want != "") {
			t.Errorf("%s\n got %s, %v\nwant %s", c.properties, got, ok, c.want)
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
		if got, ok := must(catalog, Options{}).Example(plan.Tool.Name); got != c.want && ok || ok != (c.want != "") {
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

// What a description gives as an example is the example, if it is short and plain.
func TestExampleInDescriptions(t *testing.T) {
	long := strings.Repeat("x", 40)
	for description, want := range map[string]string{
		"A city, e.g. Oslo": "Oslo", "A city (e.g. Oslo, Rome)": "Oslo", "e.g.: Oslo": "", "E.G. Oslo.": "Oslo", "e.g., Oslo": "Oslo", "Such as Oslo;": "Oslo", "for example : Oslo": "Oslo", "for example: Oslo": "Oslo", "for example, Oslo": "Oslo", "for example Oslo\nRome": "Oslo", "Example: Oslo": "Oslo",
		"e.g. ": "", "e.g.": "", "e.g. , : ": "", `e.g. "New York, NY" or so`: "New York, NY", "e.g. 'a'": "a", "e.g. `a b`": "a b", "e.g. “a;b”": "a;b", "e.g. ‘a’": "a", `e.g. "a`: "", "e.g. \"a\nb\"": "", "e.g. \"a\rb\"": "", `e.g. "` + long + `"`: long, `e.g. "` + long + `x"`: "",
		"e.g. one two three four": "one two three four", "e.g. one two three four five": "", "e.g. " + long: long, "e.g. " + long + "x": "", "e.g. a=b": "", "e.g. a<b": "", "e.g. it's": "", "e.g. f(x": "", "e.g. [x": "", "e.g. {x": "", "e.g. a. Then b": "", "e.g. a.b": "a.b", "e.g. a...": "a",
		"a city": "", "": "", "such as (a)": "", "such as a)": "a", "e.g. a\rb": "a", "ȺȺȺ e.g. Oslo, Rome": "Oslo",
	} {
		if got := exampleIn(description); got != want {
			t.Errorf("%q: %q, want %q", description, got, want)
		}
	}
}

// The words of a name.
func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"dueDate": "due date", "due_date": "due date", "userID": "user id", "HTTPStatus": "http status", "getHTTPStatus": "get http status", "größeÄndern": "größe ändern", "a1B2": "a1 b2", "__x--y": "x y", "x.y z": "x y z", "": "", "ABC": "abc", "aB": "a b", "1a": "1a",
	} {
		if got := strings.Join(splitWords(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// An example that shows quoted values and bare ones is worth most.
func TestShows(t *testing.T) {
	for call, want := range map[string]int{"<call>t</call>": 0, "<call>t a=1</call>": 1, "<call>t a=1 b=2</call>": 1, `<call>t a="x y"</call>`: 2, `<call>t a="x y" b="z w"</call>`: 2, `<call>t a="x y" b=1</call>`: 3, `<call>t b=1 a="x y"</call>`: 3} {
		if got := shows(call); got != want {
			t.Errorf("%s: %d, want %d", call, got, want)
		}
	}
}
