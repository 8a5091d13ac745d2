package middleware

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/bridge"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestFormats: what holds for calls in the wire format holds for those of other formats,
// prompted or rescued: none comes from code, from reasoning or from after a malformed
// call, and what isn't a call is reported.
func TestFormats(t *testing.T) {
	for _, name := range protocol.Names() {
		p := protocol.ByName(name)
		catalog := compileTools(t, "["+weatherTool+"]")
		format := parse.FormatOptions{Protocol: p}
		call, err := format.Format(catalog, "getWeather", []byte(`{"location":"Rome"}`))
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
				"prompted": {Manual: manual.Options{Format: bridge.Format(p)}, Retries: -1},
				"rescued":  {Rescue: bridge.Format(p)},
			} {
				for _, size := range []int{0, 1} {
					m := &scripted.Model{Replies: []scripted.Reply{{Text: c.text}}, Shape: scripted.Shape{Delta: size}}
					_, out := plain(t, opts, "/v1"+chat, weatherRequest, m)
					got := readChat(t, out, 0)
					if len(got.Calls) != c.calls {
						t.Errorf("%s, %s, %s: %d calls in %s", name, way, c.name, len(got.Calls), fmt.Sprintf("%+v", got))
					}
					if c.calls == 0 && !strings.Contains(got.Text, "Rome") {
						t.Errorf("%s, %s, %s: the text is %q", name, way, c.name, got.Text)
					}
				}
			}
		}
	}
}
