package fuzz

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Adversary is a family of texts for which a careless reader takes more than linear
// work or bounded memory.
type Adversary struct {
	Name  string
	Text  func(n int) string // of about n bytes
	Setup Setup              // the setup in which it does most harm
}

// Adversaries are all families. Those with their own catalog come last.
var Adversaries = append([]Adversary{
	{"prose", func(n int) string { return fill("", "Let me see. ", n) }, Setup{}},
	{"endless name", func(n int) string { return fill("<call>", "t", n) }, Setup{}},
	{"endless key", func(n int) string { return fill("<call>t ", "k", n) }, Setup{}},
	{"endless path", func(n int) string { return fill("<call>t a", ".a", n) }, Setup{}},
	{"endless word", func(n int) string { return fill("<call>t a=", "x", n) }, Setup{}},
	{"endless item", func(n int) string { return fill("<call>t a=[", "x ", n) }, Setup{}},
	{"endless space", func(n int) string { return fill("<call>t", " ", n) }, Setup{}},
	{"endless array", func(n int) string { return fill("<call>t a=[", "1,", n) }, Setup{}},
	{"endless object", func(n int) string { return numbered("<call>t {", `"k%":1,`, n) }, Setup{}},
	{"unclosed quote", func(n int) string { return fill(`<call>t a="`, "x", n) }, Setup{}},
	{"unclosed single quote", func(n int) string { return fill("<call>t a='", `" `, n) }, Setup{}},
	{"deep arrays", func(n int) string { return fill("<call>t a=", "[", n) }, Setup{}},
	{"deep objects", func(n int) string { return fill("<call>t ", `{"a":`, n) }, Setup{}},
	{"deep in damage", func(n int) string { return fill("<call>t (", "[{", n) }, Setup{}},
	{"openers", func(n int) string { return fill("", "<call>", n) }, Setup{}},
	{"openers and space", func(n int) string { return fill("", "<call>"+strings.Repeat(" ", 1000), n) }, Setup{}},
	{"one opener, then space", func(n int) string { return fill("<call>", " ", n) }, Setup{}},
	{"openers in damage", func(n int) string { return fill("<call>t (", "<call>\n", n) }, Setup{}},
	{"half openers", func(n int) string { return fill("", "<call<cal<c<", n) }, Setup{}},
	{"half close tags", func(n int) string { return fill("<call>t a=x", "</call</cal</", n) }, Setup{}},
	{"half close tags in a string", func(n int) string { return fill(`<call>t a="`, "</call</cal</", n) }, Setup{}},
	{"alternating quotes", func(n int) string { return fill("<call>t (", ` "'`, n) }, Setup{}},
	{"quotes in a word", func(n int) string { return fill("<call>t a=x", `"'`, n) }, Setup{}},
	{"malformed after malformed", func(n int) string { return fill("", "<call>t(x)</call>", n) }, Setup{}},
	{"nested calls", func(n int) string { return fill("", "<call>t a=x", n) }, Setup{}},
	{"calls", func(n int) string { return fill("", `<call>t a=1 b="x"</call>`, n) }, Setup{}},
	{"calls without arguments", func(n int) string { return fill("", "<call>t</call>", n) }, Setup{}},
	{"unknown tools", func(n int) string { return fill("", `<call>nobody a=1</call>`, n) }, Setup{}},
	{"reopened paths", func(n int) string { return numbered("<call>t", " a.k%=1 b.k%=2", n) }, Setup{}},
	{"deep reopened paths", func(n int) string { return numbered("<call>t", " a.b.c.d.k%=1 a.b.x%.y=2", n) }, Setup{}},
	{"distinct deep paths", func(n int) string { return numbered("<call>t", " k%"+strings.Repeat(".a", 62)+"=1", n) }, Setup{}},
	{"issues with long paths", func(n int) string { return fill("<call>rows "+strings.Repeat("k", 950)+"=[", "x,", n) }, Setup{}},
	{"listed arrays", func(n int) string {
		return "<call>nest a=" + strings.Repeat("[", n/2) + strings.Repeat("]", n/2) + "</call>"
	}, Setup{}},
	{"listed arrays of text", func(n int) string {
		return "<call>nest a=" + strings.Repeat("[", n/4) + `"` + strings.Repeat("x", n/2) + `"` + strings.Repeat("]", n/4) + "</call>"
	}, Setup{}},
	{"lacking objects", func(n int) string { return fill("<call>nest b=[", "{},", n) }, Setup{}},
	{"many arguments", func(n int) string { return numbered("<call>t", " key%=1", n) }, Setup{}},
	{"duplicates", func(n int) string { return fill("<call>t", " a=1", n) }, Setup{}},
	{"equal beginnings", func(n int) string { return numbered("<call>t", " "+strings.Repeat("k", 100)+"%=1", n) }, Setup{}},
	{"backslashes", func(n int) string { return fill(`<call>t a="`, `\`, n) }, Setup{}},
	{"backslashes in damage", func(n int) string { return fill(`<call>t ("`, `\`, n) }, Setup{}},
	{"escapes", func(n int) string { return fill(`<call>t a="`, `\ud83d\ude00\u0041\ud83d\n`, n) }, Setup{}},
	{"controls", func(n int) string { return fill(`<call>t a="`, "\x01\x7f", n) }, Setup{}},
	{"runes", func(n int) string { return fill(`<call>t a="`, "é😀", n) }, Setup{}},
	{"broken runes", func(n int) string { return fill("<call>t (", "\xf0\x9f", n) }, Setup{}},
	{"stringified arrays", func(n int) string { return fill(`<call>t c="[`, `1,`, n) }, Setup{}},
	{"stringified nests", func(n int) string { return fill(`<call>t v="`, `{\"a\":`, n) }, Setup{}},
	{"long numbers", func(n int) string { return fill("<call>t a=", "1", n) }, Setup{}},
	{"long exponents", func(n int) string { return fill("<call>t a=1e", "9", n) }, Setup{}},
	{"dotted names", func(n int) string { return numbered("<call>tool", " a.b%.c=1", n) }, Setup{}},

	{"missing arguments", func(n int) string { return fill("", "<call>t</call>", n) }, needy},
	{"missing arguments of a JSON body", func(n int) string { return fill("", "<call>t {}</call>", n) }, needy},
	{"missing arguments of objects in a list", func(n int) string { return fill("<call>t l=[", "{},", n) }, needy},
	{"missing arguments of an object in many calls", func(n int) string { return fill("", "<call>t l=[{}]</call>", n) }, needy},
	{"missing arguments of groups", func(n int) string { return numbered("<call>t", " o.k%.a=1", n) }, needy},
	{"missing arguments behind deep paths", func(n int) string { return fill("", "<call>t o"+strings.Repeat(".o", 59)+".a=1</call>", n) }, needy},
	{"optional properties of objects in a list", func(n int) string { return fill("<call>t l=[", "{},", n) }, roomy},
	{"optional properties that are there", func(n int) string { return numbered("<call>t l=[", `{"property%":1},`, n) }, roomy},
	{"issues under strict", func(n int) string { return fill("<call>rows a=[", "x,", n) }, Setup{types, parse.Options{Strict: true}}},
	{"issues of many calls under strict", func(n int) string { return fill("", "<call>t a=[] b=y</call>", n) }, Setup{types, parse.Options{Strict: true}}},
	{"issues of many calls", func(n int) string { return fill("", "<call>t a=[] b=y</call>", n) }, Setup{Catalog: types}},
	{"names with one beginning", func(n int) string { return fill("", alike(), n) }, prefixed},
	{"a word with separators", func(n int) string { return fill("<call>t a=", "&lt;", n) }, Setup{types, parse.Options{Repair: true}}},
	{"calls of another format", func(n int) string { return fill("", "<tool_call>{\"name\":\"t\"}</tool_call>\n", n) }, Setup{sig.AnyTool, parse.Options{Repair: true}}},
	{"unknown names with one beginning", func(n int) string { return numbered("<call>t", " "+strings.Repeat("p", 60)+"%=1", n) }, prefixed},
}, enumAdversaries...)

// needy is a catalog with a tool that requires more arguments than a call may have
// issues, at the top level, in the objects of a list and in paths.
var needy = Setup{Catalog: mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"$ref": "#/$defs/o", "$defs": {
	"o": {"type": "object", "required": [%s], "properties": {"o": {"$ref": "#/$defs/p"}, "l": {"type": "array", "items": {"$ref": "#/$defs/o"}}}},
	"p": {"type": "object", "required": ["x"], "additionalProperties": {"$ref": "#/$defs/p"}, "properties": {"a": {}}}}}}]`, repeated(`"property%"`, 1100)))}

// roomy is a catalog of objects with thousands of optional properties.
var roomy = Setup{Catalog: mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"properties": {"l": {"type": "array", "items": {"type": "object", "properties": {%s}}}}}}]`,
	repeated(`"property%":{"type":"integer"}`, 10000)))}

