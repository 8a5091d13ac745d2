package main

import (
	"regexp"
	"strings"
	"testing"
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
			wrong = append(wrong, [2]string{jsonOf(t, i+1), l.code})
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
		if !regexp.MustCompile(`^callwire: line ` + w[0] + `: (input: )?` + w[1] + `\b`).MatchString(lines[i]) {
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
