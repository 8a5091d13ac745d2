package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol/protocoltest"
)

func TestFormat(t *testing.T) {
	const in = `{"name":"getWeather","input":{"location":"New York","n":1.50,"big":12345678901234567890}}`
	for _, c := range []struct{ args, in, want string }{
		{"format", in, `<call>getWeather location="New York" n=1.50 big=12345678901234567890</call>`},
		{"format -", in, `<call>getWeather location="New York" n=1.50 big=12345678901234567890</call>`},
		{"format --json-body", in, `<call>getWeather {"location":"New York","n":1.50,"big":12345678901234567890}</call>`},
		{"format --open <<x --close >>", `{"name":"t","input":{"a":"<<x </call>"}}`, `<<xt a="\u003c<x </call>">>`},
		{"format", `{"type":"tool-call","start":1,"name":"t","arguments":"{\"b\":{\"c\":1},\"a\":\"\"}"}`, `<call>t b.c=1 a=""</call>`},
		{"format", ` {"name":"t" , "input":{}} `, `<call>t</call>`},
		{"format --tools " + sampleTools, `{"name":"editFile","input":{"path":"7","dryRun":"x"}}`, `<call>editFile path=7 dryRun=x</call>`},
		{"format", `{"name":"t","input":{"path":"7"}}`, `<call>t path="7"</call>`},
		{"format", `{"name":"t","input":{"a":"x\u202e","b":["\u0085"]}}`, `<call>t a="x\u202e" b=["\u0085"]</call>`},
	} {
		got := callwire(c.in+"\n", strings.Fields(c.args)...)
		if got != (result{exitOK, c.want + "\n", ""}) {
			t.Errorf("%s < %s\n got %+v\nwant %s", c.args, c.in, got, c.want)
		}
	}
}

// TestFormatGoesOn writes the good lines and reports the bad ones, each in one
// line with its number and a code.
func TestFormatGoesOn(t *testing.T) {
	in := []struct{ line, code string }{
		{`{"name":"a","input":{}}`, ""},
		{`nope`, "invalid-json"},
		{``, ""},
		{`[1]`, "invalid-json"},
		{`{"input":{}}`, "bad-name"},
		{`{"name":"t"}`, "not-an-object"},
		{`{"name":7,"input":{}}`, "invalid-json"},
		{`{"name":"a b","input":{}}`, "bad-name"},
		{`{"name":"t","input":[1]}`, "not-an-object"},
		{`{"name":"t","input":null}`, "not-an-object"},
		{`{"name":"t","input":"x"}`, "invalid-json"},
		{`{"name":"t","input":"\ud800"}`, "invalid-json"},
		{`{"name":"t","input":{"a":"\ud800"}}`, "unpaired-surrogate"},
		{"{\"name\":\"t\",\"input\":{\"a\":\"\xff\"}}", "invalid-utf8"},
		{`{"name":"t","input":{"a":1,"a":2}}`, "duplicate-key"},
		{`{"name":"t","input":{},"arguments":{}}`, "duplicate-key"},
		{`{"name":"tt","input":{}}`, "name-too-long"},
		{`{"name":"t","input":{"a":[[]]}}`, "too-deep"},
		{`{"name":"t","input":{"a":1,"b":2}}`, "too-many-arguments"},
		{`{"name":"t","input":{"a":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}}`, "call-too-long"},
		{`{"name":"z","input":{"a":1}}`, ""},
	}
	var text strings.Builder
	wrong := [][2]string{}
	for i, l := range in {
		text.WriteString(l.line + "\n")
		if l.code != "" {
			wrong = append(wrong, [2]string{protocoltest.JSON(t, i+1), l.code})
		}
	}
	got := callwire(text.String(), "format", "--max-name", "1", "--max-depth", "1", "--max-arguments", "1", "--max-bytes", "40")
	if got.code != exitFound || got.stdout != "<call>a</call>\n<call>z a=1</call>\n" {
		t.Errorf("code %d\n%s", got.code, got.stdout)
	}
	lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
	if len(lines) != len(wrong) {
		t.Fatalf("%d messages, want %d\n%s", len(lines), len(wrong), got.stderr)
	}
	for i, w := range wrong {
		if !regexp.MustCompile(`^callwire: line ` + w[0] + `: (element 1: )?(input: )?` + w[1] + `\b`).MatchString(lines[i]) {
			t.Errorf("want line %s, %s: %s", w[0], w[1], lines[i])
		}
	}
	unknown := callwire(`{"name":"nope","input":{}}`, "format", "--tools", sampleTools)
	if unknown.code != exitFound || !strings.HasPrefix(unknown.stderr, "callwire: line 1: unknown-tool") {
		t.Errorf("%+v", unknown)
	}
}

