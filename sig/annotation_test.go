package sig

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/grammar"
)

// Constraints and descriptions of one place as a comment shows them, and what it
// leaves out.
func TestAnnotation(t *testing.T) {
	for _, c := range []struct{ schema, comment, omitted string }{
		{`{"type":"integer","minimum":1,"maximum":100}`, "1 to 100", ""},
		{`{"type":"integer","minimum":0}`, "at least 0", ""},
		{`{"type":"integer","maximum":9,"multipleOf":3}`, "at most 9; multiple of 3", ""},
		{`{"type":"number","minimum":5,"maximum":5}`, "exactly 5", ""},
		{`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.5}`, "over 0; under 1.5", ""},
		{`{"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":1,"exclusiveMaximum":false}`, "over 0; at most 1", ""},
		{`{"type":"number","minimum":0,"maximum":1,"exclusiveMaximum":true}`, "at least 0; under 1", ""},
		{`{"type":"string","minLength":1}`, "not empty", ""},
		{`{"type":"string","minLength":0}`, "", ""},
		{`{"type":"string","minLength":0,"maxLength":10}`, "at most 10 characters", ""},
		{`{"type":"string","minLength":2,"maxLength":2}`, "exactly 2 characters", ""},
		{`{"type":"string","maxLength":1}`, "at most 1 character", ""},
		{`{"type":"string","format":"date-time"}`, "date-time", ""},
		{`{"type":"string","contentEncoding":"base64","contentMediaType":"image/png"}`, "base64; image/png", ""},
		{`{"type":"string","pattern":"^(a|b)$","description":"Either."}`, "pattern ^(a|b)$; Either.", ""},
		{`{"type":"string","pattern":"^\\)$"}`, "", `pattern "^\\)$"`},
		{`{"type":"string","pattern":"a  b"}`, "", `pattern "a  b"`},
		{`{"type":"string","pattern":"<call>"}`, "", `pattern "<call>"`},
		{`{"type":"array","minItems":1,"maxItems":5,"uniqueItems":true}`, "1 to 5 items; unique items", ""},
		{`{"type":"array","items":{"type":"string","format":"uri","default":"x y","description":"A link."},"uniqueItems":false,"description":"Links."}`, `each uri; each default "x y"; Links.; each A link.`, ""},
		{`{"type":"array","items":{"type":"array","items":{"type":"integer","minimum":0}}}`, "each each at least 0", ""},
		{`{"type":"array","prefixItems":[{"type":"number","description":"Latitude"},{"type":"number","maximum":180}]}`, "element 2 at most 180; element 1 Latitude", ""},
		{`{"type":"array","contains":{"type":"integer"},"minContains":2}`, "", `contains {"type":"integer"}, minContains 2`},
		{`{"type":"object","minProperties":1,"maxProperties":1}`, "exactly 1 property", ""},
		{`{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"pattern":"^x-"}}`, "names match ^x-", ""},
		{`{"type":"object","propertyNames":{"type":"string","enum":["a","b"]}}`, "names a, b", ""},
		{`{"type":"object","propertyNames":{"type":"string"}}`, "", ""},
		{`{"type":"object","propertyNames":{"maxLength":3}}`, "", `propertyNames {"maxLength":3}`},
		{`{"oneOf":[{"const":"fast","description":"Quick."},{"const":"slow","description":"Thorough."}],"description":"How."}`, "How.; fast: Quick.; slow: Thorough.", ""},
		{`{"anyOf":[{"type":"string","format":"date"},{"type":"integer","minimum":0,"description":"Seconds."}]}`, "string: date; int: at least 0; int: Seconds.", ""},
		{`{"anyOf":[{"type":"string","format":"date","description":"When."},{"type":"null"}]}`, "date; When.", ""},
		{`{"type":["string","null"],"maxLength":3,"description":"x"}`, "at most 3 characters; x", ""},
		{`{"type":["string","integer"],"maxLength":3,"description":"x"}`, "at most 3 characters; x", ""},
		{`{"allOf":[{"type":"string","minLength":2},{"maxLength":4,"minLength":2}]}`, "2 to 4 characters", ""},
		{`{"allOf":[{"type":"string","minLength":2},{"minLength":3}]}`, "at least 2 characters; at least 3 characters", ""},
		{`{"allOf":[{"type":"string","description":"One."},{"description":"Two."}]}`, "One.; Two.", ""},
		{`{"description":"(a","type":"string"}`, "[a", ""},
	} {
		tool := compileTools(t, Tool{Name: "t", Schema: []byte(`{"type":"object","properties":{"a":` + c.schema + `}}`)}).Tools()[0]
		plan, _ := PlanOptions{}.Plan(tool)
		line := SignatureOptions{Parameters: Full}.Signature(plan)
		read, err := grammar.ReadSignature(line)
		if err != nil || read.String() != line {
			t.Errorf("%s: %v", line, err)
			continue
		}
		_, comment, _ := strings.Cut(line, " (")
		if comment = strings.TrimSuffix(comment, ")"); comment != c.comment {
			t.Errorf("%s\n got %s\nwant %s\n  in %s", c.schema, comment, c.comment, line)
		}
		if got := omitted(t, SignatureOptions{Parameters: Full}, plan, "a"); got != c.omitted {
			t.Errorf("%s: omitted %s, want %s", c.schema, got, c.omitted)
		}
	}
}

