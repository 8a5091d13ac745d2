package next

import (
	"math/rand"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/lexer"
	"github.com/callwire/callwire/internal/next/parse"
	nextyaml "github.com/callwire/callwire/internal/next/yaml"
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

func TestDifferentialMorph(t *testing.T) {
	var seeds []string
	for _, c := range load(t, cases+"protocols/morph-xml.json") {
		seeds = append(seeds, strings.NewReplacer("<note>", "<t>", "</note>", "</t>", "<text>", "<s>", "</text>", "</s>", "at>", "o>", "lat>", "n>").Replace(string(c.Text)))
	}
	differTagged(t, format.MorphXML, protocol.MorphXML, seeds, xmlPieces, func(r *rand.Rand) string {
		var b strings.Builder
		for n := r.Intn(3); n >= 0; n-- {
			b.WriteString([]string{"", "hi ", "use <t> or <m>: ", "\n"}[r.Intn(4)])
			b.WriteString("<t>")
			randomXML(r, &b, 3)
			b.WriteString("</t>")
		}
		return b.String()
	})
}

func differTagged(
	t *testing.T, f *format.Format, p cwparse.Protocol, seeds, pieces []string, random func(*rand.Rand) string,
) {
	n := 20000
	if s := os.Getenv("N"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	r := rand.New(rand.NewSource(int64(n)))
	bad, calls := 0, 0
	for i := 0; i < n && bad < 8; i++ {
		var in string
		switch r.Intn(4) {
		case 0, 1:
			in = random(r)
		case 2:
			in = mutate(r, seeds[r.Intn(len(seeds))], pieces)
		case 3:
			in = mutate(r, random(r), pieces)
		}
		o := parse.Options{Format: f, Strict: r.Intn(4) == 0, AllowAfterMalformed: r.Intn(6) != 0, AllowUnclosed: r.Intn(3) == 0}
		if r.Intn(5) == 0 {
			o.Limits = lexer.Limits{Bytes: r.Intn(90), Depth: r.Intn(4), Arguments: r.Intn(4), Name: r.Intn(3)}
		}
		o.AllowInCode = true // see text_test.go
		doubtful := f.Body == format.Block || strings.Contains(in, "/>")
		o.AllowAfterMalformed = o.AllowAfterMalformed || doubtful
		if f.Body == format.Block {
			o.Limits.Name = 0 // after a name that is too long, the project reads damage as a block
		}
		want := mainLines(in, taggedTools, o, p)
		calls += strings.Count(strings.Join(want, "\n"), "tool-call")
		var cuts []int
		for i, k := 0, 1+r.Intn(8); i < len(in); i++ {
			if r.Intn(k) == 0 {
				cuts = append(cuts, i)
			}
		}
		for _, cuts := range [][]int{nil, cuts} {
			got, err := run(newParser(taggedTools, o), []byte(in), cuts)
			if limitWins(got, want) || doubtful && marked(got, want) {
				break
			}
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") && withoutIndexes(got) != withoutIndexes(want) {
				bad++
				t.Errorf("%q strict %v after %v limits %+v cuts %v: %v\ngot  %s\nwant %s", in, o.Strict, o.AllowAfterMalformed, o.Limits, cuts, err, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
				break
			}
		}
	}
	t.Logf("%d messages, %d calls", n, calls)
}

// marked reports whether lines differ by open-quote issues and marks alone. The project has none in
// YAML, and does not mark calls after one that ends with an empty tag.
func marked(got, want []string) bool {
	all := strings.Join(got, "\n")
	if strings.Contains(all, "malformed") && strings.Contains(all, "open-quote at") {
		return true // strict
	}
	all = openQuotes.ReplaceAllString(withoutIndexes(got), "")
	return strings.ReplaceAll(all, " after", "") == strings.ReplaceAll(withoutIndexes(want), " after", "")
}

var openQuotes = regexp.MustCompile(` !open-quote .*? \d+`)

// limitWins reports whether the message ends in an end tag that exceeds the limit on a call. To the
// project such a call is unterminated.
func limitWins(got, want []string) bool {
	const unclosed = "unterminated-call at"
	last := len(want) - 1
	return last >= 0 && len(got) == len(want) &&
		strings.Contains(want[last], unclosed) && strings.Contains(got[last], "call-too-long at")
}

// indexes match where the project counts one item too many, in the path of a string with tags.
var indexes = regexp.MustCompile(`(!ambiguous-text \S*)\[\d+\] `)

func withoutIndexes(lines []string) string {
	return indexes.ReplaceAllString(strings.Join(lines, "\n"), "$1 ")
}

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

func TestDifferentialYAML(t *testing.T) {
	var seeds []string
	for _, c := range load(t, cases+"protocols/yaml-xml.json") {
		seeds = append(seeds, strings.NewReplacer("<note>", "<t>", "</note>", "</t>", "text:", "s:", "at:", "o:", "list", "m").Replace(string(c.Text)))
	}
	differTagged(t, nextyaml.XML, yaml.XML, seeds, yamlPieces, func(r *rand.Rand) string {
		var b strings.Builder
		for n := r.Intn(3); n >= 0; n-- {
			b.WriteString([]string{"", "hi ", "use <t> or <m>: ", "\n"}[r.Intn(4)])
			b.WriteString("<t>\n")
			randomYAML(r, &b, r.Intn(2)*2, 2)
			b.WriteString("</t>")
		}
		return b.String()
	})
}

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
		format.MorphXML, nextyaml.XML, format.Any(format.Wire, format.Hermes, format.MorphXML),
		format.Any(format.Qwen3Coder, nextyaml.XML, format.MorphXML, format.GLM45, format.Wire, format.KimiK2, format.GemmaFence),
	}
	pieces := append(append(xmlPieces, yamlPieces...), qwenPieces...)
	for range n {
		in := randomMessage(r)
		if r.Intn(2) == 0 {
			in = mutate(r, in, pieces)
		}
		o := parse.Options{
			Format: formats[r.Intn(len(formats))], Strict: r.Intn(5) == 0, AllowAfterMalformed: r.Intn(2) == 0,
			AllowUnclosed: r.Intn(3) == 0, AllowInCode: r.Intn(2) == 0, Repair: r.Intn(3) == 0,
		}
		if r.Intn(2) == 0 {
			o.Reasoning = []lexer.Reasoning{lexer.TaggedReasoning, lexer.StartedReasoning}[r.Intn(2)]
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
		o := parse.Options{Format: format.MorphXML, Strict: r.Intn(4) == 0, AllowAfterMalformed: true, Repair: r.Intn(4) == 0}
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
