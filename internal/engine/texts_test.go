package engine_test

import (
	"math/rand"
	"strings"
)

// tools are the tools of random texts.
var tools = `[
{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"array","items":{"type":"number"}},"d":{"type":"object","properties":{"x":{"type":"boolean"},"y":{"enum":["p","q",1]}},"required":["x"]},"e.f":{"type":["string","null"]},"g":{"enum":["red","green",null]},"h":{}},"required":["a"]}},
{"name":"u","inputSchema":{"type":"object","properties":{"b":{"type":"string"},"l":{"type":"array","items":{"type":"array","items":{"type":"string"}}}},"additionalProperties":{"type":"integer"}}},
{"name":"v"},
{"name":"n","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"d":{"type":["object","string"],"properties":{"x":{"type":"boolean"},"y":{"type":"object","properties":{"z":{"type":"string"},"w":{"type":"number"}},"required":["z"]},"k":{"type":"string"}}},"b":{"type":"string"},"g":{"type":"object","properties":{"x":{},"y":{"type":"array"}},"required":["x"]}},"required":["b"]}}
]`

var pieces = strings.Split(`<call>|</call>|<call>t|<call>u |<call>v|<call>w|<call|</cal| |  |\n|\t|a=|b=|c=|d=|d.x=|d.y=|d.y.z=|d.y.w=|d.k=|g.x=|g.y=|d.y.z=s d.k=t|d.x=true d.y.z=a d.y.w=1 b=x|g.x=1 g.y=[1]|a=1 d.x=true b=y|<call>n |<call>n |<call>n |e.f=|e.g=|g=|h=|l=|zz=|a.b.c=|x.y=|x.z=|1|42|-7|4.5|1e3|007|true|false|True|null|red|green|p|q|"|'|\|\"|\n|\u|\u0041|\ud83d\ude00|\ud83d|[|]|{|}|,|:|=|.|"s"|'s'|"a":|b:|[1, 2]|[1,2,]|{"x":true}|{"x":true,"y":"p"}|[red, New York]|"[1,2]"|"{\"x\":true}"|"42"|"true"|é|日本|`+"\x80|\xc3|\xff|\x00|\x01|"+`word|O'Brien|https://x/?a=b|<b>|</b>|it's |hello |(|;`, "|")

func init() {
	for i, p := range pieces {
		if p == `\n` && i < 20 {
			pieces[i] = "\n"
		}
		if p == `\t` {
			pieces[i] = "\t"
		}
	}
}

func random(r *rand.Rand, pieces []string) string {
	var b strings.Builder
	for n := 1 + r.Intn(16); n > 0; n-- {
		if r.Intn(3) == 0 {
			b.WriteString("<call>" + []string{"t", "u", "v", "w", "n"}[r.Intn(5)] + " ")
		}
		b.WriteString(pieces[r.Intn(len(pieces))])
		if r.Intn(6) == 0 {
			b.WriteString("</call>")
		}
	}
	return b.String()
}

func mutate(r *rand.Rand, s string, pieces []string) string {
	for n := r.Intn(4); n >= 0 && len(s) > 0; n-- {
		i := r.Intn(len(s))
		switch r.Intn(4) {
		case 0:
			s = s[:i] + s[i+1:]
		case 1:
			s = s[:i] + pieces[r.Intn(len(pieces))] + s[i:]
		case 2:
			s = s[:i] + string([]byte{byte(r.Intn(256))}) + s[i+1:]
		case 3:
			j := r.Intn(len(s))
			s = s[:i] + s[j:]
		}
	}
	return s
}

var jsonPieces = strings.Split(`<tool_call>|</tool_call>|<tool_call>{"name": "t", "arguments": {|}}</tool_call>|{"name": |"arguments": |"parameters":|"t"|"u"|"nope"|"name"|:|,|{|}|[|]| |`+"\n"+`|"a": 1|"a": "1"|"b": "x"|"c": [1, 2]|"d": {"x": true}|"g": "red"|"zz": null|"|\"|\n|\x|\u0041|\ud83d|true|null|1.5|01|x|'|<function=|<tool_|</tool_|é|`+"\x80|\xff|\x01|"+`{"name": "t", "arguments": {"a": 1}}|{"arguments": {"a": 1}, "name": "t"}|"{\"a\": 1}"|{"a":1,"a":2}`, "|")

var qwenPieces = strings.Split(`<tool_call>|</tool_call>|<tool_call><function=t>|<function=t>|<function=u>|<function=w>|</function>|<parameter=a>|<parameter=b>|<parameter=c>|<parameter=d>|<parameter=g>|<parameter=h>|<parameter=zz>|</parameter>|<parameter=l>|`+"\n"+`| |1|42|x|true|null|[1, 2]|{"x": true}|red|<b>|<|>|"|é|`+"\x80|\xff|\x01|"+`</function></tool_call>|<parameter=|<function=|</para|hello|"1"|[|{`, "|")
