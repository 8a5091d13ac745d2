package engine_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"

	"github.com/callwire/callwire/internal/engine"
)

// The work is linear in the message: a tenth of it takes about a tenth of the steps and of
// the time, at one byte a chunk.
func TestLinear(t *testing.T) {
	catalog, _ := sig.Compile([]byte(tools))
	big := func(n int) map[string]string {
		return map[string]string{
			"string":       `<call>t b="` + strings.Repeat("x", n) + `"</call>`,
			"escapes":      `<call>t b="` + strings.Repeat(`\n`, n/2) + `"</call>`,
			"word":         `<call>t b=` + strings.Repeat("x", n) + `</call>`,
			"int word":     `<call>t a=` + strings.Repeat("1", n) + `</call>`,
			"key":          `<call>t ` + strings.Repeat("k", n) + `=1</call>`,
			"path":         `<call>v ` + strings.Repeat("k.", 60) + strings.Repeat("k", n) + `=1</call>`,
			"array":        `<call>t c=[` + strings.Repeat("1,", n/2) + `1]</call>`,
			"object":       `<call>v a={` + keys(n) + `}</call>`,
			"string arg":   `<call>t c="` + strings.Repeat("1", n) + `"</call>`,
			"space":        `<call>t ` + strings.Repeat(" ", n) + `</call>`,
			"opener":       `<call>` + strings.Repeat(" ", n) + `t</call>`,
			"openers":      strings.Repeat("<call>", n/6),
			"damage":       `<call>t a ` + strings.Repeat("<call> ", n/7),
			"damage quote": `<call>t a "` + strings.Repeat(`\\`, n/2),
			"member key":   `<call>v a={"` + strings.Repeat("k", n) + `":1}</call>`,
			"text":         strings.Repeat("x<", n/2),
			"calls":        strings.Repeat("<call>t a=1</call>", n/18),
			"unknown":      `<call>w ` + strings.Repeat("k", n) + `=1</call>`,
			"source":       `<call>t b=[` + strings.Repeat("1,", n/2) + `1]</call>`,
		}
	}
	h := func(n int) map[string]string {
		return map[string]string{
			"string":     `<tool_call>{"name": "t", "arguments": {"b": "` + strings.Repeat("x", n) + `"}}</tool_call>`,
			"deferred":   `<tool_call>{"arguments": {"b": "` + strings.Repeat("x", n) + `"}, "name": "t"}</tool_call>`,
			"name":       `<tool_call>{"name": "` + strings.Repeat("x", n),
			"other":      `<tool_call>{"x": "` + strings.Repeat("x", n) + `", "name": "t"}</tool_call>`,
			"array":      `<tool_call>{"name": "t", "arguments": {"c": [` + strings.Repeat("1,", n/2) + `1]}}</tool_call>`,
			"key":        `<tool_call>{"name": "t", "arguments": {"` + strings.Repeat("k", n) + `": 1}}</tool_call>`,
			"encoded":    `<tool_call>{"name": "t", "arguments": "` + strings.Repeat("1", n) + `"}</tool_call>`,
			"literal":    `<tool_call>{"name": "t", "arguments": {"c": ` + strings.Repeat("1", n) + `}}</tool_call>`,
			"whitespace": `<tool_call>` + strings.Repeat(" ", n) + `{"name": "t"}</tool_call>`,
		}
	}
	q := func(n int) map[string]string {
		return map[string]string{
			"text":    `<tool_call><function=t><parameter=b>` + strings.Repeat("x", n) + `</parameter></function></tool_call>`,
			"int":     `<tool_call><function=t><parameter=a>` + strings.Repeat("1", n) + `</parameter></function></tool_call>`,
			"closers": `<tool_call><function=t><parameter=b>` + strings.Repeat("</parameter> ", n/13) + `</parameter></function></tool_call>`,
			"spaces":  `<tool_call><function=t><parameter=b></parameter>` + strings.Repeat(" ", n) + `x`,
			"lines":   `<tool_call><function=t><parameter=b>` + strings.Repeat("\n", n) + `x`,
			"<":       `<tool_call><function=t><parameter=b>` + strings.Repeat("<", n) + `x`,
			"repeat":  `<tool_call><function=t>` + strings.Repeat("<parameter=h>1</parameter>", n/26) + `</function></tool_call>`,
			"key":     `<tool_call><function=t><parameter=` + strings.Repeat("k", n),
		}
	}
	glm := func(n int) map[string]string {
		const head = "<tool_call>t<arg_key>b</arg_key>"
		return map[string]string{
			"name":    "<tool_call>" + strings.Repeat("n", n),
			"spaces":  head + strings.Repeat(" ", n) + "<arg_value>x</arg_value></tool_call>",
			"closers": head + "<arg_value>" + strings.Repeat("</arg_value> ", n/13) + "</tool_call>",
			"calls":   strings.Repeat("<tool_call>t</tool_call>", n/24),
			"openers": strings.Repeat("<tool_call> ", n/12),
		}
	}
	kimi := func(n int) map[string]string {
		return map[string]string{
			"sections": strings.Repeat("<|tool_calls_section_begin|>", n/28),
			"partial":  strings.Repeat("<|tool_call", n/11),
			"spaces":   "<|tool_call_begin|>f:0" + strings.Repeat(" ", n) + "x",
			"damage":   "<|tool_call_begin|>f:0 x" + strings.Repeat("<|tool_calls_", n/13),
			"index":    "<|tool_call_begin|>functions.f:" + strings.Repeat("0", n),
		}
	}
	for _, f := range []struct {
		name   string
		format *format.Format
		texts  func(int) map[string]string
	}{
		{"wire", nil, big}, {"hermes", format.Hermes, h}, {"qwen", format.Qwen3Coder, q},
		{"glm", format.GLM45, glm}, {"kimi", format.KimiK2, kimi},
	} {
		small := f.texts(100_000)
		for name, in := range f.texts(1_000_000) {
			p := newParser(catalog, engine.Options{Format: f.format})
			feed := func(in string) int {
				p.Reset()
				b := []byte(in)
				for i := range b {
					p.Feed(b[i : i+1])
				}
				p.Close()
				return p.Steps()
			}
			s1, s2 := feed(small[name]), feed(in)
			if s2 > 12*s1+1000 {
				t.Errorf("%s %s: %d steps, ten times the text: %d", f.name, name, s1, s2)
			}
		}
	}
}

func keys(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"k`)
		b.WriteString(strings.Repeat("x", i%7))
		b.WriteString(string(rune('a' + i%26)))
		b.WriteString(string(rune('a' + i/26%26)))
		b.WriteString(string(rune('a' + i/676%26)))
		b.WriteString(string(rune('a' + i/17576%26)))
		b.WriteString(`":1`)
	}
	return b.String()
}
