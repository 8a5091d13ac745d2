package middleware

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
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
