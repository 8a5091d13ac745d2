package engine_test

import (
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// taggedTools have a place of every type.
var taggedTools = func() *sig.Catalog {
	const list = `{"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "number"}}}}`
	const properties = `
		"s": {"type": "string"}, "n": {"type": "integer"}, "on": {"type": "boolean"}, "any": {}, "z": {"type": ["string", "null"]},
		"e": {"enum": ["red", "a<b", "1"]}, "g": {"enum": ["red", 1, null]}, "tags": {"type": "array", "items": {"type": "string"}},
		"nums": {"type": "array", "items": {"type": "number"}}, "rows": ` + list + `, "list": {"type": "array"},
		"deep": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
		"free": {"type": "array", "items": {"type": "object"}},
		"shut": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}, "additionalProperties": false}},
		"open": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}, "additionalProperties": true}},
		"mixed": {"anyOf": [{"type": "object", "properties": {"k": {"type": "string"}, "rows": ` + list + `}}, {"type": "array"}, {"type": "string"}]}`
	c, err := sig.Compile([]byte(`[
		{"name": "t", "inputSchema": {"type": "object", "properties": {` + properties + `,
			"o": {"type": "object", "properties": {` + properties + `}, "required": ["s"]},
			"u": {"anyOf": [{"type": "object", "properties": {` + properties + `}}, {"type": "integer"}]}}, "required": ["s"]}},
		{"name": "m"}, {"name": "tt", "inputSchema": {"type": "object", "properties": {"s": {"type": "string"}}, "additionalProperties": false}}]`))
	if err != nil {
		panic(err)
	}
	return c
}()

var taggedKeys = strings.Fields("s n on any z e g tags nums rows list deep free shut open mixed o u item k v x t")

// randomXML returns elements of random names.
func randomXML(r *rand.Rand, b *strings.Builder, depth int) {
	texts := []string{"", "a", "1", "true", " 2 ", "null", "None", "red", `["a", "b"]`, `{"k": 1}`, "[1]", "a<b", "&lt;&amp;", "x &# y", "<![CDATA[</s>&]]>", "\n", " ", "é", "a</s> b", "<!-- </s> -->"}
	key := taggedKeys[r.Intn(len(taggedKeys))]
	for n := r.Intn(4); n >= 0; n-- {
		if r.Intn(3) > 0 {
			key = taggedKeys[r.Intn(len(taggedKeys))]
		}
		if r.Intn(12) == 0 {
			b.WriteString("<" + key + "/>")
			continue
		}
		b.WriteString("<" + key + ">")
		if depth > 0 && r.Intn(2) == 0 {
			randomXML(r, b, depth-1)
			if r.Intn(8) == 0 {
				b.WriteString(texts[r.Intn(len(texts))])
			}
		} else {
			b.WriteString(texts[r.Intn(len(texts))])
		}
		b.WriteString("</" + key + ">")
		b.WriteString([]string{"", "\n", " "}[r.Intn(3)])
	}
}

var xmlPieces = strings.Split(`<t>|</t>|<m>|<m/>|<tt>|</m>|<t|</t|<t >|<tt/>|<s>|</s>|<o>|</o>|<rows>|</rows>|<k>|</k>|<item>|</item>|<x/>|<any>|</any>|<n>1</n>|<s>x</s>|<|>|/|<!--|-->|<![CDATA[|]]>|&lt;|&|hello|1|"|`+"\n| |\x80|\xff|\xc3|é|", "|")

// randomYAML returns lines of YAML.
func randomYAML(r *rand.Rand, b *strings.Builder, indent, depth int) {
	pick := func(from ...string) string { return from[r.Intn(len(from))] }
	scalar := func() string {
		return pick("a", "1", "true", "~", "null", "0x1F", "0o17", "007", "1.50", "\"a </t> \\\" b\"", "'it''s </t>'", "[a, 1, \"</t>\"]", "{k: 1, v: x}", "{}", "[]",
			"it's", "a \"b\" c", "27\"", "x # no", "\"x\" # don't", "<t>", "<t/>", "a: b", "*x", "&x y", "!!str x", "\"multi\n   </t> line\"", "yes", ".inf", "+1", "a </m> b", "- x", "")
	}
	pad := strings.Repeat(" ", indent)
	for n := r.Intn(4); n >= 0; n-- {
		key := taggedKeys[r.Intn(len(taggedKeys))]
		if r.Intn(12) == 0 {
			key = pick("\"s\"", "'s'", "a b", "<<", "? s", "s s", "<x>")
		}
		b.WriteString(pad + key + ":")
		switch k := r.Intn(8); {
		case k == 0 && depth > 0:
			b.WriteString("\n")
			randomYAML(r, b, indent+1+r.Intn(3), depth-1)
		case k == 1:
			b.WriteString("\n")
			for m := r.Intn(3); m >= 0; m-- {
				b.WriteString(pad + pick("", " ", "  ") + "- " + scalar() + "\n")
			}
		case k == 2:
			b.WriteString(" " + pick("|", ">", "|-", ">-", "|+", "| # x") + "\n")
			for m := r.Intn(3); m >= 0; m-- {
				b.WriteString(pad + pick("  ", "   ", " ") + pick("text", "</t>", "<t>", "", "a: b", "# no") + "\n")
			}
		default:
			b.WriteString(" " + scalar() + pick("\n", "\n", "\n", "\r\n", "\n\n", "\n  more\n"))
		}
	}
}

var yamlPieces = strings.Split(`<t>|</t>|<m>|<m/>|<tt>|</m>|<t|</t|<t >|</t >|s: |n: |"|'|||>|- |: |#| |  |<|/|[|]|{|}|,|*|&|!|\|hello|1|---|...|-|?|`+"\n|\n\n|\r\n|\t|\x80|\xff|\xc3|é|\u2028", "|")

// randomMessage returns a message of calls and pieces of calls in several formats.
func randomMessage(r *rand.Rand) string {
	var b strings.Builder
	for n := r.Intn(4); n >= 0; n-- {
		switch r.Intn(6) {
		case 0:
			b.WriteString("<t>")
			randomXML(r, &b, 2)
			b.WriteString("</t>")
		case 1:
			b.WriteString("<t>\n")
			randomYAML(r, &b, 0, 1)
			b.WriteString("</t>")
		case 2:
			b.WriteString([]string{"<think>", "</think>", "\n```\n", "`", "~~~\n", "[THINK]", "<|channel|>analysis<|message|>", "\n> ", "\n- "}[r.Intn(9)])
		case 3:
			b.WriteString(`<call>t s="x" n=1</call>`)
		case 4:
			b.WriteString([]string{`<tool_call>{"name": "t", "arguments": {"s": "<t></t>"}}</tool_call>`, "<tool_call>\n<function=t>\n<parameter=s>\n</t><m/>\n</parameter>\n</function>\n</tool_call>",
				"<tool_call>t\n<arg_key>s</arg_key>\n<arg_value>x</arg_value>\n</tool_call>", "<Call>t</Call>", "<invoke name=\"t\">"}[r.Intn(5)])
		case 5:
			b.WriteString([]string{"use <t> or <m>: ", "hello ", "\n", "<", "</t>", "<m/>"}[r.Intn(6)])
		}
	}
	return b.String()
}

// However a message is cut, its events are the same, in every format and under every option.
func TestTaggedSplits(t *testing.T) {
	n := 6000
	if s := os.Getenv("N"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	r := rand.New(rand.NewSource(int64(n)))
	formats := []*format.Format{
		format.MorphXML, yaml.XML, format.Any(format.Wire, format.Hermes, format.MorphXML),
		format.Any(format.Qwen3Coder, yaml.XML, format.MorphXML, format.GLM45, format.Wire, format.KimiK2, format.GemmaFence),
	}
	pieces := append(append(xmlPieces, yamlPieces...), qwenPieces...)
	for range n {
		in := randomMessage(r)
		if r.Intn(2) == 0 {
			in = mutate(r, in, pieces)
		}
		o := engine.Options{
			Format: formats[r.Intn(len(formats))], Strict: r.Intn(5) == 0, AllowAfterMalformed: r.Intn(2) == 0,
			AllowUnclosed: r.Intn(3) == 0, AllowInCode: r.Intn(2) == 0, Repair: r.Intn(3) == 0,
		}
		if r.Intn(2) == 0 {
			o.Reasoning = []format.Reasoning{format.TaggedReasoning, format.StartedReasoning}[r.Intn(2)]
		}
		if r.Intn(4) == 0 {
			o.Limits = lexer.Limits{Bytes: r.Intn(70), Depth: r.Intn(4), Arguments: r.Intn(4), Name: r.Intn(3)}
		}
		p := newParser(taggedTools, o)
		want, err := run(p, []byte(in), nil)
		if err != nil {
			t.Fatalf("%q %+v: %v", in, o, err)
		}
		for range 4 {
			var cuts []int
			for i, k := 1, 1+r.Intn(9); i < len(in); i++ {
				if r.Intn(k) == 0 {
					cuts = append(cuts, i)
				}
			}
			got, err := run(p, []byte(in), cuts)
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("%q %s %+v cuts %v: %v\ngot  %s\nwhole %s", in, o.Format, o, cuts, err, strings.Join(got, "\n     "), strings.Join(want, "\n      "))
			}
		}
	}
}

// Members that the fast path reads give the same events and deltas as without it.
func TestElementsFastPath(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	n := 8000
	if s := os.Getenv("N"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	for range n {
		var b strings.Builder
		b.WriteString("<t>")
		randomXML(r, &b, 2)
		b.WriteString("</t>")
		in := b.String()
		if r.Intn(2) == 0 {
			in = mutate(r, in, xmlPieces)
		}
		o := engine.Options{Format: format.MorphXML, Strict: r.Intn(4) == 0, AllowAfterMalformed: true, Repair: r.Intn(4) == 0}
		if r.Intn(5) == 0 {
			o.Limits = lexer.Limits{Bytes: r.Intn(90), Depth: r.Intn(4), Arguments: r.Intn(4), Name: r.Intn(3)}
		}
		slow := o
		slow.NoFastPath = true
		cut := r.Intn(len(in) + 1)
		for _, chunks := range [][]string{{in}, {in[:cut], in[cut:]}} {
			if got, want := record(taggedTools, o, chunks), record(taggedTools, slow, chunks); got != want {
				t.Fatalf("%q %+v:\nfast %s\nslow %s", chunks, o, got, want)
			}
		}
	}
}

// In the steady state, a call of elements allocates nothing.
func TestElementsAllocate(t *testing.T) {
	call := []byte("<t><s>x &lt; y</s><n>3</n><tags>a</tags><tags>b</tags>" +
		"<o><s>x</s></o><rows><k>a</k></rows><any><x>1</x><x>2</x></any></t>")
	p := newParser(taggedTools, engine.Options{Format: format.MorphXML})
	read := func() {
		p.Reset()
		for b := call; len(b) > 0; b = b[min(7, len(b)):] {
			p.Feed(b[:min(7, len(b))])
		}
		p.Close()
	}
	read()
	if n := testing.AllocsPerRun(100, read); n > 0 {
		t.Errorf("%v allocations for a call", n)
	}
}