// prefixed is a catalog of names that differ only in their last bytes.
var prefixed = Setup{Catalog: mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"properties": {%s}}}]`,
	repeated(`"`+strings.Repeat("p", 60)+`%":{"type":"integer"}`, 200)))}

// alike returns a call with all properties of prefixed.
func alike() string {
	return "<call>t " + strings.ReplaceAll(repeated(strings.Repeat("p", 60)+"%=1", 200), ",", " ") + "</call>"
}

// repeated returns n copies of unit, separated by commas, with a distinct number for
// each %.
func repeated(unit string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(unit, "%", digits(i))
	}
	return strings.Join(all, ",")
}

// Boundless are limits that no text here reaches, so that calls can grow with the text.
var Boundless = parse.Limits{Bytes: 1 << 30, Depth: 1 << 30, Arguments: 1 << 30, Name: 1 << 30}

// Setups returns the setups for the family's texts: its own, or several different ones.
func (a Adversary) Setups() []Setup {
	all := []Setup{a.Setup}
	if a.Setup.Catalog == nil {
		all = []Setup{{Catalog: sig.AnyTool}, {Catalog: types}}
	}
	short := all[0]
	short.Limits = parse.Limits{Bytes: 1000}
	for _, s := range all {
		s.AllowAfterMalformed = true
		s.Limits = Boundless
		all = append(all, s)
		s.Repair = true
		all = append(all, s)
	}
	return append(all, short)
}

// fill returns about n bytes: head followed by copies of unit.
func fill(head, unit string, n int) string {
	return head + strings.Repeat(unit, max(1, n/len(unit)))
}

// numbered is fill with a distinct number for each % of unit.
func numbered(head, unit string, n int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.ReplaceAll(unit, "%", digits(i)))
	}
	return b.String()
}

// digits returns i with eight digits, so that all units have the same length.
func digits(i int) string {
	b := []byte("00000000")
	for k := len(b) - 1; i > 0; k-- {
		b[k] += byte(i % 10)
		i /= 10
	}
	return string(b)
}
