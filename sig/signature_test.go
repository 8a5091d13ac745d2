package sig

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/grammar"
)

// signatureCases are schemas of arguments with their signatures in both styles.
var signatureCases = []struct{ schema, compact, classic string }{
	{`{"type":"object","properties":{}}`, "t", "t"},
	{`{"type":"object"}`, "t *:any", "t: *:any"},
	{`{}`, "t *:any", "t: *:any"},
	{
		`{"type":"object","properties":{"units":{"enum":["metric","imperial"]},"location":{"type":"string"}},"required":["location"]}`,
		"t location units?:metric|imperial",
		`t: location:string, units?:"metric"|"imperial"`,
	},
	{
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"number"},"c":{"type":"boolean"},"d":{},"e":{"type":"null"},"f":false},"required":["a","b","c","d","e","f"]}`,
		"t a:int b:number c:bool d:any e:null f:never",
		"t: a:int, b:number, c:bool, d:any, e:null, f:never",
	},
	// Literals: quoted if they are ambiguous or alone.
	{
		`{"type":"object","properties":{"a":{"const":"x"},"b":{"enum":["1",2,"null",null,true,"string"]},"c":{"enum":["a b","c|d","e","@f"]}}}`,
		`t a?:"x" b?:"1"|2|"null"|true|"string" c?:"a b"|"c|d"|e|"@f"`,
		`t: a?:"x", b?:"1"|2|"null"|true|"string", c?:"a b"|"c|d"|"e"|"@f"`,
	},
	{
		`{"type":"object","properties":{"a":{"enum":[{"k":"` + "`" + `"},[1]]}}}`,
		"t a?:`{\"k\":\"\\u0060\"}`|`[1]`",
		"t: a?:`{\"k\":\"\\u0060\"}`|`[1]`",
	},
	// Nullable, unions, lists of types.
	{
		`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"string","nullable":true},"c":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]},"d":{"type":["string","null"],"enum":["x",null]}},"required":["a"]}`,
		"t a? b? c?:int|int[] d?:\"x\"",
		`t: a?:string, b?:string, c?:int|int[], d?:"x"`,
	},
	// Arrays and tuples.
	{
		`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":"array","items":{"enum":["x","y"]}},"c":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false},"d":{"type":"array","prefixItems":[{"type":"string"}]},"e":{"type":"array","items":{"type":"array","items":{"type":"string"}}},"f":{"type":"array","items":false}}}`,
		"t a?:any[] b?:(x|y)[] c?:[string int] d?:[string *:any] e?:string[][] f?:[]",
		`t: a?:any[], b?:("x"|"y")[], c?:[string, int], d?:[string, *:any], e?:string[][], f?:[]`,
	},
	// Objects: required first, open ones, maps, patterns.
	{
		`{"type":"object","properties":{"o":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"integer"}},"required":["y"]},"m":{"type":"object","additionalProperties":{"type":"string"}},"p":{"type":"object","patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false},"q":{"type":"object"},"r":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true},"s":{"type":"object","additionalProperties":false},"u":{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"}}}}}}`,
		`t o?:{y:int x?} m?:{*:string} p?:{~"^x-":int} q?:object r?:{a? *:any} s?:{} u?:{k?}[]`,
		`t: o?:{y:int, x?:string}, m?:{*:string}, p?:{~"^x-":int}, q?:object, r?:{a?:string, *:any}, s?:{}, u?:{k?:string}[]`,
	},
	// Defaults.
	{
		`{"type":"object","properties":{"a":{"type":"string","default":"."},"b":{"type":"string","default":"10"},"c":{"type":"integer","default":10},"d":{"enum":["x","y"],"default":"x"},"e":{"type":"array","default":[]},"f":{"type":"string","default":"a b"}}}`,
		"t a?=. b?=\"10\" c?:int=10 d?:x|y=x e?:any[]=`[]` f?=\"a b\"",
		"t: a?:string=\".\", b?:string=\"10\", c?:int=10, d?:\"x\"|\"y\"=\"x\", e?:any[]=`[]`, f?:string=\"a b\"",
	},
	// Recursion, and a type that is used twice.
	{
		`{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["name"]}}}`,
		"t root?:@node{name children?:@node[]}",
		"t: root?:@node{name:string, children?:@node[]}",
	},
	{
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/j"}},"$defs":{"j":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/j"}}]}}}`,
		"t a?:@j(string|@j[])",
		"t: a?:@j(string|@j[])",
	},
	{
		`{"type":"object","properties":{"from":{"$ref":"#/$defs/place"},"to":{"$ref":"#/$defs/place"}},"$defs":{"place":{"type":"object","properties":{"latitude":{"type":"number"},"longitude":{"type":"number"}},"required":["latitude","longitude"]}}}`,
		"t from?:@place{latitude:number longitude:number} to?:@place",
		"t: from?:@place{latitude:number, longitude:number}, to?:@place",
	},
	// Alternatives for the arguments as a whole.
	{
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		"t a b? | b a?",
		"t: a:string, b?:string | b:string, a?:string",
	},
	// Names that a path cannot contain make the call JSON.
	{
		`{"type":"object","properties":{"a b":{"type":"string"},"<call>x":{"type":"integer"}}}`,
		`t {"a b"? "\u003ccall>x"?:int}`,
		`t: {"a b"?:string, "\u003ccall>x"?:int}`,
	},
}

func TestSignature(t *testing.T) {
	for _, c := range signatureCases {
		for style, want := range [...]string{Compact: c.compact, Classic: c.classic} {
			tool := compileTools(t, Tool{Name: "t", Schema: []byte(c.schema)}).Tools()[0]
			plan, err := PlanOptions{}.Plan(tool)
			if err != nil {
				t.Fatal(err)
			}
			got := SignatureOptions{Style: Style(style)}.Signature(plan)
			if got != want {
				t.Errorf("%s\n got %s\nwant %s", c.schema, got, want)
			}
		}
	}
}

func compileTools(t testing.TB, tools ...Tool) *Catalog {
	t.Helper()
	c, err := Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const commented = `{"type":"object","properties":{
	"city":{"type":"string","description":"The city to look up. Any spelling will do, for the service knows many."},
	"days":{"type":"integer","default":3,"description":"How many (at most 10"}},"required":["city"]}`

func TestSignatureDetail(t *testing.T) {
	tool := compileTools(t, Tool{Name: "t", Description: "Get the weather.\nFor any city.", Schema: []byte(commented)}).Tools()[0]
	plan, _ := PlanOptions{}.Plan(tool)
	for _, c := range []struct {
		options SignatureOptions
		want    string
	}{
		{SignatureOptions{Parameters: Off}, "t city days?:int=3 - Get the weather. For any city."},
		{SignatureOptions{Parameters: Off, Description: 20}, "t city days?:int=3 - Get the weather."},
		{SignatureOptions{Parameters: Off, Description: -1, HideDefaults: true}, "t city days?:int"},
		{SignatureOptions{Description: -1, Style: Classic}, "t: city:string (The city to look up. Any spelling will do, for the service knows many), days?:int=3 (How many [at most 10)"},
		{SignatureOptions{Description: -1, Parameters: Full}, "t city (The city to look up. Any spelling will do, for the service knows many) days?:int=3 (How many [at most 10)"},
		{SignatureOptions{Description: -1, Budget: 90}, "t city (The city to look up. Any spelling will do, for the service knows many) days?:int=3 (How many [at most 10)"},
		{SignatureOptions{Description: -1, Budget: 60}, "t city days?:int=3 (How many [at most 10)"},
		{SignatureOptions{Description: -1, Parameters: Full, Budget: 1}, "t city days?:int=3"},
	} {
		if got := c.options.Signature(plan); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s", c.options, got, c.want)
		}
	}
}

func TestTooLong(t *testing.T) {
	for _, c := range []struct {
		budget  int
		lengths []int
		want    string
	}{
		{10, nil, "map[]"},
		{10, []int{3, 7}, "map[]"},
		{9, []int{3, 7}, "map[1:true]"},
		{9, []int{7, 3, 7}, "map[0:true 2:true]"},
		{1, []int{7, 3}, "map[0:true 1:true]"},
	} {
		if got := fmt.Sprint(tooLong(c.budget, c.lengths)); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

// The order of keywords does not matter to a signature either, and the grammar reads
// back the signatures of generated schemas.
func TestSignaturesOfDrawnSchemas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := `{"type":"object","properties":{"a":` + drawSchema(1).Draw(t, "a") + `,"b":` + drawSchema(1).Draw(t, "b") +
			`},"$defs":{"d":` + drawSchema(1).Draw(t, "d") + `}}`
		line := func(schema string) (string, bool) {
			c, err := Compile([]Tool{{Name: "t", Schema: []byte(schema)}})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range c.Problems() {
				if p.Code == TooComplex {
					return "", false
				}
			}
			text := c.Tools()[0].Signature()
			read, err := grammar.ReadSignature(text)
			if err != nil || read.String() != text {
				t.Errorf("%s\n%s\n%v", schema, text, err)
			}
			return text, true
		}
		want, ok := line(schema)
		other := shuffled(t, []byte(schema))
		if got, alsoOK := line(other); ok && alsoOK && got != want {
			t.Errorf("%s\n%s\n%s\n%s", schema, want, other, got)
		}
	})
}

// A schema that expands into exponentially many places has a signature of about its
// own length.
func TestSignatureIsLinear(t *testing.T) {
	const levels = 40
	var defs strings.Builder
	for i := range levels {
		fmt.Fprintf(&defs, `"n%d":{"type":"object","properties":{"left":{"$ref":"#/$defs/n%d"},"right":{"$ref":"#/$defs/n%[2]d"}}},`, i, i+1)
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{"root":{"$ref":"#/$defs/n0"}},"$defs":{%s"n%d":{"type":"integer"}}}`, defs.String(), levels)
	line := compileTools(t, Tool{Name: "t", Schema: []byte(schema)}).Tools()[0].Signature()
	if len(line) > len(schema) || !strings.Contains(line, "@n39{left?:int right?:int}") {
		t.Errorf("%d bytes for %d: %s", len(line), len(schema), line)
	}
}

