package grammar

import (
	"testing"
)

// bodies are calls without faults and their arguments.
var bodies = []struct {
	text string
	json string
}{
	// body: whitespace, names, no arguments
	{`<call>t</call>`, `{}`},
	{`<call>t </call>`, `{}`},
	{"<call> \t\r\nt\n\t \r</call>", `{}`},
	{`<call>$a-b.c/d:e@1</call>`, `{}`},
	{`<call>@</call>`, `{}`},
	{`<call>_</call>`, `{}`},
	{`<call>größe</call>`, `{}`},
	{`<call>工具 a=1</call>`, `{"a":1}`},
	{"<call>t\na=1\r\n\tb=2</call>", `{"a":1,"b":2}`},

	// bare words
	{`<call>t a=b</call>`, `{"a":"b"}`},
	{`<call>t a=O'Brien b=https://x/?a=b c=a<b d=a>b e=5" f=x[0] g=}]</call>`,
		`{"a":"O'Brien","b":"https://x/?a=b","c":"a<b","d":"a>b","e":"5\"","f":"x[0]","g":"}]"}`},
	{`<call>t a=\n b==x c=,</call>`, `{"a":"\\n","b":"=x","c":","}`},
	{"<call>t a=\x01\x0b\x7f</call>", "{\"a\":\"\\u0001\\u000b\x7f\"}"},
	{`<call>t a=<cal b=</cal c=x</cal></call>`, `{"a":"<cal","b":"</cal","c":"x</cal>"}`},
	{`<call>t a=<CALL></call>`, `{"a":"<CALL>"}`},

	// the empty value
	{`<call>t a=</call>`, `{"a":""}`},
	{`<call>t a= b=1</call>`, `{"a":"","b":1}`},
	{"<call>t a=\n</call>", `{"a":""}`},

	// literals
	{`<call>t a=0 b=-0 c=1.50 d=1e3 e=1E+3 f=-1.5e-7</call>`, `{"a":0,"b":-0,"c":1.50,"d":1e3,"e":1E+3,"f":-1.5e-7}`},
	{`<call>t a=12345678901234567890123</call>`, `{"a":12345678901234567890123}`},
	{`<call>t a=007 b=+1 c=.5 d=1. e=1e f=0x1 g=- h=--1 i=1_0</call>`,
		`{"a":"007","b":"+1","c":".5","d":"1.","e":"1e","f":"0x1","g":"-","h":"--1","i":"1_0"}`},
	{`<call>t a=true b=false c=null d=True e=NULL f=nul</call>`, `{"a":true,"b":false,"c":null,"d":"True","e":"NULL","f":"nul"}`},
	{`<call>t a="1" b="true" c='null'</call>`, `{"a":"1","b":"true","c":"null"}`},

	// keys and paths
	{`<call>t a-b=1 $c=2 @d=3 e:f=4 größe=5 1=6 #*+=7</call>`, `{"a-b":1,"$c":2,"@d":3,"e:f":4,"größe":5,"1":6,"#*+":7}`},
	{`<call>t a.b.c=1</call>`, `{"a":{"b":{"c":1}}}`},
	{`<call>t a.x=1 b=2 a.y=3</call>`, `{"a":{"x":1,"y":3},"b":2}`},
	{`<call>t a.x.y=1 b=2 a.z=3 a.x.w=4</call>`, `{"a":{"x":{"y":1,"w":4},"z":3},"b":2}`},
	{`<call>t __proto__=1 constructor.prototype=2</call>`, `{"__proto__":1,"constructor":{"prototype":2}}`},
	{`<call>t a\u0062=1 ab=2</call>`, `{"a\\u0062":1,"ab":2}`},

	// strings
	{`<call>t a="New York" b='it "is"' c="it's"</call>`, `{"a":"New York","b":"it \"is\"","c":"it's"}`},
	{"<call>t a=\"x\ny\tz\x00\"</call>", `{"a":"x\ny\tz\u0000"}`},
	{`<call>t a="" b=''</call>`, `{"a":"","b":""}`},
	{`<call>t a="</call><call>u b=1</call>"</call>`, `{"a":"</call><call>u b=1</call>"}`},
	{`<call>t a='</call>'</call>`, `{"a":"</call>"}`},
	{`<call>t a="<call>t" b=2</call>`, `{"a":"<call>t","b":2}`},

	// arrays
	{`<call>t a=[] b=[ ] c=[1,2] d=[ 1 , 2 ] e=[1,] f=[[],[[]]]</call>`, `{"a":[],"b":[],"c":[1,2],"d":[1,2],"e":[1],"f":[[],[[]]]}`},
	{`<call>t a=[red, New York ,	x	y	]</call>`, `{"a":["red","New York","x\ty"]}`},
	{"<call>t a=[\n  red\r\n ,\nNew York\n,\n]</call>", `{"a":["red","New York"]}`},
	{`<call>t a=["x", 'y', "]"]</call>`, `{"a":["x","y","]"]}`},
	{`<call>t a=[O'Brien, 5", a[0, x{y, :z, =, <b>, \]</call>`, `{"a":["O'Brien","5\"","a[0","x{y",":z","=","<b>","\\"]}`},
	{`<call>t a=[-1, 1.0, 01, true, null, True]</call>`, `{"a":[-1,1.0,"01",true,null,"True"]}`},

	// objects
	{`<call>t a={} b={ } c={x:1} d={"x":1,} e={'x' : [1] , y:{z:2}}</call>`, `{"a":{},"b":{},"c":{"x":1},"d":{"x":1},"e":{"x":[1],"y":{"z":2}}}`},
	{`<call>t a={a:1 b:2}</call>`, `{"a":{"a":"1 b:2"}}`},
	{`<call>t a={x:a:b, y:http://z/}</call>`, `{"a":{"x":"a:b","y":"http://z/"}}`},
	{"<call>t a={x\n:\n1\n,y:2\n}</call>", `{"a":{"x":1,"y":2}}`},
	{`<call>t a={"":1, "a.b":2, "\u0061":3}</call>`, `{"a":{"":1,"a.b":2,"a":3}}`},
	{`<call>t a={$x:1, a-b:2, ü:3, 1:4, \:5}</call>`, `{"a":{"$x":1,"a-b":2,"ü":3,"1":4,"\\":5}}`},

	// the JSON body
	{`<call>t{}</call>`, `{}`},
	{`<call>t {"a":1}</call>`, `{"a":1}`},
	{"<call>t\n{\n}\n</call>", `{}`},
	{`<call>t {"a.b":1, "a":{"b":2}, c:[x y,]}</call>`, `{"a.b":1,"a":{"b":2},"c":["x y"]}`},
}

func TestBodies(t *testing.T) {
	for _, test := range bodies {
		if got := string(readOne(t, test.text).JSON()); got != test.json {
			t.Errorf("%q\n got %s\nwant %s", test.text, got, test.json)
		}
	}
}
