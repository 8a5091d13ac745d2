package next

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand"
	"strings"
	"testing"

	cw "github.com/callwire/callwire/lexer"
	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/parse"
	nextyaml "github.com/callwire/callwire/internal/next/yaml"
)

// hostile are strings that are hard to write: tags, marks, quotes, and what looks like another
// type.
var hostile = []string{
	"", " ", "\n", "\nx\n", "a b", "New York", `"`, `'`, `\`, `\n`, "a\\", "é😀", "\u200b", "007", "1.10", "true", "True",
	"None", "null", "[1, 2]", `{"a":1}`, "{", "a=b", "a=b,c=d", "https://x/?a=b", "p.x", "\x01", "\x7f", "<", "</",
	"<call>", "</call>", "<call>t a=1</call>", "<tool_call>", "</tool_call>", `<tool_call>{"name":"u"}</tool_call>`,
	"<parameter=a>", "</parameter>", "</parameter>\n</function>", "<function=t>", "<arg_key>", "</arg_value>",
	"</arg_value></tool_call>", "<arg_key>k</arg_key>", "<|tool_call_begin|>", "<|tool_call_end|>",
	"<|tool_calls_section_end|>", "<｜tool▁call▁end｜>", "```", "```tool_call\n{", "<think>", "</think>",
}

// randomValue returns the JSON text of a random value.
func randomValue(r *rand.Rand, depth int) string {
	switch n := r.Intn(10); {
	case n < 5 || depth == 0:
		b, _ := json.Marshal(hostile[r.Intn(len(hostile))] + hostile[r.Intn(len(hostile))])
		return string(b)
	case n == 5:
		return []string{"0", "-1", "42", "1.10", "9007199254740993", "1e5"}[r.Intn(6)]
	case n == 6:
		return []string{"true", "false", "null"}[r.Intn(3)]
	case n == 7:
		var list []string
		for range r.Intn(3) {
			list = append(list, randomValue(r, depth-1))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	return randomObject(r, depth-1)
}

func randomObject(r *rand.Rand, depth int) string {
	keys := []string{"a", "b", "c", "d", "g", "h", "x", "y", "l", "e.f", "é", "a b", "<call>", "zz"}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var members []string
	for _, k := range keys[:r.Intn(4)] {
		b, _ := json.Marshal(k)
		members = append(members, string(b)+":"+randomValue(r, depth))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// What is written reads back as the same call inside any text, in every format, at any split. What
// cannot be written is refused. Formats of the project are written as the project writes them.
func TestWriting(t *testing.T) {
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	old := map[*format.Format]cwparse.Protocol{
		format.Wire: protocol.Wire, format.Hermes: protocol.Hermes,
		format.GemmaFence: protocol.GemmaFence, format.Qwen3Coder: protocol.Qwen3Coder,
		format.MorphXML: protocol.MorphXML, nextyaml.XML: yaml.XML,
	}
	r := rand.New(rand.NewSource(7))
	for _, f := range append(format.All(), nextyaml.XML) {
		written := 0
		for range 4000 {
			name := []string{"t", "u", "v", "n", "nope"}[r.Intn(5)]
			input := randomObject(r, 3)
			c := catalog
			if r.Intn(3) == 0 && !f.ToolTags() {
				c = sig.AnyTool
			}
			o := &parse.WriteOptions{Format: f, Index: r.Intn(3), Repair: r.Intn(2) == 0, JSON: r.Intn(5) == 0, Visible: r.Intn(3) == 0}
			text, err := parse.AppendCall(nil, c, parse.Written{Name: name, Input: []byte(input)}, o)
			if p := old[f]; p != nil {
				oldCatalog := c
				if c == sig.AnyTool {
					oldCatalog = nil
				}
				want, wantErr := p.AppendCall(nil, oldCatalog, name, []byte(input), cwparse.FormatOptions{Salvage: o.Repair, JSON: o.JSON, Visible: o.Visible})
				if !sameError(err, wantErr) || string(text) != string(want) && !pythonWord(f, input) {
					t.Fatalf("%s %s %s:\n%s %v\nproject: %s %v", f.Name, name, input, text, err, want, wantErr)
				}
			}
			if err != nil {
				continue
			}
			written++
			in := "<b>Text</b> " + string(text) + "\n<i>more</i>"
			var want bytes.Buffer
			json.Compact(&want, []byte(input))
			for _, cuts := range [][]int{nil, {r.Intn(len(in))}} {
				lines, err := run(newParser(c, parse.Options{Format: f}), []byte(in), cuts)
				call := ""
				for _, l := range lines {
					if strings.HasPrefix(l, "tool-call ") {
						call += l
					} else if strings.HasPrefix(l, "malformed") {
						err = errors.New(l)
					}
				}
				if err != nil || strings.Count(call, "tool-call ") != 1 ||
					!strings.Contains(call, " "+name+" "+canonical(want.String())) {
					t.Fatalf("%s: %q cuts %v: %v\ngot  %s\nwant %s", f.Name, in, cuts, err, call, canonical(want.String()))
				}
				if !o.Repair || strings.Contains(call, " !") {
					continue
				}
				repaired, err := run(newParser(c, parse.Options{Format: f, Repair: true}), []byte(in), cuts)
				if !diff(t, f.Name, "with repairs "+in, repaired, lines, err) {
					return
				}
			}
		}
		if written < 1000 {
			t.Errorf("%s: only %d calls written", f.Name, written)
		}
	}
}

// sameError reports whether both errors have the same code and offset.
func sameError(a, b error) bool {
	var x, y *cw.Error
	if errors.As(a, &x) && errors.As(b, &y) {
		return x.Code == y.Code && x.Offset == y.Offset
	}
	return a == nil && b == nil
}

// pythonWord reports whether input contains words that the project reads as text.
func pythonWord(f *format.Format, input string) bool {
	return f.Python && (strings.Contains(input, `"True"`) || strings.Contains(input, `"None"`))
}

// Several calls are written in one section, and their IDs count on.
func TestWritingSeveral(t *testing.T) {
	calls := []parse.Written{
		{Name: "f", Input: []byte(`{"a":1}`)},
		{Name: "g", Input: []byte(`{}`), ID: "functions.g:7"},
		{Name: "h", Input: []byte(`{}`), ID: "call_x"},
	}
	for _, c := range []struct {
		format *format.Format
		want   string
	}{
		{format.Wire, "<call>f a=1</call>\n<call>g</call>\n<call>h</call>"},
		{format.KimiK2, "<|tool_calls_section_begin|>" +
			"<|tool_call_begin|>functions.f:2<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|>" +
			"<|tool_call_begin|>functions.g:7<|tool_call_argument_begin|>{}<|tool_call_end|>" +
			"<|tool_call_begin|>functions.h:4<|tool_call_argument_begin|>{}<|tool_call_end|>" +
			"<|tool_calls_section_end|>"},
		{format.DeepSeekV31, "<｜tool▁calls▁begin｜>" +
			"<｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": 1}<｜tool▁call▁end｜>" +
			"<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜>" +
			"<｜tool▁call▁begin｜>h<｜tool▁sep｜>{}<｜tool▁call▁end｜>" +
			"<｜tool▁calls▁end｜>"},
	} {
		o := &parse.WriteOptions{Format: c.format, Index: 2}
		got, err := parse.AppendCalls([]byte("x"), sig.AnyTool, calls, o)
		if err != nil || string(got) != "x"+c.want {
			t.Errorf("%s: %v\ngot  %s\nwant x%s", c.format.Name, err, got, c.want)
		}
		calls := append(calls, parse.Written{Name: "f", Input: []byte("[]")})
		if got, err := parse.AppendCalls([]byte("x"), sig.AnyTool, calls, o); err == nil || string(got) != "x" {
			t.Errorf("%s: a call that cannot be written: %s, %v", c.format.Name, got, err)
		}
	}
	if _, err := parse.AppendCalls(nil, sig.AnyTool, calls, &parse.WriteOptions{
		Tags: format.Tags{Open: "x", Close: "y"},
	}); err == nil {
		t.Error("bad tags are no error")
	}
}
