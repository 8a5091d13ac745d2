package fuzz

import (
	"strings"

	"github.com/callwire/callwire/internal/format"
)

// A TokenSet has tokens that interact in interesting ways, for the exhaustive tests. Sequences of
// them follow each of the beginnings; the shorter ones get far only after a longer beginning.
type TokenSet struct {
	Name   string
	Tokens []string
	Begins []string
}

// Soups are the sets for each format that has a grammar.
var Soups = map[string][]TokenSet{
	"wire": {
		{"framing", words("<call> </call> t _ a= \" < /call> x ' {"), none},
		{"arguments", words("<call>t_ </call> a . = b= _ \" 1 \\ [ ]"), none},
		{"brackets", words("<call>t_ </call> { } [ ] , : a \" _ v="), none},
		{"strings", words("<call>t_a= </call> \" ' \\ u d83d \\ude00 x _ <call>"), none},
		{"bytes", words("<call> </call> t_ a= \" \xe2 \x82 \xac \xff [ _ \x00"), none},
		{"damage", words("<call>t_ </call> ( \" ' , _ \\ x <call>u = <"), none},
	},
	"hermes": {
		{"envelope", words(`<tool_call> </tool_call> <function= { } [ "name" "arguments" "t" : , 1`), []string{
			"", "<tool_call>{", `<tool_call>{"name":"t"`, `<tool_call>{"arguments":`, `<tool_call>{"x":`,
		}},
		{"arguments", words(`</tool_call> { } ] "arguments" "{}" : null _ " \ x`), []string{
			"", `<tool_call>{"name":`, `<tool_call>{"name":"t","arguments":{`, `<tool_call>{"name":"t"}`,
			`<tool_call>{"name":"t","arguments":{"a":`, `<tool_call>{"name":"t","arguments":"{`,
		}},
	},
	"qwen3-coder": {
		{"function", words("<tool_call> </tool_call> <function= </function> <parameter= </parameter> { t k > \n"), []string{
			"", "<tool_call><function=", "<tool_call>\n<function=t>", "<tool_call><function=t><parameter=",
			"<tool_call><function=t></function>",
		}},
		{"parameter", words("</tool_call> </function> <parameter=k> </parameter> \n 1 [ ] \" <"), []string{
			"", "<tool_call><function=t><parameter=k>", "<tool_call><function=t><parameter=k>1</parameter>",
			"<tool_call><function=t><parameter=k>\n1\n</parameter>\n<parameter=k>\n",
		}},
	},
}

var none = []string{""}

// words divides a list at spaces; _ is a space in a word.
func words(list string) []string {
	all := strings.Split(list, " ")
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "_", " ")
	}
	return all
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

// regions are pieces of Markdown and reasoning, in several spellings.
var regions = append(words("` `` ``` ~~~ \\` <think> </think> <Think> <think_> </think\n> <THINKING_a=\"b>c\"> </THINK> "+
	"<think_about> [THINK] [/THINK] ◁think▷ ◁/think▷ <|START_THINKING|> <|END_THINKING|> <antThinking> "+
	"<|channel|>analysis<|message|> <|end|> <reflection> </reflection> <scratchpad> </scratchpad> <thin </thi"),
	"\n```\n", "\n~~~ x\n", "\n> ```\n> ", "\n- a\n\n  ```\n  ", "x [1](u) ", "\n\n")

// near are openers in other spellings and of other formats.
var near = words("<CALL>t_a=1</CALL> <call_>t</call_> <call_t_a=\"x\"/> <call_t> <call_name=\"t\"> <call:t> <call=t_ " +
	"<call>\"t\" <call>`t_a=x` <call>** <call>_<b> <tool_call>{ <tool_call>\n <invoke_name=\"t\"> </invoke> " +
	"<function=t> </function> <tool_calls> <function_calls> [TOOL_CALLS] [TOOL_CALLS][ \n```tool_code\n " +
	`{"name":"t","arguments":{}} <parameter=a> </parameter> <|python_tag|> <|channel|>commentary_to=`)

// drift are pieces of the mistakes that models make in each kind of body.
var drift = map[format.Body][]string{
	format.Arguments: words("a=x,_ a_=_x a_=x a=_x a:_x b=\"x\";_ d:_'x' , ; = : | a=x,b=y a=null key=None key=True " +
		"a=“x_y” a=`x` a=\"\"\"x\"\"\" a=\\\"x\\\" a=&quot;x&quot; b=New_York t(a=1,_b=2) t(b='x') ({ }) " +
		"{a:_1,} {'a':_'x'} arguments={\"a\":1} {\"name\":\"t\",\"arguments\":{ }} <json> </json> functions.t T\n " +
		"name=t </function> </tool_call> ? » a=say_\"hi\"_to"),
	format.Envelope: words(`{'name':'t','arguments':{ }}</tool_call> }}} "a":"x" 'a':'it\'s' a:"x" "key":True ` +
		`"key":None "b":"\d" "args":{ "input":{ "parameters":{ "name":"T" "name":"functions.t" [{"name":"t"}] "b":"a` + "\n" + `b"`),
	format.Parameters: words(`<function="t"> <function=T> <function=t></function> <parameter="a"> <parameter='key'> ` +
		`['a',_"b"] [1,_2,] None </parameter></function></tool_call> <parameter_name="a"> {"name":"t"}`),
}
