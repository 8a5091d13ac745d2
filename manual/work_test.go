package manual

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// mostExponent is how fast work may grow with what is given: linear work has the
// exponent 1, and slices that grow a little more.
const mostExponent = 1.25

// checkGrowth checks that work on n of something allocates in proportion to n.
// What is copied or decoded again for each of many is allocated again, so bytes
// count the work, and do so the same on every machine.
func checkGrowth(t *testing.T, n int, work func(n int) func()) {
	t.Helper()
	few, many := allocated(work(n)), allocated(work(8*n))
	exponent := math.Log(float64(many)/float64(few)) / math.Log(8)
	t.Logf("exponent %.2f: %d bytes, and %d for eight times as much", exponent, few, many)
	if exponent > mostExponent {
		t.Errorf("the work grows with the exponent %.2f: %d bytes, and %d for eight times as much", exponent, few, many)
	}
}

// allocated returns how many bytes f allocates: the least of three runs, since the first
// fills pools, which no collection empties meanwhile, and the runtime allocates at times.
func allocated(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := uint64(math.MaxUint64)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return max(least, 1)
}

// list returns n times unit as a JSON list, each % in it a number of its own.
func list(n int, unit string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString([]string{"[", ","}[min(i, 1)] + strings.ReplaceAll(unit, "%", fmt.Sprintf("%08d", i)))
	}
	return b.String() + "]"
}

// histories are families of conversations that cost a careless reader more than linear work, each
// of n times a unit between a head and a tail: in a list, or nested if there is an end of each.
var histories = []struct{ name, head, unit, end, tail string }{
	{"messages", "", `{"role":"user","content":"x <call>y"}`, "", ""},
	{"texts of a message", `[{"role":"system","content":`, `{"type":"text","text":"x"}`, "", `}]`},
	{"calls of a message", `[{"role":"assistant","content":"","tool_calls":`, `{"id":"%","function":{"name":"t","arguments":"{\"a\":1}"}}`, "", `}]`},
	{"calls that cannot be written", `[{"role":"assistant","content":"","tool_calls":`, `{"id":"%","function":{"name":"t","arguments":"<call>"}}`, "", `}]`},
	{"messages with a call", "", `{"role":"assistant","content":"x","reasoning":"r","reasoning_details":["%"],"tool_calls":[{"id":"%","function":{"name":"t","arguments":"{}"}}]}`, "", ""},
	{"results", "", `{"role":"tool","tool_call_id":"%","content":"<call>"}`, "", ""},
	{"calls of the loader", `[{"role":"assistant","parts":`, `{"type":"tool-` + defaultLoader + `","toolCallId":"%","state":"output-available","input":{"names":["t%","getWeather"]},"output":"x"}`, "", `}]`},
	{"texts of a result", `[{"role":"tool","content":`, `{"type":"text","text":"<call>"}`, "", `}]`},
	{"texts beside structured content", `[{"role":"tool","tool_call_id":"1","content":{"structuredContent":{"a":1},"content":`, `{"type":"text","text":"{\"a\":1}"}`, "", `}}]`},
	{"a list beside structured content", `[{"role":"tool","tool_call_id":"1","content":{"content":[{"type":"text","text":"[1,1,1]"}],"structuredContent":`, `1`, "", `}}]`},
	{"unknown parts of a result", `[{"role":"tool","tool_call_id":"1","content":`, `{"type":"x","x":"<call>"}`, "", `}]`},
	{"pictures of a result", `[{"role":"tool","tool_call_id":"1","content":`, `{"type":"image","x":["a","<"]}`, "", `}]`},
	{"members of a picture", `[{"role":"tool","tool_call_id":"1","content":[{"type":"image","x":`, `{"%":"a"}`, "", `}]}]`},
	{"results in results", `[{"role":"tool","content":[`, `{"type":"tool-result","output":{"type":"content","value":[`, `]}}`, `]}]`},
	{"contents in contents", `[{"role":"tool","tool_call_id":"1","content":`, `{"content":[`, `]}`, `}]`},
	{"deep arguments", `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"t","input":{"a":`, `[`, `]`, `}}]}]`},
	{"deep results", `[{"role":"tool","tool_call_id":"1","content":{"a":`, `[`, `]`, `}}]`},
	{"parts of tools", `[{"role":"assistant","parts":`, `{"type":"tool-t","toolCallId":"%","state":"output-available","input":{"a":"b"},"output":{"content":[{"type":"text","text":"<call>"}]}}`, "", `}]`},
	{"steps", `[{"role":"assistant","parts":`, `{"type":"step-start"},{"type":"text","text":"x"},{"type":"dynamic-tool","toolName":"t","toolCallId":"%","state":"output-error","input":{},"errorText":"e"}`, "", `}]`},
	{"executed within a step", `[{"role":"assistant","parts":`, `{"type":"tool-t","toolCallId":"%","providerExecuted":true,"state":"output-available","input":{},"output":1},{"type":"text","text":"x"}`, "", `}]`},
}

