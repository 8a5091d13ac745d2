package fuzz

import "strings"

// Soups are the token sets of the exhaustive tests: each has at most twelve tokens that
// interact in interesting ways.
var Soups = map[string][]string{
	"framing":   {"<call>", "</call>", "t", " ", "a=", "\"", "<", "/call>", "x", "'", "{", "\n"},
	"arguments": {"<call>t ", "</call>", "a", ".", "=", "b=", " ", "\"", "1", "\\", "[", "]"},
	"brackets":  {"<call>t ", "</call>", "{", "}", "[", "]", ",", ":", "a", "\"", " ", "v="},
	"strings":   {"<call>t a=", "</call>", "\"", "'", "\\", "u", "d83d", "\\ude00", "x", "\n", " ", "<call>"},
	"bytes":     {"<call>", "</call>", "t ", "a=", "\"", "\xe2", "\x82", "\xac", "\xff", "[", " ", "\x00"},
	"damage":    {"<call>t ", "</call>", "(", "\"", "'", ",", " ", "\\", "x", "<call>u", "=", "<"},
}

// Sequences calls yield with each concatenation of at most n tokens, shortest first, until
// yield returns false.
func Sequences(tokens []string, n int, yield func(string) bool) {
	var grow func(prefix string, n int) bool
	grow = func(prefix string, n int) bool {
		if n == 0 {
			return yield(prefix)
		}
		for _, t := range tokens {
			if !grow(prefix+t, n-1) {
				return false
			}
		}
		return true
	}
	for k := 0; k <= n; k++ {
		if !grow("", k) {
			return
		}
	}
}

// nearMisses are the pieces of random soup: whole constructs, halves of them, and
// lookalikes.
var nearMisses = []string{
	"<call>", "</call>", "<call", "</call", "call>", "<", "/", ">", "<Call>", "</ call>", "<call >", "<<call>", "</call></call>",
	"<CALL>", "<tool_call>", "</tool_call>", "<call t ", "/>", "<think>", "</think>", "`", "```\n",
	"t", "tool", "getWeather", "unknown", "a", "b", "key", "a.b", "a.b.c", "a-b", "$x", "@y", "__proto__", ".", "..",
	"=", " = ", " ", "\n", "\t", "\r\n", "  ",
	"\"", "'", "\\", "\\\"", "\\'", "\\\\", "\\n", "\\u0041", "\\ud83d", "\\ude00", "\\ud83d\\ude00", "\\u12", "\\d", "\\u",
	"[", "]", "{", "}", ",", ":", "(", ")", "[1,2]", "{\"a\":1}", "[red, New York]", "{k: v}", "[]", "{}", "[,]", "{,}",
	"1", "-1", "0", "007", "1.5", "1e3", "-", "1e", "true", "false", "null", "True", "x", "word", "O'Brien", "r\"x",
	"\"s\"", "'s'", "\"a b\"", "\"</call>\"", "'<call>d x=1</call>'", "\"\\\"\"",
	"é", "😀", "\xff", "\xe2\x82", "\xe2", "\xac", "\xf0\x9f", "\xed\xa0\x80", "\x00", "\x7f", "\x1b",
	"<call>t a=1</call>", "<call>t</call>", "<call>t {\"a\":1}</call>", "<call>t a=\"x\" b=[1]</call>", "<call>u(x)</call>", "<call>{\"name\":\"t\"}</call>",
	" a=1", " b=\"x\"", " c=[1, \"y\"]", " d.e=2", " {\"k\":[{}]}", " a=1 a=2", " a=1 a.b=2",
}

// Soup returns n random pieces, usually after the beginning of a call.
func Soup(s Source, n int) string {
	var b strings.Builder
	if !chance(s, 3) {
		b.WriteString("<call>t ")
	}
	for range n {
		b.WriteString(oneOf(s, nearMisses...))
	}
	return b.String()
}
