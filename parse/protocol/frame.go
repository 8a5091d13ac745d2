package protocol

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Frame is the pair of tags around a call. Each has 2 to 64 bytes of UTF-8 without
// whitespace and control characters. Neither may contain the other, except that a
// Markdown fence may close what a longer one with the same beginning has opened.
type Frame struct {
	Open, Close string
}

// FrameError says why the tags of a protocol are illegal.
type FrameError struct {
	Frame  Frame
	Tag    string // the tag concerned
	Reason string // what was wanted, and what is there instead
}

// Error returns tag and reason.
func (e *FrameError) Error() string { return fmt.Sprintf("tag %q: %s", e.Tag, e.Reason) }

// validate says why the tags are illegal around a body that begins with the given
// bytes.
func (f Frame) validate(body string) error {
	for _, tag := range [...]string{f.Open, f.Close} {
		switch {
		case len(tag) < 2 || len(tag) > 64:
			return &FrameError{f, tag, fmt.Sprintf("want 2 to 64 bytes, have %d", len(tag))}
		case !utf8.ValidString(tag):
			return &FrameError{f, tag, "want valid UTF-8"}
		}
		for _, c := range tag {
			if unicode.IsSpace(c) || unicode.IsControl(c) {
				return &FrameError{f, tag, fmt.Sprintf("want no whitespace and no controls, have %q", c)}
			}
		}
	}
	if strings.Contains(f.Close, f.Open) || strings.Contains(f.Open[1:], f.Close) {
		return &FrameError{f, f.Open, fmt.Sprintf("want neither tag inside the other, which is %q", f.Close)}
	}
	for n := 1; n < len(f.Open); n++ { // text before the opener must not hide it
		if shifted := f.Open[:n] + f.Open + body; strings.HasPrefix(shifted, f.Open+body) {
			return &FrameError{f, f.Open, fmt.Sprintf("its last bytes are its first ones, %q: want no call to begin after these", f.Open[:n])}
		}
	}
	return nil
}
