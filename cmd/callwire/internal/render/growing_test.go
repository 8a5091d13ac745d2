package render

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// TestGrowing writes to a terminal of 40 columns: a growing call is a line
// that is drawn again, its end in view, and gives way to the finished call.
func TestGrowing(t *testing.T) {
	const clear = "\x1b[K"
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	p := &page{Screen: terminal.Screen{Width: 40, Redraw: true}, out: w, follow: true}
	show := func(e stream.Event) error {
		p.event(&e)
		return nil
	}
	d, err := stream.NewDecoder(sig.AnyTool, show, &parse.Options{AllowAfterMalformed: true})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("0123456789", 600)
	for _, step := range [][2]string{
		{"Now: <call>", "Now: "},
		{"wri", ""},
		{"te ", "\n\r▶ write call-1 " + clear},
		{"n=1", "\r▶ write call-1 {\"n\":" + clear},
		{" s=\"", "\r▶ write call-1 {\"n\":1,\"s\":" + clear},
		{"one", "\r▶ write call-1 {\"n\":1,\"s\":\"one" + clear},
		{" and two", "\r▶ write call-1 {\"n\":1,\"s\":\"one and two" + clear},
		{" and then some", "\r▶ write call-1 …e and two and then some" + clear},
		{" 世界\u202e\n", "\r▶ write call-1 … then some 世界\\u202e\\n" + clear},
		{"\"</call>", "\r" + clear + "▶ write call-1 {\n    \"n\": 1,\n    \"s\": \"one and two and then some 世界\\u202e\\n\"\n  }\n"},
		{" <call>t</call>", "▶ t call-2 {}\n"},
		{"<call>t s='" + long, "\r▶ t call-3 …" + long[len(long)-27:] + clear},
		{"x", "\r▶ t call-3 …" + long[len(long)-26:] + "x" + clear},
		{"'</call>\n.", "\r" + clear + "▶ t call-3 {\n    \"s\": \"" + long + "x\"\n  }\n."},
		{"<call>" + strings.Repeat("n", 60) + " a=1 ", "\n\r▶ nnnnnnnnnnnnnnnnnnn… call-4 {\"a\":1" + clear},
		{"b=2", "\r▶ nnnnnnnnnnnnnnnnnnn… call-4 …\":1,\"b\":" + clear},
	} {
		p.source([]byte(step[0]))
		d.Write([]byte(step[0]))
		p.pause()
		w.Flush()
		if got := out.String(); got != step[1] {
			t.Errorf("after %.80q\ngot  %.300q\nwant %.300q", step[0], got, step[1])
		}
		out.Reset()
	}
	d.Close()
	p.pause()
	w.Flush()
	if got := out.String(); !strings.HasPrefix(got, "\r"+clear+"✗ nnn") || !strings.Contains(got, " call-4 unterminated-call at ") {
		t.Errorf("%q", got)
	}
}
