package sig

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/unseen"
)

// planOf returns the plan of a tool with that description and schema.
func planOf(t testing.TB, description, schema string) Plan {
	t.Helper()
	tool := compileTools(t, Tool{Name: "t", Description: description, Schema: []byte(schema)}).Tools()[0]
	plan, err := PlanOptions{}.Plan(tool)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestSignatureOptions(t *testing.T) {
	plan := planOf(t, "Get the weather.\nFor any city.", `{"type":"object","properties":{
		"city":{"type":"string","description":"The city to look up. Any spelling will do, for the service knows many."},
		"days":{"type":"integer","default":3,"description":"How many (at most 10"}},"required":["city"]}`)
	const city = "(The city to look up. Any spelling will do, for the service knows many)"
	for _, c := range []struct {
		options SignatureOptions
		want    string
	}{
		{SignatureOptions{HideParameters: true}, "t city days?:int=3 - Get the weather. For any city."},
		{SignatureOptions{HideParameters: true, Description: 20}, "t city days?:int=3 - Get the weather."},
		{SignatureOptions{HideParameters: true, Description: -1, HideDefaults: true}, "t city days?:int"},
		{SignatureOptions{Description: -1, Classic: true}, "t: city:string " + city + ", days?:int=3 (How many [at most 10)"},
		{SignatureOptions{Description: -1, Budget: 90}, "t city " + city + " days?:int=3 (How many [at most 10)"},
		{SignatureOptions{Description: -1, Budget: 60}, "t city days?:int=3 (How many [at most 10)"},
		{SignatureOptions{Description: -1, Budget: 1}, "t city days?:int=3"},
	} {
		if got := c.options.Signature(plan); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s", c.options, got, c.want)
		}
	}
}

// What a signature shortens or drops is listed as omissions.
func TestOmitted(t *testing.T) {
	described := planOf(t, "Do it. Slowly.\nArgs:\n  b: Other words", `{"type":"object","description":"The arguments.","properties":{
		"a":{"type":"string","description":"One. Two."},
		"b":{"type":"string","description":"One."},
		"c":{"type":"array","items":{"type":"string","description":"An item"}},
		"d":{"anyOf":[{"type":"string","description":"Some text"},{"type":"integer","description":"Some number"}]}}}`)
	limited := planOf(t, "", `{"type":"object","minProperties":1,"properties":{
		"page":{"type":"integer","minimum":1,"maximum":100},
		"o":{"type":"object","properties":{"when":{"type":"string","format":"date"}}},
		"tags":{"type":"array","maxItems":3,"items":{"type":"string","pattern":"^[a-z]+$","default":"x"}},
		"z":{"minLength":1,"minItems":1}},
		"dependentRequired":{"page":["tags"]}}`)
	for _, c := range []struct {
		plan    Plan
		options SignatureOptions
		want    string
	}{
		{described, SignatureOptions{}, `[{ description "The arguments."}]`},
		{described, SignatureOptions{HideParameters: true}, `[{a description "One. Two."} {b description "One."} {b description "Other words"} {c[] description "An item"} {d description "Some text"} {d description "Some number"} { description "The arguments."}]`},
		{described, SignatureOptions{Description: 8, Budget: 15}, `[{b description "One."} {b description "Other words"} {c[] description "An item"} {d description "Some text"} {d description "Some number"} { description "The arguments."} { description "Do it. Slowly."}]`},
		{limited, SignatureOptions{HideParameters: true}, `[{page dependentRequired {"page":["tags"]}} {page minimum 1} {page maximum 100} {o.when format "date"} {tags maxItems 3} {tags[] pattern "^[a-z]+$"} {tags[] default "x"} {z minLength 1} {z minItems 1} { minProperties 1}]`},
		{limited, SignatureOptions{}, `[{ minProperties 1}]`},
	} {
		if got := fmt.Sprint(c.options.Omitted(c.plan)); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s", c.options, got, c.want)
		}
	}
}

