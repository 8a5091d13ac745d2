package middleware

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

// TestFormats: what holds for calls in the wire format holds for those of other formats,
// prompted or rescued: none comes from code, from reasoning or from after an invented result,
// and what isn't a call is reported.
func TestFormats(t *testing.T) {
	catalog := compileTools(t, "["+weatherTool+"]")
	const arguments = `{"location":"Rome","units":"metric"}`
	for _, f := range format.All() {
		call, err := parse.FormatCall(catalog, "getWeather", []byte(arguments), &parse.FormatOptions{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		prompted, rescued := Options{Manual: manual.Options{Format: f}}, Options{Rescue: f}
		opener := resultOpener(&prompted.Manual)
		malformed := strings.ReplaceAll(call, "getWeather", "getForecast")
		for _, c := range []struct {
			name     string
			replies  []string
			text     string // "": that of the model, without a call
			prompted bool   // and not rescued
		}{
			{"a call", []string{"Look.\n\n" + call}, "Look.\n\n", false},
			{"in a fence", []string{"Like this:\n\n```\n" + call + "\n```\n\nThat is it."}, "", false},
			{"in reasoning", []string{"<think>\n" + call + "\n</think>\nNo call."}, "", false},
			{"in reasoning that does not end", []string{"<think>\n" + call}, "", false},
			{"a call after one in reasoning", []string{"<think>" + call + "</think>" + call}, "<think>" + call + "</think>", false},
			{"after a tag in code", []string{"The tag `<think>` is " + call}, "The tag `<think>` is ", false},
			{"of no tool", []string{"Well. " + malformed, call}, "Well. ", true},
			{"after an invented result", []string{call + "\n" + opener + "\n35\n" + call}, "\n", true},
		} {
			if f.Name == "morph-xml" && c.name == "of no tool" {
				continue // the name is the tag, so that is text
			}
			for way, opts := range map[string]Options{"prompted": prompted, "rescued": rescued} {
				if c.prompted && way == "rescued" {
					continue
				}
				for _, size := range []int{0, 1} {
					m := says(c.replies...)
					m.Shape.Delta = size
					_, out, _ := ask(m, opts, chat, weatherRequest)
					got := readChat(t, out)
					isCalled := len(got.Calls) == 1 && got.Calls[0].Arguments == arguments && got.Finish == "tool_calls"
					isText := got.Text == c.text
					if c.text == "" {
						isText = got.Text == c.replies[0]
					}
					if !isText || isCalled != (c.text != "") || len(m.Requests()) != len(c.replies) {
						t.Errorf("%s, %s, %s, %d characters at once: %d requests, %+v", f.Name, way, c.name, size, len(m.Requests()), got)
					}
				}
			}
		}
		m := canned(`{"type":"message","content":[{"type":"text","text":"Yes."}],"stop_reason":"stop_sequence","stop_sequence":` + string(rawjson.Quote(opener)) + `}`)
		out := post(t, m, prompted, messages, strings.Replace(weatherRequestA, `"stream":true`, `"stream":false`, 1))
		if sent := string(m.Requests()[0].Body); !strings.Contains(sent, `"stop_sequences":[`+string(rawjson.Quote(opener))+`]`) || !strings.Contains(out, `"end_turn"`) {
			t.Errorf("%s: sent %s, got %s", f.Name, sent, out)
		}
	}
}