// The type of an optional property does not mention null, nor null as the default.
func TestOptionalNull(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":["string","null"],"default":null}`:                                          "t a?",
		`{"anyOf":[{"type":"object","properties":{"x":{}}},{"type":"null"}],"default":null}`: "t a?:{x?:any}",
		`{"type":"null","default":null}`:                                                     "t a?:null",
		`{"type":["integer","null"],"default":3}`:                                            "t a?:int=3",
		`{"type":"array","items":{"type":["string","null"],"default":null}}`:                 "t a?:(string|null)[]",
		`{"not":{}}`: "t a?:never",
		`{"anyOf":[{"not":{}},{"type":"integer"}]}`:                                          "t a?:int",
		`{"anyOf":[{"not":true},{"anyOf":[{"type":"string","const":"n"},{"type":"null"}]}]}`: `t a?:"n"`,
	} {
		tool := compileTools(t, Tool{Name: "t", Schema: []byte(`{"type":"object","properties":{"a":` + schema + `}}`)}).Tools()[0]
		if got := tool.Signature(); got != want {
			t.Errorf("%s\n got %s\nwant %s", schema, got, want)
		}
	}
}

// Descriptions that a signature shortens or drops are listed as omissions.
func TestOmittedDescriptions(t *testing.T) {
	const schema = `{"type":"object","description":"The arguments.","properties":{
		"a":{"type":"string","description":"One. Two."},
		"b":{"type":"string","description":"One."},
		"c":{"type":"array","items":{"type":"string","description":"An item"}},
		"d":{"anyOf":[{"type":"string","description":"Some text"},{"type":"integer","description":"Some number"}]}}}`
	tool := compileTools(t, Tool{Name: "t", Description: "Do it. Slowly.\nArgs:\n  b: Other words", Schema: []byte(schema)}).Tools()[0]
	plan, _ := PlanOptions{}.Plan(tool)
	for _, c := range []struct {
		options SignatureOptions
		want    string
	}{
		{SignatureOptions{Parameters: Full}, `[{ description "The arguments."}]`},
		{SignatureOptions{Parameters: Off}, `[{a description "One. Two."} {b description "One."} {b description "Other words"} {c[] description "An item"} {d description "Some text"} {d description "Some number"} { description "The arguments."}]`},
		{SignatureOptions{Description: 8, Budget: 15}, `[{b description "One."} {b description "Other words"} {c[] description "An item"} {d description "Some text"} {d description "Some number"} { description "The arguments."} { description "Do it. Slowly."}]`},
	} {
		if got := fmt.Sprint(c.options.Omitted(plan)); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s\n  of %s", c.options, got, c.want, c.options.Signature(plan))
		}
	}
}