// repeatedCalls are results that share one call: with a long name, and of the loader.
func repeatedCalls(n int) string {
	results := list(n, `{"role":"tool","tool_call_id":"1","content":""},{"role":"tool","tool_call_id":"2","content":""}`)
	return `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"` + strings.Repeat("t", 8*n) + `","input":{}},
		{"type":"tool_use","id":"2","name":"` + defaultLoader + `","input":{"names":` + list(n, `"t%"`) + `}}]},` + results[1:]
}

// furtherMembers is a message with many members that must be kept.
func furtherMembers(n int) string {
	members := list(n, `"m%":1`)
	return `[{"role":"assistant","content":"x",` + members[1:len(members)-1] + `},{"role":"assistant","content":[{"type":"tool_use","name":"t","input":{}}]}]`
}

// Reading, rewriting and writing a conversation takes work linear in its size, for any content.
func TestRewriteIsLinear(t *testing.T) {
	catalog := compile(t, weather)
	check := func(name string, conversation func(n int) string) {
		t.Run(name, func(t *testing.T) {
			checkGrowth(t, 100, func(n int) func() {
				text := conversation(n)
				return func() {
					out, _ := must(catalog, Options{}).Rewrite(readMessages(t, text))
					writeMessages(t, AddPrompt(out, "M", false))
				}
			})
		})
	}
	for _, h := range histories {
		check(h.name, func(n int) string {
			if h.end != "" {
				return h.head + strings.Repeat(h.unit, min(n, 2000)) + strings.Repeat(h.end, min(n, 2000)) + h.tail
			}
			return h.head + list(n, h.unit) + h.tail
		})
	}
	check("results of one call", repeatedCalls)
	check("further members", furtherMembers)
}

// A manual takes work linear in its catalog, however much is said of one place.
func TestRenderIsLinear(t *testing.T) {
	place := func(keywords, unit string) func(n int) string {
		return func(n int) string {
			all := list(n, unit)
			return `{"type":"object","required":["a"],"properties":{"a":{` + strings.ReplaceAll(keywords, "GIVEN", list(n, `"a%"`)) + `"allOf":` + all[:len(all)-1] + `,{"pattern":"^x$"}]}}}`
		}
	}
	// Many properties share a definition that is as long as all of them.
	shared := func(definition string) func(n int) string {
		return func(n int) string {
			refs := list(n, `"p%":{"$ref":"#/$defs/d"}`)
			return `{"type":"object","required":` + list(n, `"p%"`) + `,"properties":{` + refs[1:len(refs)-1] +
				`},"$defs":{"d":{` + strings.ReplaceAll(definition, "LONG", strings.Repeat("word ", 20*n)) + `}}}`
		}
	}
	for _, c := range []struct {
		name   string
		schema func(n int) string
	}{
		{"a shared description", shared(`"type":"string","description":"LONG"`)},
		{"a shared default", shared(`"type":"string","default":"LONG"`)},
		{"a shared literal", shared(`"const":"LONG"`)},
		{"a shared pattern", shared(`"type":"string","pattern":"LONG"`)},
		{"a shared format", shared(`"type":"string","format":"LONG"`)},
		{"described references", func(n int) string {
			refs, below := list(n, `"p%":{"$ref":"#/$defs/d","description":"d%"}`), list(n, `"q%":{}`)
			return `{"type":"object","properties":{` + refs[1:len(refs)-1] +
				`},"$defs":{"d":{"type":"object","properties":{` + below[1:len(below)-1] + `}}}}`
		}},
		{"bounds", place("", `{"minimum":1%}`)},
		{"factors", place(`"type":"number",`, `{"multipleOf":1%}`)},
		{"patterns", place("", `{"pattern":"^a%"}`)},
		{"names of properties", place("", `{"propertyNames":{"pattern":"^%"}}`)},
		{"descriptions", place("", `{"description":"d%"}`)},
		{"an enum with patterns", place(`"enum":GIVEN,`, `{"pattern":"^a|%"}`)},
		{"examples with patterns", place(`"type":"string","examples":GIVEN,`, `{"pattern":"^a|%"}`)},
		{"needs", func(n int) string {
			return `{"type":"object","properties":{"a":{}},"allOf":` + list(n, `{"dependentRequired":{"a":["b%"]}}`) + `}`
		}},
		{"required", func(n int) string { return `{"type":"object","required":` + list(n, `"a%"`) + `}` }},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkGrowth(t, 50, func(n int) func() {
				catalog := compile(t, `[{"name":"t","inputSchema":`+c.schema(n)+`}]`)
				o := Options{Signatures: sig.SignatureOptions{}}
				return func() {
					if must(catalog, o).String() == "" {
						t.Error("no manual")
					}
				}
			})
		})
	}
}

