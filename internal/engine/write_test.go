package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse/protocol/yaml"
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
// cannot be written is refused.
func TestWriting(t *testing.T) {
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(7))
	for _, f := range append(format.All(), yaml.XML) {
		written := 0
		for range 4000 {
			name := []string{"t", "u", "v", "n", "nope"}[r.Intn(5)]
			input := randomObject(r, 3)
			c := catalog
			if r.Intn(3) == 0 && !f.ToolTags() {
				c = sig.AnyTool
			}
			o := &engine.WriteOptions{Format: f, Index: r.Intn(3), Repair: r.Intn(2) == 0, JSON: r.Intn(5) == 0, Visible: r.Intn(3) == 0}
			text, err := engine.AppendCall(nil, c, engine.Written{Name: name, Input: []byte(input)}, o)
			if err != nil {
				continue
			}
			written++
			in := "<b>Text</b> " + string(text) + "\n<i>more</i>"
			var want bytes.Buffer
			json.Compact(&want, []byte(input))
			for _, cuts := range [][]int{nil, {r.Intn(len(in))}} {
				lines, err := run(newParser(c, engine.Options{Format: f}), []byte(in), cuts)
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
				repaired, err := run(newParser(c, engine.Options{Format: f, Repair: true}), []byte(in), cuts)
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

// Several calls are written in one section, and their IDs count on.
func TestWritingSeveral(t *testing.T) {
	calls := []engine.Written{
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
		o := &engine.WriteOptions{Format: c.format, Index: 2}
		got, err := engine.AppendCalls([]byte("x"), sig.AnyTool, calls, o)
		if err != nil || string(got) != "x"+c.want {
			t.Errorf("%s: %v\ngot  %s\nwant x%s", c.format.Name, err, got, c.want)
		}
		calls := append(calls, engine.Written{Name: "f", Input: []byte("[]")})
		if got, err := engine.AppendCalls([]byte("x"), sig.AnyTool, calls, o); err == nil || string(got) != "x" {
			t.Errorf("%s: a call that cannot be written: %s, %v", c.format.Name, got, err)
		}
	}
	if _, err := engine.AppendCalls(nil, sig.AnyTool, calls, &engine.WriteOptions{
		Tags: format.Tags{Open: "x", Close: "y"},
	}); err == nil {
		t.Error("bad tags are no error")
	}
}
