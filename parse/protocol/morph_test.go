package protocol_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/stream"
)

var notes = mustCompile(`[{"name": "note", "inputSchema": {"type": "object", "properties": {
	"text": {"type": "string"}, "n": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}, "on": {"type": "boolean"},
	"rows": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "number"}}}},
	"at": {"type": "object", "properties": {"lat": {"type": "number"}, "name": {"type": "string"}}}, "any": {}, "maybe": {"type": ["string", "null"]},
	"free": {"type": "array", "items": {"type": "object"}}, "open": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}, "additionalProperties": true}}, "list": {"type": "array"}}}},
	{"name": "noted"}]`)

func TestMorphXML(t *testing.T) {
	f := func(body string) string { return "<note>" + body + "</note>" }
	for _, tt := range []struct{ in, want string }{
		{"hi <note>\n<text>a b</text>\n<n> 3 </n>\n<on>true</on>\n</note> bye", lines(`text "hi "`, `call note {"text":"a b","n":3,"on":true}`, `text " bye"`)},
		{"<note/><note /><noted></noted>", lines(`call note {}`, `call note {}`, `call noted {}`)},
		{"a <b>x</b> < <not> <notes/>", lines(`text "a <b>x</b> < <not> <notes/>"`)},
		{f("<text>if a < b && c > d &lt;x&gt; &amp;amp; &#233;&#x1F600;&bad;</text>"), lines(`call note {"text":"if a < b && c > d <x> &amp; é😀&bad;"}`)},
		{f("<text><p>hi</p>\n<note><n>1</n></note></text>"), lines(`call note {"text":"<p>hi</p>\n<note><n>1</n></note>"}`)},
		{f("<text>a</text> b</text>"), lines(`call note {"text":"a</text> b"} ambiguous-text(text)@12`)},
		{f("<text>\n x \n</text>"), lines(`call note {"text":"\n x \n"}`)},
		{f("<text><![CDATA[</text></note> & &amp;]]>!</text>"), lines(`call note {"text":"</text></note> & &amp;!"}`)},
		{f("<text/><n>9007199254740993</n>"), lines(`call note {"text":"","n":9007199254740993}`)},
		{f("<n>3.7</n>"), lines(`call note {"n":3.7} type-mismatch(n)@9`)},
		{f("<tags>a</tags>"), lines(`call note {"tags":["a"]}`)},
		{f("<tags>a</tags><tags>b c</tags>"), lines(`call note {"tags":["a","b c"]}`)},
		{f("<tags><item>a</item>\n<item>1</item></tags>"), lines(`call note {"tags":["a","1"]}`)},
		{f("<tags><tag>a</tag><tag>b</tag></tags>"), lines(`call note {"tags":["a","b"]}`)},
		{f(`<tags>["a", "b"]</tags>`), lines(`call note {"tags":["a","b"]}`)},
		{f("<tags></tags><rows/><at></at>"), lines(`call note {"tags":[],"rows":[],"at":{}}`)},
		{f("<rows><k>a</k><v>1.50</v></rows><rows><k>b</k></rows>"), lines(`call note {"rows":[{"k":"a","v":1.50},{"k":"b"}]}`)},
		{f("<rows><k>a</k><v>1</v></rows>"), lines(`call note {"rows":[{"k":"a","v":1}]}`)},
		{f("<rows><item><k>a</k></item><item><v>1</v></item></rows>"), lines(`call note {"rows":[{"k":"a"},{"v":1}]}`)},
		{f("<rows><row><k>a</k></row><row><k>b</k></row></rows>"), lines(`call note {"rows":[{"k":"a"},{"k":"b"}]}`)},
		{f("<free><k>a</k></free>"), lines(`call note {"free":[{"k":"a"}]}`)},
		{f("<free><k>a</k></free><free><k>b</k></free>"), lines(`call note {"free":[{"k":"a"},{"k":"b"}]}`)},
		{f("<free><row><k>a</k></row><row/><row>{\"k\":1}</row></free>"), lines(`call note {"free":[{"k":"a"},{},{"k":1}]}`)},
		{f("<free><item><k>a</k></item><x>b</x></free>"), lines(`call note {"free":[{"k":"a"},"b"]} type-mismatch(free[1])@36`)},
		{f("<free><at><x>1</x></at><to><x>2</x></to></free>"), lines(`call note {"free":[{"at":{"x":1},"to":{"x":2}}]}`)},
		{f("<free><k>a</k><k>b</k></free>"), lines(`call note {"free":[{"k":["a","b"]}]}`)},
		{f("<free><row><k>a</k></row></free><free><k>b</k></free>"), lines(`call note {"free":[{"row":{"k":"a"}},{"k":"b"}]}`)},
		{f("<open><x>1</x><k>a</k></open>"), lines(`call note {"open":[{"x":1,"k":"a"}]}`)},
		{f("<open><k>a</k><x>1</x></open><open><x>2</x></open>"), lines(`call note {"open":[{"k":"a","x":1},{"x":2}]}`)},
		{f("<list><a>1</a><b>2</b></list>"), lines(`call note {"list":[{"a":1,"b":2}]}`)},
		{f("<list><a>1</a><a>2</a></list>"), lines(`call note {"list":[1,2]}`)},
		{f("<any><free><k>a</k></free></any>"), lines(`call note {"any":{"free":{"k":"a"}}}`)},
		{f("<at><lat>1.5</lat><name>a<b</name></at>"), lines(`call note {"at":{"lat":1.5,"name":"a<b"}}`)},
		{f("<any><a>1</a><a>x</a><b><c/></b></any>"), lines(`call note {"any":{"a":[1,"x"],"b":{"c":""}}}`)},
		{f("<maybe>a<b>x</b></maybe>"), lines(`call note {"maybe":"a<b>x</b>"} ambiguous-text(maybe)@13`)},
		{f("<maybe><b>x</b></maybe>"), lines(`call note {"maybe":"<b>x</b>"} ambiguous-text(maybe)@13`)},
		{f("<n><b>x</b></n>"), lines(`call note {"n":{"b":"x"}} type-mismatch(n)@9`)},
		{f("<tags>[</tags>"), lines(`call note {"tags":["["]} coerced(tags)@12`)},
		{f("<at>x<lat>1</lat></at>"), lines(`call note {"at":"x<lat>1</lat>"} ambiguous-text(at)@10 type-mismatch(at)@10`)},
		{f("<at><lat>1</lat>x</at>"), lines(`malformed "<note><at><lat>1</lat>x</at></note>" expected-key@22 true`)},
		{f("<at><lat>1</lat><lat>2</lat></at>"), lines(`malformed "<note><at><lat>1</lat><lat>2</lat></at></note>" duplicate-key@23 true`)},
		{f("<at/><at/>"), lines(`malformed "<note><at/><at/></note>" duplicate-key@12 true`)},
		{f("<rows><row><k>a</k></row></rows><rows><k>b</k></rows>"), lines(`malformed "<note><rows><row><k>a</k></row></rows><rows><k>b</k></rows></note>" duplicate-key@39 true`)},
		{f(`<rows><k>a</k></rows><rows>{"k": "b"}</rows>`), lines(`call note {"rows":[{"k":"a"},{"k":"b"}]}`)},
		{f("<!-- </note> --><n>1</n><!----><at><!-- < --><lat>1</lat></at>"), lines(`call note {"n":1,"at":{"lat":1}}`)},
		{f("<any>a<!-- <b> -->b</any><text><!-- x --></text>"), lines(`call note {"any":"ab","text":"<!-- x -->"}`)},
		{f("<!-- x"), lines(`malformed "<note><!-- x</note>" unterminated-call@19 false`)},
		{f("<!-- \xff</note> -->") + "!", lines(`malformed "<note><!-- \xff</note> --></note>" invalid-utf8@11 true`, `text "!"`)},
		{f("<?xml?>"), lines(`malformed "<note><?xml?></note>" expected-key@7 true`)},
		{f(`<n type="x">1</n>`), lines(`malformed "<note><n type=\"x\">1</n></note>" expected-equals@9 true`)},
		{f("<any>null</any>"), lines(`call note {"any":null}`)},
		{f("<text>a</text><text>b</text>"), lines(`malformed "<note><text>a</text><text>b</text></note>" duplicate-key@21 true`)},
		{f("hello") + "x", lines(`malformed "<note>hello</note>" expected-key@6 true`, `text "x"`)},
		{"<note><n>1</n>", lines(`malformed "<note><n>1</n>" unterminated-call@14 false`)},
		{"<note><n>1</m></note>", lines(`malformed "<note><n>1</m></note>" expected-close@10 true`)},
	} {
		if got := show(parse.Options{Protocol: protocol.MorphXML}.Text(tt.in, notes)); got != tt.want {
			t.Errorf("%s\ngot  %swant %s", tt.in, got, tt.want)
		}
	}
	if got := show(parse.Options{Protocol: protocol.MorphXML}.Text("<note/>", nil)); got != "text \"<note/>\"\n" {
		t.Errorf("without tools: %s", got)
	}
}

