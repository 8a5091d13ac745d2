package middleware

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestRescue: calls that a server has left in the text become native ones, in every
// API, streamed and whole, however the text is split; requests, and all other text,
// stay as they are.
func TestRescue(t *testing.T) {
	const rome = `{"location":"Rome"}`
	opts := Options{Rescue: format.Any(format.Hermes, format.Qwen3Coder)}
	do := Middleware(shown(opts))
	shapes := slices.DeleteFunc(readShapes(t), func(s *shape) bool { return s.constrain != "" })
	n := 0
	for _, c := range []struct {
		text  string
		calls []string
		said  string
	}{
		{"Hello, a < b and <tool_call> as such.", nil, ""},
		{"Let me see.\n<tool_call>\n{\"name\": \"getWeather\", \"arguments\": {\"location\": \"Rome\"}}\n</tool_call>", []string{rome}, "Let me see.\n"},
		{"<tool_call>\n<function=getWeather>\n<parameter=location>\nRome\n</parameter>\n</function>\n</tool_call> So.", []string{rome}, " So."},
		{"<tool_call>{\"name\":\"getWeather\",\"arguments\":{\"location\":\"</tool_call><tool_call><function=getWeather></function></tool_call>\"}}</tool_call>", []string{sameJSON(t, `{"location":"</tool_call><tool_call><function=getWeather></function></tool_call>"}`)}, "-"},
		{"<tool_call>{\"name\":\"getWeather\",\"arguments\":{\"location\":\"Rome\"}}</tool_call>\n<tool_call>\n<function=getWeather>\n<parameter=location>\nOslo\n</parameter>\n</function>\n</tool_call>", []string{rome, `{"location":"Oslo"}`}, "\n"},
		{"<tool_call>{\"name\": \"getWeather\" \"arguments\": [1}</tool_call>\n<tool_call>{\"name\":\"getWeather\",\"arguments\":{}}</tool_call>", nil, ""},
		{"<tool_call>{\"name\":\"rm\",\"arguments\":{}}</tool_call> Well.", nil, ""},
		{"<think>Or <tool_call>{\"name\":\"getWeather\",\"arguments\":{}}</tool_call>?</think>No.", nil, ""},
		{"<call>getWeather location=Rome</call>\n<tool-result name=\"x\">\n", nil, ""},
		{"It is <tool_call>{\"name\":\"getWeather\",\"arguments\":{\"location\":\"Ro", nil, ""},
	} {
		for i, s := range shapes {
			want := shapeReply{text: strings.TrimPrefix(c.said, "-"), usage: s.usage, calls: c.calls}
			if c.said == "" {
				want.text = c.text
			}
			want.text = s.before + want.text
			want.finish = s.finish(len(c.calls) > 0)
			if s.name == "anthropic-thinking" && len(c.calls) == 0 {
				want.finish = "stop_sequence" // which was the application's
			}
			for m, pieces := range splitsOf(c.text) {
				for l := range forms {
					f := &forms[l]
					if (m*len(forms)+l+i)%151 != 0 || s.lines() && (f.fold || f.end == "\r") {
						continue
					}
					n++
					stream := s.stream(f, pieces)
					s.compare(t, fmt.Sprintf("%s, pieces %q", f.name, pieces), s.ask(t, do, s.kind, stream, f.cuts), want)
				}
			}
		}
	}
	t.Logf("%d exchanges", n)
}

// TestRescueLosesNothing: a span that is too long for a call is text to its last byte, at
// any split. If its end is too far away, the rest of the message is text too.
func TestRescueLosesNothing(t *testing.T) {
	opts := Options{Options: parse.Options{AllowAfterMalformed: true}, Rescue: format.Hermes}
	opts.Limits.Bytes = 80
	leak := func(n int) string {
		return `<tool_call>{"name":"getWeather","arguments":{"location":"` + strings.Repeat("ab ", n) + `"}}</tool_call>`
	}
	short := leak(1)
	for _, c := range []struct {
		text, said string
		calls      int
	}{
		{"So: " + leak(20) + " and " + short + " end", "So: " + leak(20) + " and  end", 1},
		{"So: " + leak(2000) + " and " + short + " end", "", 0},
		{"So: " + leak(20)[:110], "", 0},
		{leak(30) + leak(40) + "\n", "", 0},
	} {
		if c.said == "" {
			c.said = c.text
		}
		for _, size := range []int{1, 7, 50, 100, 300} {
			for name, e := range endpoints {
				m := says(c.text)
				m.Shape.Delta = size
				api, _ := strings.CutSuffix(name, " whole")
				got := shapeOf(api).read(t, post(t, m, opts, e.path, e.request))
				if got.text != c.said || len(got.calls) != c.calls {
					t.Errorf("%s, pieces of %d: %d calls, %q, want %q", name, size, len(got.calls), got.text, c.said)
				}
			}
		}
	}
	// Of the tools, the loader included, only those are called that the request allows.
	opts.Manual.Lazy.Tool = func(*sig.Tool) bool { return true }
	allowed := strings.Replace(weatherRequest, `{`, `{"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"getWeather"}}]}},`, 1)
	for text, calls := range map[string]int{short: 1, `<tool_call>{"name":"__load_tool_schema__","arguments":{}}</tool_call>`: 0} {
		got := readReply(t, chat, post(t, says(text), opts, chat, allowed))
		if len(got.Calls) != calls || (got.Text == text) == (calls > 0) {
			t.Errorf("%s: %d calls, %q", text, len(got.Calls), got.Text)
		}
	}
}
