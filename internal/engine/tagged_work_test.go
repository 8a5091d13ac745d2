package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// repeated returns about n bytes of unit after head and before tail.
func repeated(head, unit, tail string, n int) string {
	return head + strings.Repeat(unit, n/len(unit)) + tail
}

// taggedWork are messages that a careless reader of elements or blocks reads in more than linear
// time.
func taggedWork(f *format.Format, n int) map[string]string {
	text := map[string]string{
		"text":         repeated("", "a < b, ", "", n),
		"openers":      repeated("", "<t>", "", n),
		"two openers":  repeated("", "<t><m>", "", n),
		"mentions":     repeated("", "<t> of <m>x ", "", n),
		"wrong ends":   repeated("", "<t></a>", "", n),
		"half tags":    repeated("", "<t/", "", n),
		"lines":        repeated("", "<t>\n", "", n),
		"one mention":  repeated("<t> x", " y", "", n),
		"spaces":       repeated("<t>", " ", "x", n),
		"tag spaces":   repeated("", "<t"+strings.Repeat(" ", 63), "", n),
		"end spaces":   repeated("<t>x", "</t"+strings.Repeat(" ", 63), "", n),
		"colons":       repeated("", "<t> a:b", "", n),
		"ends":         repeated("", "</t>", "", n),
		"fences":       repeated("", "```tool_call", "", n),
		"other calls":  repeated("", "<tool_call> ", "", n),
		"other bodies": repeated("", "<tool_call>x <call> ", "", n),
	}
	xml := map[string]string{
		"string":      repeated("<t><s>", "x", "</s></t>", n),
		"entities":    repeated("<t><s>", "&lt;", "</s></t>", n),
		"ampersands":  repeated("<t><s>", "&", "</s></t>", n),
		"end tags":    repeated("<t><s>", "</s> ", "</s></t>", n),
		"half ends":   repeated("<t><s>", "</s", "</s></t>", n),
		"closed":      repeated("<t><s>x</s>", " ", "x", n),
		"tags":        repeated("<t><s>", "<b>", "</s></t>", n),
		"CDATA":       repeated("<t><s><![CDATA[", "]]", "]]></s></t>", n),
		"sections":    repeated("<t><s>", "<![CDATA[x]]>", "</s></t>", n),
		"comment":     repeated("<t><!--", "--", "--></t>", n),
		"comments":    repeated("<t>", "<!---->", "</t>", n),
		"run":         repeated("<t>", "<tags>a</tags>", "</t>", n),
		"items":       repeated("<t><tags>", "<item>a</item>", "</tags></t>", n),
		"free":        repeated("<t><free>", "<a>1</a>", "</free></t>", n),
		"any":         repeated("<t><any>", "<a>1</a>", "</any></t>", n),
		"pairs":       repeated("<t><any>", "<a>1</a><b>1</b>", "</any></t>", n),
		"rows":        repeated("<t>", "<rows><k>a</k></rows>", "</t>", n),
		"nested":      repeated("<t><any>", strings.Repeat("<a>", 60)+strings.Repeat("</a>", 60), "</any></t>", n),
		"deep":        "<t><any>" + strings.Repeat("<a>", 60) + strings.Repeat("<b>1</b>", n/8) + strings.Repeat("</a>", 60) + "</any></t>",
		"blank":       repeated("<t><any>", " ", "</any></t>", n),
		"members":     repeated("<t>", " ", "</t>", n),
		"name":        repeated("<t><", "n", ">1</t>", n),
		"unknown":     "<t>" + numbered("<k%>1</k%>", n) + "</t>",
		"damage":      repeated("<t>x<s>", "</s> <b", "", n),
		"damage tags": repeated("<t><n>1</m>", "<m ", "", n),
		"open string": repeated("<t><s>\xff", "</s> ", "", n),
		"number":      repeated("<t><n>", "1", "</n></t>", n),
		"calls":       repeated("", "<t><s>x</s></t>", "", n),
	}
	yaml := map[string]string{
		"scalar":    repeated("<t>\ns: ", "x", "\n</t>", n),
		"words":     repeated("<t>\ns:", " x", "\n</t>", n),
		"quoted":    repeated("<t>\ns: \"", "x ", "\"\n</t>", n),
		"block":     repeated("<t>\ns: |\n", "  </t>\n", "</t>", n),
		"open":      repeated("<t>\ns: \"", "</t>", "", n),
		"tags":      repeated("<t>\ns: ", "<m>", "\n</t>", n),
		"half ends": repeated("<t>\ns: ", "</t", "\n</t>", n),
		"list":      repeated("<t>\ntags: [", "a, ", "a]\n</t>", n),
		"items":     repeated("<t>\ntags:\n", "- a\n", "</t>", n),
		"keys":      "<t>\n" + numbered("k%: 1\n", n) + "</t>",
		"octal":     repeated("<t>\nany: 0o", "7", "\n</t>", n),
		"hex":       repeated("<t>\nany: 0x", "f", "\n</t>", n),
		"numbers":   repeated("<t>\nany: [", "0o"+strings.Repeat("7", 120)+", ", "1]\n</t>", n),
		"decimal":   repeated("<t>\nany: ", "1", "\n</t>", n),
		"exponent":  repeated("<t>\nany: 1e", "9", "\n</t>", n),
		"comments":  repeated("<t>\n", "# a\n", "</t>", n),
		"newlines":  repeated("<t>\ns: x\n", "\n", "</t>", n),
		"damage":    repeated("<t>\ns: \xff", " <", "", n),
		"calls":     repeated("", "<t>\ns: x\n</t>\n", "", n),
		"flow":      repeated("<t>\nany: ", "[", "\n</t>", n),
		"indents":   indented(n),
	}
	for name, in := range map[bool]map[string]string{true: xml, false: yaml}[f.Body == format.Elements] {
		text[name] = in
	}
	return text
}