// TestFormatReadsBack takes the calls of the sample through both commands.
func TestFormatReadsBack(t *testing.T) {
	calls := func(text string) (lines, inputs string) {
		for line := range strings.Lines(callwire(text, "parse", "--json", "--tools", sampleTools).stdout) {
			if strings.Contains(line, `"type":"tool-call"`) {
				lines += line
				inputs += regexp.MustCompile(`"name":.*"input":"(\\.|[^"\\])*"`).FindString(line) + "\n"
			}
		}
		return lines, inputs
	}
	text, err := readSample()
	if err != nil {
		t.Fatal(err)
	}
	lines, inputs := calls(text)
	written := callwire(lines, "format", "--tools", sampleTools)
	if written.code != exitOK || strings.Count(written.stdout, "\n") != 9 {
		t.Fatalf("%+v", written)
	}
	if _, again := calls(written.stdout); again != inputs {
		t.Errorf("read back:\n%swant:\n%s", again, inputs)
	}
}

// TestFormatShapes: what APIs return is understood, in a line or over several.
func TestFormatShapes(t *testing.T) {
	const want = "<call>t a=1</call>\n"
	const function = `{"id":"c","type":"function","function":{"name":"t","arguments":"{\"a\":1}"}}`
	for name, in := range map[string]string{
		"a call of OpenAI":          function,
		"a message of OpenAI":       `{"role":"assistant","content":null,"tool_calls":[` + function + `]}`,
		"an answer of OpenAI":       `{"id":"x","choices":[{"index":0,"message":{"role":"assistant","tool_calls":[` + function + `]}}]}`,
		"an item of responses":      `{"type":"function_call","call_id":"c","name":"t","arguments":"{\"a\":1}"}`,
		"an answer of responses":    `{"object":"response","output":[{"type":"reasoning","summary":[]},{"type":"function_call","call_id":"c","name":"t","arguments":"{\"a\":1}"}]}`,
		"a block of Anthropic":      `{"type":"tool_use","id":"c","name":"t","input":{"a":1}}`,
		"an answer of Anthropic":    `{"type":"message","role":"assistant","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"c","name":"t","input":{"a":1}}]}`,
		"a part of the AI SDK":      `{"type":"tool-call","toolCallId":"c","toolName":"t","input":{"a":1}}`,
		"an array":                  `[{"name":"t","input":{"a":1}}]`,
		"pretty-printed":            "{\n  \"name\": \"t\",\n  \"input\":\n  {\n    \"a\": 1\n  }\n}",
		"a pretty-printed array":    "[\n  {\n    \"name\": \"t\", \"input\": {\"a\":1}\n  }\n]",
		"a conversation":            `[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[` + function + `]},{"role":"tool","tool_call_id":"c","content":"ok"}]`,
		"the output of parse":       callwire("hi <call>t a=1</call>", "parse", "--json").stdout,
		"with a byte order mark":    "\ufeff" + `{"name":"t","input":{"a":1}}`,
		"a string with a bracket":   `{"name":"t","note":"[{\"","input":{"a":1}}`,
		"the request of a provider": `{"model":"m","messages":[{"role":"assistant","tool_calls":[` + function + `]}]}`,
	} {
		if got := callwire(in+"\n", "format"); got != (result{exitOK, want, ""}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestFormatBroken: a broken value costs its first line, and what comes after it
// is written.
func TestFormatBroken(t *testing.T) {
	const good = `{"name":"t","input":{"a":1}}`
	for in, line := range map[string]string{
		"{\"name\":\"x\",\n" + good:            "1",
		"{\"name\":\n" + good:                  "1",
		good + "\n{\"name\":\"x\"":             "2",
		"[\n" + good + "\n{\n" + good:          "1",
		"{\"a\":[[\n" + good + "\n[{\"b\":\n}": "1",
	} {
		got := callwire(in, "format")
		if got.code != exitFound || !strings.Contains(got.stdout, "<call>t a=1</call>\n") || !strings.HasPrefix(got.stderr, "callwire: line "+line+": invalid-json") {
			t.Errorf("%q: %+v", in, got)
		}
	}
	if got := callwire(`[{"name":"t","input":{"a":1}},7,{"name":"u","input":{}}]`, "format"); got.stdout != "<call>t a=1</call>\n<call>u</call>\n" || !strings.HasPrefix(got.stderr, "callwire: line 1: element 2: invalid-json") {
		t.Errorf("%+v", got)
	}
	if got := callwire(`{"role":"user","content":"hi"}`, "format"); got.code != exitFound || !strings.Contains(got.stderr, "no call in the input") {
		t.Errorf("%+v", got)
	}
}

// TestFormatLinear: lines that are all broken are read twice at most.
func TestFormatLinear(t *testing.T) {
	in := strings.Repeat("{\"a\":\n", 20_000)
	if got := callwire(in, "format"); strings.Count(got.stderr, "\n") != 20_000 {
		t.Errorf("%d lines", strings.Count(got.stderr, "\n"))
	}
}
