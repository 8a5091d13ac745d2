package middleware

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestFormats: what holds for calls in the wire format holds for those of other formats,
// prompted or rescued: none comes from code, from reasoning or from after a malformed
// call, and what isn't a call is reported.
func TestFormats(t *testing.T) {
	for _, f := range format.All() {
		catalog := compileTools(t, "["+weatherTool+"]")
		call, err := parse.FormatCall(catalog, "getWeather", []byte(`{"location":"Rome"}`), &parse.FormatOptions{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name, text string
			calls      int
		}{
			{"a call", "Look.\n\n" + call, 1},
			{"in a fence", "Like this:\n\n```\n" + call + "\n```\n\nThat is it.", 0},
			{"in reasoning", "<think>\n" + call + "\n</think>\nNo call.", 0},
			{"in reasoning that does not end", "<think>\n" + call, 0},
		} {
			for way, opts := range map[string]Options{
				"prompted": {Manual: manual.Options{Format: f}, Retries: -1},
				"rescued":  {Rescue: f},
			} {
				for _, size := range []int{0, 1} {
					m := &scripted.Model{Replies: []scripted.Reply{{Text: c.text}}, Shape: scripted.Shape{Delta: size}}
					_, out := plain(t, opts, "/v1"+chat, weatherRequest, m)
					got := readChat(t, out)
					if len(got.Calls) != c.calls {
						t.Errorf("%s, %s, %s: %d calls in %s", f.Name, way, c.name, len(got.Calls), fmt.Sprintf("%+v", got))
					}
					if c.calls == 0 && !strings.Contains(got.Text, "Rome") {
						t.Errorf("%s, %s, %s: the text is %q", f.Name, way, c.name, got.Text)
					}
				}
			}
		}
	}
}

// TestProtocols: the calls of a model are read in its own format, and its messages end before a
// result.
func TestProtocols(t *testing.T) {
	catalog := compileTools(t, "["+weatherTool+"]")
	for _, f := range format.All() {
		name := f.Name
		if f == format.Wire {
			continue
		}
		call, err := parse.FormatCall(catalog, "getWeather", []byte(`{"location":"Rome","units":"metric"}`), &parse.FormatOptions{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		const arguments = `{"location":"Rome","units":"metric"}`
		opts := Options{Manual: manual.Options{Format: f}}
		opener := resultOpener(&opts.Manual)
		broken := strings.ReplaceAll(call, "getWeather", "getForecast")
		for what, c := range map[string]struct {
			replies []string
			text    string
		}{
			"a call":           {[]string{"Well. " + call}, "Well. "},
			"a broken one":     {[]string{"Well. " + broken, call}, "Well. "},
			"an invented one":  {[]string{call + "\n" + opener + "\n35\n" + call}, "\n"},
			"a tag spoken of":  {[]string{"The tag `<think>` is " + call}, "The tag `<think>` is "},
			"one in a thought": {[]string{"<think>" + call + "</think>" + call}, "<think>" + call + "</think>"},
		} {
			if what == "a broken one" && name == "morph-xml" {
				continue // the name is the tag, so that is text
			}
			for _, size := range []int{1, 1000} {
				var replies []string
				for _, text := range c.replies {
					var deltas []string
					for d := range slices.Chunk([]rune(text), size) {
						deltas = append(deltas, string(d))
					}
					replies = append(replies, chunks("stop", deltas...))
				}
				u := &upstream{replies: replies}
				got := readChat(t, u.post(t, opts, chat, weatherRequest))
				if len(got.Calls) != 1 || got.Calls[0].Arguments != arguments || got.Text != c.text || got.Finish != "tool_calls" || len(u.bodies) != len(replies) {
					t.Errorf("%s, %s, %d characters at once: asked %d times, %+v", name, what, size, len(u.bodies), got)
				}
			}
		}
		u := &upstream{replies: []string{`{"type":"message","content":[{"type":"text","text":"Yes."}],"stop_reason":"stop_sequence","stop_sequence":` + string(rawjson.Quote(opener)) + `}`}}
		if out := u.post(t, opts, messages, strings.Replace(weatherRequestA, `"stream":true`, `"stream":false`, 1)); !strings.Contains(u.bodies[0], `"stop_sequences":[`+string(rawjson.Quote(opener))+`]`) || !strings.Contains(out, `"end_turn"`) {
			t.Errorf("%s: sent %s, got %s", name, u.bodies[0], out)
		}
	}
}