// Twice the constraints of one place take twice the memory to write, and to find the
// omissions. A schema that expands into exponentially many places has a signature of about
// its own length.
func TestSignaturesAreLinear(t *testing.T) {
	for _, each := range []string{
		`{"minLength":N,"pattern":"^aN$","maxLength":N}`, `{"multipleOf":N}`, `{"minimum":N,"exclusiveMinimum":N}`,
		`{"propertyNames":{"pattern":"^aN$"}}`, `{"dependentRequired":{"x":["aN"]}}`, `{"description":"number N"}`,
	} {
		allocated := func(n int) int {
			plan := planOf(t, "", `{"type":"object","properties":{"v":{"allOf":[`+repeat(n, each)+`]}}}`)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			line := SignatureOptions{}.Signature(plan)
			SignatureOptions{}.Omitted(plan)
			runtime.ReadMemStats(&after)
			if strings.Contains(each, "multipleOf") && strings.Count(line, "multiple of") != n {
				t.Errorf("%.200s: not all of %d are written", line, n)
			}
			return int(after.TotalAlloc - before.TotalAlloc)
		}
		if once, eight := allocated(500), allocated(4000); eight > 12*once {
			t.Errorf("%s: %d bytes are allocated for 500, %d for 4000", each, once, eight)
		}
	}
	const levels = 40
	var defs strings.Builder
	for i := range levels {
		fmt.Fprintf(&defs, `"n%d":{"type":"object","properties":{"left":{"$ref":"#/$defs/n%d"},"right":{"$ref":"#/$defs/n%[2]d"}}},`, i, i+1)
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{"root":{"$ref":"#/$defs/n0"}},"$defs":{%s"n%d":{"type":"integer"}}}`, defs.String(), levels)
	line := SignatureOptions{}.Signature(planOf(t, "", schema))
	if len(line) > len(schema) || !strings.Contains(line, "@n38{left?:{left?:int right?:int}") {
		t.Errorf("%d bytes for %d: %s", len(line), len(schema), line)
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ name, schema, code, path string }{
		{"t", `{"type":"object","properties":{"a":{"type":"object","properties":{"b.c":{}}}}}`, "", ""},
		{"t", `{"type":"object","properties":{"a b":{}}}`, "key", "a b"},
		{"t", `{"type":"object","properties":{"a":{"type":"object","properties":{"x=":{}}}}}`, "key", "a.x="},
		{"t", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"x=":{}}}}}}`, "", ""},
		{"t", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{}}},"a.b":{}}}`, "dots", "a.b"},
		{"t", `{"type":"object","properties":{"n":{"$ref":"#"},"@type":{},"x-y":{}}}`, "", ""},
		{"a b", `{"type":"object"}`, "name", ""},
		// No path goes below so many objects.
		{"t", nest(maxPathDepth+1, `{"type":"object","properties":{"a":`, `{"type":"object","properties":{"b c":{}}}`, "}}"), "", ""},
		{"t", `{"type":"object","properties":{"\u2028 x":{}}}`, "key", "\u2028 x"},
	} {
		tool := compileTools(t, Tool{Name: c.name, Schema: []byte(c.schema)}).Tools()[0]
		code, path := "", ""
		p, err := PlanOptions{}.Plan(tool)
		if len(p.Reasons) > 0 {
			code, path = p.Reasons[0].Code, p.Reasons[0].Path
		}
		inJSON := c.code != "" && c.code != "name"
		if err != nil || code != c.code || path != c.path || p.JSON != inJSON {
			t.Errorf("%s: %+v, %v", c.schema, p, err)
		}
		_, err = PlanOptions{Fallback: Refuse}.Plan(tool)
		if (err != nil) != (c.code != "") || err != nil && strings.ContainsFunc(err.Error(), unseen.Is) {
			t.Errorf("%s: error %v", c.schema, err)
		}
		if p, err := (PlanOptions{Fallback: Force}).Plan(tool); err != nil || p.JSON {
			t.Errorf("%s: forced %v, %v", c.schema, p, err)
		}
		if p, err := (PlanOptions{JSON: true}).Plan(tool); err != nil || !p.JSON || len(p.Reasons) == 0 {
			t.Errorf("%s: in JSON %v, %v", c.schema, p, err)
		}
	}
	c := compileTools(t, Tool{Name: "a"}, Tool{Name: "b", Schema: []byte(`{"properties":{"x y":{}}}`)}, Tool{Name: "c"})
	if plans, err := c.Plans(PlanOptions{Fallback: Refuse}); err == nil || len(plans) != 1 {
		t.Errorf("%d plans, %v", len(plans), err)
	}
}

// Zero and invalid values have signatures and names.
func TestZeroValues(t *testing.T) {
	plan, err := PlanOptions{}.Plan(nil)
	if err != nil || plan.Tool.Callable() || (*Tool)(nil).Callable() {
		t.Errorf("a tool without a name: %+v, %v", plan, err)
	}
	for _, o := range []SignatureOptions{{}, {Classic: true}, {Budget: 1}, {Description: -9, Budget: -9}} {
		for _, p := range []Plan{{}, plan, {JSON: true}} {
			if got := o.Signature(p); strings.ContainsAny(got, "\n") || len(o.Omitted(p)) > 0 {
				t.Errorf("%q", got)
			}
		}
		o.Type(nil)
	}
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{Kinds(255), "any"}, {Kinds(128), "never"}, {Number | Integer, "number"}, {Any &^ Null, "boolean|number|string|array|object"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%T: %s, want %s", c.value, got, c.want)
		}
	}
}

// Text is written so that it cannot be read as anything else.
func TestText(t *testing.T) {
	w := writer{guard: defaultGuard}
	quoted := func(text string) string { return w.quoted(text) }
	for _, c := range []struct {
		write func(string) string
		cases []string // text and what is written
	}{
		{balanced, []string{"f(x)", "f(x)", "a) b", "a] b", "(a", "[a", "((a)", "[(a)", "a)(b", "a][b"}},
		{quoted, []string{
			`a"b\c`, `"a\"b\\c"`, "a\nb", `"a\u000ab"`, "<call>x", `"\u003ccall>x"`, "a<b", `"a<b"`,
			"\U000e0041", `"\udb40\udc41"`, "é`", "\"é`\"",
		}},
		{func(json string) string { return w.ticked([]byte(json)) }, []string{"{\"a\":\"`</call>\"}", "`{\"a\":\"\\u0060\\u003c/call>\"}`"}},
		{unseen.Escape, []string{"a\u202eb", `a\u202eb`, "é", "é", "\x1b", `\u001b`}},
		{unseen.Remove, []string{"a\u202e\nb\x00", "a\nb"}},
		{oneLine, []string{
			"", "", "  a\n\n\tb\r\n c  ", "a b c", "a\u2028b\u0085c\u00a0d", "a b c d", "a\x00\x1b[31mb\x7f", "a [31mb",
			"\u202eevil\u202c", "evil", "a\U000e0041\ufeff\u200b\u00adb", "ab", "a\u061c\u180e\ufff9\ufffb\U0001bca0\U0001d173\u3164\uffa0b", "ab",
			"\u0600١", "\u0600١", "👩\u200d💻 ok", "👩\u200d💻 ok", "\xffa", "\ufffda", "\n", "", "a  b", "a b", " a", "a", "a ", "a",
		}},
	} {
		for i := 0; i < len(c.cases); i += 2 {
			if got := c.write(c.cases[i]); got != c.cases[i+1] {
				t.Errorf("%q: got %q, want %q", c.cases[i], got, c.cases[i+1])
			}
		}
	}
	for text, want := range map[string]bool{
		"a": true, "a-b": true, "x.y/z": true, "$ref": true, "größe": true, "字": true, "2fa": true, "+1": true,
		"": false, "-": false, "-a": false, "a b": false, "a:b": false, "a|b": false, "a?": false, "*": false, "@a": false,
		"a\u00a0b": false, "\u202ea": false, "—": false, "\xff": false, "a(b)": false, "<a": false, "a\x7f": false,
	} {
		if isWord(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"Get the weather", 15, "Get the weather"},
		{"Get the weather", 14, "Get the…"},
		{"Get the weather, now", 17, "Get the weather…"},
		{"Get it. Or leave it.", 12, "Get it."},
		{"Get it. Or leave it at once.", 20, "Get it. Or leave it…"},
		{"Use e.g. this or that thing", 10, "Use e.g.…"},
		{strings.Repeat("x", 50), 10, "…"},
		{"天気を調べる関数です", 5, "天気を調…"},
		{"天気。天気を調べる", 5, "天気。"},
		{"abc", 0, ""},
	} {
		got := cut(c.text, c.n)
		if n := utf8.RuneCountInString(got); got != c.want || n > max(c.n, len("…")) {
			t.Errorf("%q to %d: got %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