// omitted returns the omissions, all of which are at the path.
func omitted(t *testing.T, o SignatureOptions, p Plan, path string) string {
	var list []string
	for _, x := range o.Omitted(p) {
		if x.Path != path {
			t.Errorf("%+v is not at %s", x, path)
		}
		list = append(list, x.Keyword+" "+x.Value)
	}
	return strings.Join(list, ", ")
}

// Every member can have a comment.
func TestComments(t *testing.T) {
	for _, c := range []struct{ schema, full, short string }{
		{
			`{"type":"object","properties":{"card":{"type":"string"},"address":{"type":"string"},"zip":{}},"dependentRequired":{"card":["address","zip"],"zip":["address"],"address":[]}}`,
			"t card? (needs address, zip) address? zip?:any (needs address)",
			"t card? (needs address, zip) address? zip?:any (needs address)",
		},
		{
			`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string","description":"A header. Any."},"patternProperties":{"^n":{"type":"integer","minimum":1}}}}}`,
			`t m?:{~"^n":int (at least 1) *:string (A header. Any.)}`,
			`t m?:{~"^n":int (at least 1) *:string (A header)}`,
		},
		{
			`{"type":"object","properties":{"from":{"$ref":"#/$defs/p"},"to":{"$ref":"#/$defs/p"},"x":{"$ref":"#/$defs/s"},"y":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string","description":"short"},"p":{"type":"string","description":"A place, called by its name. In English."}}}`,
			"t from? (A place, called by its name. In English.) to? x? (short) y? (short)",
			"t from? (A place, called by its name) to? x? (short) y? (short)",
		},
		{
			`{"type":"object","properties":{"a":{"enum":["k","l"],"description":"` + strings.Repeat("word ", 99) + `","default":"k","minLength":1,"maxLength":9}}}`,
			"t a?:k|l=k (1 to 9 characters; " + strings.TrimSpace(strings.Repeat("word ", 99)) + ")",
			"t a?:k|l=k (1 to 9 characters; " + strings.TrimSpace(strings.Repeat("word ", 12)) + "…)",
		},
	} {
		tool := compileTools(t, Tool{Name: "t", Schema: []byte(c.schema)}).Tools()[0]
		plan, _ := PlanOptions{}.Plan(tool)
		for detail, want := range map[Detail]string{Full: c.full, Short: c.short} {
			got := SignatureOptions{Parameters: detail}.Signature(plan)
			if got != want {
				t.Errorf("%s\n got %s\nwant %s", detail, got, want)
			}
			if read, err := grammar.ReadSignature(got); err != nil || read.String() != got {
				t.Errorf("%s: %v", got, err)
			}
		}
	}
}

func TestOmitted(t *testing.T) {
	const schema = `{"type":"object","minProperties":1,"properties":{
		"page":{"type":"integer","minimum":1,"maximum":100},
		"o":{"type":"object","properties":{"when":{"type":"string","format":"date"}}},
		"tags":{"type":"array","maxItems":3,"items":{"type":"string","pattern":"^[a-z]+$","default":"x"}}},
		"dependentRequired":{"page":["tags"]}}`
	tool := compileTools(t, Tool{Name: "t", Schema: []byte(schema)}).Tools()[0]
	plan, _ := PlanOptions{}.Plan(tool)
	for _, c := range []struct {
		options SignatureOptions
		want    string
	}{
		{SignatureOptions{Parameters: Off}, `[{ minProperties 1} { dependentRequired {"page":["tags"]}} {page minimum 1} {page maximum 100} {o.when format "date"} {tags maxItems 3} {tags[] default "x"} {tags[] pattern "^[a-z]+$"}]`},
		{SignatureOptions{}, `[{ minProperties 1}]`},
		{SignatureOptions{Parameters: Full, Budget: 30}, `[{ minProperties 1} {page minimum 1} {page maximum 100} {tags maxItems 3} {tags[] pattern "^[a-z]+$"}]`},
	} {
		if got := fmt.Sprint(c.options.Omitted(plan)); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s\n  of %s", c.options, got, c.want, c.options.Signature(plan))
		}
	}
}

// A keyword with a value of the wrong kind is not a constraint, and is reported.
func TestInvalidConstraints(t *testing.T) {
	got, problems := compileProperty(t, `{"type":"string","minLength":"1","pattern":5,"format":{},"uniqueItems":"yes","propertyNames":"x"}`)
	if len(got.Constraints) != 0 || len(problems) != 5 {
		t.Errorf("%v, %v", got.Constraints, problems)
	}
}
