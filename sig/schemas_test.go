package sig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/unseen"
)

// testdata/schemas.txt has schemas, each a line, and under each what is made of it: the
// type, its line in full and in the classic style, what the usual line leaves out, why it is
// not key=value, and what is odd about it; for a tool with a description also shorter lines. A schema is that of the property x; after ! that of all arguments, after
// & a tool's description and its schema. A line after @ is a list of tools.
func TestSchemas(t *testing.T) {
	var all strings.Builder
	lines := 0
	for line := range strings.Lines(string(golden.Get(t, "schemas.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		lines++
		all.WriteString(line)
		c, err := compileLine(strings.TrimSuffix(line, "\n"))
		if err != nil {
			fmt.Fprintf(&all, "\terror    %v\n", err)
			continue
		}
		for _, tool := range c.Tools() {
			writeTool(t, &all, tool, line[0] == '&')
		}
		for _, p := range c.Problems() {
			tool := strings.TrimPrefix(p.Tool+" ", "t ")
			fmt.Fprintf(&all, "\tproblem  %s%s %s: %s\n", tool, p.Code, p.Path, p.Message)
		}
	}
	if lines < 450 {
		t.Errorf("%d schemas", lines)
	}
	golden.Assert(t, all.String(), "schemas.txt")
}

func compileLine(line string) (*Catalog, error) {
	tool := Tool{Name: "t", Schema: []byte(line)}
	switch line[0] {
	case '@':
		return Compile(line[1:])
	case '!':
		tool.Schema = []byte(line[1:])
	case '&':
		description, schema, _ := strings.Cut(line[1:], " & ")
		tool.Description, tool.Schema = strings.ReplaceAll(description, `\n`, "\n"), []byte(schema)
	default:
		tool.Schema = []byte(`{"type":"object","additionalProperties":false,"required":["x"],"properties":{"x":` + line + `},"$defs":{
			"name":{"type":"string"},"list":{"type":"array","items":{"$ref":"#/$defs/list"}},
			"tree":{"type":"object","properties":{"value":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}}},
			"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}}`)
	}
	return Compile([]Tool{tool})
}

func writeTool(t *testing.T, all *strings.Builder, tool *Tool, isDescribed bool) {
	said := func(what, format string, args ...any) {
		fmt.Fprintf(all, "\t%-8s %s\n", what, fmt.Sprintf(format, args...))
	}
	plan, _ := tool.Plan(Auto)
	omits := func(o SignatureOptions) {
		for _, k := range o.Omitted(plan) {
			said("omits", "%s %s %s", k.Path, k.Name, k.Value)
		}
	}
	full := SignatureOptions{Description: math.MaxInt}.Signature(plan)
	if _, err := grammar.ReadSignature(full); err != nil {
		t.Errorf("%s: %v", full, err)
	}
	said("type", "%s", describe(tool.Args))
	said("full", "%s", full)
	said("classic", "%s", SignatureOptions{Classic: true, HideDefaults: true, Description: 20}.Signature(plan))
	omits(SignatureOptions{Budget: 30})
	if isDescribed {
		for _, o := range []SignatureOptions{{HideParameters: true}, {Description: 20, Budget: 90}, {Description: -1, Budget: 60}, {Description: -1, Budget: 15}} {
			said("short", "%s", o.Signature(plan))
			omits(o)
		}
	}
	for _, r := range plan.Reasons {
		syntax := map[bool]string{false: "wire", true: "json"}[plan.JSON]
		said("plan", "%s %s %s: %s", syntax, unseen.Escape(r.Path), r.Code, r.Message)
	}
	_, err := tool.Plan(Refuse)
	forced, _ := tool.Plan(KeyValue)
	inJSON, _ := tool.Plan(JSON)
	isRefused := err != nil && !strings.ContainsFunc(err.Error(), unseen.Is)
	if isRefused != (plan.Reasons != nil) || forced.JSON || !inJSON.JSON || inJSON.Reasons == nil {
		t.Errorf("%s: refused: %v, forced %+v, in JSON %+v", full, err, forced, inJSON)
	}
}

// describe writes a type in short: its name; free kinds; literals as JSON; objects as
// {a! string, b _} with "!" for required and "..." before the type of undeclared
// properties; arrays as [string, ...integer]; after a slash its alternatives; nil as "_",
// and ^ for an enclosing type.
func describe(t *Type) string { return describeIn(t, nil) }

func describeIn(t *Type, around []*Type) string {
	if t == nil {
		return "_"
	}
	if i := slices.Index(around, t); i >= 0 {
		return strings.Repeat("^", len(around)-i)
	}
	around = append(around[:len(around):len(around)], t)
	below := func(t *Type) string { return describeIn(t, around) }
	var parts []string
	if plain := t.Free &^ (Object | Array); t.Free == Any || plain != 0 {
		parts = append(parts, plain.String())
	}
	for _, m := range t.Enum {
		parts = append(parts, string(m.JSON))
	}
	if t.Free&Object != 0 && !t.anyObject() || t.Free == Object {
		var members []string
		for _, f := range t.Fields {
			members = append(members, f.Name+strings.Repeat("!", strings.Count(fmt.Sprint(f.Required), "true"))+" "+below(f.Type))
		}
		for _, p := range t.patterns {
			members = append(members, fmt.Sprintf("/%v/ %s", p.matches, below(p.typ)))
		}
		if !t.Closed {
			members = append(members, "..."+below(t.Extra))
		}
		parts = append(parts, "{"+strings.Join(members, ", ")+"}")
	}
	if t.Free&Array != 0 && t.Free != Any || t.Items != nil || t.Prefix != nil {
		var elements []string
		for _, e := range t.Prefix {
			elements = append(elements, below(e))
		}
		parts = append(parts, "["+strings.Join(append(elements, "..."+below(t.Items)), ", ")+"]")
	}
	text := strings.Join(parts, "|")
	if text == "" {
		text = "never"
	}
	for _, alt := range t.Alts {
		text += " / " + below(alt)
	}
	if t.ref != "" && len(around) > 1 {
		text = t.ref + ":" + text
	}
	return text
}

func compileTools(t testing.TB, tools ...Tool) *Catalog {
	t.Helper()
	c, err := Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// argumentsOf returns the arguments of a tool with that schema.
func argumentsOf(t testing.TB, schema string) *Type {
	t.Helper()
	return compileTools(t, Tool{Name: "t", Schema: []byte(schema)}).Tools()[0].Args
}

// typeOf returns the type of a property with that schema.
func typeOf(t testing.TB, schema string) *Type {
	t.Helper()
	return argumentsOf(t, `{"type":"object","properties":{"x":`+schema+`}}`).Fields[0].Type
}

// The order of keywords and the whitespace of a schema do not matter to its signature.
func TestOrderDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for line := range strings.Lines(string(golden.Get(t, "schemas.txt"))) {
		schema, isSchema := strings.CutPrefix(line, "!")
		root, err := decode([]byte(schema), maxDepth)
		if !isSchema || err != nil {
			continue
		}
		for range 3 {
			other := shuffled(random, root)
			want, got := argumentsOf(t, schema), argumentsOf(t, other)
			if describe(got) != describe(want) || (SignatureOptions{}).Type(got) != (SignatureOptions{}).Type(want) {
				t.Errorf("%s\n%s\n%s\n%s", schema, describe(want), other, describe(got))
			}
		}
	}
}

// shuffled writes a value with the members of each object in another order, except where
// the order matters.
func shuffled(random *rand.Rand, v *value) string {
	var parts []string
	switch {
	case v.kind == Array:
		for _, e := range v.below {
			parts = append(parts, shuffled(random, e))
		}
		return "[ " + strings.Join(parts, ",\t") + "]"
	case v.kind != Object || v.parent != nil && v.parent.token == "enum":
		return string(v.raw)
	}
	for _, m := range v.below {
		parts = append(parts, fmt.Sprintf("%s : %s", lexeme.AppendQuoted(nil, m.token), shuffled(random, m)))
	}
	if !slices.Contains([]string{"properties", "patternProperties", "dependencies", "dependentRequired"}, v.token) {
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	return "{\n" + strings.Join(parts, " ,") + "}"
}
