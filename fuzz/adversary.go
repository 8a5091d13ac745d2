package fuzz

import "strings"

// Adversaries are families of texts that cost a careless reader more than linear
// work or more than bounded memory: each makes a text of about n bytes.
var Adversaries = []struct {
	Name string
	Text func(n int) string
}{
	{"prose", func(n int) string { return fill("", "Let me see. ", n) }},
	{"endless name", func(n int) string { return fill("<call>", "t", n) }},
	{"endless key", func(n int) string { return fill("<call>t ", "k", n) }},
	{"endless path", func(n int) string { return fill("<call>t a", ".a", n) }},
	{"endless word", func(n int) string { return fill("<call>t a=", "x", n) }},
	{"endless item", func(n int) string { return fill("<call>t a=[", "x ", n) }},
	{"endless space", func(n int) string { return fill("<call>t", " ", n) }},
	{"endless array", func(n int) string { return fill("<call>t a=[", "1,", n) }},
	{"endless object", func(n int) string { return numbered("<call>t {", `"k%":1,`, n) }},
	{"unclosed quote", func(n int) string { return fill(`<call>t a="`, "x", n) }},
	{"unclosed single quote", func(n int) string { return fill("<call>t a='", `" `, n) }},
	{"deep arrays", func(n int) string { return fill("<call>t a=", "[", n) }},
	{"deep objects", func(n int) string { return fill("<call>t ", `{"a":`, n) }},
	{"deep in damage", func(n int) string { return fill("<call>t (", "[{", n) }},
	{"openers", func(n int) string { return fill("", "<call>", n) }},
	{"openers and space", func(n int) string { return fill("", "<call>"+strings.Repeat(" ", 1000), n) }},
	{"one opener, then space", func(n int) string { return fill("<call>", " ", n) }},
	{"openers in damage", func(n int) string { return fill("<call>t (", "<call>\n", n) }},
	{"half openers", func(n int) string { return fill("", "<call<cal<c<", n) }},
	{"half close tags", func(n int) string { return fill("<call>t a=x", "</call</cal</", n) }},
	{"half close tags in a string", func(n int) string { return fill(`<call>t a="`, "</call</cal</", n) }},
	{"alternating quotes", func(n int) string { return fill("<call>t (", ` "'`, n) }},
	{"quotes in a word", func(n int) string { return fill("<call>t a=x", `"'`, n) }},
	{"malformed after malformed", func(n int) string { return fill("", "<call>t(x)</call>", n) }},
	{"nested calls", func(n int) string { return fill("", "<call>t a=x", n) }},
	{"calls", func(n int) string { return fill("", `<call>t a=1 b="x"</call>`, n) }},
	{"calls without arguments", func(n int) string { return fill("", "<call>t</call>", n) }},
	{"unknown tools", func(n int) string { return fill("", `<call>nobody a=1</call>`, n) }},
	{"reopened paths", func(n int) string { return numbered("<call>t", " a.k%=1 b.k%=2", n) }},
	{"deep reopened paths", func(n int) string { return numbered("<call>t", " a.b.c.d.k%=1 a.b.x%.y=2", n) }},
	{"distinct deep paths", func(n int) string { return numbered("<call>t", " k%"+strings.Repeat(".a", 62)+"=1", n) }},
	{"issues with long paths", func(n int) string { return fill("<call>rows "+strings.Repeat("k", 950)+"=[", "x,", n) }},
	{"listed arrays", func(n int) string {
		return "<call>nest a=" + strings.Repeat("[", n/2) + strings.Repeat("]", n/2) + "</call>"
	}},
	{"listed arrays of text", func(n int) string {
		return "<call>nest a=" + strings.Repeat("[", n/4) + `"` + strings.Repeat("x", n/2) + `"` + strings.Repeat("]", n/4) + "</call>"
	}},
	{"lacking objects", func(n int) string { return fill("<call>nest b=[", "{},", n) }},
	{"many arguments", func(n int) string { return numbered("<call>t", " key%=1", n) }},
	{"duplicates", func(n int) string { return fill("<call>t", " a=1", n) }},
	{"equal beginnings", func(n int) string { return numbered("<call>t", " "+strings.Repeat("k", 100)+"%=1", n) }},
	{"backslashes", func(n int) string { return fill(`<call>t a="`, `\`, n) }},
	{"backslashes in damage", func(n int) string { return fill(`<call>t ("`, `\`, n) }},
	{"escapes", func(n int) string { return fill(`<call>t a="`, `\ud83d\ude00\u0041\ud83d\n`, n) }},
	{"controls", func(n int) string { return fill(`<call>t a="`, "\x01\x7f", n) }},
	{"runes", func(n int) string { return fill(`<call>t a="`, "é😀", n) }},
	{"broken runes", func(n int) string { return fill("<call>t (", "\xf0\x9f", n) }},
	{"stringified arrays", func(n int) string { return fill(`<call>t c="[`, `1,`, n) }},
	{"stringified nests", func(n int) string { return fill(`<call>t v="`, `{\"a\":`, n) }},
	{"long numbers", func(n int) string { return fill("<call>t a=", "1", n) }},
	{"long exponents", func(n int) string { return fill("<call>t a=1e", "9", n) }},
	{"dotted names", func(n int) string { return numbered("<call>tool", " a.b%.c=1", n) }},
}

// fill returns about n bytes: head and then unit, again and again.
func fill(head, unit string, n int) string {
	return head + strings.Repeat(unit, max(1, n/len(unit)))
}

// numbered is fill where each % of unit is a number of its own.
func numbered(head, unit string, n int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.ReplaceAll(unit, "%", digits(i)))
	}
	return b.String()
}

// digits returns i with eight digits, so that all units are equally long.
func digits(i int) string {
	b := []byte("00000000")
	for k := len(b) - 1; i > 0; k-- {
		b[k] += byte(i % 10)
		i /= 10
	}
	return string(b)
}