// numbered returns about n bytes of unit, whose % is a number.
func numbered(unit string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.ReplaceAll(unit, "%", fmt.Sprint(i)))
	}
	return b.String()
}

// indented returns about n bytes of nested mappings.
func indented(n int) string {
	var b strings.Builder
	b.WriteString("<t>\nany:\n")
	for i := 0; b.Len() < n; i++ {
		depth := 1 + i%50
		b.WriteString(strings.Repeat(" ", depth) + fmt.Sprint("k", i) + ":\n")
	}
	return b.String() + "</t>"
}

// Ten times the message takes about ten times the steps, in chunks of one byte and of 4 KB.
func TestTaggedWork(t *testing.T) {
	set := format.Any(yaml.XML, format.MorphXML, format.Wire, format.Hermes, format.Qwen3Coder)
	for _, f := range []*format.Format{format.MorphXML, yaml.XML, set} {
		const n = 10_000
		large := taggedWork(f, 10*n)
		for name, small := range taggedWork(f, n) {
			for _, size := range []int{1, 4096} {
				for _, repair := range []bool{false, true} {
					p := newParser(taggedTools, engine.Options{Format: f, Repair: repair})
					steps := func(in string) int {
						p.Reset()
						for b := []byte(in); len(b) > 0; b = b[min(size, len(b)):] {
							p.Feed(b[:min(size, len(b))])
						}
						p.Close()
						return p.Steps()
					}
					began := time.Now()
					one, ten := steps(small), steps(large[name])
					if ten > 12*one+1000 || ten > 60*len(large[name]) {
						t.Errorf("%s, %s, chunks of %d, repair %v: %d steps, for ten times the text %d", f, name, size, repair, one, ten)
					}
					if d := time.Since(began); d > 60*time.Millisecond {
						t.Logf("%s, %s, chunks of %d, repair %v: %v", f, name, size, repair, d)
					}
				}
			}
		}
	}
}
