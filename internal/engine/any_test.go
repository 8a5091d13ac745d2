package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

var anyTools = func() *sig.Catalog {
	c, err := sig.Compile([]byte(`[{"name": "t", "inputSchema": {"properties": {"a": {"type": "string"}}}}, {"name": "u"}, {"name": "call"}]`))
	if err != nil {
		panic(err)
	}
	return c
}()

// readAny returns the events of a message as lines.
func readAny(t *testing.T, o engine.Options, in string, cuts []int) string {
	t.Helper()
	lines, err := run(newParser(anyTools, o), []byte(in), cuts)
	if err != nil {
		t.Errorf("%s %q %v: %v", o.Format, in, cuts, err)
	}
	return strings.Join(lines, "\n")
}

// permutations calls yield with the formats in every order.
func permutations(all []*format.Format, k int, yield func([]*format.Format)) {
	if k == len(all) {
		yield(all)
	}
	for i := k; i < len(all); i++ {
		all[k], all[i] = all[i], all[k]
		permutations(all, k+1, yield)
		all[k], all[i] = all[i], all[k]
	}
}

// A call belongs to the format whose opener it has; if several share an opener, the body decides.
// The order of the formats means nothing, whatever else the options say.
func TestAny(t *testing.T) {
	formats := []*format.Format{format.Wire, format.Hermes, format.Qwen3Coder, format.GLM45, format.MorphXML, yaml.XML}
	calls := []string{
		`<call>t a=x</call>`, `<tool_call>{"name": "t", "arguments": {"a": "x"}}</tool_call>`,
		"<tool_call>\n<function=t>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
		"<tool_call>t\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
		"<t><a>x</a></t>", "<t>\na: x\n</t>", "<t>\na: |-\n  x\n</t>", "<call>\n<a>1</a></call>", "<u/>", "<u></u>",
	}
	want := `tool-call 0-%d t json.Delim "{" string "a" string "x" json.Delim "}" `
	permutations(formats, 0, func(p []*format.Format) {
		f := format.Any(p[0], p[1:]...)
		for _, c := range calls[:7] {
			got := readAny(t, engine.Options{Format: f}, c, nil)
			if !strings.HasPrefix(got, "tool-call 0-") || !strings.HasSuffix(got, strings.SplitN(want, "%d", 2)[1]) {
				t.Fatalf("%s: %q: %s", f, c, got)
			}
		}
	})
	texts := append(calls, `<tool_call> <call>t</call> x`, `<tool_call>{"name":"t","arguments":{"a":"<t></t><call>u</call>"}}</tool_call>x`,
		"<t><a><call>u</call></a></t><u/>", "use <t> or <u>: <call>t</call>", `<call>t a="<tool_call>{}</tool_call>"</call>`, "<tool_call>[1]</tool_call> <u/>",
		"<tool_call>\n<func", "<tool_call>\n", "<think><u/></think><u/>", "`<u/>`<u/>", "<Call>t</Call><invoke name=\"u\"></invoke>", "<t>\n", "<t>\na", "a </t>", "<call>")
	for _, o := range []engine.Options{
		{}, {AllowAfterMalformed: true, AllowInCode: true}, {Repair: true, AllowAfterMalformed: true}, {Reasoning: format.TaggedReasoning, Repair: true},
		{Limits: lexer.Limits{Bytes: 3}, Reasoning: format.TaggedReasoning}, {Limits: lexer.Limits{Bytes: 12, Name: 1, Depth: 1, Arguments: 1}, AllowAfterMalformed: true},
		{Strict: true, AllowUnclosed: true},
	} {
		for _, text := range texts {
			o.Format = format.Any(formats[0], formats[1:]...)
			one := readAny(t, o, text, nil)
			var cuts []int
			for i := 1; i < len(text); i++ {
				cuts = append(cuts, i)
				if got := readAny(t, o, text, []int{i}); got != one {
					t.Errorf("%q cut at %d:\n%s\nwhole:\n%s", text, i, got, one)
				}
			}
			if got := readAny(t, o, text, cuts); got != one {
				t.Errorf("%q in bytes:\n%s\nwhole:\n%s", text, got, one)
			}
			for n := range formats {
				p := slices.Concat(formats[n:], formats[:n])
				slices.Reverse(p[1:])
				o.Format = format.Any(p[0], p[1:]...)
				if got := readAny(t, o, text, nil); got != one {
					t.Errorf("%s: %q:\n%s\nin another order:\n%s", o.Format, text, got, one)
				}
			}
		}
	}
}
