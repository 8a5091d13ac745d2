package middleware

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestFrames: events end with an empty line, for all line ends and at any split.
func TestFrames(t *testing.T) {
	for _, c := range []struct{ stream, want string }{
		{"data: a\n\ndata: b\n\n", `"a" "b"`},
		{"data: a\r\n\r\ndata: b\r\n\r\n", `"a" "b"`},
		{"event: e\nid: 1\ndata:a\ndata: b\n\n", `e:"a\nb"`},
		{": comment\n\ndata: a\n\n", `"" "a"`},
		{"\ufeffdata: a\n\n", `"a"`},
		{"data: a", `"a"`},
		{"data: a\n", `"a"`},
		{"data: a\r\n\r", `"a"`},
		{"\n\ndata: a\n\n", `"" "" "a"`},
	} {
		for name, r := range map[string]io.Reader{
			"at once":      strings.NewReader(c.stream),
			"byte by byte": iotest.OneByteReader(strings.NewReader(c.stream)),
		} {
			in := newFrames(r, false, 100)
			var got []string
			all := ""
			for in.next() {
				all += string(in.raw)
				text := fmt.Sprintf("%q", in.data)
				if in.name != "" {
					text = in.name + ":" + text
				}
				got = append(got, text)
			}
			if strings.Contains(strings.ReplaceAll(all, "\r\n", ""), "\r") {
				t.Errorf("%s, %q: %q", name, c.stream, all)
			}
			if strings.Join(got, " ") != c.want || !strings.HasPrefix(all, c.stream) || in.err != nil {
				t.Errorf("%s, %q: %s, %v", name, c.stream, got, in.err)
			}
		}
	}
}

// TestFrameBreaksOff: a frame that the connection breaks off in is dropped, and the
// error comes after the complete ones, also if it arrives together with them.
func TestFrameBreaksOff(t *testing.T) {
	broke := errors.New("reset")
	for stream, lines := range map[string]bool{"data: a\n\ndata: b\n\ndata: c": false, "a\nb\nc": true} {
		for name, change := range map[string]func(io.Reader) io.Reader{
			"late":    func(r io.Reader) io.Reader { return r },
			"at once": iotest.DataErrReader,
		} {
			r := io.MultiReader(strings.NewReader(stream), iotest.ErrReader(broke))
			in := newFrames(change(r), lines, 100)
			n := 0
			for in.next() {
				n++
			}
			if n != 2 || in.err != broke {
				t.Errorf("%s, %q: %d frames, %v", name, stream, n, in.err)
			}
		}
	}
}