// Deltas come as soon as the schema settles what they are.
func TestMorphXMLStreams(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"<note><text>a b", `{"text":"a b`},
		{"<note><n>1</n>", `{"n":1`},
		{"<note><at><lat>1</lat>", `{"at":{"lat":1`},
		{"<note><at> <name>x &amp; y", `{"at":{"name":"x & y`},
		{"<note><tags><item>a</item><item>b", `{"tags":["a","b`},
		{"<note><rows><k>abc", `{"rows":[{"k":"abc`},
		{"<note><rows><k>a</k></rows><rows><v>1</v><k>b", `{"rows":[{"k":"a"},{"v":1,"k":"b`},
		{"<note><rows><row><k>a</k></row><row><k>b", `{"rows":[{"k":"a"},{"k":"b`},
		{"<note><free><item><k>a</k>", `{"free":[{"k":`},
		{"<note><open><k>a</k><x>1</x>", `{"open":[{"k":"a","x":`},
		{"<note><free><row><k>a</k></row>", `{"free":`}, // it may be a property
		{"<note><tags>a</tags>", `{"tags":`},            // another one may follow
		{"<note><any><a>1</a>", `{"any":`},              // so it may of any
		{"<note><at>x<lat>1</lat>", `{"at":`},           // it is no object
	} {
		d := stream.NewDecoder(notes, stream.Options{Options: parse.Options{Protocol: protocol.MorphXML}})
		var got []byte
		for i := range len(tt.text) {
			for _, e := range d.Feed([]byte(tt.text[i : i+1])) {
				if e.Type == stream.ToolInputDelta {
					got = append(got, e.Delta...)
				}
			}
		}
		if string(got) != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// An array of repeated elements is a level: N levels pass, N+1 are too deep.
func TestMorphXMLDepth(t *testing.T) {
	for text, want := range map[string]lexer.Code{"<any>1</any><any>2</any>": "", "<any><a>1</a></any>": "", "<any><a>1</a></any><any/>": lexer.TooDeep, "<any><a><b/></a></any>": lexer.TooDeep} {
		s := parse.Options{Protocol: protocol.MorphXML, Limits: lexer.Limits{Depth: 1}}.Text("<note>"+text+"</note>", notes)[0]
		if s.Kind == parse.Call != (want == "") || s.Err != nil && s.Err.Code != want {
			t.Errorf("%s: %v, want %q", text, s.Err, want)
		}
	}
}

// A tag that holds too much whitespace is at fault at the same byte at any split.
func TestSpaceInTag(t *testing.T) {
	for n, want := range map[int]string{63: "", 64: "expected-equals@71", 90: "expected-equals@71"} {
		text := "<note><n" + strings.Repeat(" ", n) + ">1</n></note>"
		for _, size := range []int{1, len(text)} {
			r, err := parse.NewReader(notes, parse.Options{Protocol: protocol.MorphXML})
			if err != nil {
				t.Fatal(err)
			}
			drain(r, []byte(text), size)
			got := ""
			if e := r.Segment().Err; e != nil {
				got = fmt.Sprintf("%s@%d", e.Code, e.Offset)
			}
			if got != want {
				t.Errorf("%d, in chunks of %d: %s, want %s", n, size, got, want)
			}
		}
	}
}

// Damage that outgrows the limit is read to its end, wherever it began.
func TestLongDamage(t *testing.T) {
	long := strings.Repeat("abc ", 100)
	for _, p := range []parse.Protocol{protocol.Hermes, protocol.Qwen3Coder, protocol.MorphXML} {
		call := written(t, p, notes, "note", `{"text":"a b","n":1,"at":{"name":"x"},"any":{"a":[1]}}`)
		for i := range call {
			r, err := parse.NewReader(notes, parse.Options{Protocol: p, Limits: lexer.Limits{Bytes: len(call)}})
			if err != nil {
				t.Fatal(err)
			}
			message := string(call[:i]) + "\xff" + long + string(call[i:])
			if one, whole := drain(r, []byte(message), 1), drain(r, []byte(message), len(message)); one != whole {
				t.Errorf("%s: %q: %d calls, %d in single bytes", p, message, whole, one)
			}
		}
	}
}

func TestMorphXMLWritten(t *testing.T) {
	o := parse.FormatOptions{Protocol: protocol.MorphXML}
	text, err := o.Format(notes, "note", []byte(`{"text":"a <b> & </text>\n","tags":["x","y"],"rows":[{"k":"1","v":2}],"at":{"lat":1},"any":[[1],[]],"free":[{"a":1},{"b":{"c":2}}]}`))
	const want = "<note>\n<text>a &lt;b&gt; &amp; &lt;/text&gt;\n</text>\n<tags>x</tags>\n<tags>y</tags>\n<rows>\n<k>1</k>\n<v>2</v>\n</rows>\n<at>\n<lat>1</lat>\n</at>\n<any>[[1],[]]</any>\n<free>\n<a>1</a>\n</free>\n<free>\n<b>\n<c>2</c>\n</b>\n</free>\n</note>"
	if err != nil || text != want {
		t.Errorf("written %s, %v", text, err)
	}
	_, err = o.Format(notes, "note", []byte(`{"n":1,"any":"1"}`))
	var e *lexer.Error
	if !errors.As(err, &e) || e.Code != lexer.UnwritableValue || e.Offset != 13 {
		t.Errorf("a number as a string: %v", err)
	}
}

// What a list says does not depend on whether its type is certain when it begins: in a union,
// where elements are kept until their end, it reads as it does on its own.
func TestListsInUnions(t *testing.T) {
	const list = `{"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {}}}}`
	const closed = `{"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}, "additionalProperties": false}}`
	const open = `{"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}, "additionalProperties": true}}`
	properties := `{"l": ` + list + `, "c": ` + closed + `, "p": ` + open + `, "w": {"type": "array", "items": {"type": "string"}}}`
	catalog := mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {
		"o": {"type": "object", "properties": ` + properties + `}, "u": {"anyOf": [{"type": "object", "properties": ` + properties + `}, {"type": "integer"}, {"type": "string"}]}}}}]`)
	for _, tt := range []struct{ in, want string }{
		{"<l><k>a</k></l>", `{"l":[{"k":"a"}]}`},
		{"<l> <k>a</k> <v>1</v> </l>", `{"l":[{"k":"a","v":1}]}`},
		{"<l><item><k>a</k></item> <item><k>b</k></item></l>", `{"l":[{"k":"a"},{"k":"b"}]}`},
		{"<l>\n<row><k>a</k></row>\n<row><k>b</k></row>\n</l>", `{"l":[{"k":"a"},{"k":"b"}]}`},
		{"<p><x>1</x><y>2</y></p>", `{"p":[{"x":1,"y":2}]}`},
		{"<p><k>a</k><y>2</y></p>", `{"p":[{"k":"a","y":2}]}`},
		{"<p><item><y>2</y></item></p>", `{"p":[{"y":2}]}`},
		{"<p><x>one</x></p>", `{"p":[{"x":"one"}]}`},
		{"<c><x><k>a</k></x></c>", `{"c":[{"k":"a"}]}`},
		{"<c><x><k>a</k></x><y><k>b</k></y></c>", `{"c":[{"k":"a"},{"k":"b"}]}`},
		{"<w><x>a</x><y>b</y></w>", `{"w":["a","b"]}`},
		{"<w> <item>a</item> </w>", `{"w":["a"]}`},
	} {
		for _, key := range []string{"o", "u"} {
			text := "<t><" + key + ">" + tt.in + "</" + key + "></t>"
			want := lines(`call t {"` + key + `":` + tt.want + `}`)
			if got := show(parse.Options{Protocol: protocol.MorphXML}.Text(text, catalog)); got != want {
				t.Errorf("%s\n%swant\n%s", text, got, want)
			}
		}
	}
}

// An entity of no character is text, and so is a section within a value that is one of several.
func TestOddEntities(t *testing.T) {
	catalog := mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}, "e": {"enum": ["a<b>&c", "d"]}}}}]`)
	for in, want := range map[string]string{
		"<a>&#xd800;&#x110000;&#99999999999;&#;&#x;&#-1;&;</a>": `{"a":"&#xd800;&#x110000;&#99999999999;&#;&#x;&#-1;&;"}`,
		"<a>&#9;&#x10FFFF;</a>":                                 `{"a":"\t` + "\U0010ffff" + `"}`,
		"<e>a<![CDATA[<b>]]>&amp;c</e>":                         `{"e":"a<b>&c"}`,
		"<e><![CDATA[a<b>&c]]></e>":                             `{"e":"a<b>&c"}`,
		"<e>a<![CDATA[<]]>b<![CDATA[>&]]>c</e>":                 `{"e":"a<b>&c"}`,
	} {
		text := "<t>" + in + "</t>"
		if got, want := show(parse.Options{Protocol: protocol.MorphXML}.Text(text, catalog)), lines("call t "+want); got != want {
			t.Errorf("%s\n%swant\n%s", text, got, want)
		}
	}
}
