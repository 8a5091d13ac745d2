package protocol_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// oddTool has properties of every kind, and with names that no tag can have.
var oddTool = mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "additionalProperties": false, "required": ["s"], "properties": {
	"s": {"type": "string"}, "n": {"type": "integer"}, "b": {"type": "boolean"}, "e": {"enum": ["x", "true", 1]},
	"u": {"type": ["string", "null"]}, "z": {"type": ["number", "null"]}, "l": {"type": "array", "items": {"type": "string"}},
	"i": {"type": "array", "items": {"type": "integer"}}, "p": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}, {"type": "array"}]},
	"r": {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "integer"}}}},
	"o": {"type": "object", "properties": {"s": {"type": "string"}, "l": {"type": "array", "items": {"type": "number"}}}},
	"any": {}, "a b": {"type": "string"}, "a/": {"type": "string"}, "/s": {"type": "string"}, "!s": {"type": "string"}, "1": {"type": "string"}, "__proto__": {"type": "string"}}}},
	{"name": "u"}]`)

var oddKeys = strings.Split("s n b e u z l i p r o any a|b a/ /s !s 1 __proto__ other item", " ")

// oddTexts are values, and what stands where values do.
var oddTexts = []string{"", "x", "1", "007", " 2 ", "3.7", "9007199254740993", "true", "True", "null", "None", "\n", "\n\n", "a\nb", "é", "\xff", "&lt;", "&", "<", ">", "\"", "'", "\\", "[", "[1]", `["a"]`, "['a']", `{"s": "x"}`, `{"s":1,"s":2}`, "<b>x</b>", "</", "```", "{", "}", ",", ":", "\x00", " "}

// oddTags are pieces of what the formats are made of.
var oddTags = map[string][]string{
	"wire":        {"<call>", "</call>", "<call>t ", "s=", "l=", " "},
	"hermes":      {"<tool_call>", "</tool_call>", `{"name": "t", "arguments": {`, `"s": "`, `"n": `, `"arguments": `, `"name": `, "}}", "```json\n", `{"arguments": "{\"s\": 1}", `},
	"gemma-fence": {"```tool_call\n", "\n```", `{"name": "t", "arguments": {`, `"s": "`, `"n": `, "}}", "``"},
	"qwen3-coder": {"<tool_call>", "</tool_call>", "<function=t>", "<function=", "</function>", "<parameter=", "</parameter>", "<parameter=s>", "<function='t'>", "<function name=\"t\">", "<parameter=\"s\">", "<parameter name='n'>"},
	"morph-xml":   {"<t>", "</t>", "<t/>", "<u>", "</u>", "<s>", "</s>", "<item>", "</item>", "<![CDATA[", "]]>", "<!--", "-->"},
	"yaml-xml":    {"<t>\n", "\n</t>", "<t/>", "\ns: ", "\nl:\n- ", "|\n  ", "#", "- "},
}

// oddMessage returns text that is near a call in the format.
func oddMessage(r *rand.Rand, format string) string {
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	member := func() string {
		key, text := strings.ReplaceAll(pick(oddKeys), "|", " "), pick(oddTexts)
		for r.IntN(3) == 0 {
			text += pick(oddTexts)
		}
		switch format {
		case "hermes", "gemma-fence":
			return fmt.Sprintf("%q: %s, ", key, pick([]string{fmt.Sprintf("%q", text), text, `"` + text + `"`}))
		case "qwen3-coder":
			return "<parameter=" + key + ">" + pick([]string{"", "\n"}) + text + pick([]string{"", "\n"}) + "</parameter>" + pick([]string{"", "\n"})
		case "morph-xml":
			if r.IntN(4) == 0 {
				text = "<s>" + text + "</s>"
			}
			return "<" + key + ">" + text + "</" + key + ">" + pick([]string{"", "\n"})
		case "yaml-xml":
			return key + ": " + text + "\n"
		}
		return " " + key + "=" + text
	}
	frames := map[string][2]string{
		"wire": {"<call>t", "</call>"}, "hermes": {"<tool_call>\n{\"name\": \"t\", \"arguments\": {", "}}\n</tool_call>"},
		"gemma-fence": {"```tool_call\n{\"name\": \"t\", \"arguments\": {", "}}\n```"},
		"qwen3-coder": {"<tool_call>\n<function=t>\n", "</function>\n</tool_call>"},
		"morph-xml":   {"<t>", "</t>"}, "yaml-xml": {"<t>\n", "</t>"},
	}
	var b strings.Builder
	for range 1 + r.IntN(3) {
		var call strings.Builder
		call.WriteString(frames[format][0])
		for range r.IntN(5) {
			call.WriteString(member())
			if r.IntN(12) == 0 {
				call.WriteString(pick(oddTags[format]))
			}
		}
		text := strings.TrimSuffix(call.String(), ", ") + frames[format][1]
		if r.IntN(4) == 0 {
			i := r.IntN(len(text))
			text = text[:i] + pick(append(oddTexts, oddTags[format]...)) + text[min(len(text), i+r.IntN(4)):]
		}
		if r.IntN(8) == 0 {
			text = text[:r.IntN(len(text))]
		}
		b.WriteString(pick([]string{"", "a ", "\n", "<", "`"}) + text)
	}
	return b.String()
}