// Neutralize and Restore take work linear in the text.
func TestNeutralizeIsLinear(t *testing.T) {
	d := parse.Tags{Open: `<\x\y`, Close: "!#"}
	for _, unit := range []string{"<call>", "</tool-result>", `<\\\\`, "<", `\`, `<\x\`, `<!\x\y`, "!!##", "x"} {
		for _, d := range []parse.Tags{{}, d} {
			checkGrowth(t, 1000, func(n int) func() {
				text := strings.Repeat(unit, n)
				return func() {
					if must(nil, Options{Tags: d}).Restore(must(nil, Options{Tags: d}).Neutralize(text)) != text {
						t.Errorf("%.20q… came back as something else", text)
					}
				}
			})
		}
	}
}

// Feedback takes work linear in the segment. What has more arguments than a call
// may have is malformed, and so something else.
func TestFeedbackIsLinear(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","required":["z"],"properties":{
		"a":{"$ref":"#"},"a.a":{"$ref":"#"},"n":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"}}},"additionalProperties":{"type":"integer"}}}]`)
	for _, c := range []struct{ name, head, unit, tail string }{
		{"issues", "<call>t", " k%=x", "</call>"},
		{"items", `<call>t l=[1`, `,"x"`, "]</call>"},
		{"a name with dots", `<call>t {"a`, ".a", `":"x"}</call>`},
		{"a name with brackets", `<call>t {"a`, "[0]", `":"x"}</call>`},
		{"a long name", `<call>t {"a`, "<call", `":"x"}</call>`},
		{"a long value", `<call>t n="`, "x", `"</call>`},
		{"loose arguments", "<call>t(", "a: 1, ", ")</call>"},
		{"loose quotes", `<call>t(a: `, `" `, ")</call>"},
		{"functions in functions", `<call>`, `{"function":`, "</call>"},
		{"cut", `<call>t a="`, "<call", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkGrowth(t, 100, func(n int) func() {
				unit := list(n, c.unit+"\x00")
				text := c.head + strings.NewReplacer("\x00,", "", "\x00", "").Replace(unit[1:len(unit)-1]) + c.tail
				read := segments(catalog, text, parse.Options{})
				m := must(catalog, Options{})
				return func() {
					for _, s := range read {
						if !isText(s) && m.Feedback(s) == "" {
							t.Errorf("nothing is said of %.40q…", s.Text)
						}
					}
				}
			})
		})
	}
}

// What feedback costs is bounded by the schema: many issues with one long enum do not
// write it down for each, and no member of it makes what all need.
func TestFeedbackOnALongEnum(t *testing.T) {
	for _, member := range []string{`"value-%"`, `{"id":"value-%","n":1%}`} {
		schema := `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{"enum":` + list(10_000, member) + `}}}}}]`
		catalog := compile(t, schema)
		m := must(catalog, Options{})
		cost := func(issues int) uint64 {
			read := segments(catalog, "<call>t a="+list(issues, strings.Replace(member, "%", "x%", 1))+"</call>", parse.Options{})
			return allocated(func() { m.Feedback(read[0]) })
		}
		one, many := cost(1), cost(1000)
		if many > 2*one || one > 100*uint64(len(schema)) {
			t.Errorf("%s: %d bytes for an issue, and %d for 1000", member, one, many)
		}
	}
}