// heard is what a reader says of a message in chunks of the given sizes, in lines; wrong is
// what breaks a promise.
func heard(t *testing.T, p parse.Protocol, o parse.Options, message string, size func() int) (lines []string, wrong string) {
	t.Helper()
	o.Protocol = p
	r, err := parse.NewReader(oddTool, o)
	if err != nil {
		t.Fatal(err)
	}
	var input, covered []byte
	at := 0
	say := func(wrongly bool, format string, args ...any) {
		if wrongly && wrong == "" {
			wrong = fmt.Sprintf(format, args...)
		}
	}
	read := func() {
		for part := r.Next(); part != parse.NoPart; part = r.Next() {
			switch s := r.Segment(); part {
			case parse.TextPart:
				covered = append(covered, r.Delta()...)
				at += len(r.Delta())
			case parse.InputPart:
				input = append(input, r.Delta()...)
			case parse.CallPart, parse.MalformedPart:
				say(s.Start != at || s.End < s.Start || s.End > len(message), "span %d to %d at %d", s.Start, s.End, at)
				covered, at = append(covered, message[at:s.End]...), s.End
				line := fmt.Sprint(part, s.Name, s.Start, s.End, string(s.Input), s.AfterMalformed, s.Closed)
				if part == parse.CallPart {
					input = append(input, r.Delta()...)
					say(!bytes.Equal(input, s.Input), "deltas %q of %q", input, s.Input)
				} else {
					line += fmt.Sprint(s.Err.Code, s.Err.Offset)
					say(s.Err.Offset < s.Start || s.Err.Offset > s.End, "fault at %d of %d to %d", s.Err.Offset, s.Start, s.End)
				}
				for i, issue := range s.Issues {
					line += fmt.Sprint(" ", issue.Code, issue.Path, issue.At)
					say(issue.At < s.Start || issue.At > s.End || i > 0 && issue.At < s.Issues[i-1].At, "issue at %d", issue.At)
				}
				lines, input = append(lines, line), nil
			}
		}
	}
	for rest := []byte(message); len(rest) > 0; {
		n := min(size(), len(rest))
		chunk := slices.Clone(rest[:n])
		r.Feed(chunk)
		read()
		rest = rest[n:]
	}
	r.Close()
	read()
	say(string(covered) != message, "text and spans are %q", covered)
	say(r.Steps() > 200+40*len(message), "%d steps", r.Steps())
	return lines, wrong
}

// What a reader makes of texts near each format does not depend on the chunks, and what is
// read in one go is what is read piece by piece.
func TestChunks(t *testing.T) {
	for _, name := range protocol.Names(yaml.XML) {
		p := protocol.ByName(name, yaml.XML)
		for n := range uint64(1000) {
			rnd := rand.New(rand.NewPCG(n, 7))
			message := oddMessage(rnd, name)
			o := parse.Options{Salvage: n%3 == 1, Strict: n%7 == 0, AcceptAtEnd: n%5 == 0, StopAfterMalformed: n%4 == 3}
			if n%11 == 0 {
				o.Limits = lexer.Limits{Bytes: 60, Depth: 1, Arguments: 2, Name: 3}
			}
			whole, wrong := heard(t, p, o, message, func() int { return len(message) })
			if wrong != "" {
				t.Errorf("%s, %d: %q %+v: %s", name, n, message, o, wrong)
			}
			for _, most := range []int{1, 2, 30} {
				cut, wrong := heard(t, p, o, message, func() int { return 1 + rnd.IntN(most) })
				if wrong != "" {
					t.Errorf("%s, %d, cut: %q %+v: %s", name, n, message, o, wrong)
				}
				if !slices.Equal(cut, whole) {
					t.Errorf("%s, %d, %d bytes: %q %v\n%q\nwhole\n%q", name, n, most, message, o.Salvage, cut, whole)
				}
			}
		}
	}
}
